package checklist

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"time"

	"preceptor/internal/audit"
	"preceptor/internal/compliance"
	"preceptor/internal/interaction"
	"preceptor/internal/platform/db"
	"preceptor/internal/platform/fault"
	"preceptor/internal/platform/id"
)

// Kinds of a hit.
const (
	Find  = "find"  // something found in a text that is not fine
	Alarm = "alarm" // something found in a text that is
	Miss  = "miss"  // nothing found in a text whose labels name the code
)

const (
	maxHits    = 40  // that are kept of each kind
	maxAlready = 300 // finds, and misses, that are held against the other checks
)

// Hit is a text that a trial points at, without its text.
type Hit struct {
	Ref   string   `json:"ref"` // Sample.Ref
	Kind  string   `json:"kind"`
	Label string   `json:"label"`
	Spans [][2]int `json:"spans,omitempty"` // code points
}

// Counter is how many texts there were of a kind, and in how many something was found.
type Counter struct {
	Texts int `json:"texts"`
	Hit   int `json:"hit"`
}

func (t *Counter) add(hit bool) {
	t.Texts++
	if hit {
		t.Hit++
	}
}

// Figures are what came of a trial.
type Figures struct {
	Of      int     `json:"of"`      // texts that the source has
	Texts   int     `json:"texts"`   // that were looked at
	Fine    Counter `json:"fine"`    // compliant, or approved as they were: what is found there is a false alarm
	Soft    Counter `json:"soft"`    // borderline
	Bad     Counter `json:"bad"`     // non-compliant, revised or rejected
	Other   Counter `json:"other"`   // with another label
	Coded   Counter `json:"coded"`   // whose labels name the check's code; of Gold alone
	Checked int     `json:"checked"` // finds that were held against the other checks
	Already int     `json:"already"` // ... of which those stop or question the text anyway
	// misses, of the first that were looked at so, that no other check stops or questions either
	Alone int   `json:"alone"`
	Hits  []Hit `json:"hits"` // the first of each kind
}

// Found is in how many texts that are not fine something was found.
func (f Figures) Found() int { return f.Soft.Hit + f.Bad.Hit + f.Other.Hit }

// Trial is a wording, or a shipped check, held against texts.
type Trial struct {
	ID         string
	CheckID    string
	Version    int
	Source     Source
	ExamplesOK bool
	Figures
	By audit.Actor
	At time.Time
}

// Example is one of a check's own examples with what came of it.
type Example struct {
	Text   string
	Finds  bool // it has to find something
	OK     bool // it came out as it should
	Issues []compliance.Issue
}

// Examples holds a wording against its own examples. Invalid when it can't run.
func (w *Wording) Examples() (list []Example, err error) {
	find, err := w.finder()
	if err != nil {
		return nil, err
	}
	return examples(w.Finds, w.Leaves, find), nil
}

// ShippedExamples holds a shipped check against the examples that came with it. Those of what only a judge reads stand
// as they came: it is the judge that is held against them.
func (s *Store) ShippedExamples(info compliance.CheckInfo) []Example {
	if info.Read {
		list := examples(info.Finds, info.Leaves, func(string) []compliance.Issue { return nil })
		for i := range list {
			list[i].OK = true
		}
		return list
	}
	find, who := s.shippedFinder(info.Code), info.ExampleFor()
	return examples(info.Finds, info.Leaves, func(text string) []compliance.Issue {
		return find(&Sample{Text: text, Consultation: who})
	})
}

func examples(finds, leaves []string, find func(string) []compliance.Issue) (list []Example) {
	for _, text := range finds {
		issues := find(text)
		list = append(list, Example{text, true, len(issues) > 0, issues})
	}
	for _, text := range leaves {
		issues := find(text)
		list = append(list, Example{text, false, len(issues) == 0, issues})
	}
	return list
}

func allOK(list []Example) bool {
	return !slices.ContainsFunc(list, func(e Example) bool { return !e.OK })
}

