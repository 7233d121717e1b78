package knowledge

import (
	"cmp"
	"context"
	"slices"
	"time"

	"preceptor/internal/pack"
	"preceptor/internal/platform/db"
	"preceptor/internal/platform/lists"
	"preceptor/internal/search"
)

// recallCases ranks the cases for a query, best first. Its task filters where there is a case of it.
func (b *Base) recallCases(ctx context.Context, q Query, p probe) ([]Item, error) {
	task, why, err := b.caseTask(ctx, q)
	if err != nil {
		return nil, err
	}
	if q.Far && !pack.Of(q.Situation.Pack).Concept {
		p.floor = 0
	}
	list, err := b.find(ctx, p, search.Filter{Kind: search.KindCase, Task: task, AgentID: q.AgentID,
		Pack: pack.Of(q.Situation.Pack).Name})
	if err != nil || len(list) == 0 {
		return nil, err
	}
	cases, now, err := b.readCases(ctx, list)
	if err != nil {
		return nil, err
	}
	var worth map[string]float64
	if b.opts.Mode != Seed {
		settle(list, cases, p.text)
		if worth, err = b.worths(ctx, list); err != nil {
			return nil, err
		}
	}
	items := make([]Item, 0, len(list))
	for _, c := range list {
		stored, ok := cases[c.id]
		if !ok || stored.Status != Active || stored.RestsOn("") {
			continue // retired or marked between the search and the read
		}
		it := b.caseItem(stored, c, why, isRecent(stored.CreatedAt, now, b.opts.RecentFor))
		if b.opts.Mode != Seed && stored.Source != FromDocument {
			it.decay(worth[stored.ID], now.Sub(stored.CreatedAt))
		}
		items = append(items, it)
	}
	slices.SortStableFunc(items, func(x, y Item) int {
		return cmp.Or(cmp.Compare(y.Score, x.Score), cmp.Compare(x.Number, y.Number))
	})
	return items, nil
}

// caseTask is the seed's "filter by task type first" (seed 000, "Memory System 1: Retrieval"), unless the type has no
// case. Only a topic of the pack is a type: documents are filed under those, and a word of the agent's own would leave
// them all out.
func (b *Base) caseTask(ctx context.Context, q Query) (task, why string, err error) {
	if _, topic := pack.Of(q.Situation.Pack).Topic(q.Task); !topic || q.Task == pack.General {
		return "", "", nil
	}
	agent := q.AgentID
	var there bool
	err = b.db.Read(ctx, func(tx *db.Tx) error {
		return db.One(tx, "knowledge: look for the task",
			`SELECT EXISTS (SELECT 1 FROM knowledge_case
					WHERE task = $1 AND status = 'active' AND ($2 = '*' OR agent_id IN ('', $3)))`,
			q.Task, agent, agent).Scan(&there)
	})
	if !there {
		return "", "no case of the task " + pack.Label(q.Task) + " yet, so all were searched", err
	}
	return q.Task, "same task: " + pack.Label(q.Task), err
}

func (b *Base) caseItem(c Case, cand *candidate, taskWhy string, recent bool) Item {
	c = c.Bounded()
	why := append([]string{cand.found()}, cand.why...)
	if taskWhy != "" {
		why = append(why, taskWhy)
	}
	seed := b.opts.Mode == Seed
	if recent = recent && (seed || c.Source != FromDocument); recent {
		// else a document is as old as its text, not as its import
		why = append(why, "recent")
	}
	score := caseScore(cand.fused, recent)
	if hasMajor(c.Flags) && !seed {
		score *= flaggedFactor
		why = append(why, "ranked down: "+c.Flags[0].Why)
	}
	return Item{Kind: search.KindCase, ID: c.ID, Number: c.Number, Label: c.Label(), Version: c.Version, Score: score,
		Why:   why,
		Title: c.Title, Text: c.Guidance, Source: c.source(), Domain: c.Domain, Legs: cand.legs, Case: &c}
}

func hasMajor(flags []Flag) bool {
	return slices.ContainsFunc(flags, func(f Flag) bool { return f.Severity == "major" })
}

func (c Case) source() string {
	if c.Citation != "" {
		return c.Citation
	}
	return c.Source
}

// readCases reads what holds now of the cases.
func (b *Base) readCases(ctx context.Context, list []*candidate) (map[string]Case, time.Time, error) {
	out := map[string]Case{}
	var now time.Time
	err := b.db.Read(ctx, func(tx *db.Tx) error {
		now = tx.Now
		for _, batch := range db.Batches(list) {
			args := lists.Map(batch, func(c *candidate) any { return c.id })
			cases, err := casesTx(tx, `WHERE c.id IN (`+db.In(1, len(args))+`)`,
				args...)
			if err != nil {
				return err
			}
			for i := range cases {
				held, err := b.caseInForceTx(tx, &cases[i])
				if err != nil {
					return err
				}
				if held != nil {
					out[held.ID] = *held
				}
			}
		}
		return nil
	})
	return out, now, err
}

// withoutTwins keeps the first n cases, leaving out each that is linked as a near-duplicate of a better one.
func (b *Base) withoutTwins(ctx context.Context, items []Item, n int) ([]Item, error) {
	var out []Item
	taken := map[string]bool{}
	for _, it := range items {
		if len(out) == n {
			break
		}
		if taken[it.ID] {
			continue
		}
		out = append(out, it)
		twins, _, err := b.twins(ctx, it.ID)
		if err != nil {
			return nil, err
		}
		for _, id := range twins {
			taken[id] = true
		}
	}
	return out, nil
}

// twins are the cases that say nearly the same as one, and those that say the opposite in nearly the same words.
func (b *Base) twins(ctx context.Context, id string) (twins, against []string, err error) {
	err = b.db.Read(ctx, func(tx *db.Tx) error {
		return db.Each(tx, "knowledge: read duplicates", func(row db.Row) error {
			var other string
			var contradicts bool
			err := row.Scan(&other, &contradicts)
			if contradicts {
				against = append(against, other)
			} else {
				twins = append(twins, other)
			}
			return err
		}, `SELECT other_id, contradicts FROM knowledge_duplicate WHERE case_id = $1
			UNION SELECT case_id, contradicts FROM knowledge_duplicate WHERE other_id = $2`, id, id)
	})
	return twins, against, err
}
