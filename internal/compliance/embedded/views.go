package embedded

import (
	"strings"

	"preceptor/internal/compliance"
)

// Penalty is how dear a feature of the document is to a judge, beside 1: what lies in its view is believed sooner. The last is the
// constant's.
func Penalty(judge string) []float64 {
	out := make([]float64, len(DocumentFeatures)+1)
	for i, f := range DocumentFeatures {
		out[i] = outOfView
		if inView(judge, f) {
			out[i] = 1
		}
	}
	return out
}

const outOfView = 3

func inView(judge, feature string) bool {
	has := func(parts ...string) bool {
		for _, p := range parts {
			if strings.HasSuffix(feature, p) {
				return true
			}
		}
		return false
	}
	switch judge {
	case Boundary:
		return has("RECOMMENDATION", "any", "soft", "steering words", "decline", "your_choice", "asks for a choice", compliance.Pressure, "critical")
	case Risk:
		return strings.HasPrefix(feature, "lacks") || has("any", "DISCLOSURE", "WARNING", "PROMISE", "FACT", "UNFLAGGED", "SIGNPOST", "guarantees", "loss", "scam words asked", "unasked signpost", "critical")
	}
	return strings.HasPrefix(feature, "lacks") || has("any", "CHECKED", "LITERACY", "SIGNPOST", "low literacy", "vulnerable", "grade", "sentences", "check", compliance.Pressure, "soft", "critical")
}
