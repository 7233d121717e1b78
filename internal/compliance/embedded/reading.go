package embedded

import (
	"preceptor/internal/compliance"
	"preceptor/internal/pension"
)

// Vectors are the features of every sentence of a subject, in order.
func Vectors(s *compliance.Subject) [][]Feature {
	r := sentenceReader()
	read := s.Reading()
	who := personOf(*s)
	quotes := pension.QuotedSpans(read.Text)
	out := make([][]Feature, len(read.Sentences))
	for i := range read.Sentences {
		out[i] = r.vector(read, i, who, quotes)
	}
	return out
}
