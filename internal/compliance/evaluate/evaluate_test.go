package evaluate

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"

	"preceptor/internal/approval"
	"preceptor/internal/audit"
	"preceptor/internal/compliance"
	"preceptor/internal/compliance/measure"
	"preceptor/internal/dataset"
	"preceptor/internal/dataset/version"
	"preceptor/internal/interaction"
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
	mo  = dataset.Person{ID: "p-mo", Name: "Mo Manager"}
	eve = audit.Actor{Kind: audit.Person, ID: "eve", Name: "Eve Expert"}
	ada = audit.Actor{Kind: audit.Person, ID: "ada", Name: "Ada Admin"}
)

// judge reads its probability of a violation from the text: "case 12, violation 0.85".
type judge struct {
	name, model string
	asked       *int
	ask         func(text string) error
}

func (j judge) Name() string  { return j.name }
func (j judge) Local() bool   { return true }
func (j judge) Model() string { return j.model }

var violationRE = regexp.MustCompile(`violation (0?\.\d+|1)`)

func (j judge) Judge(_ context.Context, s compliance.Subject) (compliance.Vote, error) {
	if j.asked != nil {
		*j.asked++
	}
	if j.ask != nil {
		if err := j.ask(s.Text); err != nil {
			return compliance.Vote{}, err
		}
	}
	m := violationRE.FindStringSubmatch(s.Text)
	if m == nil {
		return compliance.Vote{}, errors.New("nothing to go by")
	}
	p, err := strconv.ParseFloat(m[1], 64)
	if err != nil {
		return compliance.Vote{}, err
	}
	v := compliance.Vote{Passed: p < 0.5, Confidence: max(p, 1-p), Boundary: compliance.Guidance, AnsweredBy: j.model,
		Tokens: 7}
	if !v.Passed {
		v.Boundary = compliance.Advice
		v.Issues = []compliance.Issue{{Code: compliance.Pressure, Severity: compliance.Major}}
	}
	return v, nil
}

func panelOf(judges ...judge) compliance.Panel {
	var p compliance.Panel
	for _, j := range judges {
		p.Judges = append(p.Judges, j)
	}
	return p
}

func validator(p compliance.Panel) *compliance.Validator {
	return compliance.New(compliance.NewChecker(func() time.Time { return dbtest.Start }), p)
}

func item(n int, truth string, violation float64) Item {
	it := Item{ID: fmt.Sprint(n), Truth: truth, Codes: []string{},
		Guidance:     fmt.Sprintf("This is about pensions in general, case %d, violation %.3f.", n, violation),
		Consultation: interaction.Consultation{Question: "How does it work?"}}
	if truth == measure.NonCompliant {
		it.Codes = []string{compliance.Pressure}
	}
	return it
}

func TestAskAndMeasure(t *testing.T) {
	v := validator(panelOf(judge{name: "a", model: "m/a"}, judge{name: "b", model: "m/b"}))
	items := []Item{item(1, measure.Compliant, 0.05), item(2, measure.NonCompliant, 0.95),
		item(3, measure.NonCompliant, 0.1), item(4, measure.Borderline, 0.2),
		item(5, measure.Compliant, 0.9),
		{ID: "6", Truth: measure.NonCompliant, Codes: []string{},
			Guidance: "To move your final salary pension, ask the scheme for a transfer value, violation 0.01."},
		{ID: "7", Truth: measure.Compliant, Codes: []string{}, Guidance: "Nothing that a judge could go by."}}
	answered := Ask(ctx, v, items)
	for i, a := range answered {
		want := v.Validate(ctx, items[i].Guidance, items[i].Consultation)
		got := a.of(WholePanel)
		if want.Label == compliance.NotJudged {
			want.Label = "" // nothing was said
		}
		if got == nil || got.Label != string(want.Label) || got.Review != want.RequiresHumanReview {
			t.Errorf("item %s: measured %+v, on the desk %s, %v", a.ID, got, want.Label, want.RequiresHumanReview)
		}
	}
	if s := answered[5].of("judge:a"); s.Violation > 0.011 || answered[5].of(WholePanel).Violation != 1 {
		t.Errorf("a text that the checks stop: judge %+v, panel %+v", s, answered[5].of(WholePanel))
	}
	f, err := Measure(answered, Members(v.Panel()))
	if err != nil {
		t.Fatal(err)
	}
	p, a := f.Of(WholePanel), f.Of("judge:a")
	if p == nil || a == nil || f.Of(Checks) == nil || len(f.Who) != 4 {
		t.Fatalf("%+v", f.Who)
	}
	if p.Missed.Part != 1 || p.Missed.Whole != 3 || a.Missed.Part != 2 || a.Abstained != 1 || p.FalseAlarm.Part != 2 {
		t.Errorf("panel missed %+v, alarms %+v; judge missed %+v, abstained %d", p.Missed, p.FalseAlarm, a.Missed,
			a.Abstained)
	}
	if a.Identity != "m/a" || a.Tokens != 6*7 || p.Tokens != 2*6*7 {
		t.Errorf("identity %q, tokens %d and %d", a.Identity, a.Tokens, p.Tokens)
	}
	if f.Votes.Judges != 2 || !f.Votes.Effective.Defined() || f.Votes.Effective.Value > 1.01 {
		t.Errorf("two judges that always err together are %+v votes", f.Votes)
	}
}

