package borderline

import (
	"context"
	"encoding/json"
	"slices"
	"strings"
	"time"

	"preceptor/internal/compliance"
	"preceptor/internal/db"
	"preceptor/internal/fault"
	"preceptor/internal/id"
	"preceptor/internal/lists"
	"preceptor/internal/text"
)

// sentencesMost is how many of the newest ruled sentences hold, and are listed.
const sentencesMost = 1000

// Click is what an expert says of a finding on words of the text, having seen the panel.
type Click struct {
	Code     string `json:"code"`
	Severity string `json:"severity"`
	Start    int    `json:"start"`
	End      int    `json:"end"`
	Quote    string `json:"quote"`
	Right    bool   `json:"right"`
}

// On reports whether it is about a finding.
func (c Click) On(f compliance.Issue) bool {
	return c.Code == f.Code && c.Start == f.Span[0] && c.End == f.Span[1]
}

// Findings are what checks and judges point at in a text and experts can call right or wrong, of one code and place once.
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
		add(j.Issues)
	}
	slices.SortStableFunc(out, func(a, b compliance.Issue) int { return a.Span[0] - b.Span[0] })
	return out
}

// clicked completes clicks from the findings of the case.
func (c *Case) clicked(clicks []Click) (out []Click, err error) {
	found := Findings(c.verdict)
	for _, k := range clicks {
		at := slices.IndexFunc(found, k.On)
		if at < 0 {
			return nil, fault.New(fault.Conflict, "The findings of this case have changed since you opened it. Reload to see them.")
		}
		k.Severity, k.Quote = found[at].Severity, found[at].Quote
		out = append(slices.DeleteFunc(out, func(o Click) bool { return o.On(found[at]) }), k)
	}
	return out, nil
}

func clicksJSON(list []Click) string {
	b, err := json.Marshal(list)
	if err != nil || len(list) == 0 {
		return "[]" // strings, ints and booleans always marshal
	}
	return string(b)
}

// Sentence is one in which those who ruled on a case call a finding right, or wrong.
type Sentence struct {
	ID, CaseID    string
	InteractionID string
	Code          string
	Severity      string
	Sentence      string
	Right         bool // the finding; otherwise the sentence is fine
	By            []string
	Names         string
	At            time.Time
}

// sentencesTx keeps what a ruling says of each finding: what all say who clicked it, or the adjudicator, with those who said the same.
func sentencesTx(tx *db.Tx, c *Case, r *Ruling, by Person, answers []Answer) error {
	voices := finals(answers)
	if r.How == Adjudicated {
		voices = append(voices, Answer{By: by, Clicks: r.Clicks})
	}
	for _, f := range Findings(c.verdict) {
		var said [2][]Person // wrong, right
		last := 0
		for _, a := range voices {
			if at := slices.IndexFunc(a.Clicks, func(k Click) bool { return k.On(f) }); at >= 0 {
				if last = 0; a.Clicks[at].Right {
					last = 1
				}
				said[last] = append(said[last], a.By)
			}
		}
		split := len(said[0]) > 0 && len(said[1]) > 0
		decided := slices.ContainsFunc(r.Clicks, func(k Click) bool { return k.On(f) })
		if len(said[last]) == 0 || split && !decided {
			continue
		}
		sentence, _ := compliance.SentenceAt(c.Text, f.Span)
		ids, err := json.Marshal(lists.Map(said[last], func(p Person) string { return p.ID }))
		if err != nil {
			return err
		}
		names := strings.Join(lists.Map(said[last], func(p Person) string { return p.Name }), ", ")
		if err := db.Exec(tx, "borderline: keep a ruled sentence of "+c.ID, `INSERT INTO borderline_sentence (id, ruling_id, case_id, code, severity, sentence, is_right, by_ids, by_names, at)
			VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)`, id.New(), r.ID, c.ID, f.Code, f.Severity, sentence, last == 1, string(ids), names, tx.NowMs()); err != nil {
			return err
		}
	}
	return nil
}

const sentenceColumns = `SELECT s.id, s.case_id, r.interaction_id, s.code, s.severity, s.sentence, s.is_right, s.by_ids, s.by_names, s.at
	FROM borderline_sentence s JOIN borderline_ruling r ON r.id = s.ruling_id AND r.undone_at = 0 WHERE s.ended_at = 0 `

func (x *Sentence) fields() []any {
	return []any{&x.ID, &x.CaseID, &x.InteractionID, &x.Code, &x.Severity, &x.Sentence, &x.Right, db.JSON(&x.By), &x.Names, db.At(&x.At)}
}

// SentencesTx are the newest ruled sentences that nobody ended, newest first: those of rulings that hold.
func SentencesTx(tx *db.Tx) ([]Sentence, error) {
	return db.Rows(tx, "borderline: read the ruled sentences", (*Sentence).fields, sentenceColumns+`ORDER BY s.at DESC, s.id DESC LIMIT $1`, sentencesMost)
}

// Sentences are those of SentencesTx that a person may read: as long as a ruling can be undone, experts who may have to answer its case
// see only what they said.
func (s *Store) Sentences(ctx context.Context, v Viewer) ([]Sentence, error) {
	list, err := db.Read(ctx, s.db, SentencesTx)
	open := s.db.Now().Add(-UndoFor)
	return slices.DeleteFunc(list, func(x Sentence) bool { return v.Expert && x.At.After(open) && !slices.Contains(x.By, v.ID) }), err
}

// EndSentence has a ruled sentence hold no more, for a reason that stays with it. NotFound where it holds no more already; Denied to all
// but experts.
func (s *Store) EndSentence(ctx context.Context, sentenceID, reason string, by Person) error {
	if reason = strings.TrimSpace(reason); reason == "" || text.TooLong(reason, maxNote) != "" {
		return fault.Wrong("Say why, in a few words, before you end it.", "reason", "Say why it no longer applies.")
	}
	return s.db.Write(ctx, func(tx *db.Tx) error {
		if err := s.mayRule(tx, by.ID); err != nil {
			return err
		}
		var x Sentence
		gone := fault.New(fault.NotFound, "This ruled sentence no longer applies. Go back to the list.")
		if err := db.One(tx, "borderline: read a ruled sentence", sentenceColumns+`AND s.id = $1`, sentenceID).Or(gone).Scan(x.fields()...); err != nil {
			return err
		}
		if err := db.Exec(tx, "borderline: end "+x.ID, `UPDATE borderline_sentence SET ended_at = $1, ended_name = $2, ended_why = $3 WHERE id = $4`, tx.NowMs(), by.Name, reason, x.ID); err != nil {
			return err
		}
		c, err := one(tx, ` WHERE id = $1`, x.CaseID)
		if err != nil {
			return err
		}
		s.resentence(tx)
		return record(tx, by.Actor(), "borderline.sentence_ended", c, map[string]any{"sentence": x.ID, "code": x.Code})
	})
}

// resentence has those know, once it is on the disk, who follow the ruled sentences.
func (s *Store) resentence(tx *db.Tx) {
	touch(tx)
	tx.AfterCommit(s.hooks.OnSentences)
}
