package knowledge_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"

	"preceptor/internal/audit"
	"preceptor/internal/knowledge"
	"preceptor/internal/llm/embedded"
	"preceptor/internal/pack"
	"preceptor/internal/platform/db"
	"preceptor/internal/platform/db/dbtest"
	"preceptor/internal/platform/fault"
	"preceptor/internal/search"
)

type bench struct {
	t     testing.TB
	d     *db.DB
	clock *dbtest.Clock
	index *search.Tables
	*knowledge.Base
}

func setUp(t testing.TB, o knowledge.Options) bench {
	clock := dbtest.NewClock()
	d := dbtest.NewAt(t, clock)
	index := search.New(d)
	b := bench{t, d, clock, index, knowledge.New(d, index, embedded.New(), o)}
	t.Cleanup(b.sizesHold)
	dbtest.NothingWhole(t, d)
	return b
}

func (b bench) write(f func(tx *db.Tx) error) {
	b.t.Helper()
	if err := b.d.Write(ctx, f); err != nil {
		b.t.Fatal(err)
	}
	if _, err := b.Sizes(ctx); err != nil {
		b.t.Fatal(err)
	}
}

func (b bench) addCase(c knowledge.Case) (out knowledge.Case) {
	b.t.Helper()
	if c.Source == "" {
		c.Source = knowledge.FromReview
	}
	b.write(func(tx *db.Tx) (err error) {
		out, err = b.AddCaseTx(tx, c)
		return err
	})
	return out
}

func text(title, situation, guidance string) knowledge.CaseText {
	return knowledge.CaseText{Title: title, Situation: situation, Guidance: guidance}
}

func (b bench) addRule(r knowledge.Rule) (out knowledge.Rule) {
	b.t.Helper()
	if r.Domain == "" {
		r.Domain = knowledge.PensionEducation
	}
	if r.Confidence == 0 {
		r.Confidence = 0.9
	}
	b.write(func(tx *db.Tx) (err error) {
		out, err = b.AddRuleTx(tx, r)
		return err
	})
	return out
}

func principle(s string) knowledge.RuleText {
	return knowledge.RuleText{Title: s, Principle: s, Confidence: 0.9, FCACompliant: true}
}

func labels(items []knowledge.Item) string {
	var out []string
	for _, it := range items {
		out = append(out, it.Label)
	}
	return strings.Join(out, " ")
}

var by = audit.Actor{Kind: "person", ID: "p1", Name: "Ann"}

func TestCasesAreSupersededNeverRewritten(t *testing.T) {
	b := setUp(t, knowledge.Options{})
	c := knowledge.Case{Origin: "decision-1", Approved: true, Exemplar: true, By: by, Reason: "approved",
		CaseText: text("One", "s", "first text")}
	first := b.addCase(c)
	if first.Number != 1 || first.Version != 1 || first.Label() != "Case #001" || first.Status != knowledge.Active {
		t.Fatalf("%+v", first)
	}
	if again := b.addCase(c); again.ID != first.ID || again.Version != 1 {
		t.Errorf("the same again made version %d", again.Version)
	}
	c.Guidance = "second text"
	if second := b.addCase(c); second.ID != first.ID || second.Version != 2 || second.Number != 1 {
		t.Errorf("%+v", second)
	}
	b.write(func(tx *db.Tx) error {
		return b.RetireCaseTx(tx, first.ID, knowledge.Change{By: by, Reason: "wrong", Version: 2})
	})
	for version, want := range map[int]string{1: "first text active", 2: "second text active",
		3: "second text retired"} {
		got, err := b.CaseAt(ctx, first.ID, version)
		if err != nil || got.Guidance+" "+got.Status != want || got.Version != version {
			t.Errorf("version %d: %+v, %v", version, got, err)
		}
	}
	versions, err := b.CaseVersions(ctx, first.ID)
	if err != nil || len(versions) != 3 || versions[0].Reason != "wrong" || versions[0].By.ID != "p1" ||
		versions[2].Case.Guidance != "first text" {
		t.Errorf("%+v, %v", versions, err)
	}
	if items, err := b.Search(ctx, knowledge.Query{Text: "second text"}, 5); err != nil || len(items) != 0 {
		t.Errorf("a retired case is found: %v, %v", items, err)
	}
	err = b.d.Write(ctx, func(tx *db.Tx) error { return b.RetireCaseTx(tx, "nobody", knowledge.Change{}) })
	if !fault.Is(err, fault.NotFound) {
		t.Errorf("retiring nothing: %v", err)
	}
}

