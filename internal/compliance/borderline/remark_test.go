package borderline_test

import (
	"strings"
	"testing"

	"preceptor/internal/audit"
	"preceptor/internal/compliance"
	"preceptor/internal/compliance/borderline"
	"preceptor/internal/platform/db"
	"preceptor/internal/platform/fault"
)

func (d *desk) remark(c *borderline.Case, by borderline.Person, quote, text string) (borderline.Remark, error) {
	return d.AddRemark(ctx, borderline.RemarkInput{CaseID: c.ID, By: by, Quote: quote, Text: text,
		FormKey: by.ID + quote + text})
}

// Comments don't end anybody's blindness: who has not answered can write none and read none, who has reads their own,
// and all are read with the answers.
func TestCommentsAreReadWithTheAnswers(t *testing.T) {
	d := open(t)
	c := d.enrol(t, seedVerdict(), true) // two are asked
	_, err := d.remark(c, eva, "", "It steers.")
	refused(t, err, fault.Denied)
	_, err = d.remark(c, sue, "", "I am no expert.")
	refused(t, err, fault.Denied)

	d.whole(t, c, eva, compliance.NonCompliant)
	r, err := d.remark(c, eva, "YOU might  want to", "A soft steer.")
	if err != nil || r.Quote != "you might want to" || !r.OnWords() ||
		string([]rune(seedDraft)[r.Start:r.End]) != r.Quote {
		t.Fatalf("%+v, %v", r, err)
	}
	if _, err := d.remark(c, eva, "YOU might  want to", "A soft steer."); err != nil { // the form again
		t.Fatal(err)
	}
	if v := d.view(t, c, eva); len(v.Remarks) != 1 || v.Remarks[0].Text != "A soft steer." {
		t.Errorf("Eva reads %+v", v.Remarks)
	}
	for _, by := range []borderline.Person{fay, gus} {
		if v := d.view(t, c, by); len(v.Remarks) != 0 {
			t.Errorf("%s reads %+v before an answer", by.Name, v.Remarks)
		}
	}
	d.blind(t, c, fay, compliance.NonCompliant)
	if v := d.view(t, c, fay); len(v.Remarks) != 0 {
		t.Errorf("Fay may still change her answer and reads %+v", v.Remarks)
	}
	if _, err := d.Keep(ctx, c.ID, fay); err != nil {
		t.Fatal(err)
	}
	for _, by := range []borderline.Person{eva, fay} {
		if v := d.view(t, c, by); v.State != borderline.Ruled || len(v.Remarks) != 1 {
			t.Errorf("%s reads %+v of a case that is %s", by.Name, v.Remarks, v.State)
		}
	}
	refused(t, d.WithdrawRemark(ctx, c.ID, r.ID, fay), fault.Denied)
	refused(t, d.WithdrawRemark(ctx, c.ID, "nope", eva), fault.NotFound)
	if err := d.WithdrawRemark(ctx, c.ID, r.ID, eva); err != nil {
		t.Fatal(err)
	}
	if v := d.view(t, c, fay); len(v.Remarks) != 1 || v.Remarks[0].WithdrawnAt.IsZero() || v.Remarks[0].Text != "" ||
		v.Remarks[0].OnWords() {
		t.Errorf("withdrawn: %+v", v.Remarks)
	}
}

func TestCommentsAreCheckedAndErased(t *testing.T) {
	d := open(t)
	c := d.enrol(t, seedVerdict(), false)
	d.whole(t, c, eva, compliance.NonCompliant)
	for _, in := range [][2]string{{"words that are not there", "See this."}, {"", "  "},
		{"", strings.Repeat("a", 4001)}, {"", strings.Repeat("£", 4001)}} {
		_, err := d.remark(c, eva, in[0], in[1])
		refused(t, err, fault.Invalid)
	}
	if _, err := d.remark(c, eva, "", strings.Repeat("£", 4000)); err != nil {
		t.Fatalf("4,000 characters: %v", err)
	}
	if _, err := d.remark(c, eva, "Given your situation", "It rests on Mrs Pritchard's circumstances."); err != nil {
		t.Fatal(err)
	}
	if err := d.db.Write(ctx, func(tx *db.Tx) error {
		_, err := d.EraseTx(tx, c.InteractionID)
		return err
	}); err != nil {
		t.Fatal(err)
	}
	if v := d.view(t, c, eva); len(v.Remarks) != 2 || strings.Contains(v.Remarks[1].Text, "Pritchard") ||
		v.Remarks[1].Quote != "" || v.Remarks[1].OnWords() {
		t.Errorf("erased: %+v", v.Remarks)
	}
}

// What experts were asked stays on record when its texts go: the share of drafts that went to them is as it was.
func TestErasureChangesNoFigure(t *testing.T) {
	d := open(t)
	c := d.enrol(t, seedVerdict(), false)
	before, err := d.Budget(ctx, c.AgentID)
	if err != nil || before.With != 1 {
		t.Fatalf("%+v, %v", before, err)
	}
	if err := d.db.Write(ctx, func(tx *db.Tx) error {
		if _, err := d.EraseTx(tx, c.InteractionID); err != nil {
			return err
		}
		return d.ReinstateTx(tx, c.InteractionID, audit.System("test")) // it stays closed
	}); err != nil {
		t.Fatal(err)
	}
	if after, err := d.Budget(ctx, c.AgentID); err != nil || after != before {
		t.Errorf("%+v became %+v, %v", before, after, err)
	}
	if v := d.view(t, c, eva); v.Case.State != borderline.Overtaken {
		t.Errorf("the case is %s", v.Case.State)
	}
}
