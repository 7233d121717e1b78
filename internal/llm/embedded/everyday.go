package embedded

import (
	_ "embed"
	"fmt"
	"slices"
	"strings"
)

//go:embed everyday.txt
var everydayText string

// wording is the everyday words for some plain ones.
type wording struct {
	said  []string // stems
	plain []token
}

// glossary is wordings by their first stem, the longest first.
type glossary map[string][]wording

// loadEveryday reads how people type, and what they say.
func (t *tables) loadEveryday() error {
	t.typed, t.said = glossary{}, glossary{}
	to := t.typed
	for _, line := range dataLines(everydayText) {
		if strings.Trim(line, "-") == "" {
			to = t.said
			continue
		}
		plain, said, ok := strings.Cut(line, " : ")
		if !ok {
			return fmt.Errorf("everyday words: %q has no words", line)
		}
		for s := range strings.SplitSeq(said, ",") {
			t.addWording(to, split(s), split(plain))
		}
	}
	for _, g := range []glossary{t.typed, t.said} {
		for _, list := range g {
			slices.SortStableFunc(list, func(a, b wording) int { return len(b.said) - len(a.said) })
		}
	}
	return nil
}

func (t *tables) addWording(to glossary, said, plain []string) {
	if len(said) == 0 {
		return
	}
	for _, w := range said {
		t.right[w] = true // nobody means another word by it
	}
	w := wording{}
	for _, p := range plain {
		w.plain = append(w.plain, token{stem: stem(p), word: p, fixed: p, reworded: true})
	}
	for _, s := range said {
		w.said = append(w.said, stem(s))
	}
	to[w.said[0]] = append(to[w.said[0]], w)
}

// at is the wording that stems begin with; nil when there is none.
func (g glossary) at(tokens []token) *wording {
	list := g[tokens[0].stem]
	for i := range list {
		if said := list[i].said; len(said) <= len(tokens) && begins(tokens, said) {
			return &list[i]
		}
	}
	return nil
}

func begins(tokens []token, stems []string) bool {
	for i, s := range stems {
		if tokens[i].stem != s {
			return false
		}
	}
	return true
}

// reword puts the plain words in the place of what g has; changed tells whether there was any. New tokens are marked.
func (g glossary) reword(tokens []token) (out []token, changed bool) {
	for i := 0; i < len(tokens); {
		w := g.at(tokens[i:])
		if w == nil {
			out = append(out, tokens[i])
			i++
			continue
		}
		changed = true
		out = append(out, w.plain...)
		i += len(w.said)
	}
	return out, changed
}
