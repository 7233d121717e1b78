package borderline

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"preceptor/internal/compliance"
	"preceptor/internal/compliance/rubric"
	"preceptor/internal/compliance/ruled"
	"preceptor/internal/labelling"
	"preceptor/internal/platform/db"
	"preceptor/internal/platform/fault"
	"preceptor/internal/platform/id"
	"preceptor/internal/platform/lists"
	"preceptor/internal/platform/text"
)

// advance moves a case on once everybody who was asked has settled: one mind makes the ruling, otherwise one more
// expert is asked, and after the last somebody adjudicates.
func (s *Store) advance(tx *db.Tx, c *Case, by Person) (*Ruling, error) {
	answers, err := answersTx(tx, c.ID)
	if err != nil {
		return nil, err
	}
	last := finals(answers)
	// what they marked and wrote may differ
	same := labelling.Same(last, func(a Answer) string { return string(a.Label) })
	switch labelling.ComesTo(len(last), c.Wanted, c.Most, same) {
	case labelling.Waiting:
		return nil, nil
	case labelling.Agreed:
		r := Ruling{Label: last[0].Label, How: Agreed, By: Person{ID: by.ID, Name: namesOf(last)},
			Rationale: rationaleOf(last)}
		return s.ruleTx(tx, c, r, by, answers)
	case labelling.Another:
		err := db.Exec(tx, "borderline: ask one more about "+c.ID, `UPDATE borderline_case SET wanted = wanted + 1,
			asked_more_at = $1
			WHERE id = $2`, tx.NowMs(), c.ID)
		if err != nil {
			return nil, err
		}
		return nil,
			errors.Join(record(tx, preceptor, "borderline.asked_one_more", c, map[string]any{"experts": c.Wanted + 1}),
				s.tellIfStuck(tx, c))
	}
	if err := db.Exec(tx, "borderline: have "+c.ID+" adjudicated", `UPDATE borderline_case SET state = 'adjudication'
		WHERE id = $1`, c.ID); err != nil {
		return nil, err
	}
	if err := labelling.Clear(tx, set, c.ID); err != nil {
		return nil, err
	}
	c.State = Adjudication
	return nil, errors.Join(record(tx, preceptor, "borderline.not_agreed", c, nil), s.tellIfStuck(tx, c))
}

func namesOf(answers []Answer) string {
	return lists.And(lists.Map(answers, func(a Answer) string { return a.By.Name }))
}

func rationaleOf(answers []Answer) string {
	if len(answers) == 1 {
		return answers[0].Rationale
	}
	parts := lists.Map(answers, func(a Answer) string { return a.By.Name + ": " + a.Rationale })
	return strings.Join(parts, "\n\n")
}

// RuleInput is an adjudication.
type RuleInput struct {
	CaseID    string
	By        Person
	TextHash  string
	Label     compliance.Label
	Rationale string
	Clicks    []ruled.Click // on findings; those of who is no expert don't count
}

// Adjudicate rules on a case on which experts were not of one mind. Denied to whoever answered or sent it. Where no
// expert is left a manager or an administrator may.
func (s *Store) Adjudicate(ctx context.Context, in RuleInput) (r *Ruling, err error) {
	in.Rationale = text.Typed(in.Rationale)
	var wrong []fault.Field
	if !slices.Contains(Labels, in.Label) {
		wrong = append(wrong, fault.Field{Name: "label", Msg: "Choose a verdict."})
	}
	if in.Rationale == "" {
		wrong = append(wrong, fault.Field{Name: "rationale", Msg: "Say why; the experts and the advisor read it."})
	} else if long := text.TooLong(in.Rationale, maxRationale); long != "" {
		wrong = append(wrong, fault.Field{Name: "rationale", Msg: long})
	}
	if len(wrong) > 0 {
		return nil, fault.Unready(wrong)
	}
	err = s.db.Write(ctx, func(tx *db.Tx) error {
		c, err := s.rulable(tx, in.CaseID, in.By)
		if err != nil {
			return err
		}
		if c.TextHash != in.TextHash {
			return fault.New(fault.Conflict, "The text of this case has changed. Reload to see it.")
		}
		answers, err := answersTx(tx, c.ID)
		if err != nil {
			return err
		}
		clicks, err := ruled.Clicked(c.verdict, in.Clicks)
		if err != nil {
			return err
		}
		if s.mayRule(tx, in.By.ID) != nil {
			clicks = nil
		}
		r, err = s.ruleTx(tx, c, Ruling{Label: in.Label, How: Adjudicated, By: in.By, Rationale: in.Rationale,
			Clicks: clicks}, in.By, answers)
		return err
	})
	return r, err
}

