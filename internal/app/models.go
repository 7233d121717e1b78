package app

import (
	"preceptor/internal/advisor"
	"preceptor/internal/compliance"
	"preceptor/internal/learning"
	"preceptor/internal/llm"
	_ "preceptor/internal/llm/embedded" // makes the embedder known to llm.Open
	"preceptor/internal/privacy"
)

// reasoner is who reflects, validates, refines and judges: the model if there is one, else the embedded reasoner.
func reasoner(g llm.Generator, check *compliance.Validator, priv *privacy.Pseudonymiser) learning.Reasoner {
	if g == nil {
		return learning.NewEmbedded(check)
	}
	return learning.NewPrompted(g, priv)
}

// drafter is who writes our own drafts: the model if there is one, else the embedded advisor.
func drafter(g llm.Generator, priv *privacy.Pseudonymiser) advisor.Drafter {
	if g == nil {
		return advisor.Embedded{}
	}
	return advisor.NewPrompted(g, priv)
}
