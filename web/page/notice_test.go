package page_test

import (
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"testing"
	"time"

	"preceptor/internal/account"
	"preceptor/internal/app/apptest"
	"preceptor/internal/comment"
	"preceptor/internal/platform/db"
	"preceptor/internal/review"
)

func person(a account.Account) review.Person { return review.Person{ID: a.ID, Name: a.Name} }

// notices are a person's unread ones.
func notices(t *testing.T, site *apptest.Site, who account.Account) []comment.Notice {
	t.Helper()
	p, err := site.Comments.Notices(t.Context(), comment.Inbox{Account: who.ID, Unread: true})
	if err != nil {
		t.Fatal(err)
	}
	return p.Items
}

// Ageing, reminder, escalation of waiting items (VMware data-annotator #253).
func TestPeerRequest19_WhoCanActIsRemindedOnceOfWhatPassedItsTarget(t *testing.T) {
	site := apptest.Open(t)
	ann, ben := site.Account(t, account.Supervisor), site.Account(t, account.Supervisor)
	manager := site.Account(t, account.Manager)
	var ids []string
	for range 5 {
		ids = append(ids, bring(t, site, passing, dcCustomer()))
	}
	if _, err := site.Reviews.Assign(t.Context(),
		review.Assignment{IDs: ids[:2], To: ben.ID, By: person(manager), Lead: true}); err != nil {
		t.Fatal(err)
	}
	if _, err := site.Comments.MarkAllRead(t.Context(), ben.ID, site.Clock.Now()); err != nil {
		t.Fatal(err)
	}
	remind := func(want int) {
		t.Helper()
		if n, err := site.Reviews.Remind(t.Context()); err != nil || n != want {
			t.Fatalf("%d cases are late, want %d; %v", n, want, err)
		}
	}
	site.Clock.Advance(24*time.Hour - time.Minute)
	remind(0)
	site.Clock.Advance(2 * time.Minute)
	late := bring(t, site, passing, dcCustomer()) // has a day of its own
	remind(5)
	remind(0) // once for each case
	for _, c := range []struct {
		who account.Account
		n   int
	}{{ann, 3}, {ben, 5}, {manager, 0}} { // what is nobody's is everybody's
		list := notices(t, site, c.who)
		if c.n == 0 {
			if len(list) > 0 {
				t.Errorf("%s is told %+v", c.who.Name, list)
			}
			continue
		}
		if len(list) != 1 || list[0].Kind != comment.Overdue || list[0].N != c.n {
			t.Errorf("%s is told %+v, want one notice of %d", c.who.Name, list, c.n)
		}
	}
	doc := page(t, site.Enter(t, ben).Get(t, "/inbox"), http.StatusOK)
	rows := page(t, site.Enter(t, ben).Get(t, "/reviews?age=late"), http.StatusOK).Find(".queue-row").Length()
	has(t, doc, ".notice-row", fmt.Sprintf("Reviews past their target: %d", rows))
	if href := doc.Find(".notice-row a").AttrOr("href", ""); href != "/reviews?age=late" {
		t.Errorf("it leads to %q", href)
	}
	has(t, page(t, site.Enter(t, ben).Get(t, "/reviews?age=late"), http.StatusOK), ".tabs", "Needs review")

	site.Clock.Advance(25 * time.Hour)
	remind(1)
	if list := notices(t, site, ann); len(list) != 1 || list[0].N != 4 || list[0].CaseID != late {
		t.Errorf("it rolls while it is unread: %+v", list)
	}
}

// The clean-up and the reminders run by themselves.
func TestRemindersArePeriodic(t *testing.T) {
	site := apptest.Open(t)
	ann := site.Account(t, account.Supervisor)
	bring(t, site, passing, dcCustomer())
	site.Clock.Advance(25 * time.Hour)
	if err := site.Jobs.Start(t.Context()); err != nil {
		t.Fatal(err)
	}
	deadline := time.After(20 * time.Second)
	for len(notices(t, site, ann)) == 0 {
		select {
		case <-deadline:
			t.Fatal("nobody was reminded")
		case <-time.After(50 * time.Millisecond):
		}
	}
	if err := site.Jobs.Stop(t.Context()); err != nil {
		t.Fatal(err)
	}
}

