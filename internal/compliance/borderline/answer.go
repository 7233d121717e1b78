package borderline

import (
	"context"
	"encoding/json"
	"fmt"
	"math"
	"slices"

	"preceptor/internal/audit"
	"preceptor/internal/compliance"
	"preceptor/internal/compliance/rubric"
	"preceptor/internal/compliance/ruled"
	"preceptor/internal/labelling"
	"preceptor/internal/platform/db"
	"preceptor/internal/platform/fault"
	"preceptor/internal/platform/text"
)

// Input is an answer as it was typed. The names of wrong fields are those of the form: label, boundary, confidence,
// rationale, mark_quote_0, mark_code_0 ...
type Input struct {
	CaseID     string
	By         Person
	TextHash   string // of the text that was on the screen
	Label      compliance.Label
	Boundary   string
	Marks      []Mark
	Confidence float64 // 0 to 1
	Rationale  string
	Clicks     []ruled.Click // on findings, once the panel is open
	Seconds    int           // as the page measured it
}

// AnswerBlind stores an expert's first answer, given without sight of the panel. Invalid with the fields to mend;
// Denied; Conflict when they answered already, others have the case, or it is closed or about another text.
func (s *Store) AnswerBlind(ctx context.Context, in Input) (a *Answer, err error) {
	if err := in.check(); err != nil {
		return nil, err
	}
	err = s.db.Write(ctx, func(tx *db.Tx) error {
		c, err := s.openFor(tx, in.CaseID, in.By)
		if err != nil {
			return err
		}
		if c.State != Waiting {
			return fault.New(fault.Conflict, "This case is waiting for adjudication. Reload to see the answers.")
		}
		answers, err := answersTx(tx, c.ID)
		if err != nil {
			return err
		}
		if latest(answers, in.By.ID) != nil {
			return fault.New(fault.Conflict, "You answered this case already. Keep that answer, or change it.")
		}
		in.Clicks = nil // nobody knows the findings yet
		if a, err = s.storeTx(tx, c, in, Blind, false); err != nil {
			return err
		}
		if err := db.Exec(tx, "borderline: answer "+c.ID, `UPDATE borderline_case SET answered = answered + 1
			WHERE id = $1`, c.ID); err != nil {
			return err
		}
		if err := at(c.ID, in.By).Move(tx, labelling.Open); err != nil { // the last word is still to come
			return err
		}
		return record(tx, in.By.Actor(), "borderline.answered", c, a.audit())
	})
	return a, err
}

// Keep makes one's blind answer one's last, with clicks. The case moves on when everybody who was asked has settled;
// ruling is then what came of it, or nil.
func (s *Store) Keep(ctx context.Context, caseID string, by Person, clicks ...ruled.Click) (ruling *Ruling, err error) {
	return s.settle(ctx, caseID, by, s.keep(clicks))
}

func (s *Store) keep(clicks []ruled.Click) giving {
	return func(tx *db.Tx, c *Case, blind Answer) (*Answer, error) {
		in := Input{CaseID: c.ID, By: blind.By, TextHash: c.TextHash, Label: blind.Label, Boundary: blind.Boundary,
			Marks:      blind.Marks,
			Confidence: blind.Confidence, Rationale: blind.Rationale, Clicks: clicks}
		return s.storeTx(tx, c, in, Final, true)
	}
}

// Change gives another answer after sight of the panel. It is Invalid when nothing about it differs.
func (s *Store) Change(ctx context.Context, in Input) (ruling *Ruling, err error) {
	if err := in.check(); err != nil {
		return nil, err
	}
	return s.settle(ctx, in.CaseID, in.By, func(tx *db.Tx, c *Case, blind Answer) (*Answer, error) {
		a, err := s.storeTx(tx, c, in, Final, false)
		if err == nil && a.same(blind) {
			return nil, fault.Wrong("This is the answer that you gave. Keep it, or change something.", "label",
				"Nothing has changed from your first answer.")
		}
		return a, err
	})
}

