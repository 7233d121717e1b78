package privacy

import "slices"

// Words lists what is personal in text, each once, in its order: what Pseudonymise would replace, and the tokens that
// stand for such words.
func (p *Pseudonymiser) Words(text string, known ...string) (out []string) {
	hits := findSeen(text, known)
	for _, m := range tokenRE.FindAllStringIndex(text, -1) {
		hits = append(hits, hit{kindOther, m[0], m[1]})
	}
	for _, h := range pick(hits) {
		if w := text[h.start:h.end]; !slices.Contains(out, w) {
			out = append(out, w)
		}
	}
	return out
}
