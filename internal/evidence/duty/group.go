package duty

import (
	"context"
	"maps"
	"slices"

	"preceptor/internal/stats"
)

// group is how it went for one group of customers, by their votes, their outcomes and what became of the drafts for
// them.
type group struct {
	Name      string         `json:"name"`
	Customers int            `json:"guidance"` // pieces of guidance that anything was counted of
	Figures   []stats.Figure `json:"figures"`
}

// counted is what is counted of a group.
type counted struct {
	n                  int
	positive, negative int
	decisions          [4]int
	scores             [3]sums // satisfaction, comprehension, goal alignment
	// goals met, understanding checked, signposted, DB warning given: yes, of how many said
	answers [4][2]int
}

type sums struct {
	n            int
	sum, squares float64
}

func (s *sums) add(v float64) { s.n, s.sum, s.squares = s.n+1, s.sum+v, s.squares+v*v }

// The keys of a group's figures; words for them stand in parts.go.
var groupKeys = [...]string{"duty.satisfaction", "duty.comprehension", "duty.alignment", "duty.goals_met",
	"duty.checked", "duty.signposted", "duty.warned",
	"duty.votes", "duty.approved", "duty.revised", "duty.denied"}

// groups sets vulnerable customers beside the others.
func (r *Reporter) groups(ctx context.Context, rep *report, t *counter) error {
	ids := slices.Collect(maps.Keys(t.kinds))
	for id := range t.outcomes {
		ids = append(ids, id)
	}
	slices.Sort(ids)
	told, err := r.Interactions.VulnerableOf(ctx, slices.Compact(ids))
	if err != nil {
		return err
	}
	maps.Copy(told, t.told)
	var two [2]counted
	for id, vulnerable := range told {
		c := &two[1]
		if vulnerable {
			c = &two[0]
		}
		c.add(id, t)
		rep.Votes += t.votes[id][0] + t.votes[id][1]
	}
	rep.Groups = []group{two[0].group("Vulnerable customers"), two[1].group("Others")}
	return nil
}

func (c *counted) add(id string, t *counter) {
	c.n++
	c.positive += t.votes[id][0]
	c.negative += t.votes[id][1]
	for i, n := range t.kinds[id] {
		c.decisions[i] += n
	}
	for _, o := range t.outcomes[id] {
		for i, v := range []float64{o.Satisfaction, o.Comprehension, o.GoalAlignment} {
			c.scores[i].add(v)
		}
		for i, b := range []*bool{o.GoalsMet, o.UnderstandingChecked, o.Signposted, o.DBWarningGiven} {
			if b == nil {
				continue
			}
			c.answers[i][1]++
			if *b {
				c.answers[i][0]++
			}
		}
	}
}

func (c *counted) group(name string) group {
	g := group{Name: name, Customers: c.n}
	for i, s := range c.scores {
		g.Figures = append(g.Figures, stats.MeanOf(groupKeys[i], stats.Score10, s.n, s.sum, s.squares))
	}
	for i, a := range c.answers {
		g.Figures = append(g.Figures, stats.ShareOf(groupKeys[3+i], a[0], a[1]))
	}
	g.Figures = append(g.Figures, stats.ShareOf(groupKeys[7], c.positive, c.positive+c.negative))
	for i := range 3 {
		g.Figures = append(g.Figures, stats.ShareOf(groupKeys[8+i], c.decisions[1+i], c.decisions[0]))
	}
	return g
}