// finder is what a check finds in a sample, whether it is on or not.
func (s *Store) finder(c Check, w *Wording) (func(*Sample) []compliance.Issue, error) {
	if c.Shipped {
		return s.shippedFinder(c.ID), nil
	}
	find, err := w.finder()
	if err != nil {
		return nil, err
	}
	return func(sample *Sample) []compliance.Issue { return find(sample.Text) }, nil
}

// shippedFinder finds what a shipped check does, as it came.
func (s *Store) shippedFinder(code string) func(*Sample) []compliance.Issue {
	if info, _ := compliance.InfoOf(code); info.Read {
		return func(sample *Sample) []compliance.Issue {
			return only(code, s.hooks.Read(sample.Text, sample.Consultation))
		}
	}
	asShipped := compliance.NewChecker(s.db.Now)
	return func(sample *Sample) []compliance.Issue {
		return only(code, asShipped.Check(sample.Text, sample.Consultation.Situation()).Issues)
	}
}

// Look is what a check finds, on or off, in a text that somebody types as the answer to a question. Nothing of it is
// kept.
func (s *Store) Look(c Check, w *Wording, text, question string) ([]compliance.Issue, error) {
	find, err := s.finder(c, w)
	if err != nil {
		return nil, err
	}
	return find(&Sample{Text: text, Consultation: interaction.Consultation{Question: question}}), nil
}

// only are the issues of one code.
func only(code string, issues []compliance.Issue) []compliance.Issue {
	return slices.DeleteFunc(issues, func(i compliance.Issue) bool { return i.Code != code })
}

// others are the checks in force but this one.
func (s *Store) others(c Check) (*compliance.Checker, error) {
	book := s.checker.Book()
	book.Patterns = slices.DeleteFunc(book.Patterns, func(p compliance.PatternCheck) bool { return p.ID == c.ID })
	if c.Shipped {
		book.Off = append(book.Off, c.ID)
	}
	o := compliance.NewChecker(s.db.Now)
	return o, o.Adopt(book)
}

// Try holds one wording of a check, or a shipped check (version 0), against a source (Source.Value) and its own
// examples, and keeps what came of it. Texts are read and looked at outside the transaction that keeps it.
func (s *Store) Try(ctx context.Context, checkID string, version int, source string, by audit.Actor) (*Trial, error) {
	c, err := s.Get(ctx, checkID)
	if err != nil {
		return nil, err
	}
	src, err := s.source(ctx, source)
	if err != nil {
		return nil, err
	}
	t := &Trial{ID: id.New(), CheckID: c.ID, Version: version, Source: src, By: by}
	var w *Wording
	most := maxShippedTexts
	if c.Shipped {
		t.Version, t.ExamplesOK = 0, allOK(s.ShippedExamples(c.Info))
	} else {
		most = maxTexts
		if w, err = s.Wording(ctx, checkID, version); err != nil {
			return nil, err
		}
		list, err := w.Examples()
		if err != nil {
			return nil, err
		}
		t.ExamplesOK = allOK(list)
	}
	if err := s.run(ctx, t, c, w, most); err != nil {
		return nil, err
	}
	return t, s.keep(ctx, t)
}

func (s *Store) run(ctx context.Context, t *Trial, c Check, w *Wording, most int) error {
	find, err := s.finder(c, w)
	if err != nil {
		return err
	}
	others, err := s.others(c)
	if err != nil {
		return err
	}
	code := c.Info.Code
	if w != nil {
		code = w.Code
	}
	t.Of, err = s.each(ctx, t.Source, most, func(sample *Sample) error {
		if err := ctx.Err(); err != nil {
			return fault.Wrap(fault.Unavailable, err, "The trial was interrupted. Start it again.")
		}
		t.count(sample, code, find(sample), others)
		return nil
	})
	return err
}

