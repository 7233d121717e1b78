package comment_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"preceptor/internal/audit"
	"preceptor/internal/comment"
	"preceptor/internal/platform/db"
	"preceptor/internal/platform/db/dbtest"
	"preceptor/internal/platform/fault"
)

var (
	ctx  = context.Background()
	ann  = comment.Person{ID: "p-ann", Name: "Ann Archer", Email: "ann@example.org"}
	ben  = comment.Person{ID: "p-ben", Name: "Ben Carter", Email: "ben.carter@example.org"}
	bea  = comment.Person{ID: "p-bea", Name: "Bea Carter", Email: "bea@example.org"}
	zoe  = comment.Person{ID: "p-zoe", Name: "Zoë O'Brien-Łuk", Email: "zoe@example.org"}
	desk = []comment.Person{ann, ben, bea, zoe}
)

type fixture struct {
	*comment.Store
	db    *db.DB
	clock *dbtest.Clock
}

func open(t testing.TB) *fixture {
	t.Helper()
	clock := dbtest.NewClock()
	d := dbtest.NewAt(t, clock)
	s := comment.New(d, comment.Hooks{
		People: func(*db.Tx) ([]comment.Person, error) { return desk, nil },
		Team: func(_ *db.Tx, id string) ([]string, error) {
			return map[string][]string{"t-carter": {ben.ID, bea.ID, "p-gone"}}[id], nil
		},
		Case: func(tx *db.Tx, id string) (c comment.Case, err error) {
			err = tx.QueryRow(`SELECT id, agent_id, agent_name, task FROM review
				WHERE id = $1`, id).Scan(&c.ID, &c.AgentID, &c.AgentName, &c.Task)
			if err != nil {
				return c, fault.Wrap(fault.NotFound, err, "There is no such case.")
			}
			return c, nil
		},
	})
	f := &fixture{s, d, clock}
	for _, id := range []string{"c1", "c2", "c3", "c4", "c5"} {
		f.addCase(t, id)
	}
	return f
}

