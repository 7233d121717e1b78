package interaction_test

import (
	"testing"

	"preceptor/internal/interaction"
	"preceptor/internal/platform/db"
)

func TestTextsAreReadBeforeTheTransactionAndFollowInIt(t *testing.T) {
	d := open(t)
	var order []string
	d.Read = func(text string, c interaction.Consultation) interaction.Follow {
		if c.TaskType == "" {
			t.Error("read before its task was settled")
		}
		order = append(order, "read "+text)
		return func(_ *db.Tx, in *interaction.Interaction) error {
			if text != in.Guidance {
				t.Errorf("what follows on %q ran for %q", text, in.Guidance)
			}
			order = append(order, "stored")
			return nil
		}
	}
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
	if len(order) != 4 || order[3] != "stored" || order[2] != "read Some people wait." {
		t.Fatalf("a submission and a draft went %q", order)
	}
	if order[0] != "read "+submission().Guidance || order[1] != "stored" {
		t.Errorf("a submission went %q", order)
	}
}
