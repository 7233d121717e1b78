package comment_test

import (
	"testing"
	"time"

	"preceptor/internal/comment"
	"preceptor/internal/platform/db"
	"preceptor/internal/platform/fault"
)

func (f *fixture) tell(t testing.TB, n comment.Notice, to ...comment.Person) {
	t.Helper()
	ids := make([]string, len(to))
	for i, p := range to {
		ids[i] = p.ID
	}
	if err := f.db.Write(ctx, func(tx *db.Tx) error { return f.NoticeTx(tx, ids, n) }); err != nil {
		t.Fatal(err)
	}
	f.clock.Advance(time.Second)
}

func (f *fixture) inbox(t testing.TB, p comment.Person) []comment.Notice {
	t.Helper()
	page, err := f.Notices(ctx, comment.Inbox{Account: p.ID})
	if err != nil {
		t.Fatal(err)
	}
	return page.Items
}

func TestNoticesRollUntilTheyAreRead(t *testing.T) {
	f := open(t)
	for _, id := range []string{"c1", "c2", "c3"} {
		f.tell(t, comment.Notice{Kind: comment.Assigned, CaseID: id, By: ben}, ann, ann, ben)
	}
	list := f.inbox(t, ann)
	if len(list) != 1 || list[0].N != 3 || list[0].CaseID != "c3" || list[0].Read {
		t.Fatalf("%+v", list)
	}
	if f.unread(t, ben) != 0 {
		t.Error("who did it is told of it")
	}
	for range 2 {
		if n, err := f.MarkRead(ctx, list[0].ID, ann.ID); err != nil || n.CaseID != "c3" {
			t.Fatal(n, err)
		}
	}
	f.tell(t, comment.Notice{Kind: comment.Assigned, CaseID: "c4", By: ben}, ann)
	if list = f.inbox(t, ann); len(list) != 2 || list[0].N != 1 || !list[1].Read {
		t.Errorf("%+v", list)
	}
	// What happened to a decision of mine is said each time.
	f.tell(t, comment.Notice{Kind: comment.Overruled, CaseID: "c1", By: ben}, ann)
	f.tell(t, comment.Notice{Kind: comment.Overruled, CaseID: "c2", By: ben}, ann)
	if f.unread(t, ann) != 3 {
		t.Errorf("%d unread", f.unread(t, ann))
	}
}

func TestAnInboxIsOnesOwn(t *testing.T) {
	f := open(t)
	f.tell(t, comment.Notice{Kind: comment.Recalled, CaseID: "c1", By: ben}, ann)
	mine := f.inbox(t, ann)
	if _, err := f.MarkRead(ctx, mine[0].ID, bea.ID); !fault.Is(err, fault.NotFound) {
		t.Errorf("Bea marks Ann's: %v", err)
	}
	if n, err := f.MarkAllRead(ctx, bea.ID, f.clock.Now()); err != nil || n != 0 {
		t.Errorf("%d, %v", n, err)
	}
	if f.unread(t, ann) != 1 {
		t.Error("it is read")
	}
}

func TestMarkingAllReadLeavesWhatCameLater(t *testing.T) {
	f := open(t)
	f.tell(t, comment.Notice{Kind: comment.Overruled, CaseID: "c1"}, ann)
	shown := f.clock.Now()
	f.clock.Advance(time.Minute)
	f.tell(t, comment.Notice{Kind: comment.Overruled, CaseID: "c2"}, ann)
	if n, err := f.MarkAllRead(ctx, ann.ID, shown); err != nil || n != 1 {
		t.Fatal(n, err)
	}
	page, err := f.Notices(ctx, comment.Inbox{Account: ann.ID, Unread: true})
	if err != nil || len(page.Items) != 1 || page.Items[0].CaseID != "c2" {
		t.Errorf("%+v, %v", page, err)
	}
}

func TestAnInboxIsPaged(t *testing.T) {
	f := open(t)
	for range 12 {
		f.tell(t, comment.Notice{Kind: comment.Overruled, CaseID: "c1"}, ann)
	}
	seen, cursor := map[string]bool{}, ""
	for {
		page, err := f.Notices(ctx, comment.Inbox{Account: ann.ID, Limit: 5, Cursor: cursor})
		if err != nil {
			t.Fatal(err)
		}
		for _, n := range page.Items {
			seen[n.ID] = true
		}
		if cursor = page.Next; cursor == "" {
			break
		}
	}
	if len(seen) != 12 {
		t.Errorf("%d", len(seen))
	}
}

func TestLateCasesAreToldOnceEachToWhoCanAct(t *testing.T) {
	f := open(t)
	late := []comment.Late{
		{CaseID: "c1", To: ann.ID}, {CaseID: "c2", To: ann.ID, Team: "t-carter"},
		{CaseID: "c3", Team: "t-carter"},
		{CaseID: "c4", Holder: zoe.ID},
		{CaseID: "c5", To: "p-gone"}, // may no longer see cases: everybody's
	}
	if err := f.db.Write(ctx, func(tx *db.Tx) error { return f.LateTx(tx, late) }); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		who comment.Person
		n   int
	}{{ann, 3}, {ben, 2}, {bea, 2}, {zoe, 2}, {comment.Person{ID: "p-gone"}, 0}} {
		n := 0
		for _, one := range f.inbox(t, c.who) {
			if one.Kind != comment.Overdue {
				t.Errorf("%+v", one)
			}
			n += one.N
		}
		if n != c.n || f.unread(t, c.who) > 1 {
			t.Errorf("%s hears of %d, want %d, in one notice", c.who.ID, n, c.n)
		}
	}
}

func TestOldNoticesGo(t *testing.T) {
	f := open(t)
	f.tell(t, comment.Notice{Kind: comment.Overruled, CaseID: "c1"}, ann)
	f.tell(t, comment.Notice{Kind: comment.Overruled, CaseID: "c2"}, ann)
	if _, err := f.MarkRead(ctx, f.inbox(t, ann)[0].ID, ann.ID); err != nil {
		t.Fatal(err)
	}
	for _, step := range []struct {
		after time.Duration
		want  int
	}{{89 * 24 * time.Hour, 2}, {2 * 24 * time.Hour, 1}, {300 * 24 * time.Hour, 0}} {
		f.clock.Advance(step.after)
		if err := f.Sweep(ctx); err != nil {
			t.Fatal(err)
		}
		if got := len(f.inbox(t, ann)); got != step.want {
			t.Errorf("%d are left, want %d", got, step.want)
		}
	}
}