// addCase makes the rows that a comment hangs on, with as little as their tables bear.
func (f *fixture) addCase(t testing.TB, id string) {
	t.Helper()
	err := f.db.Write(ctx, func(tx *db.Tx) error {
		_, err := tx.Exec(`INSERT INTO interaction (id, agent_id, agent_name, origin, status, task, task_by, question,
				customer, guidance, guidance_hash,
				reasoning, model, drafter, knowledge_used, steps, metadata, created_at)
			VALUES ($1, 'a1', 'pension-advisor', 'api', 'waiting', 'db_transfer', 'agent', '', '{}', '', '', '', '', '',
				'[]', '', '', $2)`, id, tx.NowMs())
		if err != nil {
			return err
		}
		_, err = tx.Exec(`INSERT INTO review (id, agent_id, agent_name, task, state, priority, why, who, opening, label,
				passed, blocked, borderline, confidence,
				flags, source, text_hash, created_at)
			VALUES ($1, 'a1', 'pension-advisor', 'db_transfer', 'waiting', 0, '', '', '', '', 1, 0, 0, 1.0, '[]', '',
				'', $2)`, id, tx.NowMs())
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
}

func (f *fixture) say(t testing.TB, by comment.Person, caseID, text string) *comment.Comment {
	t.Helper()
	c, err := f.Add(ctx, comment.Input{CaseID: caseID, By: by, Text: text})
	if err != nil {
		t.Fatalf("%s says %q: %v", by.Name, text, err)
	}
	f.clock.Advance(time.Second)
	return c
}

func (f *fixture) unread(t testing.TB, p comment.Person) int {
	t.Helper()
	n, err := f.Unread(ctx, p.ID)
	if err != nil {
		t.Fatal(err)
	}
	return n
}

func TestACommentIsKeptAndTellsWhomItMeans(t *testing.T) {
	f := open(t)
	f.say(t, ann, "c1", "  The figure is the one of 2024.\r\n@Ben Carter, please look. ann@example.org knows. ")
	list, more, err := f.Of(ctx, "c1")
	if err != nil || more || len(list) != 1 {
		t.Fatal(list, more, err)
	}
	c := list[0]
	if c.Text != "The figure is the one of 2024.\n@Ben Carter, please look. ann@example.org knows." {
		t.Errorf("text %q", c.Text)
	}
	if len(c.Mentions) != 1 || c.Mentions[0].Person.ID != ben.ID ||
		c.Text[c.Mentions[0].Start:c.Mentions[0].End] != "@Ben Carter" {
		t.Errorf("mentions %+v", c.Mentions)
	}
	if diff := cmp.Diff(comment.Case{ID: "c1", AgentID: "a1", AgentName: "pension-advisor", Task: "db_transfer"},
		c.Case); diff != "" {
		t.Error(diff)
	}
	if f.unread(t, ben) != 1 || f.unread(t, ann) != 0 || f.unread(t, bea) != 0 {
		t.Errorf("unread: Ben %d, Ann %d, Bea %d", f.unread(t, ben), f.unread(t, ann), f.unread(t, bea))
	}
	page, err := f.Notices(ctx, comment.Inbox{Account: ben.ID})
	if err != nil || len(page.Items) != 1 {
		t.Fatal(page, err)
	}
	if n := page.Items[0]; n.Kind != comment.Mentioned || n.ObjectID != c.ID || n.CaseID != "c1" ||
		n.By.Name != ann.Name || !strings.HasPrefix(n.Excerpt, "The figure") {
		t.Errorf("notice %+v", n)
	}
}

func TestWhatCannotBePosted(t *testing.T) {
	f := open(t)
	for name, c := range map[string]struct {
		in   comment.Input
		want fault.Kind
	}{
		"nothing":       {comment.Input{CaseID: "c1", Text: " \n "}, fault.Invalid},
		"invisible":     {comment.Input{CaseID: "c1", Text: "\u200b\u2060"}, fault.Invalid},
		"a zero byte":   {comment.Input{CaseID: "c1", Text: "a\x00b"}, fault.Invalid},
		"too long":      {comment.Input{CaseID: "c1", Text: strings.Repeat("é", comment.MaxText+1)}, fault.Invalid},
		"no such case":  {comment.Input{CaseID: "c9", Text: "Hello"}, fault.NotFound},
		"nobody's name": {comment.Input{CaseID: "c1", Text: "@Xavier?"}, fault.Invalid},
		"two people":    {comment.Input{CaseID: "c1", Text: "@Carter?"}, fault.Invalid},
		"a wrong answer": {comment.Input{CaseID: "c1", Text: "@Carter?", Meant: map[string]string{"carter": "p-gone"}},
			fault.Invalid},
	} {
		c.in.By = ann
		if _, err := f.Add(ctx, c.in); !fault.Is(err, c.want) {
			t.Errorf("%s: %v, want %v", name, err, c.want)
		}
	}
	if list, _, err := f.Of(ctx, "c1"); err != nil || len(list) != 0 {
		t.Errorf("%d comments were kept, %v", len(list), err)
	}
	if c := f.say(t, ann, "c1", strings.Repeat("字", comment.MaxText)); len(c.Text) != 3*comment.MaxText {
		t.Errorf("%d bytes were kept", len(c.Text))
	}
}

func TestWhoIsMeantIsAskedAndAnswered(t *testing.T) {
	f := open(t)
	_, err := f.Add(ctx, comment.Input{CaseID: "c1", By: ann, Text: "@Carter and @carter and @home"})
	asked, ok := errors.AsType[*comment.UnclearError](err)
	if !ok || len(asked.Unclear) != 2 {
		t.Fatalf("%v", err)
	}
	if u := asked.Unclear[0]; u.Key != "carter" || len(u.Who) != 2 {
		t.Errorf("%+v", u)
	}
	if u := asked.Unclear[1]; u.Key != "home" || len(u.Who) != 0 {
		t.Errorf("%+v", u)
	}
	c, err := f.Add(ctx, comment.Input{CaseID: "c1", By: ann, Text: "@Carter and @carter and @home",
		Meant: map[string]string{"carter": bea.ID, "home": comment.Nobody}})
	if err != nil {
		t.Fatal(err)
	}
	if len(c.Mentions) != 2 || c.Mentions[1].Person.ID != bea.ID {
		t.Errorf("%+v", c.Mentions)
	}
	if f.unread(t, bea) != 1 || f.unread(t, ben) != 0 {
		t.Error("Bea is meant twice and told once; Ben is not meant")
	}
}

func TestAFormCountsOnce(t *testing.T) {
	f := open(t)
	in := comment.Input{CaseID: "c1", By: ann, Text: "Once, @Ben Carter.", FormKey: "k1"}
	first, err := f.Add(ctx, in)
	if err != nil {
		t.Fatal(err)
	}
	again, err := f.Add(ctx, in)
	if err != nil || again.ID != first.ID {
		t.Fatalf("%v, %v", again, err)
	}
	in.By = ben // another person's form of the same key is another form
	if other, err := f.Add(ctx, in); err != nil || other.ID == first.ID {
		t.Fatalf("%v, %v", other, err)
	}
	if f.unread(t, ben) != 1 {
		t.Errorf("Ben was told %d times", f.unread(t, ben))
	}
}

func TestChangingAComment(t *testing.T) {
	f := open(t)
	c := f.say(t, ann, "c1", "See @Ben Carter.")
	if _, err := f.Edit(ctx, comment.Change{ID: c.ID, By: ben, Text: "Mine", Version: 1}); !fault.Is(err,
		fault.Denied) {
		t.Errorf("another's: %v", err)
	}
	if _, err := f.Edit(ctx, comment.Change{ID: c.ID, By: ann, Text: "Stale", Version: 2}); !fault.Is(err,
		fault.Conflict) {
		t.Errorf("stale: %v", err)
	}
	changed, err := f.Edit(ctx, comment.Change{ID: c.ID, By: ann, Text: "See @Ben Carter and @Bea Carter.", Version: 1})
	if err != nil || changed.Version != 2 || len(changed.Mentions) != 2 {
		t.Fatal(changed, err)
	}
	if f.unread(t, ben) != 1 || f.unread(t, bea) != 1 {
		t.Errorf("Ben is told once and Bea now: %d, %d", f.unread(t, ben), f.unread(t, bea))
	}
	got, err := f.Get(ctx, c.ID)
	if err != nil || len(got.Earlier) != 1 || got.Earlier[0].Text != "See @Ben Carter." || got.EditedAt.IsZero() {
		t.Fatalf("%+v, %v", got, err)
	}
	f.clock.Advance(comment.EditFor)
	if _, err := f.Edit(ctx, comment.Change{ID: c.ID, By: ann, Text: "Late", Version: 2}); !fault.Is(err,
		fault.Conflict) {
		t.Errorf("after a quarter of an hour: %v", err)
	}
	if got.Editable(ann.ID, f.clock.Now()) || !got.Withdrawable(ann.ID) || got.Withdrawable(ben.ID) {
		t.Error("the author may still withdraw it, and nobody else may")
	}
}

func TestWithdrawingKeepsTheRecord(t *testing.T) {
	f := open(t)
	c := f.say(t, ann, "c1", "Said in haste to @Ben Carter.")
	if _, err := f.Withdraw(ctx, c.ID, ben); !fault.Is(err, fault.Denied) {
		t.Errorf("another's: %v", err)
	}
	for range 2 {
		if _, err := f.Withdraw(ctx, c.ID, ann); err != nil {
			t.Fatal(err)
		}
	}
	got, err := f.Get(ctx, c.ID)
	if err != nil || got.WithdrawnAt.IsZero() || got.Text == "" {
		t.Fatalf("%+v, %v", got, err)
	}
	if _, err := f.Edit(ctx, comment.Change{ID: c.ID, By: ann, Text: "Back", Version: 1}); !fault.Is(err,
		fault.Conflict) {
		t.Errorf("a withdrawn one is changed: %v", err)
	}
	page, err := f.Notices(ctx, comment.Inbox{Account: ben.ID})
	if err != nil || len(page.Items) != 1 || page.Items[0].Excerpt != "" {
		t.Errorf("the notice still quotes it: %+v, %v", page.Items, err)
	}
	rows, err := audit.List(ctx, f.db, audit.Filter{})
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range rows.Rows {
		if strings.Contains(string(r.Content), "haste") {
			t.Errorf("the audit log holds the text: %s", r.Content)
		}
	}
}

func TestErasingReachesEveryText(t *testing.T) {
	f := open(t)
	c := f.say(t, ann, "c1", "Mrs Ellis of @Ben Carter's list.")
	if _, err := f.Edit(ctx, comment.Change{ID: c.ID, By: ann, Text: "Mrs Ellis rang @Ben Carter.",
		Version: 1}); err != nil {
		t.Fatal(err)
	}
	f.say(t, ben, "c2", "Another case.")
	err := f.db.Write(ctx, func(tx *db.Tx) error {
		n, err := f.EraseTx(tx, "c1", "asked by the customer", ann.Actor())
		if n != 1 {
			t.Errorf("%d were emptied", n)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	got, err := f.Get(ctx, c.ID)
	if err != nil || !got.Erased || got.Text != "" || len(got.Earlier) != 1 || got.Earlier[0].Text != "" ||
		len(got.Mentions) != 0 {
		t.Errorf("%+v, %v", got, err)
	}
	if other, _, err := f.Of(ctx, "c2"); err != nil || other[0].Text != "Another case." {
		t.Errorf("the other case: %+v, %v", other, err)
	}
	var left int
	err = f.db.Read(ctx, func(tx *db.Tx) error {
		return tx.QueryRow(`SELECT COUNT(*) FROM comment_text WHERE text <> '' AND comment_id = $1`, c.ID).Scan(&left)
	})
	if err != nil || left != 0 {
		t.Errorf("%d texts are left, %v", left, err)
	}
}

func TestListsArePagedAndChosen(t *testing.T) {
	f := open(t)
	for i := range 30 {
		by, text := ann, fmt.Sprintf("Remark %d", i)
		if i%3 == 0 {
			by, text = ben, text+" @Ann Archer"
		}
		f.say(t, by, []string{"c1", "c2"}[i%2], text)
	}
	count := func(filter comment.Filter) (n int) {
		t.Helper()
		seen := map[string]bool{}
		filter.Limit = 7
		for {
			page, err := f.List(ctx, filter)
			if err != nil {
				t.Fatal(err)
			}
			for i, c := range page.Items {
				if seen[c.ID] || i > 0 && c.At.After(page.Items[i-1].At) {
					t.Errorf("%s is out of order", c.ID)
				}
				seen[c.ID] = true
			}
			if page.Next == "" {
				return len(seen)
			}
			filter.Cursor = page.Next
		}
	}
	for name, c := range map[string]struct {
		filter comment.Filter
		want   int
	}{
		"all": {comment.Filter{}, 30}, "by Ben": {comment.Filter{ByID: ben.ID}, 10},
		"mean Ann":           {comment.Filter{MentionID: ann.ID}, 10},
		"of a case":          {comment.Filter{CaseID: "c2"}, 15},
		"mean Ann on a case": {comment.Filter{MentionID: ann.ID, CaseID: "c1"}, 5},
		"of an agent":        {comment.Filter{AgentID: "a1"}, 30}, "of another": {comment.Filter{AgentID: "a2"}, 0},
	} {
		if got := count(c.filter); got != c.want {
			t.Errorf("%s: %d, want %d", name, got, c.want)
		}
	}
	if _, err := f.List(ctx, comment.Filter{Cursor: "!"}); !fault.Is(err, fault.Invalid) {
		t.Errorf("a broken cursor: %v", err)
	}
}

// The last comments of a case are shown, with what they said before, in a number of statements that does not grow.
func TestACaseWithManyCommentsIsNotAskedOnceEach(t *testing.T) {
	f := open(t)
	ask := func() int64 {
		before := f.db.Statements()
		if _, _, err := f.Of(ctx, "c1"); err != nil {
			t.Fatal(err)
		}
		return f.db.Statements() - before
	}
	c := f.say(t, ann, "c1", "One @Ben Carter")
	if _, err := f.Edit(ctx, comment.Change{ID: c.ID, By: ann, Text: "One, @Ben Carter", Version: 1}); err != nil {
		t.Fatal(err)
	}
	few := ask()
	for range comment.CaseLimit {
		f.say(t, ann, "c1", "More @Ben Carter")
	}
	if many := ask(); many > few {
		t.Errorf("%d statements for one, %d for many", few, many)
	}
	list, more, err := f.Of(ctx, "c1")
	if err != nil || !more || len(list) != comment.CaseLimit {
		t.Errorf("%d, %v, %v", len(list), more, err)
	}
}
