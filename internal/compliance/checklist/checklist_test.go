package checklist_test

import (
	"context"
	"fmt"
	"log/slog"
	"os"
	"strings"
	"sync"
	"testing"

	"preceptor/internal/approval"
	"preceptor/internal/audit"
	"preceptor/internal/compliance"
	"preceptor/internal/compliance/checklist"
	"preceptor/internal/dataset"
	"preceptor/internal/dataset/version"
	"preceptor/internal/interaction"
	"preceptor/internal/pack"
	"preceptor/internal/person"
	"preceptor/internal/platform/db"
	"preceptor/internal/platform/db/dbtest"
	"preceptor/internal/platform/fault"
	"preceptor/internal/platform/hook/hooktest"
	"preceptor/internal/platform/job"
)

func TestMain(m *testing.M) { os.Exit(dbtest.Main(m)) }

var (
	ctx = context.Background()
	eva = audit.Actor{Kind: audit.Person, ID: "e-eva", Name: "Eva Expert"}
	fay = audit.Actor{Kind: audit.Person, ID: "e-fay", Name: "Fay Expert"}
	ada = audit.Actor{Kind: audit.Person, ID: "a-ada", Name: "Ada Admin"}
	sue = audit.Actor{Kind: audit.Person, ID: "s-sue", Name: "Sue Supervisor"}
)

type book struct {
	*checklist.Store
	checklist.Hooks
	approvals *approval.Store
	db        *db.DB
	checker   *compliance.Checker
	drafts    *interaction.Store
	sets      *dataset.Store
	versions  *version.Store
	experts   map[string]bool
	decided   map[string]string
}

func open(t testing.TB) *book {
	t.Helper()
	d := dbtest.New(t)
	quiet := slog.New(slog.DiscardHandler)
	sets := dataset.New(d, dataset.Guards{MayLabel: person.Anybody, MayAdjudicate: person.Anybody,
		MayManage: person.Anybody}, hooktest.Late(&dataset.Hooks{}))
	b := &book{db: d, checker: compliance.NewChecker(d.Now),
		drafts: interaction.New(d, job.New(d, quiet), hooktest.Late(&interaction.Hooks{}), quiet), sets: sets,
		versions: version.New(d, sets),
		experts:  map[string]bool{eva.ID: true, fay.ID: true}, decided: map[string]string{}}
	b.approvals = approval.New(d, hooktest.Late(&approval.Hooks{}))
	b.Store = checklist.New(d, b.approvals, b.checker, b.drafts, b.sets, b.versions, hooktest.Late(&b.Hooks), quiet)
	b.exec(t, `INSERT INTO account (id, email, email_key, name, password_hash, created_at) VALUES
		('e-eva', 'e', 'e', 'Eva', '', 1), ('e-fay', 'f', 'f', 'Fay', '', 1), ('a-ada', 'a', 'a', 'Ada', '', 1)`,
		`INSERT INTO account_role (account_id, role)
			VALUES ('e-eva', 'expert'), ('e-fay', 'expert'), ('a-ada', 'admin')`)
	holds := func(prefixes string) func(*db.Tx, string) error {
		return func(_ *db.Tx, who string) error {
			if b.experts[who] || strings.Contains(prefixes, who[:1]) && who[:1] != "e" {
				return nil
			}
			return fault.New(fault.Denied, "This takes the role expert.")
		}
	}
	b.MayWrite, b.MayAgree = holds(""), holds("a")
	b.Decided = func(_ context.Context, id string) (string, error) { return b.decided[id], nil }
	if err := b.Sync(ctx); err != nil {
		t.Fatal(err)
	}
	return b
}

func (b *book) exec(t testing.TB, queries ...string) {
	t.Helper()
	for _, q := range queries {
		if err := b.db.Write(ctx, func(tx *db.Tx) error { return db.Exec(tx, "test: "+q, q) }); err != nil {
			t.Fatal(err)
		}
	}
}

// asked is the id of what waits for a second person.
func (b *book) asked(t testing.TB, checkID string) string {
	t.Helper()
	if c := b.get(t, checkID); c.Asked != nil {
		return c.Asked.ID
	}
	t.Fatalf("nothing waits of %s", checkID)
	return ""
}

func (b *book) agree(id string, by audit.Actor) error {
	_, err := b.approvals.Agree(ctx, id, by)
	return err
}