func TestOriginIsOnePerAgent(t *testing.T) {
	b := setUp(t, knowledge.Options{})
	shared := b.addCase(knowledge.Case{Origin: "o", CaseText: text("One", "s", "g")})
	mine := b.addCase(knowledge.Case{Origin: "o", AgentID: "me", CaseText: text("One", "s", "g")})
	if shared.ID == mine.ID || mine.Number != 2 {
		t.Errorf("two agents share %v", mine.Label())
	}
	got, err := b.ofOrigin("me", knowledge.FromReview, "o")
	if err != nil || got.ID != mine.ID {
		t.Errorf("%v, %v", got, err)
	}
	b.write(func(tx *db.Tx) error {
		had, err := b.RetireOriginTx(tx, knowledge.FromReview, "o", knowledge.Change{Reason: "undone"})
		if !had {
			t.Error("nothing was retired")
		}
		return err
	})
	if s, _ := b.Sizes(ctx); s.Cases() != 0 {
		t.Errorf("%d cases are left", s.Cases())
	}
}

func TestExemplarsAreApprovedCasesOfTheTaskFirst(t *testing.T) {
	b := setUp(t, knowledge.Options{})
	add := func(title, task, domain string, approved bool, origin string) {
		b.addCase(knowledge.Case{Task: task, Domain: domain, Approved: approved, Exemplar: approved, Origin: origin,
			CaseText: text(title, "s", title)})
	}
	add("other", "tax", knowledge.PensionEducation, true, "o1")
	add("domain", "tax", knowledge.RiskDisclosure, true, "o2")
	add("task", "annuity", knowledge.PensionEducation, true, "o3")
	add("not approved", "annuity", knowledge.RiskDisclosure, false, "o4")
	add("the decision itself", "annuity", knowledge.RiskDisclosure, true, "o5")
	got, err := b.Exemplars(ctx, knowledge.ExemplarFilter{Task: "annuity", Domain: knowledge.RiskDisclosure, Not: "o5"},
		10)
	if err != nil || len(got) != 2 || got[0].Title != "task" || got[1].Title != "domain" {
		t.Errorf("%v, %v", got, err)
	}
	if all, _ := b.Exemplars(ctx, knowledge.ExemplarFilter{}, 3); len(all) != 3 {
		t.Errorf("%d exemplars without a filter", len(all))
	}
}

func TestRulesLiveByVersions(t *testing.T) {
	b := setUp(t, knowledge.Options{})
	r := b.addRule(knowledge.Rule{By: by, RuleText: principle("When a, do b because c")})
	if r.Status != knowledge.Candidate || r.Label() != "R-1" || r.Version != 1 {
		t.Fatalf("%+v", r)
	}
	b.write(func(tx *db.Tx) error {
		edited := r
		edited.Principle = "When a, do d because c"
		got, err := b.EditRuleTx(tx, edited)
		if err != nil {
			return err
		}
		got, err = b.SetRuleStatusTx(tx, r.ID, knowledge.Active,
			knowledge.Change{By: by, Reason: "accepted", Version: got.Version})
		if got.Version != 3 || got.Status != knowledge.Active {
			t.Errorf("%+v", got)
		}
		return err
	})
	err := b.d.Write(ctx, func(tx *db.Tx) error {
		_, err := b.EditRuleTx(tx, r)
		return err
	})
	if !fault.Is(err, fault.Conflict) {
		t.Errorf("editing what was not seen: %v", err)
	}
	if at1, err := b.RuleAt(ctx, r.ID, 1); err != nil || at1.Principle != "When a, do b because c" ||
		at1.Status != knowledge.Candidate {
		t.Errorf("%+v, %v", at1, err)
	}
	life, err := b.RuleVersions(ctx, r.ID)
	if err != nil || len(life) != 3 || life[0].Status != knowledge.Active || life[0].Reason != "accepted" ||
		life[2].Rule.Principle != "When a, do b because c" {
		t.Errorf("%+v, %v", life, err)
	}
	if n, err := b.RuleByNumber(ctx, 1); err != nil || n.Version != 3 {
		t.Errorf("%+v, %v", n, err)
	}
	if _, err := b.RuleByNumber(ctx, 2); !fault.Is(err, fault.NotFound) {
		t.Errorf("R-2: %v", err)
	}
}

