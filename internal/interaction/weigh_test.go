package interaction_test

import (
	"testing"

	"preceptor/internal/db"
	"preceptor/internal/interaction"
)

func TestTextsAreWeighedBeforeTheTransactionAndHandedOn(t *testing.T) {
	d := open(t)
	var order []string
	d.Weigh = func(text string, c interaction.Consultation) any {
		if c.TaskType == "" {
			t.Error("weighed before its task was settled")
		}
		order = append(order, "weighed "+text)
		return text
	}
	d.OnSubmitted = append(d.OnSubmitted, func(_ *db.Tx, in *interaction.Interaction) error {
		if in.Weighed != in.Guidance {
			t.Errorf("OnSubmitted got %v for %q", in.Weighed, in.Guidance)
		}
		order = append(order, "stored")
		return nil
	})
	if _, err := d.Submit(ctx, submission(), nil); err != nil {
		t.Fatal(err)
	}
	id, err := d.Advise(ctx, submission().Consultation, robot.ID, robot.Name, interaction.OriginAPI, robot, nil)
	if err != nil {
		t.Fatal(err)
	}
	if err := d.DraftArrived(ctx, id, interaction.Draft{Text: "Some people wait."}); err != nil {
		t.Fatal(err)
	}
	if len(order) != 4 || order[3] != "stored" || order[2] != "weighed Some people wait." {
		t.Fatalf("a submission and a draft went %q", order)
	}
	if order[0] != "weighed "+submission().Guidance || order[1] != "stored" {
		t.Errorf("a submission went %q", order)
	}
}