func TestAssignmentsAreTold(t *testing.T) {
	site := apptest.Open(t)
	ann, ben, bea := site.Account(t, account.Supervisor), site.Account(t, account.Supervisor),
		site.Account(t, account.Supervisor)
	boss := site.Account(t, account.Admin)
	var ids []string
	for range 3 {
		ids = append(ids, bring(t, site, passing, dcCustomer()))
	}
	if _, err := site.Reviews.Assign(t.Context(),
		review.Assignment{IDs: ids[:1], To: ann.ID, By: person(ann)}); err != nil {
		t.Fatal(err)
	}
	if list := notices(t, site, ann); len(list) != 0 {
		t.Errorf("who takes a case is told of it: %+v", list)
	}
	if _, err := site.Reviews.Assign(t.Context(),
		review.Assignment{IDs: ids[1:], To: ann.ID, By: person(boss), Lead: true}); err != nil {
		t.Fatal(err)
	}
	if list := notices(t, site, ann); len(list) != 1 || list[0].N != 2 || list[0].Kind != comment.Assigned {
		t.Errorf("%+v", list)
	}
	team, err := site.Accounts.AddTeam(t.Context(), "Transfers", boss.Actor())
	if err != nil {
		t.Fatal(err)
	}
	if _, err := site.Reviews.Assign(t.Context(),
		review.Assignment{IDs: ids[1:2], To: review.TeamKey(team.ID), By: person(boss), Lead: true}); err == nil {
		t.Error("a team with nobody in it was given a case")
	}
	if _, err := site.Accounts.ChangeTeam(t.Context(), team.ID, team.Version, "Transfers", []string{ben.ID, bea.ID},
		boss.Actor()); err != nil {
		t.Fatal(err)
	}
	if _, err := site.Reviews.Assign(t.Context(),
		review.Assignment{IDs: ids[1:2], To: review.TeamKey(team.ID), By: person(boss), Lead: true}); err != nil {
		t.Fatal(err)
	}
	for _, who := range []account.Account{ben, bea} {
		if list := notices(t, site, who); len(list) != 1 || list[0].Kind != comment.TeamAssigned {
			t.Errorf("%s is told %+v", who.Name, list)
		}
	}
}

// A notice of several reviews is over once none of them is left to its reader, however they went.
func TestANoticeOfWhatIsDoneIsOver(t *testing.T) {
	site := apptest.Open(t)
	ann, ben := site.SignedIn(t, account.Supervisor), site.Account(t, account.Supervisor)
	boss := site.Account(t, account.Manager)
	var ids []string
	for range 4 {
		ids = append(ids, bring(t, site, passing, dcCustomer()))
	}
	assign := func(by account.Account, to string, ids ...string) {
		t.Helper()
		if _, err := site.Reviews.Assign(t.Context(),
			review.Assignment{IDs: ids, To: to, By: person(by), Lead: by.ID == boss.ID}); err != nil {
			t.Fatal(err)
		}
	}
	unread := func(who account.Account) int { return len(notices(t, site, who)) }
	assign(boss, ann.Account.ID, ids[:3]...)
	assign(ann.Account, ann.Account.ID, ids[3])
	inbox := page(t, ann.Get(t, "/inbox"), http.StatusOK)
	has(t, inbox, "main", "Reviews assigned to you: 4")
	if strings.Contains(words(inbox, "main"), boss.Name) {
		t.Error("what she took herself is said to be the manager's doing")
	}
	for i := range 2 { // not in the order in which they were told
		decide(t, site, ids[1-i], ann.Account, review.Input{Kind: review.Approve})
		site.Clock.Advance(time.Minute)
		site.Drain(t)
	}
	if n := unread(ann.Account); n != 1 {
		t.Errorf("%d unread with two left, want one", n)
	}
	assign(boss, ben.ID, ids[2])
	if n := unread(ann.Account); n != 1 {
		t.Errorf("%d unread with one left, want one", n)
	}
	decide(t, site, ids[3], ann.Account, review.Input{Kind: review.Reject, ReasonCode: "other", Reason: "Not for us."})
	site.Clock.Advance(time.Minute)
	site.Drain(t)
	if n := unread(ann.Account); n != 0 {
		t.Errorf("%d unread with none left", n)
	}
	if n := unread(ben); n != 1 {
		t.Errorf("Ben has %d unread, want the one that was assigned to him", n)
	}
}

