package observe

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"
	"unicode"

	"preceptor/internal/llm"
)

const (
	// Floor is the mean cosine from which two groups of actions are one. Nine pairs of one behaviour lie at .74 and
	// above (TestFloors), the seed's "wrote 500-word explanation" and "wrote detailed steps" at .67; of 189 pairs of
	// different ones three reach it.
	Floor = 0.66
	// samePattern is the cosine from which an action does what a pattern of the project says. Of 13 that do 12 reach
	// it, of 44 pairs that have nothing to do with each other one. Of 21 that follow a pattern 19 are nearer to it than
	// to any of turns, of 29 that do the contrary 5.
	samePattern = 0.68
	// sameWish is the cosine from which two users' words ask for the same. "Don't explain so much" and "stop
	// explaining" lie at .76, "don't touch the config file" and "never use force push" at .66.
	sameWish = 0.75
	// about is the cosine from which a wish may speak of what was done: "use tabs instead" and "indent code spaces" lie
	// at .495; of 22 such pairs 21 reach it, of 20 of a wish and another action seven.
	about = 0.49
	// distinct is how many actions are read for their meaning, the last ones, numbers and names aside: 5 ms each. Older
	// ones are grouped with their like only where the words are the same.
	distinct = 100
	// longest is how much of an action says what was done, in bytes.
	longest = 300
)

// mask is what an action comes to without what changes from time to time: names of files, numbers, quoted words.
// "split_file:proxy.go:3" and "split cli.go into 2 files" come to "split file" and "split into files".
func mask(action string) string {
	s := strings.ToLower(action)
	if len(s) > longest {
		s = strings.ToValidUTF8(s[:longest], "")
	}
	var all []string
	for _, part := range strings.FieldsFunc(quoted.ReplaceAllString(quotes.Replace(s), " "), func(r rune) bool {
		return unicode.IsSpace(r) || strings.ContainsRune(`:,;()"=`, r)
	}) {
		if strings.ContainsAny(strings.Trim(part, "./"), "./") { // a file
			continue
		}
		for _, w := range strings.FieldsFunc(part, func(r rune) bool {
			return !unicode.IsLetter(r) && !unicode.IsNumber(r)
		}) {
			if strings.ContainsFunc(w, unicode.IsNumber) {
				continue
			}
			all = append(all, w)
		}
	}
	if len(all) > 0 {
		return strings.Join(all, " ")
	}
	return strings.Join(strings.Fields(s), " ")
}

// turns make the contrary of a pattern, behind the pattern itself.
var turns = []string{"", "do not ", "never ", "avoid: ", "without: "}

// whole is a text with its names, by which a pattern is known: "testify.Suite".
func whole(s string) string {
	s = strings.ToLower(s)
	return strings.Join(strings.Fields(strings.ToValidUTF8(s[:min(len(s), longest)], "")), " ")
}

// Meanings are the vectors of masked actions. Without any, actions are alike where the masks are equal.
type Meanings map[string][]float32

// Read asks e for the meaning of the last distinct actions and of the code base's patterns. Without an embedder there
// are none.
func Read(ctx context.Context, e llm.Embedder, list []Observation, base Codebase) (Meanings, error) {
	if e == nil {
		return nil, nil
	}
	m := Meanings{}
	for _, i := range slices.Backward(inTime(list)) {
		if m[mask(list[i].Action)] = nil; len(m) == distinct {
			break
		}
	}
	for _, i := range inTime(list)[max(0, len(list)-distinct):] {
		if IsFailure(list[i]) && list[i].orders() {
			m[asked(list[i])] = nil
		}
	}
	for _, p := range base.Patterns {
		for _, how := range turns {
			m[whole(how+p.Description)] = nil
		}
		for _, i := range inTime(list)[max(0, len(list)-distinct):] {
			m[whole(list[i].Action)] = nil
		}
	}
	keys := slices.Sorted(maps.Keys(m))
	vectors, err := e.Embed(ctx, keys)
	if err != nil {
		return nil, fmt.Errorf("observe: read actions: %w", err)
	}
	for i, key := range keys {
		m[key] = vectors[i]
	}
	return m, nil
}

// alike is the cosine of two masked texts; 0 where one was not read.
func (m Meanings) alike(a, b string) float64 {
	x, y := m[a], m[b]
	if x == nil || y == nil {
		return 0
	}
	return llm.Dot(x, y)
}

// Groups are the observations among list that are of one behaviour, as indexes in the order of time; among says which
// count, nil all.
func (m Meanings) Groups(list []Observation, floor float64, among func(Observation) bool) (out [][]int) {
	return m.groups(list, floor, masked, func(i int) bool { return among == nil || among(list[i]) })
}

// groups are of what is alike in of.
func (m Meanings) groups(list []Observation, floor float64, of func(Observation) string,
	among func(i int) bool) (out [][]int) {
	by := map[string][]int{}
	for _, i := range inTime(list) {
		if among(i) {
			by[of(list[i])] = append(by[of(list[i])], i)
		}
	}
	rank := make([]int, len(list))
	for n, i := range inTime(list) {
		rank[i] = n
	}
	for _, keys := range m.cluster(slices.Sorted(maps.Keys(by)), floor) {
		var group []int
		for _, key := range keys {
			group = append(group, by[key]...)
		}
		slices.SortFunc(group, func(i, j int) int { return rank[i] - rank[j] })
		out = append(out, group)
	}
	return out
}

// cluster joins, again and again, the two groups whose keys are most alike on average; keys that were not read stay
// alone.
func (m Meanings) cluster(keys []string, floor float64) (groups [][]string) {
	var alone [][]string
	for _, key := range keys {
		if m[key] != nil {
			groups = append(groups, []string{key})
		} else {
			alone = append(alone, []string{key})
		}
	}
	sums := make([][]float64, len(groups)) // of the cosines between two groups
	for i := range groups {
		for j := range groups {
			sums[i] = append(sums[i], m.alike(groups[i][0], groups[j][0]))
		}
	}
	for {
		best, a, b := floor, -1, -1
		for i := range groups {
			for j := range i {
				if mean := sums[i][j] / float64(len(groups[i])*len(groups[j])); groups[i] != nil && groups[j] != nil &&
					mean >= best {
					best, a, b = mean, j, i
				}
			}
		}
		if a < 0 {
			return append(slices.DeleteFunc(groups, func(g []string) bool { return g == nil }), alone...)
		}
		groups[a], groups[b] = append(groups[a], groups[b]...), nil
		for k := range groups {
			sums[a][k] += sums[b][k]
			sums[k][a] = sums[a][k]
		}
	}
}
