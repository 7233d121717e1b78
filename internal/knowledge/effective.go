package knowledge

import (
	"slices"
	"time"
	_ "time/tzdata" // the machine may have none, and UK dates begin at UK midnights

	"preceptor/internal/platform/db"
	"preceptor/internal/platform/decimal"
	"preceptor/internal/platform/fault"
	"preceptor/internal/search"
)

// Validity is when a version holds. What the FCA changes, it changes on a date, which is known long before.
type Validity struct {
	ValidFrom time.Time // zero: at once
	ValidTo   time.Time // the first moment at which it holds no more; zero: no end
	ErasedAt  time.Time // when its text was erased; zero: it was not
	Turns     time.Time // when a newer wording takes its place; zero: none is planned, or it was not looked up
}

func validity(from, to, erased int64) Validity {
	return Validity{ValidFrom: db.Time(from), ValidTo: db.Time(to), ErasedAt: db.Time(erased)}
}

func (v Validity) begun(now time.Time) bool { return !v.ValidFrom.After(now) }

func (v Validity) ended(now time.Time) bool { return !v.ValidTo.IsZero() && !v.ValidTo.After(now) }

// Until is the first moment at which it is given no more: its end, or its successor's first day. Zero: no end.
func (v Validity) Until() time.Time { return earlier(v.ValidTo, v.Turns) }

// Together is the first moment from now on at which both are given; ok is false when there is none.
func (v Validity) Together(o Validity, now time.Time) (from time.Time, ok bool) {
	from = slices.MaxFunc([]time.Time{now, v.ValidFrom, o.ValidFrom}, time.Time.Compare)
	until := earlier(v.Until(), o.Until())
	return from, until.IsZero() || until.After(from)
}

// Holds reports whether a version of these dates holds at now.
func (v Validity) Holds(now time.Time) bool { return v.begun(now) && !v.ended(now) }

// Dated reports whether it begins or ends on a date.
func (v Validity) Dated() bool { return !v.ValidFrom.IsZero() || !v.ValidTo.IsZero() }

func (v Validity) check() error {
	if !v.ValidTo.IsZero() && !v.ValidTo.After(v.ValidFrom) {
		return fault.Wrong("It would end before it begins.", "valid_to",
			"Give a last day that is not before the first.")
	}
	return nil
}

// next is the nearest moment after now at which something begins or ends; zero when nothing does.
func (v Validity) next(now time.Time) (at time.Time) {
	for _, t := range []time.Time{v.ValidFrom, v.ValidTo} {
		if t.After(now) {
			at = earlier(at, t)
		}
	}
	return at
}

// earlier is the earlier of two times of which zero means never.
func earlier(a, b time.Time) time.Time {
	if a.IsZero() || !b.IsZero() && b.Before(a) {
		return b
	}
	return a
}

// UK is where the days of effective dates begin.
var UK = func() *time.Location {
	l, err := time.LoadLocation("Europe/London")
	if err != nil {
		panic(err) // it is embedded
	}
	return l
}()

// ParseDay reads a day as people type it, as its first moment in the UK; "" is zero.
func ParseDay(typed string) (time.Time, error) {
	if typed == "" {
		return time.Time{}, nil
	}
	day, err := decimal.Day(typed, UK)
	if err != nil || day.Year() < 1900 || day.Year() > 2200 {
		return time.Time{}, fault.New(fault.Invalid, "%s", decimal.ErrDay)
	}
	return day.UTC(), nil
}

// DayOf is ParseDay's inverse.
func DayOf(t time.Time) string {
	if t.IsZero() {
		return ""
	}
	return t.In(UK).Format(time.DateOnly)
}

// LastDay is the day on which a version with this ValidTo holds last, as ParseDay reads it; "" for no end.
func LastDay(validTo time.Time) string {
	if validTo.IsZero() {
		return ""
	}
	return validTo.In(UK).AddDate(0, 0, -1).Format(time.DateOnly)
}

// dayAfter is the first moment of the day after the one that begins at t.
func dayAfter(t time.Time) time.Time {
	if t.IsZero() {
		return t
	}
	return t.In(UK).AddDate(0, 0, 1).UTC()
}

// ruleInForceTx is the version of a rule whose text holds now, and when that may change next. It is the head, unless
// that begins later: then the newest one before it that has begun, as far back as the rule was in use without a break.
// A version supersedes all before it from its first day on, so that an end is an end and no older text comes back after
// it. nil when none holds.
func (b *Base) ruleInForceTx(tx *db.Tx, head *Rule) (r *Rule, turns time.Time, err error) {
	list, err := b.WordingsTx(tx, head)
	if err != nil || head.Status != Active {
		return nil, turns, err
	}
	for i := range list {
		turns = earlier(turns, list[i].next(tx.Now))
		if r == nil && list[i].Holds(tx.Now) && list[i].ErasedAt.IsZero() {
			r = &list[i]
		}
	}
	return r, turns, nil
}

