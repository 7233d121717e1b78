package app

import (
	_ "preceptor/internal/llm/embedded" // makes the embedder known to llm.Open

	"preceptor/internal/compliance"
	"preceptor/internal/learning"
	"preceptor/internal/llm"
	"preceptor/internal/privacy"
)

// reasoner is who reflects, validates, refines and judges: the model if there is one, else the embedded reasoner.
func reasoner(g llm.Generator, v *compliance.Validator, priv *privacy.Pseudonymiser) learning.Reasoner {
	if g == nil {
		return learning.NewEmbedded(v)
	}
	return learning.NewPrompted(g, priv)
}