func TestBadRulesAreRefused(t *testing.T) {
	b := setUp(t, knowledge.Options{})
	for name, r := range map[string]knowledge.Rule{
		"no principle": {Domain: knowledge.RiskDisclosure},
		"no domain":    {RuleText: principle("x")},
		"confidence": {Domain: knowledge.RiskDisclosure,
			RuleText: knowledge.RuleText{Principle: "x", Confidence: 1.5}},
	} {
		err := b.d.Write(ctx, func(tx *db.Tx) error { _, err := b.AddRuleTx(tx, r); return err })
		if !fault.Is(err, fault.Invalid) || len(fault.Fields(err)) == 0 {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestOnlyActiveRulesAreRecalledAndAtOnce(t *testing.T) {
	b := setUp(t, knowledge.Options{})
	r := b.addRule(knowledge.Rule{Domain: knowledge.RiskDisclosure,
		RuleText: principle("When a customer asks about an annuity, explain that it can't be changed later because " +
			"the choice is final")})
	q := knowledge.Query{Text: "should i buy an annuity"}
	for _, step := range []struct {
		status string
		want   string
	}{{"", ""}, {knowledge.Active, "R-1"}, {knowledge.Withdrawn, ""}, {knowledge.Active, "R-1"},
		{knowledge.Retired, ""}} {
		if step.status != "" {
			b.write(func(tx *db.Tx) error {
				_, err := b.SetRuleStatusTx(tx, r.ID, step.status, knowledge.Change{By: by})
				return err
			})
		}
		got, err := b.Recall(ctx, q)
		if err != nil || labels(got.Rules) != step.want {
			t.Errorf("%q: recalled %q, want %q; %v", step.status, labels(got.Rules), step.want, err)
		}
	}
	if report, err := b.index.Check(ctx); err != nil || len(report.Problems) > 0 {
		t.Errorf("%+v, %v", report, err)
	}
}

func TestAgentsSeeTheirOwnAndTheShared(t *testing.T) {
	b := setUp(t, knowledge.Options{})
	b.addCase(knowledge.Case{CaseText: text("Annuities", "asks about an annuity",
		"An annuity pays an income for life.")})
	b.addCase(knowledge.Case{AgentID: "me",
		CaseText: text("Annuities", "asks about an annuity", "An annuity pays a guaranteed income.")})
	b.addCase(knowledge.Case{AgentID: "them",
		CaseText: text("Annuities", "asks about an annuity", "An annuity is for life and guaranteed.")})
	b.addRule(knowledge.Rule{AgentID: "them", Status: knowledge.Active,
		RuleText: principle("When anybody asks, mention annuity rates because they vary")})
	for agent, want := range map[string]int{"": 1, "me": 2, "them": 3, search.AnyAgent: 4} {
		got, err := b.Search(ctx, knowledge.Query{AgentID: agent, Text: "annuity"}, 10)
		if err != nil || len(got) != want {
			t.Errorf("agent %q finds %v, want %d; %v", agent, labels(got), want, err)
		}
	}
}

func TestCasesAreFilteredByTaskUnlessItHasNone(t *testing.T) {
	b := setUp(t, knowledge.Options{})
	b.addCase(knowledge.Case{Task: pack.Annuity,
		CaseText: text("Annuity", "", "An annuity gives a guaranteed income for life.")})
	b.addCase(knowledge.Case{Task: pack.Tax,
		CaseText: text("Tax on an annuity", "", "Income from an annuity is taxed.")})
	for task, want := range map[string]int{"": 2, pack.General: 2, pack.Annuity: 1, pack.Tax: 1, pack.Divorce: 2} {
		got, err := b.Search(ctx, knowledge.Query{Text: "is an annuity taxed", Task: task}, 10)
		if err != nil || len(got) != want {
			t.Errorf("task %q: %v, want %d; %v", task, labels(got), want, err)
		}
	}
	got, err := b.Recall(ctx, knowledge.Query{Text: "is an annuity taxed", Task: pack.Tax})
	if err != nil || len(got.Cases) != 1 || got.Cases[0].Title != "Tax on an annuity" ||
		!strings.Contains(strings.Join(got.Cases[0].Why, " "), "same task") {
		t.Errorf("of a task with one case: %v, %v", got.Cases, err)
	}
	got, err = b.Recall(ctx, knowledge.Query{Text: "is an annuity taxed", Task: pack.Divorce})
	if err != nil || len(got.Cases) != 2 ||
		!strings.Contains(strings.Join(got.Cases[0].Why, " "), "all were searched") {
		t.Errorf("of a task with none: %v, %v", got.Cases, err)
	}
}

func TestWarningsAreNeverExamples(t *testing.T) {
	b := setUp(t, knowledge.Options{})
	b.addCase(knowledge.Case{CaseText: knowledge.CaseText{Title: "Annuity",
		Negative: "You should buy an annuity today."}})
	if got, err := b.Search(ctx, knowledge.Query{Text: "annuity"}, 5); err != nil || len(got) != 0 {
		t.Errorf("%v, %v", got, err)
	}
}

func TestRecentCasesComeFirstAmongLikes(t *testing.T) {
	b := setUp(t, knowledge.Options{})
	b.addCase(knowledge.Case{CaseText: text("Annuity", "asks", "An annuity gives a guaranteed income for life.")})
	b.clock.Advance(45 * 24 * time.Hour)
	b.addCase(knowledge.Case{CaseText: text("Annuity", "asks", "An annuity gives a guaranteed income for life!")})
	got, err := b.Recall(ctx, knowledge.Query{Text: "annuity"})
	if err != nil || labels(got.Cases) != "Case #002 Case #001" ||
		!strings.Contains(strings.Join(got.Cases[0].Why, " "), "recent") {
		t.Errorf("%v, %v", got.Cases, err)
	}
}

func TestSeedModeIsPlainCosine(t *testing.T) {
	b := setUp(t, knowledge.Options{Mode: knowledge.Seed})
	b.addCase(knowledge.Case{CaseText: text("Annuity", "", "An annuity gives a guaranteed income for life.")})
	b.clock.Advance(100 * 24 * time.Hour)
	got, err := b.Recall(ctx, knowledge.Query{Text: "annuity"})
	if err != nil || len(got.Cases) != 1 {
		t.Fatalf("%v, %v", got, err)
	}
	if it := got.Cases[0]; it.Legs.Lexical != 0 || it.Score != it.Legs.Cosine {
		t.Errorf("%+v", it)
	}
}

func TestUsageKeepsWhatWasShown(t *testing.T) {
	b := setUp(t, knowledge.Options{})
	c := b.addCase(knowledge.Case{Origin: "o", CaseText: text("Annuity", "asks", "First wording about an annuity.")})
	r := b.addRule(knowledge.Rule{Status: knowledge.Active,
		RuleText: principle("When a customer asks about an annuity, say a because b")})
	got, err := b.Recall(ctx, knowledge.Query{Text: "annuity"})
	if err != nil {
		t.Fatal(err)
	}
	record := func(used []knowledge.Used) (n int) {
		b.write(func(tx *db.Tx) (err error) { n, err = b.RecordUsageTx(tx, "i1", "mine", used); return err })
		return n
	}
	record(got.Shown(map[string]bool{r.ID: true}))
	foreign := b.addCase(knowledge.Case{Origin: "f", AgentID: "theirs",
		CaseText: text("Annuity", "asks", "Another agent's wording.")})
	if n := record([]knowledge.Used{{ID: c.ID, Cited: true}, {ID: "unknown"}, {ID: foreign.ID}}); n != 1 {
		t.Errorf("%d rows were written; what is unknown or another agent's does not count", n)
	}
	b.addCase(knowledge.Case{Origin: "o", CaseText: text("Annuity", "asks", "Second wording.")})
	used, err := b.Usage(ctx, "i1")
	if err != nil || len(used) != 2 {
		t.Fatalf("%+v, %v", used, err)
	}
	if u := used[0]; u.Text != "First wording about an annuity." || u.Version != 1 || u.Current != 2 || !u.Cited ||
		len(u.Why) == 0 || u.Label != "Case #001" {
		t.Errorf("%+v", u)
	}
	if u := used[1]; u.Label != "R-1" || !u.Cited || u.Kind != search.KindRule {
		t.Errorf("%+v", u)
	}
	// However much was shown, it takes as many statements.
	ask := func() int64 {
		before := b.d.Statements()
		if _, err := b.Usage(ctx, "i1"); err != nil {
			t.Fatal(err)
		}
		return b.d.Statements() - before
	}
	few := ask()
	for i := range 5 {
		c := b.addCase(knowledge.Case{Origin: fmt.Sprint("more", i),
			CaseText: text("Annuity", "asks", fmt.Sprint("Wording ", i))})
		record([]knowledge.Used{{ID: c.ID}})
	}
	if many := ask(); many != few || many > 3 {
		t.Errorf("%d statements for two items, %d for seven", few, many)
	}
	uses, err := b.UsesOf(ctx, c.ID, 10)
	if err != nil || len(uses) != 1 || uses[0].InteractionID != "i1" || !uses[0].Cited {
		t.Errorf("%+v, %v", uses, err)
	}
}

func TestListsPageByNumber(t *testing.T) {
	b := setUp(t, knowledge.Options{})
	for i := range 7 {
		b.addCase(knowledge.Case{CaseText: text(fmt.Sprint("Case ", i), "", fmt.Sprint("annuity number ", i))})
		b.addRule(knowledge.Rule{RuleText: principle(fmt.Sprintf("When a, do %d because c", i))})
	}
	var cases, rules []int
	for cursor, first := "", true; first || cursor != ""; first = false {
		page, next, err := b.Cases(ctx, knowledge.Filter{Limit: 3, Cursor: cursor})
		if err != nil {
			t.Fatal(err)
		}
		for _, c := range page {
			cases = append(cases, c.Number)
		}
		cursor = next
	}
	for cursor, first := "", true; first || cursor != ""; first = false {
		page, next, err := b.Rules(ctx, knowledge.Filter{Limit: 3, Cursor: cursor, Status: knowledge.Candidate})
		if err != nil {
			t.Fatal(err)
		}
		for _, r := range page {
			rules = append(rules, r.Number)
		}
		cursor = next
	}
	if want := "[7 6 5 4 3 2 1]"; fmt.Sprint(cases) != want || fmt.Sprint(rules) != want {
		t.Errorf("cases %v, rules %v", cases, rules)
	}
	if _, _, err := b.Cases(ctx, knowledge.Filter{Cursor: "x"}); !fault.Is(err, fault.Invalid) {
		t.Errorf("a made-up cursor: %v", err)
	}
	if found, _, err := b.Rules(ctx, knowledge.Filter{Text: "DO 5"}); err != nil || len(found) != 1 {
		t.Errorf("rules by text: %v, %v", found, err)
	}
}

func TestChangesAreAudited(t *testing.T) {
	b := setUp(t, knowledge.Options{})
	r := b.addRule(knowledge.Rule{By: by, RuleText: principle("When a, do b because c")})
	b.write(func(tx *db.Tx) error {
		_, err := b.SetRuleStatusTx(tx, r.ID, knowledge.Active, knowledge.Change{By: by, Reason: "fine"})
		return err
	})
	page, err := audit.List(ctx, b.d, audit.Filter{ObjectKind: "rule", ObjectID: r.ID})
	if err != nil {
		t.Fatal(err)
	}
	raw, _ := json.Marshal(page)
	for _, want := range []string{"rule.added", "rule.active", "p1"} {
		if !strings.Contains(string(raw), want) {
			t.Errorf("the audit log lacks %s: %s", want, raw)
		}
	}
}