// decide approves, revises or stops as the domain does, with what is on the screen.
func decide(t *testing.T, site *apptest.Site, id string, by account.Account, in review.Input) *review.Decision {
	t.Helper()
	item, err := site.Reviews.Get(t.Context(), id)
	if err != nil {
		t.Fatal(err)
	}
	in.ID, in.By, in.Version, in.TextHash = id, person(by), item.Version, item.TextHash
	d, err := site.Reviews.Decide(t.Context(), in)
	if err != nil {
		t.Fatal(err)
	}
	return d
}

func TestWhatBecomesOfMyDecisionIsTold(t *testing.T) {
	site := apptest.Open(t)
	ann, ben := site.Account(t, account.Supervisor), site.Account(t, account.Supervisor)
	kinds := func(who account.Account) (out []string) {
		for _, n := range notices(t, site, who) {
			out = append(out, n.Kind)
		}
		return out
	}
	clear := func() {
		for _, who := range []account.Account{ann, ben} {
			if _, err := site.Comments.MarkAllRead(t.Context(), who.ID, site.Clock.Now()); err != nil {
				t.Fatal(err)
			}
		}
	}
	want := func(what string, who account.Account, kind ...string) {
		t.Helper()
		got := kinds(who)
		if len(got) != len(kind) || len(kind) == 1 && got[0] != kind[0] {
			t.Errorf("%s: %s is told %v, want %v", what, who.Name, got, kind)
		}
	}
	// Stopped in the hold, by somebody else and by oneself.
	id := bring(t, site, passing, dcCustomer())
	d := decide(t, site, id, ann, review.Input{Kind: review.Approve})
	if _, err := site.Reviews.Undo(t.Context(), d.ID, person(ben), "The figure is old."); err != nil {
		t.Fatal(err)
	}
	want("stopped", ann, comment.Stopped)
	want("stopped", ben)
	clear()
	if err := site.Reviews.Unclaim(t.Context(), id, person(ben)); err != nil {
		t.Fatal(err)
	}
	d = decide(t, site, id, ann, review.Input{Kind: review.Approve})
	if _, err := site.Reviews.Undo(t.Context(), d.ID, person(ann), ""); err != nil {
		t.Fatal(err)
	}
	want("undone by oneself", ann)
	// Recalled after delivery.
	decide(t, site, id, ann, review.Input{Kind: review.Approve})
	site.Clock.Advance(time.Minute)
	site.Drain(t)
	item, err := site.Reviews.Get(t.Context(), id)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := site.Reviews.Recall(t.Context(), item.DecisionID, person(ben), "The figure is old."); err != nil {
		t.Fatal(err)
	}
	want("recalled", ann, comment.Recalled)
	clear()
	// A first signature calls for a second; whoever signs otherwise overrules.
	id = bring(t, site, passing, dbCustomer())
	decide(t, site, id, ann, review.Input{Kind: review.Revise, Text: passingDB,
		Reason: "It gives the guarantee its due.", Feedback: "Say what is given up."})
	want("signed", ben, comment.Second)
	want("signed", ann)
	clear()
	decide(t, site, id, ben, review.Input{Kind: review.Reject, ReasonCode: "wrong_facts"})
	want("overruled", ann, comment.Overruled)
	has(t, page(t, site.Enter(t, ann).Get(t, "/inbox"), http.StatusOK), ".notice-row",
		ben.Name+" decided differently on a review you had approved")
}

// passingDB is a text for somebody with a defined benefit pension that the check lets through.
const passingDB = "You have a defined benefit pension. It pays a guaranteed income for life, and a transfer gives " +
	"that guarantee up for good. " +
	"Because it is worth more than £30,000, the law asks you to take advice from a regulated financial adviser " +
	"before a transfer. " +
	"Free, impartial guidance is available from MoneyHelper and Pension Wise on 0800 138 3944."

