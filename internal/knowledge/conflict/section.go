package conflict

import (
	"strings"

	"preceptor/internal/knowledge"
	"preceptor/internal/platform/db"
)

// byChange is who finds what rests on an older wording of a section.
const byChange = "change of the section"

// SectionRewordedTx raises what says what a section said before, each against it, and ends what does no more where list
// is all of it.
func (s *Store) SectionRewordedTx(tx *db.Tx, section knowledge.Case, list []knowledge.Outdated, all bool) error {
	raised := map[string]bool{}
	for _, o := range list {
		c := Conflict{Kind: Contradiction, ItemKind: OfCases, RightID: section.ID, Confidence: sureSome,
			FoundBy: byChange, Why: "It rests on an older wording. It says “" +
				strings.TrimSuffix(o.Says, ".") + "”, and the section now says “" +
				strings.TrimSuffix(o.Now, ".") + "”.", rightText: hashOf(section.Title, section.Guidance)}
		if o.Rule != nil {
			c.ItemKind, c.LeftID, c.leftText = OfBoth, o.Rule.ID, textOf(*o.Rule)
		} else {
			c.LeftID, c.leftText = o.Case.ID, hashOf(o.Case.Guidance)
		}
		raised[c.LeftID] = true
		if err := s.putTx(tx, c); err != nil {
			return err
		}
	}
	if !all {
		return nil
	}
	open, err := queryTx(tx, `WHERE state = 'open' AND right_id = $1 AND found_by = $2`, section.ID, byChange)
	for _, c := range open {
		if err != nil || raised[c.LeftID] {
			continue
		}
		if c.ItemKind == OfCases {
			k, err := s.kb.CaseTx(tx, c.LeftID)
			if err != nil {
				return err
			}
			if k.RestsOn(section.ID) {
				continue // on a section that went, in whose place this one is
			}
		}
		err = s.closeTx(tx, c, Gone, "", "The two agree since the section was changed again.", knowledge.Person{})
	}
	return err
}
