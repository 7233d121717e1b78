package app

import (
	"preceptor/internal/advisor"
	"preceptor/internal/compliance"
	judges "preceptor/internal/compliance/embedded"
	"preceptor/internal/learning"
	"preceptor/internal/llm"
	_ "preceptor/internal/llm/anthropic" // these make the providers known to llm.Open
	"preceptor/internal/llm/embedded"
	_ "preceptor/internal/llm/openai"
	"preceptor/internal/platform/text/compare"
	"preceptor/internal/privacy"
)

// local is the embedder that is part of the program. It reads vectors made before another came into use, too.
func local() llm.Embedder { return embedded.New() }

// panel is who votes on compliance: the judge in the program, with what the firm taught it, which may be nil.
func panel(taught judges.Taught) compliance.Panel {
	return compliance.Panel{Judges: judges.Judges(taught)}
}

// reasoner is who reflects, validates, refines and judges: the model if there is one, else the embedded reasoner.
func reasoner(g llm.Generator, priv *privacy.Pseudonymiser) learning.Reasoner {
	if g == nil {
		return learning.NewEmbedded(compare.Plain)
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

// hide is how a question is made fit to leave for an embedder elsewhere. Nothing is put back: what returns is a vector.
func hide(priv *privacy.Pseudonymiser) func(text string, known ...string) string {
	return func(text string, known ...string) string {
		safe, _ := priv.Pseudonymise(text, known...)
		return safe
	}
}