func TestAllThatWasShownIsMarkedAsRead(t *testing.T) {
	site := apptest.Open(t)
	ann, ben := named(t, site, "Ann Archer", "ann@example.org", account.Supervisor),
		named(t, site, "Ben Carter", "ben@example.org", account.Supervisor)
	caseID := bring(t, site, passing, dcCustomer())
	post(t, ben, caseID, "@Ann Archer, one")
	doc := page(t, ann.Get(t, "/inbox"), http.StatusOK)
	until := doc.Find("input[name=until]").AttrOr("value", "")
	if ms, err := strconv.ParseInt(until, 10, 64); err != nil || ms == 0 {
		t.Fatalf("the page says %q", until)
	}
	site.Clock.Advance(time.Minute)
	post(t, ben, caseID, "@Ann Archer, two")
	if r := ann.Post(t, "/inbox/read", url.Values{"until": {until}, "all": {"1"}}); r.Status != http.StatusSeeOther ||
		r.Header.Get("Location") != "/inbox?all=1" {
		t.Fatalf("%d %s", r.Status, r.Header.Get("Location"))
	}
	doc = page(t, ann.Get(t, "/inbox"), http.StatusOK)
	if n := doc.Find(".notice-row").Length(); n != 1 {
		t.Errorf("%d unread, want the one that came later", n)
	}
	has(t, doc, ".notice-row", "two")
	has(t, doc, "#inbox > [role=status]", "1 unread notice")
	// Another's notice is not mine to mark.
	if r := ben.Post(t, doc.Find(".notice-row form").AttrOr("action", ""), nil); r.Status != http.StatusNotFound {
		t.Errorf("Ben marks Ann's: %d", r.Status)
	}
	// The header's bell is fetched alone when notices change.
	bell := page(t, ann.Do(t, http.MethodGet, "/inbox/bell", "", "", "HX-Request", "true"), http.StatusOK)
	has(t, bell, "#bell", "1 unread")
}

// What asked somebody to act is read once it needs nobody any more, whoever saw to it, and says so in the inbox.
func TestANoticeWhoseMatterIsOverIsRead(t *testing.T) {
	site := split(t)
	id, _ := unsettled(t, site)
	eva, sam, boss := site.Account(t, account.Expert), site.Account(t, account.Supervisor),
		site.Account(t, account.Admin)
	site.Clock.Advance(25 * time.Hour)
	if _, err := site.Borderline.Remind(t.Context()); err != nil {
		t.Fatal(err)
	}
	told := func(who account.Account, kind string, want int) {
		t.Helper()
		n := 0
		for _, one := range notices(t, site, who) {
			if one.Kind == kind {
				n++
			}
		}
		if n != want {
			t.Errorf("%s has %d unread of %s, want %d", who.Name, n, kind, want)
		}
	}
	told(eva, comment.Borderline, 1)
	// the experts need not rule
	decide(t, site, id, sam, review.Input{Kind: review.Reject, ReasonCode: "other", Reason: "Not for us."})
	told(eva, comment.Borderline, 0)
	has(t, page(t, site.Enter(t, eva).Get(t, "/inbox?all=1"), http.StatusOK), ".notice-row",
		"No action needed any more")

	// A role that was given counts a day later: nobody can object then.
	if _, err := site.Accounts.SetRoles(t.Context(), eva.ID, []account.Role{account.Expert, account.Manager},
		boss.Actor(), ""); err != nil {
		t.Fatal(err)
	}
	told(eva, comment.Granted, 1)
	site.Clock.Advance(47 * time.Hour)
	for _, want := range []int{1, 0} {
		if err := site.Comments.Sweep(t.Context()); err != nil {
			t.Fatal(err)
		}
		told(eva, comment.Granted, want)
		site.Clock.Advance(2 * time.Hour)
	}

	// A gold set without an item to rule on, a copy that was made, and no case that an expert can't bring further.
	set := labelSet(t, site, 1, 2)
	for _, n := range []comment.Notice{{Kind: comment.NoRuler, ObjectID: set.ID},
		{Kind: comment.NoBackup, ObjectID: "main"}, {Kind: comment.NoExpert, N: 3, ObjectID: "c"}} {
		if err := site.DB.Write(t.Context(), func(tx *db.Tx) error {
			return site.Comments.NoticeTx(tx, []string{boss.ID}, n)
		}); err != nil {
			t.Fatal(err)
		}
		told(boss, n.Kind, 1)
	}
	_, sets := site.Datasets.TellUnruled(t.Context())
	_, cases := site.Borderline.TellStuck(t.Context())
	if err := errors.Join(sets, cases, site.Copies.Tell(t.Context())); err != nil {
		t.Fatal(err)
	}
	for _, kind := range []string{comment.NoRuler, comment.NoBackup, comment.NoExpert} {
		told(boss, kind, 0)
	}
}
