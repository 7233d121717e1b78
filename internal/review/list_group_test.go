package review_test

import (
	"slices"
	"strings"
	"testing"

	"preceptor/internal/review"
)

// What a crowd of assignments hides is found all the same, in order.
func TestGroupsOfACrowdedQueue(t *testing.T) {
	k := open(t)
	k.fill(t, 15_000)
	if _, err := k.db.Writer().Exec(`UPDATE review SET assigned_to = 'ann' WHERE id < (SELECT MAX(id) FROM review WHERE priority = 4)`); err != nil {
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

func TestAlikeQuestionsOfOneKindOfCustomerStandTogether(t *testing.T) {
	row := func(id, question, who string, g review.Group) review.Row {
		return review.Row{ID: id, Opening: question, Who: who, Task: "tax_free_cash", Group: g}
	}
	got := review.Together([]review.Row{
		row("1", "How much of my pot can I take tax free?", "58, DC £64k", review.GroupRest),
		row("2", "Is a scam behind this phone call?", "58, DC £64k", review.GroupRest),
		row("3", "How much of my pot may I take tax free now?", "61, DC £20k", review.GroupRest),
		row("4", "How much of my pot can I take tax free?", "58, DB £64k", review.GroupRest),
	})
	if strings.Join(ids(got), "") != "1324" || !got[1].Alike || got[2].Alike || got[3].Alike {
		t.Errorf("%v", got)
	}
	if apart := review.Together([]review.Row{row("1", "How much can I take tax free?", "58", review.GroupMine), row("2", "How much can I take tax free?", "58", review.GroupRest)}); apart[1].Alike {
		t.Error("what stands in two groups is not moved together")
	}
}
