package transfer_test

import (
	"errors"
	"strings"
	"testing"

	"preceptor/internal/dataset"
	"preceptor/internal/dataset/transfer"
	"preceptor/internal/person"
	"preceptor/internal/platform/db"
	"preceptor/internal/platform/fault"
)

// Skips are no answers: they are exported as soon as they are there. Their words go to who does not label, and to who
// wrote them.
func TestSkipsOfOpenItemsAreExported(t *testing.T) {
	f := open(t)
	out, err := f.sets.Add(ctx, f.set.ID, []dataset.NewItem{{Text: dataset.Text{Guidance: "One."}}}, mo)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := f.sets.Next(ctx, f.set.ID, ann); err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(f.sets.Flag(ctx, out[0].ID, ann, "Cut off."),
		f.sets.Skip(ctx, out[0].ID, ann, "I know her.")); err != nil {
		t.Fatal(err)
	}
	if _, err := f.sets.Next(ctx, f.set.ID, ben); err != nil {
		t.Fatal(err)
	}
	for who, words := range map[dataset.Person]bool{dataset.Operator: true, mo: true, ann: true, ben: false} {
		for _, format := range []transfer.Format{transfer.JSONL, transfer.CSV} {
			s := string(f.write(f.set, transfer.ExportOptions{Format: format, By: who}))
			if !strings.Contains(s, "Ann Archer") || strings.Contains(s, "I know her.") != words ||
				strings.Contains(s, "Cut off.") != words {
				t.Errorf("%s for %s: %s", format, who.Name, s)
			}
		}
	}
}

var guards = dataset.Guards{MayLabel: allButMo, MayAdjudicate: person.Anybody, MayManage: person.Anybody}

// allButMo may label: a manager doesn't.
func allButMo(_ *db.Tx, personID string) error {
	if personID == mo.ID {
		return fault.New(fault.Denied, "Managers don't label.")
	}
	return nil
}
