package app_test

import (
	"bytes"
	"context"
	"io"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"preceptor/internal/account"
	"preceptor/internal/app"
	"preceptor/internal/app/apptest"
	"preceptor/internal/audit"
	"preceptor/internal/compliance"
	"preceptor/internal/compliance/checklist"
	"preceptor/internal/demo"
	"preceptor/internal/erase"
	"preceptor/internal/interaction"
	"preceptor/internal/knowledge"
	"preceptor/internal/pack"
	"preceptor/internal/platform/db"
	"preceptor/internal/platform/fault"
	"preceptor/internal/practice"
	"preceptor/internal/rule"
)

// A training that is stopped in its midst says so, goes on, and comes out as one that nobody stopped; its copy is gone
// afterwards.
func TestATrainingGoesOn(t *testing.T) {
	if testing.Short() {
		t.Skip("holds some hundred consultations; make check runs it")
	}
	s := apptest.Open(t)
	agent, err := s.Accounts.EnsureAgent(t.Context(), "Advisor", "pension")
	if err != nil {
		t.Fatal(err)
	}
	begin := func() practice.Run {
		run, err := s.Practice.Begin(t.Context(),
			practice.Plan{AgentID: agent.ID, Kind: practice.Training, Seed: 5, Customers: 60}, nil)
		if err != nil {
			t.Fatal(err)
		}
		return run
	}
	want, err := s.Train(t.Context(), begin(), nil)
	if err != nil {
		t.Fatal(err)
	}
	run := begin()
	ctx, stop := context.WithCancel(t.Context())
	if _, err := s.Train(ctx, run, func(int) { stop() }); err == nil {
		t.Fatal("it did not stop")
	}
	if run, err = s.Practice.Unfinished(t.Context(), agent.ID); err != nil || run.State != practice.Failed ||
		run.Done == 0 || run.Error == "" {
		t.Fatalf("stopped: %+v, %v", run, err)
	}
	if left, _ := filepath.Glob(s.DB.Path() + ".practice-*"); len(left) > 0 {
		t.Errorf("%v are there while nothing runs", left)
	}
	got, err := s.Train(t.Context(), run, nil)
	if err != nil {
		t.Fatal(err)
	}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("it came out otherwise: %+v and %+v", got, want)
	}
	if left, _ := filepath.Glob(s.DB.Path() + ".practice-*"); len(left) > 0 {
		t.Errorf("%v are still there", left)
	}
	if _, err := s.Practice.Unfinished(t.Context(), agent.ID); !fault.Is(err, fault.NotFound) {
		t.Errorf("unfinished: %v", err)
	}
	run = begin()
	run.Done, run.Base.Seq = 20, run.Base.Seq-1
	if _, err := s.Train(t.Context(), run, nil); !fault.Is(err, fault.Conflict) {
		t.Errorf("after the base changed: %v", err)
	}
	if got, err := s.Practice.Get(t.Context(), run.ID); err != nil || got.State != practice.Failed ||
		!strings.Contains(got.Error, "Start a new run.") {
		t.Errorf("after the base changed it is %s, %q, %v", got.State, got.Error, err)
	}
}

// A copy in which an agent practises has no people and no customers but those whose words became knowledge. An erasure
// stops the run and takes the copy with it, and what a killed program left goes at the next start.
func TestPracticeCopiesAreErased(t *testing.T) {
	s := openSpine(t)
	s.worked(t, s.plant(t, planted["name"], customerRef, "first"))
	agent, err := s.Accounts.EnsureAgent(t.Context(), "pension-advisor", "pension")
	if err != nil {
		t.Fatal(err)
	}
	run, err := s.Practice.Begin(t.Context(),
		practice.Plan{AgentID: agent.ID, Kind: practice.Training, Seed: 5, Customers: 400}, nil)
	if err != nil {
		t.Fatal(err)
	}
	copied := s.DB.Path() + ".practice-" + run.ID
	begun, ended := make(chan bool, 400), make(chan error, 1)
	go func() {
		ended <- s.Practice.UnderWay(t.Context(), run.ID, func(ctx context.Context) error {
			_, err := s.Train(ctx, run, func(int) { begun <- true })
			return err
		})
	}()
	select {
	case <-begun:
	case err := <-ended:
		t.Fatalf("it ended at once: %v", err)
	}
	people := append([]string{customerRef, s.supervisor.Account.Email, "$argon2id$"},
		strings.Fields(planted["name"])...)
	for _, p := range []string{"goal", "free", "reasoning", "steps", "metadata", "reason", "comment", "draft", "skip",
		"note"} {
		people = append(people, planted[p])
	}
	for _, end := range []string{"", "-wal"} {
		b, err := os.ReadFile(copied + end)
		if err != nil {
			t.Fatal(err)
		}
		for _, word := range people {
			if bytes.Contains(bytes.ToLower(b), bytes.ToLower([]byte(word))) {
				t.Errorf("the copy has %q%s", word, end)
			}
		}
	}
	by := audit.Actor{Kind: audit.Person, ID: "boss", Name: "Bo Boss"}
	if _, err := s.Erase.Erase(t.Context(),
		erase.Request{How: interaction.ByReference, Subject: customerRef, Why: "Asked", By: by}); err != nil {
		t.Fatal(err)
	}
	if left, _ := filepath.Glob(copied + "*"); len(left) > 0 {
		t.Errorf("after the erasure %v are left", left)
	}
	if err := <-ended; err != nil {
		t.Errorf("the run ended with %v", err)
	}
	if run, err := s.Practice.Get(t.Context(), run.ID); err != nil || run.State != practice.Failed ||
		!strings.Contains(run.Error, "erased") {
		t.Errorf("%+v, %v", run, err)
	}
}

