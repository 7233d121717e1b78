package feedback

import (
	"cmp"
	"maps"
	"slices"
)

// ballot is one vote of a group that is for or against.
type ballot struct {
	answer  string // hash
	subject string
	user    string
	up      bool
}

// choice is what the votes of a group come to.
type choice struct {
	answer  string // "" when none is liked enough
	good    string // subject that stands for it
	sources []string
	bad     string // subject of a disliked answer; "" when there is none
	ups     int    // distinct users for the liked answers
	downs   int    // distinct users against them
}

// counter are the voters of one answer.
type counter struct {
	ups, downs map[string]bool
	subjects   map[string]int // ups less downs of each
}

func (t counter) net() int { return len(t.ups) - len(t.downs) }

// best is the subject that is liked best (sign 1) or least (-1), the newest of equals: ids are in the order of time.
func (t counter) best(sign int) string {
	return slices.MaxFunc(slices.Collect(maps.Keys(t.subjects)), func(x, y string) int {
		return cmp.Or(cmp.Compare(sign*t.subjects[x], sign*t.subjects[y]), cmp.Compare(x, y))
	})
}

// weigh settles which answer of a group is its exemplar: the one with the most users for it less those against it, if
// over all liked answers of the group at least least more distinct users are for than against. Of equals the current
// one stays, then the newest is taken. barred answers are never it.
func weigh(list []ballot, least int, current string, barred map[string]bool) choice {
	answers := map[string]*counter{}
	for _, b := range list {
		t := answers[b.answer]
		if t == nil {
			t = &counter{map[string]bool{}, map[string]bool{}, map[string]int{}}
			answers[b.answer] = t
		}
		if b.up {
			t.ups[b.user] = true
			t.subjects[b.subject]++
		} else {
			t.downs[b.user] = true
			t.subjects[b.subject]--
		}
	}
	var c choice
	ups, downs, sources := map[string]bool{}, map[string]bool{}, map[string]bool{}
	var liked, disliked []string
	for answer, t := range answers {
		switch n := t.net(); {
		case n < 0:
			disliked = append(disliked, answer)
		case n > 0 && !barred[answer]:
			liked = append(liked, answer)
			maps.Copy(ups, t.ups)
			maps.Copy(downs, t.downs)
			for s, n := range t.subjects {
				if n > 0 {
					sources[s] = true
				}
			}
		}
	}
	c.ups, c.downs = len(ups), len(downs)
	if len(disliked) > 0 {
		worst := slices.MinFunc(disliked, func(x, y string) int {
			return cmp.Or(cmp.Compare(answers[x].net(), answers[y].net()),
				cmp.Compare(answers[y].best(-1), answers[x].best(-1)))
		})
		c.bad = answers[worst].best(-1)
	}
	if len(liked) == 0 || c.ups-c.downs < max(least, 1) {
		return c
	}
	c.answer = slices.MaxFunc(liked, func(x, y string) int {
		return cmp.Or(cmp.Compare(answers[x].net(), answers[y].net()),
			cmp.Compare(standing(x == current), standing(y == current)),
			cmp.Compare(answers[x].best(1), answers[y].best(1)))
	})
	c.good, c.sources = answers[c.answer].best(1), slices.Sorted(maps.Keys(sources))
	return c
}

func standing(is bool) int {
	if is {
		return 1
	}
	return 0
}

// weight is how sure one may be that the next user likes it: the mean of Beta(1 + ups, 1 + downs), 0 to 1.
func (c choice) weight() float64 { return float64(c.ups+1) / float64(c.ups+c.downs+2) }

func (c choice) score() float64 { return float64(c.ups - c.downs) }