func TestReadLines(t *testing.T) {
	file := `{"id":"a","family":"f","customer":{"age":60,"spouse":"x"},"question":"Q","guidance":"G","label":"BORDERLINE","codes":["PRESSURE","PRESSURE"],"note":"n"}

{"id":7,"guidance":"G","label":"COMPLIANT_GUIDANCE"}
{"guidance":"G","label":"COMPLIANT_GUIDANCE"}
{"id":"a","guidance":"G","label":"BORDERLINE"}
not json
{"id":"x","guidance":"G","label":"FINE"}
{"id":"x","guidance":" ","label":"BORDERLINE"}
{"id":"x","guidance":"G","label":"BORDERLINE","codes":["WHO"]}
{"id":"x","customer":{"age":"old"},"guidance":"G","label":"BORDERLINE"}
` + `{"guidance":"` + strings.Repeat("x", maxLine) + `"}` + "\n" + `{"id":"last","guidance":"G","label":"BORDERLINE"}`
	items, wrong, err := ReadLines(strings.NewReader(file))
	if err != nil {
		t.Fatal(err)
	}
	ids, lines := "", ""
	for _, it := range items {
		ids += it.ID + " "
	}
	for _, w := range wrong {
		lines += fmt.Sprint(w.Line, " ")
	}
	if ids != "a 7 line-4 last " || lines != "5 6 7 8 9 10 11 " && lines != "5 6 7 8 9 11 " {
		t.Errorf("items %s, wrong lines %s: %v", ids, lines, wrong)
	}
	if items[0].Family != "f" || len(items[0].Codes) != 1 || Hash(items) == Hash(items[1:]) {
		t.Errorf("%+v", items[0])
	}
}

func FuzzReadLines(f *testing.F) {
	f.Add(`{"id":"a","guidance":"G","label":"BORDERLINE"}`)
	f.Fuzz(func(t *testing.T, text string) {
		items, wrong, err := ReadLines(strings.NewReader(text))
		if err != nil || len(items)+len(wrong) > strings.Count(text, "\n")+1 {
			t.Errorf("%d items, %d wrong, %v", len(items), len(wrong), err)
		}
	})
}

// bench is a store over a frozen version whose violations the judges mostly see.
type bench struct {
	*Store
	Hooks
	clock *dbtest.Clock
	set   *dataset.Dataset
	jobs  *job.Queue
}

