// Package ruled is what experts say of findings when they rule on a borderline case, and the sentences on which later
// texts follow them.
//
// It owns the table ruled_sentence: of each ruling, the findings that those behind it call right or wrong, with the
// sentence. app gives those that hold to the validator (compliance.RuledSentence), which says when two agree and what
// follows.
//
// What it promises. A sentence holds until its ruling is undone, an expert ends it with a reason, or the text is
// erased, which takes its words. Where those who ruled disagree about a finding, nothing is kept, unless who
// adjudicated says which of them is right.
package ruled

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"time"

	"preceptor/internal/audit"
	"preceptor/internal/compliance"
	"preceptor/internal/person"
	"preceptor/internal/platform/db"
	"preceptor/internal/platform/fault"
	"preceptor/internal/platform/id"
	"preceptor/internal/platform/lists"
	"preceptor/internal/platform/text"
)

const (
	most    = 1000 // of the newest hold, and are listed
	longest = 2000 // characters of a reason
)

// Click is what an expert says of a finding on words of the text, having seen the panel.
type Click struct {
	Code     string `json:"code"`
	Severity string `json:"severity"`
	Start    int    `json:"start"`
	End      int    `json:"end"`
	Quote    string `json:"quote"`
	Right    bool   `json:"right"`
}

// on reports whether it is about a finding.
func (c Click) on(f compliance.Issue) bool {
	return c.Code == f.Code && c.Start == f.Span[0] && c.End == f.Span[1]
}

// Findings are what checks and judges point at in a text and experts can call right or wrong, of one code and place
// once.
func Findings(v compliance.Verdict) (out []compliance.Issue) {
	add := func(list []compliance.Issue) {
		for _, i := range list {
			if compliance.Ruleable(i) && !slices.ContainsFunc(out, func(o compliance.Issue) bool {
				return o.Code == i.Code && o.Span[0] < i.Span[1] && i.Span[0] < o.Span[1]
			}) {
				out = append(out, i)
			}
		}
	}
	add(v.Issues)
	for _, j := range v.Judges {
		if add(j.Issues); !j.Abstained {
			if i, ok := j.Suspect(); ok {
				add([]compliance.Issue{i})
			}
		}
	}
	slices.SortStableFunc(out, func(a, b compliance.Issue) int { return a.Span[0] - b.Span[0] })
	return out
}

// Clicked completes clicks from the findings of a verdict; of two on one finding the last counts. Conflict where there
// is no such finding.
func Clicked(v compliance.Verdict, clicks []Click) (out []Click, err error) {
	found := Findings(v)
	for _, k := range clicks {
		at := slices.IndexFunc(found, k.on)
		if at < 0 {
			return nil, fault.New(fault.Conflict,
				"The findings of this case have changed since you opened it. Reload to see them.")
		}
		k.Severity, k.Quote = found[at].Severity, found[at].Quote
		out = append(slices.DeleteFunc(out, func(o Click) bool { return o.on(found[at]) }), k)
	}
	return out, nil
}

// JSON is how clicks are stored.
func JSON(list []Click) string {
	b, err := json.Marshal(list)
	if err != nil || len(list) == 0 {
		return "[]" // strings, ints and booleans always marshal
	}
	return string(b)
}

// Sentence is one in which those who ruled on a case call a finding right, or wrong.
type Sentence struct {
	ID, RulingID          string
	CaseID, InteractionID string
	Code, Severity        string
	Sentence              string
	Right                 bool // the finding; otherwise the sentence is fine
	By                    []string
	Names                 string
	At                    time.Time
}

// Voice is what one of those behind a ruling said.
type Voice struct {
	By     person.Person
	Clicks []Click
}

// Ruling is what a ruling says of findings.
type Ruling struct {
	ID, CaseID, InteractionID string
	Text                      string
	Verdict                   compliance.Verdict // that they had before them
	Voices                    []Voice            // an adjudicator's last
	Adjudicated               bool
}

// side is what a ruling says of a finding, and who says so; nobody where they disagree.
func (r Ruling) side(f compliance.Issue) (right bool, people []person.Person) {
	var said [2][]person.Person // wrong, right
	last, decided := 0, false
	for n, v := range r.Voices {
		at := slices.IndexFunc(v.Clicks, func(k Click) bool { return k.on(f) })
		if at < 0 {
			continue
		}
		if last = 0; v.Clicks[at].Right {
			last = 1
		}
		said[last] = append(said[last], v.By)
		decided = r.Adjudicated && n == len(r.Voices)-1
	}
	if len(said[1-last]) > 0 && !decided {
		return false, nil
	}
	return last == 1, said[last]
}

