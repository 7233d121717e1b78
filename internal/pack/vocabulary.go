package pack

// Vocabulary is every text of the pack that people read or say: its labels, words, questions and phrases. A word of it
// is the domain's and nobody's own.
func (p *Pack) Vocabulary() []string {
	out := []string{p.Title, p.About, p.Prompt, p.Frames.Unknown, p.Frames.Signpost}
	for _, f := range p.Fields {
		out = append(out, f.Label)
		for _, v := range f.Values {
			out = append(append(out, v.Label), v.Said...)
		}
	}
	for _, t := range p.Topics {
		out = append(append(out, t.Label, t.Phrase), t.Questions...)
	}
	for _, w := range p.Warnings {
		out = append(out, w.Text)
	}
	for _, texts := range p.Wordings {
		out = append(out, texts...)
	}
	return out
}
