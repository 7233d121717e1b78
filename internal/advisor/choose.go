package advisor

import (
	"cmp"
	"slices"

	"preceptor/internal/knowledge"
	"preceptor/internal/pack"
)

// sameLimit is the share of a sentence's words from which on it repeats another.
const sameLimit = 0.6

// choose takes the cases that answer what is asked, in the order asked, or the best one and one as near. What of a case
// is too long is cut.
func choose(list []passage, r Request) (out [][]passage, cut []passage) {
	cases := byCase(list)
	if len(cases) == 0 {
		return nil, nil
	}
	asked := func(c []passage) int { return slices.Index(r.Needs, r.Recall.Cases[c[0].item].ID) }
	taken := slices.DeleteFunc(slices.Clone(cases), func(c []passage) bool { return asked(c) < 0 })
	if len(taken) == 0 {
		taken = cases[:1:1]
		if len(cases) > 1 && len(r.Needs) == 0 && cases[1][0].near >= cases[0][0].near-tie {
			taken = cases[:2:2]
		}
	}
	slices.SortStableFunc(taken, func(a, b []passage) int { return cmp.Compare(asked(a), asked(b)) })
	taken = append(taken, served(cases, taken, r)...)
	var said []passage
	for _, c := range taken {
		whole, over := shorten(withoutRepeats(c, said), r.Situation)
		if len(whole) > 1 || len(said) == 0 || len(whole) == 1 && practised(c, r) {
			out, cut, said = append(out, whole), append(cut, over...), append(said, whole...)
		}
	}
	return out, cut
}

// telling leaves out what was released to other customers and has none of the question's telling words: an apology or a
// greeting answers nobody else.
func telling(list []passage, r Request) (out []passage) {
	for _, c := range groups(list, func(p passage) int { return p.item }) {
		if !released(r.Recall.Cases[c[0].item]) || practised(c, r) || meets(r.Situation, c) > 0 {
			out = append(out, c...)
		}
	}
	return out
}

// servedNear is how much farther than what answers the question a practised case may be that is told beside it.
const servedNear = 0.15

// served is the nearest practised case, which is told beside what answers: its customer needed more than they asked.
func served(cases, taken [][]passage, r Request) [][]passage {
	for i, c := range cases {
		if !practised(c, r) || slices.ContainsFunc(taken, func(t []passage) bool { return t[0].same(c[0]) }) {
			continue
		}
		if c[0].near < taken[0][0].near-servedNear || r.Recall.Cases[c[0].item].Case.Task != r.Situation.Task {
			return nil
		}
		return cases[i : i+1]
	}
	return nil
}

func practised(c []passage, r Request) bool {
	return r.Recall.Cases[c[0].item].Case.Source == knowledge.FromPractice
}

// byCase groups the passages, the best case first.
func byCase(list []passage) [][]passage {
	cases := groups(list, func(p passage) int { return p.item })
	slices.SortStableFunc(cases, func(a, b []passage) int { return cmp.Compare(b[0].near, a[0].near) })
	return cases
}

// groups cuts a list where what of tells of its members changes.
func groups(list []passage, of func(passage) int) (out [][]passage) {
	for i, p := range list {
		if i == 0 || of(p) != of(list[i-1]) {
			out = append(out, nil)
		}
		out[len(out)-1] = append(out[len(out)-1], p)
	}
	return out
}

// shorten is a case whole, or of a long one the neighbouring paragraphs that have most of the question's words, with
// its warnings. It never begins with a paragraph that leans on one before it.
func shorten(c []passage, s pack.Situation) (kept, cut []passage) {
	room := longest(s)
	if words(c) <= room {
		return c, nil
	}
	blocks := groups(c, func(p passage) int { return p.block })
	var best [2]int
	most := -1
	for i, b := range blocks {
		if i > 0 && (b[0].leansOn || b[0].listed) {
			continue
		}
		j, n := i+1, words(b)
		for j < len(blocks) && (n+words(blocks[j]) <= room || blocks[j][0].listed) {
			n += words(blocks[j])
			j++
		}
		if n := meets(s, slices.Concat(blocks[i:j]...)); n > most {
			most, best = n, [2]int{i, j}
		}
	}
	for i, b := range blocks {
		if i >= best[0] && i < best[1] || b[0].warns {
			kept = append(kept, b...)
		} else {
			cut = append(cut, b...)
		}
	}
	return kept, cut
}

// words counts those of some sentences.
func words(list []passage) (n int) {
	for _, p := range list {
		n += len(pack.Words(p.text))
	}
	return n
}

// longest is how many words of a case answer a reader: fewer for low literacy.
func longest(s pack.Situation) int {
	switch s.Reads() {
	case "low":
		return 110
	case "high":
		return 200
	}
	return 150
}

// standing is a list without sentences that lean on, or may point to, one that was left out, or that introduce a list
// which was.
func standing(list []passage) (out []passage) {
	for _, c := range groups(list, func(p passage) int { return p.item }) {
		next := 0 // the place of the sentence that would follow
		for _, p := range c {
			if p.at == next || !p.leansOn && !pointingRE.MatchString(p.text) && !p.listed {
				out, next = append(out, p), p.at+1
			}
		}
	}
	return withLists(out)
}

// withoutRepeats leaves out what was said, and what leans on it.
func withoutRepeats(c, said []passage) []passage {
	return standing(slices.DeleteFunc(slices.Clone(c), func(p passage) bool { return repeats(p, said) }))
}

func repeats(p passage, chosen []passage) bool {
	for _, c := range chosen {
		n := 0
		for w := range p.stems {
			if c.stems[w] {
				n++
			}
		}
		if float64(n) >= sameLimit*float64(min(len(p.stems), len(c.stems))) && n > 2 {
			return true
		}
	}
	return false
}