// count adds what was found in a sample.
func (t *Trial) count(sample *Sample, code string, issues []compliance.Issue, others *compliance.Checker) {
	hit := len(issues) > 0
	t.Texts++
	kind := Find
	switch sample.Label {
	case string(compliance.Compliant), Approved:
		t.Fine.add(hit)
		kind = Alarm
	case string(compliance.Borderline):
		t.Soft.add(hit)
	case string(compliance.NonCompliant), Revised, Rejected:
		t.Bad.add(hit)
	default:
		t.Other.add(hit)
	}
	if slices.Contains(sample.Codes, code) {
		t.Coded.add(hit)
		if !hit {
			t.point(Hit{Ref: sample.Ref, Kind: Miss, Label: sample.Label})
			if t.Coded.Texts-t.Coded.Hit <= maxAlready &&
				others.Check(sample.Text, sample.Consultation.Situation()).Passed {
				t.Alone++
			}
		}
	}
	if !hit {
		return
	}
	h := Hit{Ref: sample.Ref, Kind: kind, Label: sample.Label}
	for _, i := range issues {
		h.Spans = append(h.Spans, i.Span)
	}
	t.point(h)
	if kind == Find && t.Checked < maxAlready {
		t.Checked++
		if !others.Check(sample.Text, sample.Consultation.Situation()).Passed {
			t.Already++
		}
	}
}

// point keeps a hit while there is room for its kind.
func (t *Trial) point(h Hit) {
	n := 0
	for _, o := range t.Hits {
		if o.Kind == h.Kind {
			n++
		}
	}
	if n < maxHits {
		t.Hits = append(t.Hits, h)
	}
}

func (s *Store) keep(ctx context.Context, t *Trial) error {
	figures, err := json.Marshal(t.Figures)
	if err != nil {
		return fmt.Errorf("checklist: write the figures of a trial: %w", err)
	}
	return s.db.Write(ctx, func(tx *db.Tx) error {
		if err := s.may(tx, s.hooks.MayWrite, t.By); err != nil {
			return err
		}
		t.At = tx.Now
		err := db.Exec(tx, "checklist: keep a trial", `INSERT INTO check_trial (id, check_id, version, source,
				source_id, source_name, examples_ok, figures, by_id, by_name, at)
			VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)`,
			t.ID, t.CheckID, t.Version, t.Source.Kind, t.Source.ID, t.Source.Name, t.ExamplesOK, string(figures),
			t.By.ID, t.By.Name, tx.NowMs())
		if err != nil {
			return err
		}
		return record(tx, t.By, "check.tried", t.CheckID,
			map[string]any{"version": t.Version, "on": t.Source.Name, "trial": t.ID, "examples_ok": t.ExamplesOK,
				"texts": t.Texts, "found": t.Found(), "false_alarms": t.Fine.Hit,
				"missed": t.Coded.Texts - t.Coded.Hit})
	})
}

const trialColumns = `id, check_id, version, source, source_id, source_name, examples_ok, figures, by_id, by_name, at`

func scanTrial(row db.Row) (*Trial, error) {
	t := &Trial{By: audit.Actor{Kind: audit.Person}}
	if err := row.Scan(&t.ID, &t.CheckID, &t.Version, &t.Source.Kind, &t.Source.ID, &t.Source.Name, &t.ExamplesOK,
		db.JSON(&t.Figures), &t.By.ID, &t.By.Name, db.At(&t.At)); err != nil {
		return nil, err
	}
	t.Source.Items = t.Of
	return t, nil
}

// lastTrialTx is the newest trial of a wording; nil when there is none.
func lastTrialTx(tx *db.Tx, checkID string, version int) (*Trial, error) {
	t, _, err := db.First(tx, "checklist: read a trial", scanTrial, `SELECT `+trialColumns+` FROM check_trial
		WHERE check_id = $1 AND version = $2 ORDER BY at DESC, id DESC LIMIT 1`, checkID, version)
	return t, err
}

// LastTrial is the newest trial of a wording, or of a shipped check (version 0); nil when there is none.
func (s *Store) LastTrial(ctx context.Context, checkID string, version int) (*Trial, error) {
	return db.Read(ctx, s.db, func(tx *db.Tx) (*Trial, error) { return lastTrialTx(tx, checkID, version) })
}

// Trying is a prepared wording that can be read, with the rest of what a check needs made up where it is missing, so
// that its examples can be tried while it is still being written.
func (w Wording) Trying() *Wording {
	w.Code, w.Title, w.Why, w.Reference = "TRYING", "Trying", "Trying.", "None"
	if rank(w.Severity) < 0 {
		w.Severity = compliance.Minor
	}
	return &w
}