// WordingsTx are the wordings of a rule in use: the one that has begun and those that are scheduled, first to last,
// each with when it turns. Of a rule that isn't in use it is the newest alone.
func (b *Base) WordingsTx(tx *db.Tx, head *Rule) (list []Rule, err error) {
	var turns time.Time
	for r := head; len(list) == 0 || r.Status == Active && r.ErasedAt.IsZero(); {
		if turns.IsZero() || r.ValidFrom.Before(turns) { // else a newer one takes its place before it begins
			r.Turns, turns = turns, r.ValidFrom
			list = slices.Insert(list, 0, *r)
		}
		if r.begun(tx.Now) || r.Version == 1 || head.Status != Active {
			break
		}
		if r, err = ruleAtTx(tx, head.ID, r.Version-1); err != nil {
			return nil, err
		}
	}
	return list, nil
}

// InUseTx is a rule with the wording in use, or in use when it was retired, withdrawn or quarantined: the head's,
// unless that begins later.
func (b *Base) InUseTx(tx *db.Tx, head *Rule) (held *Rule, err error) {
	switch {
	case head.ValidFrom.IsZero() || head.Status == Active && head.begun(tx.Now):
	case head.Status == Active:
		held, _, err = b.ruleInForceTx(tx, head)
	default:
		var life []Version
		if life, err = versionsOf(tx, search.KindRule, head.ID); err != nil {
			return head, err
		}
		if v := LastInForce(life, tx.Now); v != nil {
			if held, err = ruleAtTx(tx, head.ID, v.Version); err == nil {
				held.Status = head.Status
			}
		}
	}
	if held == nil {
		held = head
	}
	return held, err
}

// CaseInUseTx is InUseTx for a case.
func (b *Base) CaseInUseTx(tx *db.Tx, head *Case) (held *Case, err error) {
	switch {
	case head.ValidFrom.IsZero():
	case head.Status == Active:
		held, err = b.caseInForceTx(tx, head)
	default:
		var life []Version
		if life, err = versionsOf(tx, search.KindCase, head.ID); err != nil {
			return head, err
		}
		if v := LastInForce(life, tx.Now); v != nil {
			if held, err = caseAtTx(tx, head.ID, v.Version); err == nil {
				held.Status = head.Status
			}
		}
	}
	if held == nil {
		held = head
	}
	return held, err
}

// LastInForce is InForce of what is in use; of what was retired, withdrawn or quarantined it is the version that held
// when it left use. nil when none did, or it was reworded since.
func LastInForce(newestFirst []Version, now time.Time) *Version {
	for i, v := range newestFirst {
		switch v.Status {
		case Active:
			_, was := v.said()
			if _, is := newestFirst[0].said(); is != was {
				return nil
			}
			return InForce(newestFirst[i:], now)
		case Retired, Withdrawn, Quarantined:
			now = v.CreatedAt
		default:
			return nil
		}
	}
	return nil
}

// InForce is the version of a rule or a case whose text holds at now, from all its versions, newest first: as
// ruleInForceTx finds it. nil when none holds.
func InForce(newestFirst []Version, now time.Time) *Version {
	for i, v := range newestFirst {
		switch {
		case v.Status != Active || !v.ErasedAt.IsZero():
			return nil
		case v.Validity.begun(now) && v.Validity.ended(now):
			return nil
		case v.Validity.begun(now):
			return &newestFirst[i]
		}
	}
	return nil
}

// caseInForceTx is ruleInForceTx for a case.
func (b *Base) caseInForceTx(tx *db.Tx, head *Case) (c *Case, err error) {
	var turns time.Time
	for c = head; c.Status == Active && c.ErasedAt.IsZero(); {
		if c.begun(tx.Now) {
			if c.ended(tx.Now) {
				break
			}
			c.Turns = turns
			return c, nil
		}
		turns = earlier(turns, c.ValidFrom)
		if c.Version == 1 {
			break
		}
		if c, err = caseAtTx(tx, head.ID, c.Version-1); err != nil {
			return nil, err
		}
	}
	return nil, nil
}

// indexRule writes the entry of what holds now.
func (b *Base) indexRule(tx *db.Tx, head *Rule) error {
	e := head.entry()
	if head.Dated() {
		held, _, err := b.ruleInForceTx(tx, head)
		if err != nil {
			return err
		}
		e.Active = held != nil
		if held != nil && held.Version != head.Version {
			e = held.entry()
		}
	}
	return b.indexEntry(tx, e)
}

func (b *Base) indexCase(tx *db.Tx, head *Case) error {
	e := head.entry()
	if head.Dated() {
		held, err := b.caseInForceTx(tx, head)
		if err != nil {
			return err
		}
		e.Active = e.Active && held != nil
		if held != nil && held.Version != head.Version {
			e = held.entry()
		}
	}
	return b.indexEntry(tx, e)
}

// nextSeq numbers the versions of all items in the order in which they are written.
func nextSeq(tx *db.Tx) (seq int64, err error) {
	return db.Value[int64](tx, "knowledge: number a version", `UPDATE knowledge_seq SET seq = seq + 1
		WHERE id = 1 RETURNING seq`)
}

func lastSeq(tx *db.Tx) (seq int64, err error) {
	return db.Value[int64](tx, "knowledge: read the last version's number",
		`SELECT seq FROM knowledge_seq WHERE id = 1`)
}
