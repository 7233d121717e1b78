package app_test

import (
	"context"
	"io"
	"path/filepath"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"preceptor/internal/account"
	"preceptor/internal/app"
	"preceptor/internal/approval"
	"preceptor/internal/audit"
	"preceptor/internal/compliance"
	"preceptor/internal/compliance/checklist"
	"preceptor/internal/compliance/rubric"
	"preceptor/internal/demo"
	"preceptor/internal/interaction"
	"preceptor/internal/knowledge"
	"preceptor/internal/platform/db"
	"preceptor/internal/platform/db/dbtest"
	"preceptor/internal/platform/fault"
	"preceptor/internal/platform/id"
	"preceptor/internal/platform/job"
	"preceptor/internal/platform/table/imports"
	"preceptor/internal/review"
	"preceptor/internal/search"
)

// What was begun on a file goes on in the database of a server, and then on a file again.
func TestACopyGoesOn(t *testing.T) {
	if !dbtest.OnServer() {
		t.Skip("make test-postgres runs it")
	}
	ctx, dir := t.Context(), t.TempDir()
	open := func(where string) *app.App {
		t.Helper()
		a, err := app.OpenAlone(ctx, where, io.Discard)
		if err != nil {
			t.Fatal(err)
		}
		return a
	}
	waiting := func(a *app.App) int {
		t.Helper()
		list, err := a.Jobs.List(ctx, job.Filter{State: job.Waiting})
		if err != nil {
			t.Fatal(err)
		}
		return len(list)
	}
	places := []string{filepath.Join(dir, "first.db"), dbtest.Empty(t), filepath.Join(dir, "last.db")}
	a := open(places[0])
	agent, err := a.Accounts.EnsureAgent(ctx, "pension-advisor", "pension")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := a.Knowledge.Import(ctx, demo.Guidance(), knowledge.ImportOptions{By: audit.System("test")}); err != nil {
		t.Fatal(err)
	}
	submit := func(a *app.App) string { return submitTo(t, a, agent) }
	ids := []string{submit(a)}
	for _, to := range places[1:] {
		begun := waiting(a)
		if err := a.Close(); err != nil {
			t.Fatal(err)
		}
		from := places[len(ids)-1]
		c, err := app.Copy(ctx, audit.System("test"), from, to)
		if err != nil || c.Jobs < begun || c.Audit.Seq == 0 {
			t.Fatalf("%d jobs waited: %+v, %v", begun, c, err)
		}
		if _, err := app.Copy(ctx, audit.System("test"), from, to); !fault.Is(err, fault.Conflict) {
			t.Errorf("over a copy: %v", err)
		}
		a = open(to)
		if waiting(a) < begun {
			t.Errorf("%d of %d jobs wait", waiting(a), begun)
		}
		if err := a.Jobs.Drain(ctx); err != nil {
			t.Fatal(err)
		}
		for _, id := range ids {
			if in, err := a.Interactions.Get(ctx, id); err != nil || in.Status != interaction.Waiting {
				t.Errorf("after its jobs: %+v, %v", in, err)
			}
		}
		if r, err := search.New(a.DB).Check(ctx); err != nil || len(r.Problems) > 0 || r.Vectors == 0 || r.Missing > 0 {
			t.Errorf("the index: %+v, %v", r, err)
		}
		if _, err := a.Accounts.Add(ctx, account.NewAccount{Email: "ann" + ids[0] + to[:4] + "@example.org", Name: "Ann",
			Password: "a lamp beside the window", Roles: []account.Role{account.Expert}}, audit.System("test")); err != nil {
			t.Error(err)
		}
		ids = append(ids, submit(a))
		if r, err := audit.Verify(ctx, a.DB, nil); err != nil || r.Bad != nil {
			t.Errorf("the record: %+v, %v", r, err)
		}
	}
	if err := a.Close(); err != nil {
		t.Fatal(err)
	}
}

func submitTo(t *testing.T, a *app.App, agent account.Agent) string {
	t.Helper()
	r, err := a.Interactions.Submit(t.Context(), interaction.Submission{AgentID: agent.ID, AgentName: agent.Name,
		By:           audit.Actor{Kind: audit.Agent, ID: agent.ID, Name: agent.Name},
		Consultation: interaction.Consultation{Question: "How much can I take tax free?"},
		Guidance:     "You can usually take up to a quarter of a pension tax free."}, nil)
	if err != nil {
		t.Fatal(err)
	}
	return r.ID
}

// twoServers work one database.
func twoServers(t *testing.T) (servers [2]*app.App) {
	t.Helper()
	address := dbtest.At(t)
	for i := range servers {
		a, err := app.OpenAlone(t.Context(), address, io.Discard)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = a.Close() })
		servers[i] = a
	}
	return servers
}

func member(t *testing.T, a *app.App, role account.Role) account.Account {
	t.Helper()
	who, err := a.Accounts.Add(t.Context(), account.NewAccount{Email: id.New() + "@example.org", Name: "P",
		Password: "a lamp beside the window", Roles: []account.Role{role}}, audit.System("test"))
	if err != nil {
		t.Fatal(err)
	}
	return who
}