func (a Answer) same(b Answer) bool {
	return a.Label == b.Label && a.Boundary == b.Boundary && a.Rationale == b.Rationale &&
		a.Confidence == b.Confidence && slices.Equal(a.Marks, b.Marks) &&
		slices.Equal(a.Clicks, b.Clicks)
}

// giving is how a last answer is made of a blind one.
type giving func(tx *db.Tx, c *Case, blind Answer) (*Answer, error)

func (s *Store) settle(ctx context.Context, caseID string, by Person, give giving) (ruling *Ruling, err error) {
	err = s.db.Write(ctx, func(tx *db.Tx) error {
		c, err := s.openFor(tx, caseID, by)
		if err == nil {
			ruling, err = s.settleTx(tx, c, by, by.Actor(), give)
		}
		return err
	})
	return ruling, err
}

func (s *Store) settleTx(tx *db.Tx, c *Case, by Person, actor audit.Actor, give giving) (*Ruling, error) {
	answers, err := answersTx(tx, c.ID)
	if err != nil {
		return nil, err
	}
	mine := latest(answers, by.ID)
	switch {
	case mine == nil:
		return nil, fault.New(fault.Conflict, "Answer the case first.")
	case mine.Step == Final:
		return nil, fault.New(fault.Conflict, "You have already confirmed your answer. Undo that to change it.")
	}
	a, err := give(tx, c, *mine)
	if err != nil {
		return nil, err
	}
	if err := record(tx, actor, "borderline.settled", c, a.audit()); err != nil {
		return nil, err
	}
	if err := db.Exec(tx, "borderline: settle "+c.ID, `UPDATE borderline_case SET settled = settled + 1
		WHERE id = $1`, c.ID); err != nil {
		return nil, err
	}
	touch(tx)
	return s.advance(tx, c, by)
}

// KeepForgotten settles the blind answers that were left open for KeepAfter, as they are: an expert who goes home must
// not hold up a case that others wait for. It returns how many there were.
func (s *Store) KeepForgotten(ctx context.Context) (n int, err error) {
	err = s.db.Write(ctx, func(tx *db.Tx) error {
		blind, err := forgotten(tx)
		if err != nil {
			return err
		}
		for _, a := range blind {
			c, err := one(tx, ` WHERE id = $1`, a.CaseID)
			if err != nil {
				return err
			}
			if c.State != Waiting {
				continue
			}
			if _, err := s.settleTx(tx, c, a.By, preceptor, s.keep(nil)); err != nil {
				return err
			}
			n++
		}
		return nil
	})
	return n, err
}

// forgotten are the blind answers to waiting cases that nobody has worked on for KeepAfter.
func forgotten(tx *db.Tx) (out []Answer, err error) {
	return db.Rows(tx, "borderline: find forgotten answers", func(a *Answer) []any {
		return []any{&a.CaseID, &a.By.ID, &a.By.Name}
	},
		`SELECT a.item_id, a.by_id, a.by_name FROM borderline_case c JOIN labelling_answer a ON a.item_id = c.id
		WHERE c.state = 'waiting' AND c.answered > 0 AND a.first = 1 AND a.standing = 1 AND a.at < $1
		AND NOT EXISTS (SELECT 1 FROM labelling_turn l
			WHERE l.item_id = c.id AND l.person_id = a.by_id AND l.state = 'open' AND l.at > $2)
		ORDER BY a.at, a.id LIMIT 200`, db.Ms(tx.Now.Add(-KeepAfter)), db.Ms(lapsed(tx).Add(-KeepAfter)))
}

// openFor is the case, if this person can answer it now.
func (s *Store) openFor(tx *db.Tx, caseID string, by Person) (*Case, error) {
	if err := s.mayRule(tx, by.ID); err != nil {
		return nil, err
	}
	c, err := one(tx, ` WHERE id = $1`, caseID)
	if err != nil {
		return nil, err
	}
	return c, whyNot(tx, c, by)
}

