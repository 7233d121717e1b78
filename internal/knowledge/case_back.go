package knowledge

import (
	"context"
	"slices"

	"preceptor/internal/platform/db"
	"preceptor/internal/platform/fault"
	"preceptor/internal/platform/text"
)

// BringCaseBackTx puts a retired case back into use: a new version of the same text. One that is in use stays as it is;
// one that was erased can't come back. What rests on a section that is back is given again.
func (b *Base) BringCaseBackTx(tx *db.Tx, caseID string, ch Change) error {
	c, err := b.CaseTx(tx, caseID)
	if err != nil {
		return err
	}
	switch {
	case !c.ErasedAt.IsZero():
		return fault.New(fault.Conflict, "%s was erased, so it can't come back.", c.Label())
	case c.Status == Active:
		return nil
	}
	c.Status, c.By, c.Reason, c.Version = Active, ch.By, ch.Reason, c.Version+1
	if err := b.writeCaseVersion(tx, c); err != nil {
		return err
	}
	if c.Source == FromDocument {
		if err := b.rewordedTx(tx, c, ""); err != nil {
			return err
		}
	}
	return record(tx, c.By, "case.brought_back", "case", c.ID,
		map[string]any{"number": c.Number, "version": c.Version, "reason": c.Reason})
}

// RetireCase takes a case out of recall for a reason, whatever made it, or with again gives one to agents again that
// was retired or is withheld. version is the one that was on the screen. Only experts and administrators may.
func (b *Base) RetireCase(ctx context.Context, caseID, reason string, version int, again bool, by Person) error {
	if err := by.May("retire a case"); err != nil {
		return err
	}
	reason, err := text.Reason(reason, "reason", "Say why, for people who read the history.")
	if err != nil {
		return err
	}
	ch := Change{By: by.Actor(), Reason: reason, Version: version}
	return b.db.Write(ctx, func(tx *db.Tx) error {
		if !again {
			return b.RetireCaseTx(tx, caseID, ch)
		}
		c, err := b.CaseTx(tx, caseID)
		if err == nil {
			err = c.stale(ch)
		}
		if err != nil {
			return err
		}
		if err := b.BringCaseBackTx(tx, caseID, ch); err != nil {
			return err
		}
		return b.LookedTx(tx, caseID, "", ch)
	})
}

// LookedTx takes the mark off a case that a person keeps, though a section says something else or went; of "", every
// such mark.
func (b *Base) LookedTx(tx *db.Tx, caseID, section string, ch Change) error {
	c, err := b.CaseTx(tx, caseID)
	if err != nil || !c.RestsOn(section) || c.Status != Active {
		return err
	}
	if err := b.markTx(tx, c, section, false, Flag{}, ch); err != nil {
		return err
	}
	return record(tx, ch.By, "case.kept", "case", c.ID,
		map[string]any{"number": c.Number, "version": c.Version, "reason": ch.Reason})
}

// markTx adds the flag to a case, or takes that of the section away, of "" each of its kind, as ch says.
func (b *Base) markTx(tx *db.Tx, c *Case, of string, add bool, f Flag, ch Change) error {
	c.Flags = slices.DeleteFunc(slices.Clone(c.Flags), func(f Flag) bool {
		return f.Code == olderWording && (of == "" || f.Of == of)
	})
	c.By, c.Reason, c.Version = ch.By, ch.Reason, c.Version+1
	if add {
		c.Flags, c.Reason = append([]Flag{f}, c.Flags...), f.Why
	}
	return b.writeCaseVersion(tx, c)
}