// ruleTx stores a ruling and runs what follows from it.
func (s *Store) ruleTx(tx *db.Tx, c *Case, r Ruling, by Person, answers []Answer) (*Ruling, error) {
	line, taxonomy, err := rubric.InForceTx(tx, c.Pack)
	if err != nil {
		return nil, err
	}
	r.ID, r.CaseID, r.InteractionID, r.TextHash, r.At = id.New(), c.ID, c.InteractionID, c.TextHash, tx.Now
	r.RubricVersion, r.TaxonomyVersion, r.Pattern = line.Version, taxonomy.Version, ExtractPattern(c.Text, c.verdict)
	pattern, err := json.Marshal(r.Pattern)
	if err != nil {
		return nil, fmt.Errorf("borderline: encode a pattern: %w", err)
	}
	err = db.Exec(tx, "borderline: rule on "+c.ID, `INSERT INTO borderline_ruling (id, case_id, interaction_id,
			text_hash, label, rationale, how, by_id, by_name, pattern,
			rubric_version, taxonomy_version, at, clicks)
		VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14)`,
		r.ID, r.CaseID, r.InteractionID, r.TextHash, string(r.Label), r.Rationale, r.How, r.By.ID, r.By.Name,
		string(pattern),
		r.RubricVersion, r.TaxonomyVersion, tx.NowMs(), ruled.JSON(r.Clicks))
	if err != nil {
		return nil, err
	}
	if err := db.Exec(tx, "borderline: rule on "+c.ID, `UPDATE borderline_case SET state = 'ruled', closed_at = $1
		WHERE id = $2`, tx.NowMs(), c.ID); err != nil {
		return nil, err
	}
	if err := errors.Join(s.closeTx(tx, c), s.keepSentences(tx, c, r, by, answers)); err != nil {
		return nil, err
	}
	if err := record(tx, by.Actor(), "borderline.ruled", c,
		map[string]any{"ruling": r.ID, "label": r.Label, "how": r.How, "rubric": r.RubricVersion}); err != nil {
		return nil, err
	}
	return &r, s.hooks.OnRuled(tx, c, &r, c.verdict, answers)
}

// keepSentences keeps what those behind a ruling say of findings.
func (s *Store) keepSentences(tx *db.Tx, c *Case, r Ruling, by Person, answers []Answer) error {
	voices := lists.Map(finals(answers), func(a Answer) ruled.Voice { return ruled.Voice{By: a.By, Clicks: a.Clicks} })
	if r.How == Adjudicated {
		voices = append(voices, ruled.Voice{By: by, Clicks: r.Clicks})
	}
	return s.sentences.KeepTx(tx, ruled.Ruling{ID: r.ID, CaseID: c.ID, InteractionID: c.InteractionID, Text: c.Text,
		Verdict: c.verdict, Voices: voices, Adjudicated: r.How == Adjudicated})
}

