package preference

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"time"

	"preceptor/internal/audit"
	"preceptor/internal/platform/db"
	"preceptor/internal/platform/fault"
)

// Filter chooses pairs for an export. The zero value is all of them.
type Filter struct {
	Origin   string    // Revision, Given, API; "" is all
	From, To time.Time // when the pair came in: from, and before To; zero is no bound
}

// Row is a line of the export. prompt, chosen and rejected are what trainers of preferences (DPO) read; the rest says
// where it is from.
type Row struct {
	Prompt        string  `json:"prompt"`
	Chosen        string  `json:"chosen"`
	Rejected      string  `json:"rejected"`
	ID            string  `json:"id"`
	Origin        string  `json:"origin"`
	Task          string  `json:"task,omitempty"`
	ChosenMaker   string  `json:"chosen_maker"`
	RejectedMaker string  `json:"rejected_maker"`
	By            string  `json:"chosen_by"` // supervisor or judges
	Judges        int     `json:"judges,omitempty"`
	Agreement     float64 `json:"agreement,omitempty"` // share of the judges who chose it
	At            string  `json:"at"`
}

// exported is how many pairs are read at a time.
const exported = 200

// row is the pair's line; false when it says nothing about which is better.
func (p *Pair) row() (Row, bool) {
	side := p.Better()
	if side == "" || p.State != Open {
		return Row{}, false
	}
	chosen, rejected, n := p.Left, p.Right, p.Counter.Lefts
	if side == "right" {
		chosen, rejected, n = p.Right, p.Left, p.Counter.Rights
	}
	r := Row{Prompt: p.Prompt, Chosen: chosen.Text, Rejected: rejected.Text, ID: p.ID, Origin: p.Origin, Task: p.Task,
		ChosenMaker: chosen.Maker, RejectedMaker: rejected.Maker,
		By: "supervisor", At: p.At.UTC().Format(time.RFC3339)}
	if p.Chosen == "" {
		r.By, r.Judges, r.Agreement = "judges", p.Counter.Answers,
			math.Round(float64(n)/float64(p.Counter.Answers)*1000)/1000
	}
	return r, true
}

// Check says what is wrong with a filter; nil when nothing is.
func (f Filter) Check() error {
	switch f.Origin {
	case "", Revision, Given, API:
	default:
		return fault.Wrong("This can't be exported.", "origin", "Choose one from the list.")
	}
	if !f.From.IsZero() && !f.To.IsZero() && !f.From.Before(f.To) {
		return fault.Wrong("This can't be exported.", "to", "The end is before the start.")
	}
	return nil
}

// Export writes the pairs as JSON Lines, oldest first, and tells how many. They are read in batches, so that no slow
// reader holds a transaction. That it was done is an audit row, written before the first line. wrote, which may be nil,
// is called after each batch.
func (s *Store) Export(ctx context.Context, w io.Writer, f Filter, by audit.Actor,
	wrote func() error) (n int, err error) {
	if err := f.Check(); err != nil {
		return 0, err
	}
	until := int64(1) << 62
	if !f.To.IsZero() {
		until = db.Ms(f.To)
	}
	if err := s.db.Write(ctx, func(tx *db.Tx) error {
		return audit.Note(tx, by, "preference.exported", "preference_pair", "all",
			map[string]any{"origin": f.Origin, "from": db.Ms(f.From), "until": until})
	}); err != nil {
		return 0, err
	}
	enc := json.NewEncoder(w)
	enc.SetEscapeHTML(false)
	at, id := db.Ms(f.From)-1, "~" // after every id of the millisecond before
	for {
		var list []Pair
		if err := s.db.Read(ctx, func(tx *db.Tx) error {
			list, err = listTx(tx, `
				WHERE (at, id) > ($1, $2) AND at < $3 AND ($4 = '' OR origin = $4) AND state = 'open'
					AND (chosen <> '' OR answers > 0)
				ORDER BY at, id LIMIT $5`,
				at, id, until, f.Origin, exported)
			return err
		}); err != nil {
			return n, err
		}
		for i := range list {
			r, ok := list[i].row()
			if !ok {
				continue
			}
			if err := enc.Encode(r); err != nil {
				return n, fmt.Errorf("preference: export: %w", err)
			}
			n++
		}
		if wrote != nil {
			if err := wrote(); err != nil {
				return n, err
			}
		}
		if len(list) < exported {
			return n, nil
		}
		at, id = db.Ms(list[len(list)-1].At), list[len(list)-1].ID
	}
}
