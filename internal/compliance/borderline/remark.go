package borderline

import (
	"context"
	"fmt"
	"time"

	"preceptor/internal/platform/db"
	"preceptor/internal/platform/fault"
	"preceptor/internal/platform/id"
	"preceptor/internal/platform/text"
)

const (
	// maxRemark bounds a comment on a case, in characters.
	maxRemark = 4_000
	// maxRemarks is how many comments of a case are shown, the newest.
	maxRemarks = 200
)

// Remark is a comment on a case, or on words of its text. Start and End count code points; both 0 when it is about all
// of it.
type Remark struct {
	ID          string
	By          Person
	Start, End  int
	Quote       string
	Text        string
	At          time.Time
	WithdrawnAt time.Time // zero: it stands
}

// OnWords reports whether it is about words of the text.
func (r Remark) OnWords() bool { return r.End > r.Start }

// RemarkInput is a comment as it was typed. The names of wrong fields are remark_quote and remark.
type RemarkInput struct {
	CaseID  string
	By      Person
	Quote   string // copied from the text; "" for all of it
	Text    string
	FormKey string // of the form, which counts once however often it is sent
}

// AddRemark stores a comment of an expert who may see the panel: before one's own answer there is nothing to talk about
// that would not end its blindness. It is shown to those who may see the answers of others. Invalid with the fields to
// mend; Denied.
func (s *Store) AddRemark(ctx context.Context, in RemarkInput) (r Remark, err error) {
	in.Text = text.Typed(in.Text)
	in.Quote = text.Typed(in.Quote)
	err = s.db.Write(ctx, func(tx *db.Tx) error {
		c, err := s.opened(tx, in.CaseID, in.By)
		if err != nil {
			return err
		}
		r = Remark{ID: id.New(), By: in.By, Quote: in.Quote, Text: in.Text, At: tx.Now}
		if err := r.place(c.Text); err != nil {
			return err
		}
		if n, err := r.store(tx, c, in.FormKey); err != nil || n == 0 { // the form was sent twice
			return err
		}
		others, err := tookPart(tx, c.ID, r.By.ID)
		if err != nil {
			return err
		}
		if err := s.hooks.OnRemark(tx, c, r, others); err != nil {
			return err
		}
		touch(tx)
		return record(tx, in.By.Actor(), "borderline.commented", c,
			map[string]any{"comment": r.ID, "on_words": r.OnWords()})
	})
	return r, err
}

// tookPart are the accounts that answered a case or commented on it, but one.
func tookPart(tx *db.Tx, caseID, but string) ([]string, error) {
	return db.Column[string](tx, "borderline: who took part in "+caseID,
		`SELECT by_id FROM labelling_answer WHERE item_id = $1 AND by_id <> $2
		UNION SELECT by_id FROM borderline_remark WHERE case_id = $3 AND by_id <> $4`, caseID, but, caseID, but)
}

func (r Remark) store(tx *db.Tx, c *Case, formKey string) (int, error) {
	return db.Change(tx, "borderline: comment on "+c.ID, `INSERT INTO borderline_remark (id, case_id, by_id, by_name,
			form_key, start, finish, quote, text, at)
		VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10) ON CONFLICT (by_id, form_key) WHERE form_key <> '' DO NOTHING`,
		r.ID, c.ID, r.By.ID, r.By.Name, formKey, r.Start, r.End, r.Quote, r.Text, tx.NowMs())
}

// opened is the case, if its panel is open to this person and they may rule.
func (s *Store) opened(tx *db.Tx, caseID string, by Person) (*Case, error) {
	if err := s.mayRule(tx, by.ID); err != nil {
		return nil, err
	}
	c, err := notHeld(tx, caseID)
	if err != nil {
		return nil, err
	}
	v, err := viewTx(tx, c, Viewer{Person: by, Expert: true}, false)
	if err == nil && v.Panel == nil {
		err = fault.New(fault.Denied,
			"Answer the case first. Comments open once you have, so that every first answer is blind.")
	}
	return c, err
}

// place finds the words in the text and says what is wrong with the comment.
func (r *Remark) place(draft string) error {
	var wrong []fault.Field
	if r.Quote != "" {
		start, end, ok := locate(draft, r.Quote)
		if !ok {
			wrong = append(wrong, fault.Field{Name: "remark_quote",
				Msg: "These words are not in the text. Copy them from it, or leave this empty."})
		}
		if r.Start, r.End = start, end; ok {
			r.Quote = slice(draft, start, end)
		}
	}
	if r.Text == "" {
		wrong = append(wrong, fault.Field{Name: "remark", Msg: "Write what you want to say."})
	}
	if long := text.TooLong(r.Text, maxRemark); long != "" {
		wrong = append(wrong, fault.Field{Name: "remark", Msg: long})
	}
	if len(wrong) > 0 {
		return fault.WithFields("The comment can't be posted yet. Nothing you typed is lost.", wrong...)
	}
	return nil
}

// WithdrawRemark takes a comment of one's own back: it is kept, and shown as withdrawn. Denied for those of others.
func (s *Store) WithdrawRemark(ctx context.Context, caseID, remarkID string, by Person) error {
	return s.db.Write(ctx, func(tx *db.Tx) error {
		c, err := s.opened(tx, caseID, by)
		if err != nil {
			return err
		}
		var author string
		var withdrawn int64
		err = db.One(tx, "borderline: read a comment", `SELECT by_id, withdrawn_at FROM borderline_remark
			WHERE id = $1 AND case_id = $2`, remarkID, c.ID).
			Or(fault.New(fault.NotFound, "There is no such comment on this case.")).Scan(&author, &withdrawn)
		switch {
		case err != nil:
			return err
		case author != by.ID:
			return fault.New(fault.Denied, "Only its author can delete a comment.")
		case withdrawn != 0:
			return nil
		}
		if err := db.Exec(tx, "borderline: withdraw a comment", `UPDATE borderline_remark SET withdrawn_at = $1
			WHERE id = $2`, tx.NowMs(), remarkID); err != nil {
			return err
		}
		touch(tx)
		return record(tx, by.Actor(), "borderline.comment_withdrawn", c, map[string]any{"comment": remarkID})
	})
}

// remarksTx are the comments on a case, in the order in which they were made: all, or (mine) those of one person.
func remarksTx(tx *db.Tx, caseID, mine string) (out []Remark, err error) {
	return db.List(tx, fmt.Sprintf("borderline: read the comments on %s", caseID),
		func(row db.Row) (r Remark, err error) {
			var at, withdrawn int64
			if err := row.Scan(&r.ID, &r.By.ID, &r.By.Name, &r.Start, &r.End, &r.Quote, &r.Text, &at,
				&withdrawn); err != nil {
				return r, err
			}
			if r.At, r.WithdrawnAt = db.Time(at), db.Time(withdrawn); withdrawn != 0 {
				r.Text, r.Quote, r.Start, r.End = "", "", 0, 0
			}
			return r, nil
		}, `SELECT id, by_id, by_name, start, finish, quote, text, at, withdrawn_at
			FROM (SELECT * FROM borderline_remark
			WHERE case_id = $1 AND ($2 = '' OR by_id = $2) ORDER BY at DESC, id DESC LIMIT $3) AS newest
				ORDER BY at, id`, caseID, mine, maxRemarks)
}
