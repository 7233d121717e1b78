package checklist

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"preceptor/internal/audit"
	"preceptor/internal/compliance"
	"preceptor/internal/person"
	"preceptor/internal/platform/db"
	"preceptor/internal/platform/fault"
	"preceptor/internal/platform/id"
	"preceptor/internal/platform/text"
)

// Bounds of a wording, in code points.
const (
	MaxTitle     = 120
	MaxWhy       = 500
	MaxReference = 200
	MaxSource    = compliance.MaxPattern
	MaxExamples  = 30
	MaxExample   = 1000
	maxChecks    = 500
)

// Prepare brings a wording into its stored form, or says what is wrong: Invalid with the fields code, title, source,
// severity, why, reference, finds, leaves, reason.
func (w *Wording) Prepare() error {
	var wrong []fault.Field
	bad := func(is bool, name, format string, args ...any) {
		if is {
			wrong = append(wrong, fault.Field{Name: name, Msg: fmt.Sprintf(format, args...)})
		}
	}
	w.tidy()
	info, shipped := compliance.InfoOf(w.Code)
	bad(shipped && rank(w.Severity) > rank(info.Severity), "severity",
		"%s can be at most %s, also for your own checks.", w.Code, info.Severity)
	for name, max := range map[string]int{"title": MaxTitle, "why": MaxWhy, "reference": MaxReference,
		"reason": text.MaxReason} {
		text := map[string]string{"title": w.Title, "why": w.Why, "reference": w.Reference, "reason": w.Reason}[name]
		bad(utf8.RuneCountInString(text) > max, name, "Say it in at most %d characters.", max)
	}
	bad(w.Reference == "", "reference", "Name the rule or house document it is based on.")
	bad(w.Reason == "", "reason", "Say why. Your reason is kept on record.")
	for name, list := range map[string][]string{"finds": w.Finds, "leaves": w.Leaves} {
		bad(len(list) == 0, name, "Give at least one example. It shows what you mean, and the check is tested on it.")
		bad(len(list) > MaxExamples, name, "At most %d examples.", MaxExamples)
		bad(slices.ContainsFunc(list, func(s string) bool { return utf8.RuneCountInString(s) > MaxExample }), name,
			"An example has at most %d characters.", MaxExample)
	}
	wrong = append(wrong, fault.Fields(w.usable())...)
	if len(wrong) == 0 {
		return nil
	}
	slices.SortStableFunc(wrong, func(a, b fault.Field) int { return strings.Compare(a.Name, b.Name) })
	return fault.WithFields("The check can't be used yet: correct the marked fields.", wrong...)
}

func (w *Wording) tidy() {
	clean := func(s string) string {
		return text.Typed(s)
	}
	line := func(s string) string { return strings.Join(strings.Fields(clean(s)), " ") }
	w.Code, w.Title, w.Reference, w.Why = strings.ToUpper(line(w.Code)), line(w.Title), line(w.Reference), line(w.Why)
	w.Source, w.Reason = clean(w.Source), clean(w.Reason)
	lines := func(list []string) []string {
		out := []string{}
		for _, s := range list {
			if s = clean(s); s != "" && !slices.Contains(out, s) {
				out = append(out, s)
			}
		}
		return out
	}
	w.Finds, w.Leaves = lines(w.Finds), lines(w.Leaves)
	w.syntax = phrases
}

func rank(severity string) int {
	return slices.Index([]string{compliance.Minor, compliance.Major, compliance.Critical}, severity)
}

// check is the wording as the Checker runs it.
func (w *Wording) check() compliance.PatternCheck {
	return compliance.PatternCheck{ID: w.CheckID, Version: w.Version, Code: w.Code, Title: w.Title, Pattern: w.Source,
		Severity: w.Severity,
		Why:      w.Why, Reference: w.Reference}
}

// same reports whether two wordings say the same.
func (w *Wording) same(o *Wording) bool {
	return w.Code == o.Code && w.Title == o.Title && w.syntax == o.syntax && w.Source == o.Source &&
		w.Severity == o.Severity &&
		w.Why == o.Why && w.Reference == o.Reference && slices.Equal(w.Finds, o.Finds) &&
		slices.Equal(w.Leaves, o.Leaves)
}

// Write keeps a wording: of a new check when CheckID is empty, else the next of that check, where base is the version
// that the person saw as the newest. Nothing is switched. Conflict when another wording came in between, or when
// nothing differs.
func (s *Store) Write(ctx context.Context, w Wording, base int, by audit.Actor) (Wording, error) {
	if err := w.Prepare(); err != nil {
		return w, err
	}
	finds, err := json.Marshal(w.Finds)
	if err != nil {
		return w, fmt.Errorf("checklist: write examples: %w", err)
	}
	leaves, err := json.Marshal(w.Leaves)
	if err != nil {
		return w, fmt.Errorf("checklist: write examples: %w", err)
	}
	err = s.db.Write(ctx, func(tx *db.Tx) error {
		if err := s.may(tx, s.hooks.MayWrite, by); err != nil {
			return err
		}
		if err := number(tx, &w, base); err != nil {
			return err
		}
		w.ID, w.By, w.At = id.New(), by, tx.Now
		err := db.Exec(tx, "checklist: write a wording", `INSERT INTO check_version (id, check_id, version, code, title,
				syntax, source, severity, why, reference, finds, leaves, reason, by_id, by_name, at)
			VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16)`,
			w.ID, w.CheckID, w.Version, w.Code, w.Title, w.syntax, w.Source, w.Severity, w.Why, w.Reference,
			string(finds), string(leaves), w.Reason,
			by.ID, by.Name, tx.NowMs())
		if err != nil {
			return err
		}
		return record(tx, by, "check.written", w.CheckID,
			map[string]any{"version": w.Version, "code": w.Code, "title": w.Title, "source": w.Source,
				"severity": w.Severity, "why": w.Why, "reference": w.Reference, "reason": w.Reason})
	})
	return w, err
}

// number gives a wording its check and its version.
func number(tx *db.Tx, w *Wording, base int) error {
	if w.CheckID == "" {
		var n int
		if err := db.One(tx, "checklist: count checks", `SELECT count(DISTINCT check_id) FROM check_version`).
			Scan(&n); err != nil {
			return err
		}
		if n >= maxChecks {
			return fault.New(fault.Limited,
				"You already have %d checks of your own, which is the most. Reword one instead.", n)
		}
		w.CheckID, w.Version = id.New(), 1
		return nil
	}
	last, err := newestTx(tx, w.CheckID)
	switch {
	case err != nil:
		return err
	case last.Version != base:
		return fault.New(fault.Conflict,
			"%s has saved another wording since. Compare it with yours and save again; what you typed is still here.",
			last.By.Name)
	case last.same(w):
		return fault.New(fault.Conflict, "This is the same as version %d. Change something, or leave it.", last.Version)
	}
	w.Version = last.Version + 1
	return nil
}

func (s *Store) may(tx *db.Tx, guard person.Guard, by audit.Actor) error {
	if by.ID == "" {
		return fault.New(fault.Denied, "Only compliance experts can change the checks.")
	}
	return guard.May(tx, by.ID)
}