// storeTx writes an answer to a case under the versions that are in force.
func (s *Store) storeTx(tx *db.Tx, c *Case, in Input, step string, kept bool) (*Answer, error) {
	if in.TextHash != c.TextHash {
		return nil, fault.New(fault.Conflict,
			"The text of this case has changed since you opened it. Reload to see it; what you typed is still in "+
				"the form.")
	}
	r, t, err := rubric.InForceTx(tx, c.Pack)
	if err != nil {
		return nil, err
	}
	marks, wrong := place(c.Text, in.Marks, t)
	if len(wrong) > 0 && !kept {
		return nil, fault.WithFields(markFault(wrong[0])+" Nothing you typed is lost.", wrong...)
	}
	if kept {
		marks = in.Marks // under a taxonomy that may have changed since
	}
	clicks, err := ruled.Clicked(c.verdict, in.Clicks)
	if err != nil {
		return nil, err
	}
	a := &Answer{CaseID: c.ID, By: in.By, Step: step, Kept: kept, Label: in.Label, Boundary: in.Boundary, Marks: marks,
		Clicks:     clicks,
		Confidence: in.Confidence, Rationale: in.Rationale, RubricVersion: r.Version, TaxonomyVersion: t.Version,
		Seconds: in.Seconds, At: tx.Now}
	body, err := json.Marshal(a)
	if err != nil {
		return nil, fmt.Errorf("borderline: encode an answer to %s: %w", c.ID, err)
	}
	said := labelling.Answer{Label: string(a.Label), Body: string(body), SpentMs: 1000 * int64(a.Seconds)}
	if err := at(c.ID, in.By).Answer(tx, &said); err != nil {
		return nil, err
	}
	a.ID = said.ID
	touch(tx)
	return a, nil
}

// audit is what the log keeps of an answer: no words, and no label, which others might read there before their own
// answer.
func (a Answer) audit() map[string]any {
	return map[string]any{"answer": a.ID, "step": a.Step, "kept": a.Kept, "rubric": a.RubricVersion,
		"taxonomy": a.TaxonomyVersion, "seconds": a.Seconds}
}

// check lists what is wrong with an answer itself, and brings it into the form that is stored.
func (in *Input) check() error {
	in.Rationale = text.Typed(in.Rationale)
	in.Seconds = min(max(in.Seconds, 0), maxSeconds)
	var wrong []fault.Field
	bad := func(is bool, field, msg string) {
		if is {
			wrong = append(wrong, fault.Field{Name: field, Msg: msg})
		}
	}
	bad(!slices.Contains(Labels, in.Label), "label", "Choose a verdict.")
	bad(!slices.Contains(Boundaries, in.Boundary), "boundary", "Choose the side of the boundary.")
	both := labelling.Contradicts(string(in.Label), in.Boundary)
	bad(both != "", "boundary", both)
	bad(math.IsNaN(in.Confidence) || in.Confidence <= 0 || in.Confidence > 1, "confidence",
		"Say how sure you are, from 1 to 100 percent.")
	bad(in.Rationale == "", "rationale", "Say why; the advisor learns from it.")
	long := text.TooLong(in.Rationale, maxRationale)
	bad(long != "", "rationale", long)
	if len(wrong) > 0 {
		return fault.Unready(wrong)
	}
	return nil
}

// latest is a person's answer that counts now; nil when they gave none.
func latest(answers []Answer, personID string) (found *Answer) {
	for i := range answers {
		if answers[i].By.ID == personID && (found == nil || answers[i].Step == Final) {
			found = &answers[i]
		}
	}
	return found
}

// finals are the last answers, one of each expert, in the order in which they were given.
func finals(answers []Answer) (out []Answer) {
	for _, a := range answers {
		if a.Step == Final {
			out = append(out, a)
		}
	}
	return out
}