// Undo takes back what this person did last on a case: the ruling that they made, for UndoFor and while no supervisor
// has decided; or the answer that they settled, until the next step. A ruling that came of agreement goes with the
// answer that completed it.
func (s *Store) Undo(ctx context.Context, caseID string, by Person) error {
	return s.db.Write(ctx, func(tx *db.Tx) error {
		if err := s.mayRule(tx, by.ID); err != nil && s.hooks.MayDecide.May(tx, by.ID) != nil {
			return err
		}
		c, err := one(tx, ` WHERE id = $1`, caseID)
		if err != nil {
			return err
		}
		answers, err := answersTx(tx, c.ID)
		if err != nil {
			return err
		}
		mine := latest(answers, by.ID)
		switch c.State {
		case Ruled:
			return s.undoRuling(tx, c, mine, by, answers)
		case Overtaken:
			return closedAlready(tx, c, by)
		case Adjudication:
			return fault.New(fault.Conflict,
				"The case is waiting for adjudication, so answers can no longer be undone.")
		}
		if mine == nil || mine.Step != Final {
			return fault.New(fault.Conflict,
				"There is nothing of yours to undo here. A first answer stays; you can still change it.")
		}
		if !mine.At.After(c.askedMoreAt) && !c.askedMoreAt.IsZero() {
			return fault.New(fault.Conflict,
				"Another expert has been asked since, so your answer can no longer be undone.")
		}
		if err := undoFinal(tx, c, *mine); err != nil {
			return err
		}
		return record(tx, by.Actor(), "borderline.unsettled", c, map[string]any{"answer": mine.ID})
	})
}

// WhyNoUndo says why this person can't take the ruling back at now; "" when they can, unless a supervisor decided.
func (r Ruling) WhyNoUndo(answered bool, by Person, now time.Time) string {
	switch {
	case r.How == Adjudicated && r.By.ID != by.ID, r.How == Agreed && !answered:
		return r.By.Name + " ruled on this, and only they can undo it."
	case now.After(r.At.Add(UndoFor)):
		return fmt.Sprintf("A ruling can be undone for %d minutes, and these have passed. Ask a compliance expert "+
			"again from the review if it needs another look.", int(UndoFor.Minutes()))
	}
	return ""
}

func (s *Store) undoRuling(tx *db.Tx, c *Case, mine *Answer, by Person, answers []Answer) error {
	r, err := rulingTx(tx, c.ID)
	if err != nil {
		return err
	}
	if why := r.WhyNoUndo(mine != nil, by, tx.Now); why != "" {
		return fault.New(fault.Conflict, "%s", why)
	}
	if err := s.hooks.Undecided(tx, c.InteractionID, ""); err != nil {
		return err
	}
	if open, err := openCaseTx(tx, c.InteractionID); err != nil || open != nil {
		if err == nil {
			err = fault.New(fault.Conflict, "Experts now have a new text of this case, so this ruling stays.")
		}
		return err
	}
	if err := db.Exec(tx, "borderline: undo the ruling on "+c.ID, `UPDATE borderline_ruling SET undone_at = $1,
		undone_by = $2
		WHERE id = $3`, tx.NowMs(), by.ID, r.ID); err != nil {
		return err
	}
	state := Waiting
	if r.How == Adjudicated {
		state = Adjudication
	}
	if err := db.Exec(tx, "borderline: undo the ruling on "+c.ID, `UPDATE borderline_case SET state = $1, closed_at = 0
		WHERE id = $2`, state, c.ID); err != nil {
		return err
	}
	if r.How == Agreed {
		if err := undoFinal(tx, c, *mine); err != nil {
			return err
		}
	}
	if err := s.sentences.UndoTx(tx, r.ID); err != nil {
		return err
	}
	touch(tx)
	r.UndoneAt, r.UndoneBy = tx.Now, by
	if err := record(tx, by.Actor(), "borderline.ruling_undone", c, map[string]any{"ruling": r.ID}); err != nil {
		return err
	}
	return s.hooks.OnRulingUndone(tx, c, r, c.verdict, answers)
}

// undoFinal leaves an expert where they were after their blind answer.
func undoFinal(tx *db.Tx, c *Case, a Answer) error {
	if err := at(c.ID, a.By).Unrevise(tx); err != nil {
		return err
	}
	if err := db.Exec(tx, "borderline: undo an answer to "+c.ID, `UPDATE borderline_case SET settled = settled - 1
		WHERE id = $1`, c.ID); err != nil {
		return err
	}
	touch(tx)
	return nil
}