// What people decide about checks and the guidance boundary on one server judges the next text on the other.
func TestAChangeHoldsOnTheOtherServerAtOnce(t *testing.T) {
	if !dbtest.OnServer() {
		t.Skip("make test-postgres runs it")
	}
	ctx, s := t.Context(), twoServers(t)
	eva, fay := member(t, s[0], account.Expert).Actor(), member(t, s[1], account.Expert).Actor()
	rules := s[1].Validator.Rules()
	moved := func(what string) {
		t.Helper()
		was := rules
		if rules = s[1].Validator.Rules(); rules == was || rules != s[0].Validator.Rules() {
			t.Errorf("%s: the other server goes by %s", what, rules)
		}
	}
	at := slices.IndexFunc(compliance.Registry(), func(i compliance.CheckInfo) bool {
		return i.Severity == compliance.Minor
	})
	off := compliance.Registry()[at].Code
	if _, err := s[0].Checklist.Switch(ctx, checklist.SwitchInput{CheckID: off, Reason: "It tells us nothing.",
		By: eva}); err != nil {
		t.Fatal(err)
	}
	moved("a check that was switched off")
	if got := s[1].Validator.Checks().Book().Off; !slices.Equal(got, []string{off}) {
		t.Errorf("%v are off", got)
	}
	if err := s[0].Borderline.Propose(ctx, rubric.RubricKind, "pension", "Be fair.", "It is shorter.",
		s[0].Borderline.Rubric("pension").Version, eva); err != nil {
		t.Fatal(err)
	}
	open, err := db.Read(ctx, s[1].DB, func(tx *db.Tx) ([]approval.Change, error) {
		return approval.OpenOf(tx, rubric.RubricKind)
	})
	if err != nil || len(open) != 1 {
		t.Fatal(open, err)
	}
	if _, err := s[0].Approvals.Agree(ctx, open[0].ID, fay); err != nil {
		t.Fatal(err)
	}
	moved("another guidance boundary")
	if got := s[1].Borderline.Rubric("pension").Text; got != "Be fair." {
		t.Errorf("the other server rules by %q", got)
	}
}

// A file is on the server that it was sent to, whichever takes its job first.
func TestAnImportRunsWhereItsFileIs(t *testing.T) {
	if !dbtest.OnServer() {
		t.Skip("make test-postgres runs it")
	}
	ctx, s, ran := t.Context(), twoServers(t), 0
	if err := s[0].Imports.Start(ctx, imports.Run{Kind: imports.Documents, Source: "a.md", By: "P"},
		func(context.Context, func(done, total int)) (any, error) { ran++; return nil, nil }); err != nil {
		t.Fatal(err)
	}
	if err := s[1].Jobs.Drain(ctx); err != nil {
		t.Fatal(err)
	}
	if r, err := s[1].Imports.Last(ctx, imports.Documents, ""); err != nil || r == nil || !r.Running() || r.Failure != "" {
		t.Errorf("on the other server: %+v, %v", r, err)
	}
	for end := time.Now().Add(time.Minute); ran == 0 && time.Now().Before(end); time.Sleep(100 * time.Millisecond) {
		if err := s[0].Jobs.Drain(ctx); err != nil {
			t.Fatal(err)
		}
	}
	if r, err := s[1].Imports.Last(ctx, imports.Documents, ""); err != nil || ran != 1 || r.Running() || r.Failure != "" {
		t.Errorf("it ran %d times: %+v, %v", ran, r, err)
	}
}

// Two people on two servers of one database approve the same drafts at once: each is decided once, and both servers
// say by whom.
func TestTwoServersDecideOnce(t *testing.T) {
	if !dbtest.OnServer() {
		t.Skip("make test-postgres runs it")
	}
	ctx := t.Context()
	servers := twoServers(t)
	var people [2]review.Person
	for i, a := range servers {
		who := member(t, a, account.Supervisor)
		people[i] = review.Person{ID: who.ID, Name: who.Name}
	}
	agent, err := servers[0].Accounts.EnsureAgent(ctx, "pension-advisor", "pension")
	if err != nil {
		t.Fatal(err)
	}
	const n = 20
	var ids [n]string
	for i := range ids {
		ids[i] = submitTo(t, servers[i%2], agent)
	}
	if err := servers[1].Jobs.Drain(ctx); err != nil {
		t.Fatal(err)
	}
	for _, id := range ids {
		var won atomic.Int32
		var wg sync.WaitGroup
		for i, a := range servers {
			r, err := a.Reviews.Get(ctx, id)
			if err != nil {
				t.Fatal(err)
			}
			wg.Go(func() {
				_, err := a.Reviews.Decide(ctx, review.Input{ID: id, By: people[i], Kind: review.Approve, Version: r.Version,
					TextHash: r.TextHash})
				if err == nil {
					won.Add(1)
				} else if !fault.Is(err, fault.Conflict) {
					t.Errorf("%s: %v", id, err)
				}
			})
		}
		wg.Wait()
		first, err := servers[0].Reviews.DecisionsFor(ctx, id)
		if err != nil {
			t.Fatal(err)
		}
		second, err := servers[1].Reviews.DecisionsFor(ctx, id)
		if err != nil || won.Load() != 1 || len(first) != 1 || len(second) != 1 || first[0].By != second[0].By {
			t.Errorf("%d won; %+v and %+v, %v", won.Load(), first, second, err)
		}
	}
	if r, err := audit.Verify(ctx, servers[0].DB, nil); err != nil || r.Bad != nil {
		t.Errorf("the record: %+v, %v", r, err)
	}
}