func moneyPot() checklist.Wording {
	return checklist.Wording{Code: "HOUSE_STYLE", Title: "Money pot", Source: "money pot*", Severity: compliance.Major,
		Why:       "Say pension pot: a money pot is something else.",
		Reference: "House style 4", Finds: []string{"Your money pot is invested."},
		Leaves: []string{"Your pension pot is invested."}, Reason: "Customers mixed them up."}
}

func (b *book) write(t testing.TB, w checklist.Wording, base int) checklist.Wording {
	t.Helper()
	w, err := b.Write(ctx, w, base, eva)
	if err != nil {
		t.Fatal(err, fault.Fields(err))
	}
	return w
}

func (b *book) try(t testing.TB, checkID string, n int, source string) *checklist.Trial {
	t.Helper()
	trial, err := b.Try(ctx, checkID, n, source, eva)
	if err != nil {
		t.Fatal(err)
	}
	return trial
}

func (b *book) get(t testing.TB, checkID string) checklist.Check {
	t.Helper()
	c, err := b.Get(ctx, checkID)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func (b *book) turn(checkID string, n int, on bool, by audit.Actor) error {
	c, err := b.Get(ctx, checkID)
	if err != nil {
		return err
	}
	_, err = b.Switch(ctx, checklist.SwitchInput{CheckID: checkID, Version: n, On: on, Reason: "It is time.",
		Book: c.Book(), By: by})
	return err
}

func wants(t testing.TB, what string, err error, k fault.Kind) {
	t.Helper()
	if !fault.Is(err, k) {
		t.Errorf("%s: %v, want %v", what, err, k)
	}
}

func (b *book) codes(text string) (list []string) {
	for _, i := range b.checker.Check(text, pack.Situation{}).Issues {
		list = append(list, i.Code)
	}
	return list
}

const pot = "Your money pots are invested."

func TestACheckIsWrittenTriedSwitchedReworded(t *testing.T) {
	b := open(t)
	w := b.write(t, moneyPot(), 0)
	wants(t, "untried", b.turn(w.CheckID, 1, true, eva), fault.Conflict)
	b.try(t, w.CheckID, 1, "desk")
	if len(b.codes(pot)) != 0 {
		t.Error("a trial switched it on")
	}
	if err := b.turn(w.CheckID, 1, true, eva); err != nil {
		t.Fatal(err)
	}
	v := b.checker.Check(pot, pack.Situation{})
	if len(v.Issues) != 1 || v.Issues[0].Code != "HOUSE_STYLE" || v.Checklist != 1 ||
		v.Issues[0].Quote != "money pots" {
		t.Fatalf("%+v", v)
	}

	next := moneyPot()
	next.CheckID, next.Severity, next.Source = w.CheckID, compliance.Critical, "money pot|jar"
	next.Finds = append(next.Finds, "Your money jar is full.")
	wants(t, "on an old base", func() error { _, err := b.Write(ctx, next, 7, eva); return err }(), fault.Conflict)
	next = b.write(t, next, 1)
	same := next
	wants(t, "the same", func() error { _, err := b.Write(ctx, same, 2, eva); return err }(), fault.Conflict)
	if c := b.get(t, w.CheckID); c.InForce.Version != 1 || c.Newest.Version != 2 || len(b.codes(pot)) != 1 {
		t.Errorf("rewording changed what is in force: %+v", c)
	}
	wants(t, "the next one untried", b.turn(w.CheckID, 2, true, eva), fault.Conflict)
	b.try(t, w.CheckID, 2, "desk")
	if err := b.turn(w.CheckID, 2, true, fay); err != nil {
		t.Fatal(err)
	}
	if got := b.codes(pot + " And the money jar too."); len(got) != 1 || b.checker.Book().Version != 2 {
		t.Errorf("the second wording finds %v, book %d", got, b.checker.Book().Version)
	}
	wants(t, "on already", b.turn(w.CheckID, 2, true, eva), fault.Conflict)

	// Back to the first, which was tried; then off.
	if err := b.turn(w.CheckID, 1, true, eva); err != nil {
		t.Fatal(err)
	}
	if len(b.codes(pot)) != 1 || b.get(t, w.CheckID).InForce.Version != 1 {
		t.Error("the first wording is not back")
	}
	if err := b.turn(w.CheckID, 0, false, eva); err != nil {
		t.Fatal(err)
	}
	wants(t, "off already", b.turn(w.CheckID, 0, false, eva), fault.Conflict)
	if c := b.get(t, w.CheckID); c.On || len(b.codes(pot)) != 0 || b.checker.Book().Version != 4 ||
		c.Severity() != compliance.Critical {
		t.Errorf("%+v", c)
	}
	all, err := b.Switches(ctx, w.CheckID)
	if err != nil || len(all) != 4 || all[0].Book != 4 || all[0].Version != 1 {
		t.Errorf("%+v, %v", all, err)
	}
	if list, err := b.Wordings(ctx, w.CheckID); err != nil || len(list) != 2 || list[1].Source != "money pot*" {
		t.Errorf("%+v, %v", list, err)
	}
	page, err := audit.List(ctx, b.db, audit.Filter{Action: "check."})
	if err != nil || len(page.Rows) != 8 {
		t.Errorf("%d audit rows, %v", len(page.Rows), err)
	}
}

func TestWhatIsInForceSurvivesARestart(t *testing.T) {
	b := open(t)
	w := b.write(t, moneyPot(), 0)
	b.try(t, w.CheckID, 1, "desk")
	for _, err := range []error{b.turn(w.CheckID, 1, true, eva), b.turn(compliance.JargonForLiteracy, 0, false, eva)} {
		if err != nil {
			t.Fatal(err)
		}
	}
	again := compliance.NewChecker(b.db.Now)
	if err := checklist.New(b.db, approval.New(b.db, hooktest.Late(&approval.Hooks{})), again, b.drafts, b.sets,
		b.versions, hooktest.Late(&b.Hooks), slog.New(slog.DiscardHandler)).Sync(ctx); err != nil {
		t.Fatal(err)
	}
	if got := again.Book(); got.Version != 2 || len(got.Patterns) != 1 || len(got.Off) != 1 {
		t.Errorf("%+v", got)
	}
}

func TestOnlyExpertsChangeChecks(t *testing.T) {
	b := open(t)
	w := b.write(t, moneyPot(), 0)
	for _, by := range []audit.Actor{sue, ada, {}} {
		_, err := b.Write(ctx, moneyPot(), 0, by)
		wants(t, by.Name+" writes", err, fault.Denied)
		_, err = b.Try(ctx, w.CheckID, 1, "desk", by)
		wants(t, by.Name+" tries", err, fault.Denied)
		wants(t, by.Name+" switches", b.turn(compliance.Pressure, 0, false, by), fault.Denied)
	}
	b.try(t, w.CheckID, 1, "desk")
	_, err := b.Switch(ctx, checklist.SwitchInput{CheckID: w.CheckID, Version: 1, On: true, By: eva})
	wants(t, "no reason", err, fault.Invalid)
	_, err = b.Switch(ctx, checklist.SwitchInput{CheckID: w.CheckID, Version: 1, On: true, Reason: "why", Book: 9,
		By: eva})
	wants(t, "an old page", err, fault.Conflict)
	_, err = b.Get(ctx, "nothing")
	wants(t, "no such check", err, fault.NotFound)
}

func TestWhatCanNotBeUsedIsSaidByField(t *testing.T) {
	for field, change := range map[string]func(*checklist.Wording){
		"code": func(w *checklist.Wording) { w.Code = "no code" }, "title": func(w *checklist.Wording) {
			w.Title = " "
		},
		"source": func(w *checklist.Wording) { w.Source = "Money pot" }, "severity": func(w *checklist.Wording) {
			w.Severity = "dire"
		},
		"why": func(w *checklist.Wording) {
			w.Why = strings.Repeat("x", 501)
		}, "reference": func(w *checklist.Wording) { w.Reference = "" },
		"finds": func(w *checklist.Wording) { w.Finds = nil }, "leaves": func(w *checklist.Wording) {
			w.Leaves = []string{strings.Repeat("x", 1001)}
		},
		"reason": func(w *checklist.Wording) { w.Reason = "" },
	} {
		w := moneyPot()
		change(&w)
		err := w.Prepare()
		if f := fault.Fields(err); len(f) != 1 || f[0].Name != field {
			t.Errorf("%s: %+v", field, f)
		}
	}
	soft := moneyPot()
	soft.Code, soft.Severity = compliance.UnderstandingNotChecked, compliance.Critical
	if err := soft.Prepare(); !fault.Is(err, fault.Invalid) {
		t.Errorf("never critical alone: %v", err)
	}
}

func TestAWordingThatFailsItsOwnExamplesStaysOff(t *testing.T) {
	b := open(t)
	w := moneyPot()
	w.Leaves = append(w.Leaves, "A money pot is a jar.")
	w = b.write(t, w, 0)
	if trial := b.try(t, w.CheckID, 1, "desk"); trial.ExamplesOK {
		t.Error("the examples pass")
	}
	wants(t, "on", b.turn(w.CheckID, 1, true, eva), fault.Conflict)
}

// gold freezes n items; every third says "money pot", with the label of its place in the list.
func (b *book) gold(t testing.TB, n int) *version.Version {
	t.Helper()
	who := dataset.Person{ID: "e-eva", Name: "Eva"}
	s := dataset.DefaultSettings()
	s.Name, s.Codes = "Line", append(s.Codes, "HOUSE_STYLE")
	set, err := b.sets.Create(ctx, s, who)
	if err != nil {
		t.Fatal(err)
	}
	var items []dataset.NewItem
	for i := range n {
		text := fmt.Sprintf("Case %d is about paper %d and office %d in week %d of year %d.", i, i*7, i*11, i*13, i*17)
		final := &dataset.Answer{Label: s.Labels[i%3]}
		switch i % 9 {
		case 0, 4, 8: // compliant, borderline, not
			text += " Your money pot is there."
		case 5: // labelled with the code, in words that the check does not know
			text += " Your money jug is there."
		}
		if i%9 == 4 || i%9 == 5 {
			final.Issues = []dataset.Issue{{Code: "HOUSE_STYLE"}}
		}
		items = append(items, dataset.NewItem{Text: dataset.Text{Question: "How does it work?", Guidance: text},
			Source: dataset.FromImport, Final: final})
	}
	if _, err := b.sets.Add(ctx, set.ID, items, who); err != nil {
		t.Fatal(err)
	}
	v, err := b.versions.Freeze(ctx, set.ID, version.Options{Note: "first", By: who})
	if err != nil {
		t.Fatal(err)
	}
	return v
}

func TestATrialCountsFindsMissesAndFalseAlarms(t *testing.T) {
	b := open(t)
	v := b.gold(t, 90)
	sources, err := b.Sources(ctx)
	if err != nil || len(sources) != 2 || sources[0].Name != "Line, version 1" || sources[1].Kind != checklist.Desk {
		t.Fatalf("%+v, %v", sources, err)
	}
	w := b.write(t, moneyPot(), 0)
	trial := b.try(t, w.CheckID, 1, sources[0].Value())
	f := trial.Figures
	if f.Of != 90 || f.Texts != 90 || f.Fine != (checklist.Counter{Texts: 30, Hit: 10}) || f.Soft.Hit != 10 ||
		f.Bad.Hit != 10 || f.Coded != (checklist.Counter{Texts: 20, Hit: 10}) || f.Found() != 20 || f.Checked != 20 ||
		f.Already != 0 || f.Alone != 10 {
		t.Errorf("%+v", f)
	}
	kinds := map[string]int{}
	texts, err := b.Texts(ctx, trial)
	if err != nil {
		t.Fatal(err)
	}
	for _, h := range f.Hits {
		kinds[h.Kind]++
		s := texts[h.Ref]
		if s == nil || s.Label != h.Label {
			t.Fatalf("%+v: %+v", h, s)
		}
		for _, span := range h.Spans {
			if got := string([]rune(s.Text)[span[0]:span[1]]); got != "money pot" {
				t.Errorf("marked %q", got)
			}
		}
	}
	if kinds[checklist.Alarm] != 10 || kinds[checklist.Find] != 20 || kinds[checklist.Miss] != 10 {
		t.Errorf("%v", kinds)
	}
	last, err := b.LastTrial(ctx, w.CheckID, 1)
	if err != nil || last.ID != trial.ID || last.Found() != 20 || len(last.Hits) != 40 || last.Source.ID != v.ID {
		t.Errorf("%+v, %v", last, err)
	}
	if trial = b.try(t, compliance.Pressure, 0, sources[0].Value()); trial.Texts != 90 || !trial.ExamplesOK {
		t.Errorf("a shipped one: %+v", trial)
	}
	_, err = b.Try(ctx, w.CheckID, 1, "gold:nothing", eva)
	wants(t, "no such version", err, fault.NotFound)
	_, err = b.Try(ctx, w.CheckID, 1, "", eva)
	wants(t, "nothing chosen", err, fault.Invalid)
}

func TestATextThatSomebodyTypesIsLookedAt(t *testing.T) {
	b := open(t)
	c := b.get(t, compliance.JargonForLiteracy)
	for question, want := range map[string]int{"I can't read well. Can I have my money?": 1,
		"Can I have my money?": 0} {
		if found, err := b.Look(c, nil, c.Info.Finds[0], question); err != nil || len(found) != want {
			t.Errorf("%q: %+v, %v", question, found, err)
		}
	}
	w := b.write(t, moneyPot(), 0)
	if found, err := b.Look(b.get(t, w.CheckID), &w, pot, ""); err != nil || len(found) != 1 ||
		found[0].Quote != "money pots" {
		t.Errorf("%+v, %v", found, err)
	}
}

func TestATrialOnTheDesk(t *testing.T) {
	b := open(t)
	for i, how := range []string{"approve", "revise", "reject", "", "approve"} {
		text := "Usually a quarter is tax free."
		if i < 4 {
			text = pot
		}
		r, err := b.drafts.Submit(ctx,
			interaction.Submission{AgentID: "a", AgentName: "advisor", By: audit.System("test"),
				Consultation: interaction.Consultation{Question: fmt.Sprint("What of ", i)}, Guidance: text}, nil)
		if err != nil {
			t.Fatal(err)
		}
		b.decided[r.ID] = how
	}
	w := b.write(t, moneyPot(), 0)
	trial := b.try(t, w.CheckID, 1, "desk")
	if f := trial.Figures; f.Texts != 4 || f.Fine != (checklist.Counter{Texts: 2, Hit: 1}) ||
		f.Bad != (checklist.Counter{Texts: 2, Hit: 2}) {
		t.Errorf("%+v", f)
	}
}

// Direct SQL through this program's connection changes nothing that verdicts name.
func TestTheRowsAreGuarded(t *testing.T) {
	b := open(t)
	w := b.write(t, moneyPot(), 0)
	b.try(t, w.CheckID, 1, "desk")
	for _, err := range []error{b.turn(w.CheckID, 1, true, eva), b.turn(compliance.Pressure, 0, false, eva)} {
		if err != nil {
			t.Fatal(err)
		}
	}
	for _, q := range []string{
		`UPDATE check_version SET source = 'x'`, `DELETE FROM check_version`,
		`REPLACE INTO check_version (id, check_id, version, code, title, syntax, source, severity, why, reference,
				finds, leaves, reason, by_id, by_name, at)
			SELECT id, check_id, version, code, title, syntax, 'x', severity, why, reference, finds, leaves, reason,
				by_id, by_name, at FROM check_version`,
	} {
		if err := b.db.Write(ctx, func(tx *db.Tx) error { _, err := tx.Exec(q); return err }); err == nil {
			t.Errorf("%s goes through", q)
		}
	}
}

func TestCountedTellsChecksOfOneCodeApart(t *testing.T) {
	b := open(t)
	w := moneyPot()
	w.Code, w.Severity = compliance.MissingDBWarning, compliance.Minor
	w = b.write(t, w, 0)
	b.try(t, w.CheckID, 1, "desk")
	if err := b.turn(w.CheckID, 1, true, eva); err != nil {
		t.Fatal(err)
	}
	list, err := b.List(ctx)
	if err != nil {
		t.Fatal(err)
	}
	recent := []compliance.Recorded{
		{Verdict: b.checker.Check(pot+" Your money pot.", pack.Situation{})},
		{Verdict: b.checker.Check("To move your final salary pension, ask the scheme for a transfer value and send "+
			"the forms to the new provider.", pack.Situation{})},
	}
	if hits, of := checklist.Counted(list, recent); of != 2 || hits[w.CheckID] != 1 ||
		hits[compliance.MissingDBWarning] != 1 {
		t.Errorf("%v of %d", hits, of)
	}
}

// Many people at once: whoever is last in the book is what the checker holds in the end.
func TestTheCheckerHoldsTheNewestBook(t *testing.T) {
	b := open(t)
	codes := []string{compliance.JargonForLiteracy, compliance.MissingSignpost, compliance.UnderstandingNotChecked,
		compliance.DisguisedRecommendation, compliance.MissingRiskDisclosure}
	var wait sync.WaitGroup
	for _, code := range codes {
		wait.Go(func() {
			for _, on := range []bool{false, true, false} {
				if err := b.turn(code, 0, on, eva); err != nil {
					t.Error(code, err)
				}
			}
		})
	}
	wait.Wait()
	if got := b.checker.Book(); got.Version != 15 || len(got.Off) != len(codes) {
		t.Errorf("%+v", got)
	}
}
