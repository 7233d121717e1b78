package feedback

import (
	"cmp"
	"context"

	"preceptor/internal/audit"
	"preceptor/internal/llm"
	"preceptor/internal/platform/db"
	"preceptor/internal/platform/id"
)

// SourcePreference is the source of an exemplar that people chose beside another answer.
const SourcePreference = "preference"

// Chosen is two answers to one question and what people said of them. Good is "" where they chose neither.
type Chosen struct {
	PairID    string
	About     Subject // whose query it is; Response is the chosen answer
	Bad       string
	Ups, Down int    // people for it, and for the other
	Gone      bool   // the pair, with its texts
	Withheld  string // why agents aren't given the answer as knowledge; "" where they are
}

// PreferTx makes the chosen answer of a pair an exemplar with the other as its bad twin, once as many people chose it
// as votes make one (Settings.MinPositive), and ends it when that is so no more. Where the texts are gone it goes with
// them, and the subjects whose prompts may hold it are returned.
func (b *Book) PreferTx(tx *db.Tx, c Chosen) (shown []string, err error) {
	if c.Gone {
		_, shown, err = b.eraseExemplarsTx(tx, c.PairID, audit.ErasedText(tx.Now))
		return shown, err
	}
	earlier, err := exemplarsTx(tx, `WHERE good_subject = $1`, c.PairID)
	if err != nil {
		return nil, err
	}
	answer := ""
	if c.About.Response != "" && c.Ups >= b.settings.MinPositive {
		answer = c.About.answerHash()
	}
	known := false
	for i := range earlier {
		e := &earlier[i]
		switch {
		case e.answer == answer && e.State == Demoted:
			known = true
			err = db.Exec(tx, "feedback: keep an exemplar", `UPDATE exemplar SET state = 'active', why = '',
				changed_at = $1 WHERE id = $2`, tx.NowMs(), e.ID)
			b.changed(tx)
		case e.answer == answer:
			known = true
		case e.State == Active:
			err = b.endTx(tx, e, Demoted, cmp.Or(c.Withheld,
				"People no longer choose this answer, or it is no longer sent to customers."), me)
		}
		if err != nil {
			return nil, err
		}
	}
	if answer == "" || known {
		return nil, nil
	}
	group, p := "pair:"+c.PairID, probe{}
	if b.embedder != nil && llm.IsLocal(b.embedder) {
		p = b.embed(context.Background(), c.About, c.About.Query)
	}
	if err := db.Exec(tx, "feedback: begin a group", `INSERT INTO query_group (id, agent_id, agent_type, topic, model,
			vector, voted_at, counted_at) VALUES ($1, $2, $3, $4, $5, $6, $7, $7) ON CONFLICT (id) DO NOTHING`, group,
		c.About.AgentID, c.About.AgentType, c.About.Topic, p.model, llm.Stored(p.vector), tx.NowMs()); err != nil {
		return nil, err
	}
	e := &Exemplar{ID: id.New(), GroupID: group, GoodSubject: c.PairID, Source: SourcePreference, answer: answer,
		Bad: b.hooks.Clean(c.About, c.Bad)}
	return nil, b.insertTx(tx, e, c.About, choice{ups: c.Ups, downs: c.Down})
}