func TestCopiesOfAKilledRunGoAtTheNextStart(t *testing.T) {
	file := filepath.Join(t.TempDir(), "desk [1].db")
	var other []string
	for _, name := range []string{file + ".practice-1", file + ".practice-1-wal", file + ".practice-2.lock"} {
		if err := os.WriteFile(name, []byte("canary"), 0o600); err != nil {
			t.Fatal(err)
		}
		other = append(other, strings.Replace(name, "desk [1]", "desk 1", 1))
	}
	for _, name := range other { // of another desk
		if err := os.WriteFile(name, nil, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	a, err := app.OpenAlone(t.Context(), file, io.Discard)
	if err != nil {
		t.Fatal(err)
	}
	defer a.Close()
	if left, _ := filepath.Glob(filepath.Join(filepath.Dir(file), "*.practice-*")); !slices.Equal(left, other) {
		t.Errorf("left %v", left)
	}
}

// The tables that a copy holds suffice: beside it and beside the base an advisor is given the same, and checks say the
// same.
func TestACopyAnswersAsTheBaseDoes(t *testing.T) {
	s := apptest.Open(t)
	ctx := t.Context()
	agent, err := s.Accounts.EnsureAgent(ctx, "Advisor", "pension")
	if err != nil {
		t.Fatal(err)
	}
	docs := fstest.MapFS{}
	twin := "The money purchase annual allowance is £10,000. It applies once you take taxable money from a pot, and " +
		"not before that. Ask your provider."
	for name, text := range map[string]string{"mpaa": twin, "mpaa2": twin + " It is yearly.",
		"mpaa3":    strings.Replace(twin, "£10,000", "£4,000", 1),
		"drawdown": "In drawdown the pot stays invested, and it can run out before you do.",
		"free":     "Pension Wise is free from the age of 50."} {
		docs["docs/"+name+".md"] = &fstest.MapFile{Data: []byte("# " + name + "\n\n" + text + "\n")}
	}
	if _, err := s.Knowledge.Import(ctx, docs, knowledge.ImportOptions{By: audit.System("test")}); err != nil {
		t.Fatal(err)
	}
	eva := s.Account(t, account.Expert)
	expert := audit.Actor{Kind: audit.Person, ID: eva.ID, Name: eva.Name}
	addRule := func(st rule.Statement, from time.Time) {
		t.Helper()
		if err := s.DB.Write(ctx, func(tx *db.Tx) error {
			_, err := s.Knowledge.AddRuleTx(tx,
				knowledge.Rule{AgentID: agent.ID, Status: knowledge.Active, Domain: knowledge.RiskDisclosure,
					Validity: knowledge.Validity{ValidFrom: from},
					RuleText: knowledge.RuleOf(st, pack.Of(pack.Pension))})
			return err
		}); err != nil {
			t.Fatal(err)
		}
	}
	drawdown := []rule.Condition{{Kind: rule.Topic, Values: []string{pack.Drawdown}}}
	addRule(rule.Statement{When: drawdown, Do: rule.Act{Kind: rule.Include, Text: "Your pot may run out."}},
		time.Time{})
	addRule(rule.Statement{When: drawdown, Do: rule.Act{Kind: rule.Never, Phrases: []string{"a safe bet"}}},
		s.Clock.Now().AddDate(0, 1, 0))
	c, err := s.Checklist.Get(ctx, compliance.MissingDBWarning)
	if err != nil {
		t.Fatal(err)
	}
	bare := "To move your final salary pension, ask the scheme for a transfer value and send the forms to the new " +
		"provider."
	before := s.Validator.Checks().Check(bare, pack.Situation{})
	w, err := s.Checklist.Switch(ctx,
		checklist.SwitchInput{CheckID: compliance.MissingDBWarning, Reason: "It is time.", Book: c.Book(), By: expert})
	if err != nil {
		t.Fatal(err)
	}
	other := s.Account(t, account.Expert) // a critical one takes two
	if _, err := s.Approvals.Agree(ctx, w.ID,
		audit.Actor{Kind: audit.Person, ID: other.ID, Name: other.Name}); err != nil {
		t.Fatal(err)
	}
	s.Drain(t)
	copied := filepath.Join(t.TempDir(), "copy.db")
	if err := s.CopyTo(ctx, copied); err != nil {
		t.Fatal(err)
	}
	twinApp, err := app.OpenAlone(ctx, copied, io.Discard)
	if err != nil {
		t.Fatal(err)
	}
	defer twinApp.Close()
	given := func(a *app.App, q string) (out []string) {
		t.Helper()
		r, err := a.Knowledge.Recall(ctx,
			knowledge.Query{AgentID: agent.ID, Text: q, Situation: pack.Situation{Question: q}})
		if err != nil {
			t.Fatal(err)
		}
		for _, it := range r.Items {
			out = append(out, it.Kind+" "+it.Label+" "+it.Text)
		}
		return out
	}
	for _, q := range []string{"What is the money purchase annual allowance?", "Can my drawdown pot run out?",
		"Is Pension Wise free?"} {
		base, copy := given(s.App, q), given(twinApp, q)
		if len(base) == 0 || !slices.Equal(base, copy) {
			t.Errorf("%s\nbase %q\ncopy %q", q, base, copy)
		}
	}
	base, beside := s.Validator.Checks().Check(bare, pack.Situation{}),
		twinApp.Validator.Checks().Check(bare, pack.Situation{})
	if len(before.Issues) == len(base.Issues) || !reflect.DeepEqual(base.Issues, beside.Issues) {
		t.Errorf("before the switch %d issues, base %+v, copy %+v", len(before.Issues), base.Issues, beside.Issues)
	}
}

// An ablation of an agent's own memory measures what it knows, trains nothing, and leaves everything as it was.
func TestTheMemoryOfAnAgentIsTakenApart(t *testing.T) {
	if testing.Short() {
		t.Skip("holds some hundred consultations; make check runs it")
	}
	s := apptest.Open(t)
	agent, err := s.Accounts.EnsureAgent(t.Context(), "desk", "general")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := s.Knowledge.Import(t.Context(), demo.Documents("general"), knowledge.ImportOptions{Source: "documents",
		AgentID: agent.ID, Pack: "general", By: audit.System("test")}); err != nil {
		t.Fatal(err)
	}
	ablate := func() (practice.Ablated, error) {
		t.Helper()
		run, err := s.Practice.Begin(t.Context(), practice.Plan{AgentID: agent.ID, Kind: practice.Ablation}, nil)
		if err != nil {
			t.Fatal(err)
		}
		return s.AblateOwn(t.Context(), run)
	}
	arm := func(out practice.Ablated, name string) (a practice.Arm) {
		t.Helper()
		for _, one := range out.Arms {
			if one.Name == name && one.Split == 0 {
				return one
			}
		}
		t.Fatalf("there is no arm %s", name)
		return a
	}
	out, err := ablate()
	if err != nil || !out.Own || len(out.Trainings) != 0 || len(out.Arms) != 7*practice.Splits ||
		arm(out, practice.Full).NeedsMet.Of != 0 ||
		!strings.HasPrefix(out.Verdict(), "No gain was shown.") {
		t.Fatalf("of documents alone: %v %s", err, out.Verdict())
	}
	school, err := s.School(agent)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := school.Train(t.Context(), 80, 0, 1); err != nil { // on the base itself, which only a test may
		t.Fatal(err)
	}
	before, _, err := s.Knowledge.Stand(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	out, err = ablate()
	if err != nil || arm(out, practice.RulesOnly).NeedsMet.Low <= 0 || arm(out, practice.Full).NeedsMet.Low <= 0 ||
		arm(out, practice.Baseline).Against != "" {
		t.Errorf("of what it learned: %v %+v", err, arm(out, practice.Full).NeedsMet)
	}
	after, _, err := s.Knowledge.Stand(t.Context())
	if left, _ := filepath.Glob(s.DB.Path() + ".practice-*"); err != nil || before != after || len(left) > 0 {
		t.Errorf("the base moved from %d to %d, copies %v; %v", before, after, left, err)
	}
	run, err := s.Practice.Begin(t.Context(), practice.Plan{AgentID: agent.ID, Kind: practice.Ablation}, nil)
	if err != nil {
		t.Fatal(err)
	}
	run.Base.Seq--
	if _, err := s.AblateOwn(t.Context(), run); !fault.Is(err, fault.Conflict) {
		t.Errorf("of a base that changed meanwhile: %v", err)
	}
	asked := 0
	if _, err := practice.AblateOwn(t.Context(), school, func() error {
		if asked++; asked == 2 {
			return fault.New(fault.Conflict, "Knowledge changed.")
		}
		return nil
	}, func(func(*practice.School) error) error { t.Error("it went on"); return nil }); !fault.Is(err, fault.Conflict) ||
		asked != 2 {
		t.Errorf("of a base that changes after the first arm: asked %d times, %v", asked, err)
	}
}
