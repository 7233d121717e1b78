package review_test

import (
	"fmt"
	"slices"
	"testing"

	"preceptor/internal/review"
)

// What a crowd of assignments hides is found all the same, in order.
func TestGroupsOfACrowdedQueue(t *testing.T) {
	k := open(t)
	k.fill(t, 15_000)
	if _, err := k.db.Writer().Exec(`UPDATE review SET assigned_to = 'ann'
		WHERE id < (SELECT MAX(id) FROM review WHERE priority = 4)`); err != nil {
		t.Fatal(err)
	}
	got := k.all(t, review.Filter{Viewer: "ann", Limit: 100})
	if len(got) != 15_000 || !slices.IsSortedFunc(got, func(a, b review.Row) int { return int(a.Group - b.Group) }) {
		t.Errorf("%d rows, want 15,000 in the order of their groups", len(got))
	}
	if last := got[len(got)-1]; last.AssignedTo.ID == "ann" {
		t.Errorf("the last one is %s's, want the one that nobody was assigned", last.AssignedTo.ID)
	}
}

func TestAQuestionLikeTheOneAboveIsMarkedAndNotMoved(t *testing.T) {
	row := func(id, question, who string, g review.Group) review.Row {
		return review.Row{ID: id, Opening: question, Who: who, Task: "tax_free_cash", Group: g}
	}
	const question = "How much of my pot can I take tax free?"
	rows := []review.Row{
		row("1", question, "58, DC £64k", review.GroupMine),
		row("2", question, "58, DC £64k", review.GroupRest),
		row("3", "How much of my pot may I take tax free now?", "61, DC £20k", review.GroupRest),
		row("4", "Is a scam behind this phone call?", "58, DC £64k", review.GroupRest),
		row("5", question, "58, DC £64k", review.GroupRest),
		row("6", question, "58, DB £64k", review.GroupRest),
	}
	review.MarkAlike(rows)
	for i, want := range []bool{false, false, true, false, false, false} {
		if rows[i].Alike != want || rows[i].ID != fmt.Sprint(i+1) {
			t.Errorf("row %d is %s, alike %v; want %v", i+1, rows[i].ID, rows[i].Alike, want)
		}
	}
}
