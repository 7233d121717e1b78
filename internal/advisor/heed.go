package advisor

import (
	"regexp"
	"slices"
	"strings"

	"preceptor/internal/pack"
)

var sentenceEnd = regexp.MustCompile(`[.!?;\n]+(?:\s+|$)`)

// heed does what a supervisor's note asks for, sentence by sentence, as far as it names moves that are known here. What is
// not understood is left to the next reader, who is told: half a guess in a draft is worse than none.
func (c *composition) heed() {
	if strings.TrimSpace(c.r.Note) == "" {
		return
	}
	for _, sentence := range sentenceEnd.Split(c.r.Note, -1) {
		if sentence = strings.TrimSpace(sentence); sentence == "" {
			continue
		}
		p, err := pack.ParsePrinciple(sentence)
		if err != nil || len(p.Moves()) == 0 || slices.Contains(p.Moves(), pack.Say) {
			c.note("Sent back with %q: nothing that the embedded advisor knows how to do; left to the supervisor.", sentence)
			continue
		}
		because := "Sent back with \"" + sentence + "\""
		added := c.add(because, p)
		if !c.reword(because, p) && !added {
			c.note("%s: the draft does this already.", because)
		}
	}
}