// KeepTx keeps what a ruling says, in its transaction.
func (s *Store) KeepTx(tx *db.Tx, r Ruling) error {
	for _, f := range Findings(r.Verdict) {
		right, people := r.side(f)
		if len(people) == 0 {
			continue
		}
		sentence, _ := compliance.SentenceAt(r.Text, f.Span)
		ids, err := json.Marshal(lists.Map(people, func(p person.Person) string { return p.ID }))
		if err != nil {
			return fmt.Errorf("ruled: encode people: %w", err)
		}
		names := strings.Join(lists.Map(people, func(p person.Person) string { return p.Name }), ", ")
		err = db.Exec(tx, "ruled: keep a sentence of "+r.CaseID, `INSERT INTO ruled_sentence
			(id, ruling_id, case_id, interaction_id, code, severity, sentence, is_right, by_ids, by_names, at)
			VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)`,
			id.New(), r.ID, r.CaseID, r.InteractionID, f.Code, f.Severity, sentence, right, string(ids), names,
			tx.NowMs())
		if err != nil {
			return err
		}
	}
	s.changed(tx)
	return nil
}

// UndoTx ends what an undone ruling said.
func (s *Store) UndoTx(tx *db.Tx, rulingID string) error {
	s.changed(tx)
	return db.Exec(tx, "ruled: undo "+rulingID, `UPDATE ruled_sentence SET ended_at = $1,
		ended_why = 'The ruling was undone.'
		WHERE ruling_id = $2 AND ended_at = 0`, tx.NowMs(), rulingID)
}

// EraseTx ends what was ruled on an interaction's sentences, and takes their words. It returns how many there were.
func (s *Store) EraseTx(tx *db.Tx, interactionID string) (int, error) {
	n, err := db.Change(tx, "ruled: erase "+interactionID, `UPDATE ruled_sentence
		SET sentence = '', ended_why = $1, ended_at = CASE ended_at WHEN 0 THEN $2 ELSE ended_at END
		WHERE sentence <> '' AND interaction_id = $3`, audit.ErasedText(tx.Now), tx.NowMs(), interactionID)
	if n > 0 {
		s.changed(tx)
	}
	return n, err
}

// changed has those know who follow the sentences, once it is on the disk.
func (s *Store) changed(tx *db.Tx) {
	tx.Touch("checks")
	tx.AfterCommit(s.onChange)
}

// Store keeps ruled sentences.
type Store struct {
	db       *db.DB
	mayEnd   person.Guard
	undoFor  time.Duration
	onChange func()
}

// New keeps them in d. A ruling can be undone for undoFor; onChange runs after the commit of whatever changes which
// hold.
func New(d *db.DB, mayEnd person.Guard, undoFor time.Duration, onChange func()) *Store {
	return &Store{d, mayEnd, undoFor, onChange}
}

const columns = `SELECT id, ruling_id, case_id, interaction_id, code, severity, sentence, is_right, by_ids, by_names, at
	FROM ruled_sentence WHERE ended_at = 0 `

func (x *Sentence) fields() []any {
	return []any{&x.ID, &x.RulingID, &x.CaseID, &x.InteractionID, &x.Code, &x.Severity, &x.Sentence, &x.Right,
		db.JSON(&x.By), &x.Names, db.At(&x.At)}
}

// ListTx are the newest sentences that hold, newest first.
func ListTx(tx *db.Tx) ([]Sentence, error) {
	return db.Rows(tx, "ruled: list sentences", (*Sentence).fields, columns+`ORDER BY at DESC, id DESC LIMIT $1`, most)
}

// Sentences are those of ListTx that a person may read: as long as a ruling can be undone, an expert who may have to
// answer its case sees only what they said.
func (s *Store) Sentences(ctx context.Context, who person.Person, expert bool) ([]Sentence, error) {
	list, err := db.Read(ctx, s.db, ListTx)
	since := s.db.Now().Add(-s.undoFor)
	return slices.DeleteFunc(list, func(x Sentence) bool {
		return expert && x.At.After(since) && !slices.Contains(x.By, who.ID)
	}), err
}

// EndSentence has a sentence hold no more, for a reason that stays with it. NotFound where it doesn't any more.
func (s *Store) EndSentence(ctx context.Context, sentenceID, reason string, by person.Person) error {
	reason, err := text.Reason(reason, "reason", "Say why it no longer applies.")
	if err != nil {
		return err
	}
	return s.db.Write(ctx, func(tx *db.Tx) error {
		if err := s.mayEnd.May(tx, by.ID); err != nil {
			return err
		}
		var x Sentence
		gone := fault.New(fault.NotFound, "This ruled sentence no longer applies. Go back to the list.")
		if err := db.One(tx, "ruled: read a sentence", columns+`AND id = $1`,
			sentenceID).Or(gone).Scan(x.fields()...); err != nil {
			return err
		}
		err := db.Exec(tx, "ruled: end "+x.ID, `UPDATE ruled_sentence SET ended_at = $1, ended_name = $2, ended_why = $3
			WHERE id = $4`, tx.NowMs(), by.Name, reason, x.ID)
		if err != nil {
			return err
		}
		s.changed(tx)
		tx.Touch("borderline")
		return audit.Note(tx, by.Actor(), "borderline.sentence_ended", "interaction", x.InteractionID,
			map[string]any{"case": x.CaseID, "sentence": x.ID, "code": x.Code})
	})
}
