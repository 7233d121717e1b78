package app

import (
	_ "preceptor/internal/llm/embedded" // makes the embedder known to llm.Open

	"preceptor/internal/learning"
	"preceptor/internal/llm"
)

// reasoner is who reflects, validates, refines and judges: the model if there is one, else the embedded reasoner.
func reasoner(g llm.Generator) learning.Reasoner {
	return nil
}
