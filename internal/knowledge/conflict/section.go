package conflict

import (
	"preceptor/internal/audit"
	"preceptor/internal/knowledge"
	"preceptor/internal/platform/db"
)

// byChange is who finds what rests on an older wording of a section, or on one that went.
const byChange = "change of the section"

// rests reports whether the one on the left rests on what the section on the right said before. It alone is decided
// about.
func (c Conflict) rests() bool { return c.FoundBy == byChange }

// SectionRewordedTx raises what rests on what a section said before, each against it, and ends the pairs of rules that
// do no more where list is all of it; a case says so itself (CaseWrittenTx).
func (s *Store) SectionRewordedTx(tx *db.Tx, section knowledge.Case, list []knowledge.Outdated, all bool) error {
	raised := map[string]bool{}
	for _, o := range list {
		c := Conflict{Kind: Contradiction, ItemKind: OfCases, RightID: section.ID, Confidence: sureSome,
			FoundBy: byChange, rightText: hashOf(section.Title, section.Guidance, section.Status)}
		if o.Rule != nil {
			c.ItemKind, c.LeftID, c.leftText, c.Why = OfBoth, o.Rule.ID, textOf(*o.Rule), o.Rule.Label()
		} else {
			c.LeftID, c.leftText, c.Why = o.Case.ID, hashOf(o.Case.Guidance), o.Case.Label()
		}
		c.Why += o.Why(section)
		raised[c.LeftID] = true
		if err := s.putTx(tx, c); err != nil {
			return err
		}
	}
	if !all {
		return nil
	}
	open, err := queryTx(tx, `WHERE state = 'open' AND right_id = $1 AND found_by = $2 AND item_kind = 'both'`,
		section.ID, byChange)
	for _, c := range open {
		if err == nil && !raised[c.LeftID] {
			err = s.closeTx(tx, c, Gone, "", "The two agree since the section was changed again.", knowledge.Person{})
		}
	}
	return err
}

// CaseWrittenTx ends the conflicts of a case that left use, and those with sections on which it rests no more. A pair
// with a section that went stays: the other one is decided about.
func (s *Store) CaseWrittenTx(tx *db.Tx, k knowledge.Case) error {
	if k.Version == 1 {
		return nil
	}
	open, err := queryTx(tx, `WHERE state = 'open' AND (left_id = $1 OR right_id = $2)`, k.ID, k.ID)
	for _, c := range open {
		left, rests := k.Status != knowledge.Active, c.rests() && c.LeftID == k.ID
		if err != nil || c.rests() && !rests || !left && (!rests || k.RestsOn(c.RightID)) {
			continue
		}
		switch by := (knowledge.Person{ID: k.By.ID, Name: k.By.Name}); {
		case rests && k.By.Kind == audit.Person:
			err = s.closeTx(tx, c, Settled, map[bool]string{true: Retire, false: Keep}[left], k.Reason, by)
		case left:
			err = s.closeTx(tx, c, Gone, "", k.Label()+" is no longer in use.", knowledge.Person{})
		default:
			err = s.closeTx(tx, c, Gone, "", k.Reason, knowledge.Person{})
		}
	}
	return err
}