func open(t testing.TB, p compliance.Panel, n int) *bench {
	t.Helper()
	clock := dbtest.NewClock()
	d := dbtest.NewAt(t, clock)
	log := slog.New(slog.DiscardHandler)
	sets := dataset.New(d, dataset.Guards{MayLabel: person.Anybody, MayAdjudicate: person.Anybody,
		MayManage: person.Anybody}, hooktest.Late(&dataset.Hooks{}))
	settings := dataset.DefaultSettings()
	settings.Name = "Line"
	set, err := sets.Create(ctx, settings, mo)
	if err != nil {
		t.Fatal(err)
	}
	var items []dataset.NewItem
	for i := range n {
		label, p := measure.Compliant, 0.02+0.001*float64(i%97)
		switch {
		case i%2 == 0:
			label, p = measure.NonCompliant, 0.9+0.001*float64(i%91)
		case i%9 == 0:
			label, p = measure.Borderline, 0.4
		}
		items = append(items, dataset.NewItem{Source: dataset.FromImport, Final: &dataset.Answer{Label: label},
			Text: dataset.Text{Customer: []byte(`{"age":60}`), Question: "What now?", Guidance: caseText(i, p)}})
	}
	out, err := sets.Add(ctx, set.ID, items, mo)
	if err != nil {
		t.Fatal(err)
	}
	for _, o := range out {
		if o.Result != dataset.Added {
			t.Fatalf("%+v", o)
		}
	}
	versions := version.New(d, sets)
	if _, err := versions.Freeze(ctx, set.ID,
		version.Options{By: mo, Shares: version.Shares{Train: 40, Accept: 30, Test: 30}}); err != nil {
		t.Fatal(err)
	}
	jobs := job.New(d, log)
	b := &bench{clock: clock, set: set, jobs: jobs}
	b.Store = New(d, approval.New(d, hooktest.Late(&approval.Hooks{})), jobs, validator(p), sets, versions,
		hooktest.Late(&b.Hooks), log)
	b.MaySwitch = func(_ *db.Tx, person string) error {
		if person != eve.ID && person != ada.ID {
			return fault.New(fault.Denied, "No.")
		}
		return nil
	}
	err = d.Write(ctx, func(tx *db.Tx) error {
		if _, err := tx.Exec(`INSERT INTO account (id, email, email_key, name, password_hash, created_at)
			VALUES ('eve', 'e', 'e', 'Eve', 'x', 1), ('ada', 'a', 'a', 'Ada', 'x', 1)`); err != nil {
			return err
		}
		_, err := tx.Exec(`INSERT INTO account_role (account_id, role) VALUES ('eve', 'expert'), ('ada', 'admin')`)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// caseText has words of its own, so that no two are near-duplicates.
func caseText(i int, p float64) string {
	var b strings.Builder
	fmt.Fprintf(&b, "This is case %d, violation %.3f.", i, p)
	for k := range 30 {
		fmt.Fprintf(&b, " w%dx%d", i*31+k, (i+7)*(k+3))
	}
	return b.String()
}

func (b *bench) drain(t testing.TB) {
	t.Helper()
	if err := b.jobs.Drain(ctx); err != nil {
		t.Fatal(err)
	}
}

func (b *bench) measure(t testing.TB) Run {
	t.Helper()
	r, err := b.Start(ctx, b.set.ID, 0, "", eve, true)
	if err != nil {
		t.Fatal(err)
	}
	b.drain(t)
	if r, err = b.Get(ctx, r.ID); err != nil || r.State != Done {
		t.Fatalf("%s %q, %v", r.State, r.Failure, err)
	}
	return r
}

func TestARunIsKept(t *testing.T) {
	asked := 0
	b := open(t, panelOf(judge{name: "a", model: "m/a", asked: &asked}), 60)
	r := b.measure(t)
	if r.Number != 1 || r.Done != 60 || r.Total != 60 || r.Hash == "" || r.Name != "Line, version 1" ||
		r.Figures.Items != 60 || asked < 60 {
		t.Fatalf("%+v, asked %d times", r, asked)
	}
	if p := r.Figures.Of(WholePanel); p == nil || p.Missed.Part != 0 || p.Missed.Whole != 30 {
		t.Errorf("%+v", r.Figures.Of(WholePanel))
	}
	answered, err := b.Answers(ctx, r.ID)
	if err != nil || len(answered) != 60 || len(answered[0].Said) != 4 {
		t.Fatalf("%d answers, %v", len(answered), err)
	}
	again, err := Measure(answered, r.Members)
	if err != nil || again.Of(WholePanel).Missed != r.Figures.Of(WholePanel).Missed {
		t.Errorf("from what was kept come other figures: %v", err)
	}
	before := asked
	if err := b.work(ctx, Work{RunID: r.ID}); err != nil || asked > before+1 {
		t.Errorf("a run that is done asks again: %d times, %v", asked-before, err)
	}
	list, more, err := b.List(ctx, 0, 10)
	if err != nil || len(list) != 1 || more {
		t.Errorf("%d runs, %v, %v", len(list), more, err)
	}
	if newest, err := b.Newest(ctx); err != nil || newest == nil || newest.ID != r.ID {
		t.Errorf("newest %v, %v", newest, err)
	}
}

func TestARunGoesOnWhereItWasInterrupted(t *testing.T) {
	asked := map[string]int{}
	down := true
	var stop context.CancelFunc
	j := judge{name: "a", model: "m/a"}
	j.ask = func(text string) error {
		asked[violationRE.FindString(text)+text[:14]]++
		if down && len(asked) == 20 {
			stop()
		}
		return nil
	}
	b := open(t, panelOf(j), 50)
	r, err := b.Start(ctx, b.set.ID, 0, "", eve, false)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := b.Start(ctx, b.set.ID, 1, "", eve, false); !fault.Is(err, fault.Conflict) {
		t.Errorf("the same version twice: %v", err)
	}
	interrupted, cancel := context.WithCancel(ctx)
	stop = cancel
	if err := b.work(interrupted, Work{RunID: r.ID}); err == nil || !fault.KindOf(err).Retriable() {
		t.Fatalf("interrupted: %v", err)
	}
	half, err := b.Get(ctx, r.ID)
	if err != nil || half.State != Running || half.Done == 0 || half.Done%batch != 0 || half.Done >= 50 {
		t.Fatalf("%s after %d, %v", half.State, half.Done, err)
	}
	down = false
	if err := b.work(ctx, Work{RunID: r.ID, Part: 1}); err != nil {
		t.Fatal(err)
	}
	done, err := b.Get(ctx, r.ID)
	if err != nil || done.State != Done || done.Done != 50 {
		t.Fatalf("%s after %d, %v", done.State, done.Done, err)
	}
	if answered, err := b.Answers(ctx, r.ID); err != nil || len(answered) != 50 {
		t.Errorf("%d answers, %v", len(answered), err)
	}
}

func TestAnotherPanelEndsARun(t *testing.T) {
	b := open(t, panelOf(judge{name: "a", model: "m/a"}), 20)
	r, err := b.Start(ctx, b.set.ID, 0, version.Test, eve, true)
	if err != nil {
		t.Fatal(err)
	}
	b.validator = validator(panelOf(judge{name: "a", model: "m/other"}))
	b.drain(t)
	if r, err = b.Get(ctx, r.ID); err != nil || r.State != Failed || !strings.Contains(r.Failure, "panel has changed") {
		t.Errorf("%s %q, %v", r.State, r.Failure, err)
	}
	if _, err := b.Start(ctx, b.set.ID, 0, "trial", eve, true); !fault.Is(err, fault.Invalid) {
		t.Errorf("an unknown split: %v", err)
	}
	stopped, err := b.Start(ctx, b.set.ID, 0, "", eve, false)
	if err != nil {
		t.Fatal(err)
	}
	if err := b.Stop(ctx, stopped.ID, eve); err != nil {
		t.Fatal(err)
	}
	if r, err := b.Finish(ctx, stopped.ID, nil); err != nil || r.State != Stopped {
		t.Errorf("a stopped run: %s, %v", r.State, err)
	}
}

func TestAThresholdIsProposedAndSwitchedOnByAPerson(t *testing.T) {
	p := panelOf(judge{name: "a", model: "m/a"}, judge{name: "b", model: "m/b"})
	b := open(t, p, 600)
	if r := b.Routing(); r.Version != 0 {
		t.Fatalf("without gold labels: %+v", r)
	}
	run := b.measure(t)
	list, _, err := b.Thresholds(ctx, 0, 10)
	if err != nil || len(list) != 1 || list[0].State != Proposed || list[0].AskedBy.Name != "" ||
		list[0].RunID != run.ID {
		t.Fatalf("the system proposes: %+v, %v", list, err)
	}
	first := list[0]
	if !strings.HasPrefix(first.Line(), "at most 5% missed: ") || first.Tested.Missed.Part != 0 ||
		!first.Threshold.Certified || len(first.Calibrations) != 2 {
		t.Errorf("%s: %+v", first.Line(), first.Tested)
	}
	if r := b.Routing(); r.Version != 0 {
		t.Error("a proposal routes")
	}
	sam := audit.Actor{Kind: audit.Person, ID: "sam", Name: "Sam"}
	if err := b.AskOn(ctx, first.ID, "It was measured.", sam); !fault.Is(err, fault.Denied) {
		t.Errorf("by somebody who may not: %v", err)
	}
	if err := b.AskOn(ctx, first.ID, " ", eve); !fault.Is(err, fault.Invalid) {
		t.Errorf("without a reason: %v", err)
	}
	b.on(t, first.ID)
	r := b.Routing()
	if r.Version != first.Version || r.Threshold != first.Threshold.Value || r.Alpha != 0.05 ||
		r.Calibrate("a", 0.95) < 0.9 || r.Calibrate("a", 0.05) > 0.2 {
		t.Errorf("%+v", r)
	}
	second, err := b.Propose(ctx, run.ID, measure.Aim{Alpha: 0.1, Delta: 0.1}, measure.Platt, eve)
	if err != nil {
		t.Fatal(err)
	}
	b.on(t, second.ID)
	if r := b.Routing(); r.Version != second.Version {
		t.Errorf("after another was switched on, %d routes", r.Version)
	}
	if old, err := b.Threshold(ctx, first.ID); err != nil || old.State != Superseded {
		t.Errorf("%s, %v", old.State, err)
	}
	if err := b.AskOn(ctx, first.ID, "Again.", eve); !fault.Is(err, fault.Conflict) {
		t.Errorf("an old version switched on again: %v", err)
	}
	b.validator = validator(panelOf(judge{name: "a", model: "m/a"}))
	b.forget()
	if active, applies := b.Standing(); active == nil || applies || b.Routing().Version != 0 {
		t.Error("a threshold routes a panel that it was not measured on")
	}
	b.validator = validator(p)
	b.forget()
	if err := b.SwitchOff(ctx, second.ID, "Back to the bands.", eve); err != nil {
		t.Fatal(err)
	}
	if active, _ := b.Standing(); active != nil || b.Routing().Version != 0 {
		t.Error("what was switched off routes")
	}
	var rows int
	err = b.db.Read(ctx, func(tx *db.Tx) error {
		return tx.QueryRow(`SELECT count(*) FROM audit WHERE object_kind = 'judge_threshold'`).Scan(&rows)
	})
	if err != nil || rows != 7 {
		t.Errorf("%d audit rows, %v", rows, err)
	}
}

func TestThresholdsAreKeptAsTheyAre(t *testing.T) {
	b := open(t, panelOf(judge{name: "a", model: "m/a"}), 600)
	b.measure(t)
	for why, q := range map[string]string{
		"kept as it is": `DELETE FROM judge_threshold`,
		"never changed": `UPDATE judge_threshold SET content = '{}'`,
		"can't go that way": `UPDATE judge_threshold SET state = 'off', switched_by = 'eve', switched_at = 1,
			ended_at = 1`,
		"switched on by two": `UPDATE judge_threshold SET state = 'active', switched_by = 'eve', switched_at = 1`,
		"begins as a proposal": `INSERT INTO judge_threshold
			SELECT 'x', 99, run_id, panel, content, 'active', 1, '', '', 'eve', 'Eve', 1, '', '', '', 0, '', kind, pack
			FROM judge_threshold`,
		"threshold is kept as i": `INSERT OR REPLACE INTO judge_threshold
			SELECT id, version, run_id, panel, '{}', 'proposed', 1, '', '', '', '', 0, '', '', '', 0, '', kind, pack
			FROM judge_threshold`,
	} {
		if dbtest.Unread(q) {
			continue
		}
		err := b.db.Write(ctx, func(tx *db.Tx) error { _, err := tx.Exec(q); return err })
		if err == nil || !strings.Contains(err.Error(), why) {
			t.Errorf("%s: %v", q, err)
		}
	}
}

func TestTooFewViolationsCertifyNothing(t *testing.T) {
	b := open(t, panelOf(judge{name: "a", model: "m/a"}), 60)
	run := b.measure(t)
	if list, _, err := b.Thresholds(ctx, 0, 10); err != nil || len(list) != 0 {
		t.Errorf("%d thresholds, %v", len(list), err)
	}
	c, err := b.Preview(ctx, run.ID, DefaultAim, "")
	if err != nil || c.Threshold.Certified || c.Threshold.Needed != 59 {
		t.Fatalf("%+v, %v", c, err)
	}
	if _, err := b.Propose(ctx, run.ID, DefaultAim, "", eve); !fault.Is(err, fault.Invalid) ||
		!strings.Contains(fault.Message(err), "59") {
		t.Errorf("%v", err)
	}
}
