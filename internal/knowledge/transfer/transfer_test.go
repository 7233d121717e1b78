package transfer_test

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"preceptor/internal/audit"
	"preceptor/internal/knowledge"
	"preceptor/internal/knowledge/transfer"
	"preceptor/internal/llm/embedded"
	"preceptor/internal/pack"
	"preceptor/internal/platform/db"
	"preceptor/internal/platform/db/dbtest"
	"preceptor/internal/platform/fault"
	stated "preceptor/internal/rule"
	"preceptor/internal/search"
)

var (
	ctx = context.Background()
	by  = audit.Actor{Kind: audit.Person, ID: "p1", Name: "Ann"}
	eve = audit.Actor{Kind: audit.Person, ID: "p2", Name: "Eve"}
)

// base is one base with its door for files.
type base struct {
	t     failing
	d     *db.DB
	clock *dbtest.Clock
	*knowledge.Base
	files *transfer.Service
}

type failing interface {
	Helper()
	Fatal(args ...any)
	Fatalf(format string, args ...any)
}

func newBase(t testing.TB) base {
	clock := dbtest.NewClock()
	d := dbtest.NewAt(t, clock)
	kb := knowledge.New(d, search.New(d), embedded.New(), knowledge.Options{})
	return base{t, d, clock, kb, transfer.New(d, kb, transfer.Agents{})}
}

func (b base) write(f func(tx *db.Tx) error) {
	b.t.Helper()
	if err := b.d.Write(ctx, f); err != nil {
		b.t.Fatal(err)
	}
}

func (b base) export() string {
	b.t.Helper()
	f, err := b.files.Export(ctx, by)
	if err != nil {
		b.t.Fatal(err)
	}
	defer f.Close()
	var out bytes.Buffer
	if n, err := f.WriteTo(&out); err != nil || n != f.Size || int64(out.Len()) != n {
		b.t.Fatalf("wrote %d of %d: %v", n, f.Size, err)
	}
	return out.String()
}

func (b base) take(file string) (transfer.Report, error) {
	return b.files.Import(ctx, strings.NewReader(file),
		transfer.Options{Name: "base.jsonl", By: eve, Reason: "From the other office."})
}

func (b base) mustTake(file string) transfer.Report {
	b.t.Helper()
	rep, err := b.take(file)
	if err != nil {
		b.t.Fatalf("import: %v %+v", err, rep.Problems)
	}
	return rep
}

func (b base) addRule(r knowledge.Rule) knowledge.Rule {
	b.t.Helper()
	b.write(func(tx *db.Tx) (err error) {
		r, err = b.AddRuleTx(tx, r)
		return err
	})
	return r
}

func (b base) addCase(c knowledge.Case) knowledge.Case {
	b.t.Helper()
	b.write(func(tx *db.Tx) (err error) {
		c, err = b.AddCaseTx(tx, c)
		return err
	})
	return c
}

func text(says string) knowledge.RuleText {
	return knowledge.RuleOf(
		stated.Statement{When: []stated.Condition{{Kind: stated.Scope, Values: []string{stated.Universal}}},
			Do: stated.Act{Kind: stated.Include, Text: says}, Because: "it matters"}, pack.Of(""))
}

func rule(says string, cases ...string) knowledge.Rule {
	r := knowledge.Rule{Status: knowledge.Active, Domain: knowledge.RiskDisclosure, By: by, Reason: "accepted",
		RuleText: text(says)}
	r.Confidence, r.FCACompliant, r.Supporting, r.CreatedFrom = .75, true, cases, "lesson-1"
	return r
}

// lives are the items of a file as they were before they were brought in: without the versions by which rules wait
// here.
func lives(t failing, file string) (out []map[string]any) {
	t.Helper()
	_, body, _ := strings.Cut(file, "\n")
	for line := range strings.Lines(body) {
		var l map[string]any
		if err := json.Unmarshal([]byte(line), &l); err != nil {
			t.Fatal(err)
		}
		l["versions"] = slices.DeleteFunc(l["versions"].([]any), func(v any) bool {
			reason, _ := v.(map[string]any)["reason"].(string)
			return l["kind"] == "rule" && strings.Contains(reason, "(imported:")
		})
		out = append(out, l)
	}
	return out
}

func story(origin, says string) knowledge.Case {
	return knowledge.Case{Source: knowledge.FromReview, Origin: origin, Task: "db_transfer",
		Domain: knowledge.RiskDisclosure, Exemplar: true, Approved: true, By: by, Reason: "approved",
		CaseText: knowledge.CaseText{Title: says, Situation: "somebody of 58 asks about " + says,
			Guidance: "You could think about " + says + " <with care> & ask Pension Wise.", Negative: "Do it.",
			Flags: []knowledge.Flag{{Code: "stale_figure", Severity: "minor", Why: "old"}}}}
}

// small is a base with two cases and two rules that lived a little.
func small(t testing.TB) base {
	b := newBase(t)
	one := b.addCase(story("d1", "a transfer"))
	b.addCase(story("d2", "an annuity"))
	r := b.addRule(rule("there is a DB pension", one.ID))
	b.addRule(rule("somebody is in debt", one.ID))
	b.clock.Advance(time.Hour)
	r.RuleText, r.By, r.Reason = text("It can't be had back."), eve, "clearer"
	b.write(func(tx *db.Tx) error {
		if _, err := b.EditRuleTx(tx, r); err != nil {
			return err
		}
		return b.RetireCaseTx(tx, one.ID, knowledge.Change{By: eve, Reason: "stale"})
	})
	return b
}

func TestABaseComesBackAsItWas(t *testing.T) {
	from := small(t)
	file := from.export()
	if again := from.export(); again != file {
		t.Error("two exports of one base differ")
	}
	to := newBase(t)
	to.clock.Advance(1000 * time.Hour)
	rep := to.mustTake(file)
	if rep.Added != 4 || rep.Items != 4 || rep.Waiting != 2 ||
		rep.Changed+rep.Known+rep.Kept+rep.Renumbered+rep.Noted != 0 {
		t.Fatalf("%+v", rep)
	}
	come := to.export()
	if got, want := lives(t, come), lives(t, file); !reflect.DeepEqual(got, want) {
		t.Errorf("it came back as\n%v\nand was\n%v", got, want)
	}
	rules, _, err := to.Rules(ctx, knowledge.Filter{})
	if err != nil || len(rules) != 2 {
		t.Fatalf("%+v, %v", rules, err)
	}
	for _, r := range rules {
		if r.Status != knowledge.Candidate || r.Supporting != nil || !r.Provisional ||
			r.Confidence != knowledge.Untried || !r.FCACompliant || r.By.ID != eve.ID {
			t.Errorf("a rule that came in: %+v", r)
		}
	}
	q := knowledge.Query{Text: "an annuity", AgentID: knowledge.AnyAgent}
	was, err := from.Search(ctx, q, 10)
	if err != nil {
		t.Fatal(err)
	}
	was = slices.DeleteFunc(was, func(it knowledge.Item) bool { return it.Rule != nil })
	is, err := to.Search(ctx, q, 10)
	if err != nil || len(is) != len(was) || is[0].ID != was[0].ID || is[0].Legs.Vector == 0 {
		t.Errorf("the search finds %+v instead of %+v, %v", is, was, err)
	}
	log := audited(t, to.d)
	for _, want := range []string{"knowledge.import_begun", "knowledge.imported", rep.Header.SHA256,
		"From the other office."} {
		if !strings.Contains(log, want) {
			t.Errorf("the audit log does not say %q", want)
		}
	}
	if rep := to.mustTake(file); rep.Known != 4 || rep.Added+rep.Changed+rep.Kept != 0 {
		t.Errorf("again: %+v", rep)
	}
	if got := to.export(); got != come {
		t.Error("importing again changed something")
	}
}

func audited(t testing.TB, d *db.DB) string {
	page, err := audit.List(ctx, d, audit.Filter{Limit: 100})
	if err != nil {
		t.Fatal(err)
	}
	b, err := json.Marshal(page)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

func TestItMergesIntoAnotherBase(t *testing.T) {
	from := newBase(t)
	one := from.addCase(story("d1", "a transfer"))
	from.addCase(story("d2", "an annuity"))
	r := from.addRule(rule("there is a DB pension", one.ID))
	first := from.export()

	to := newBase(t)
	own := to.addCase(story("d1", "a transfer, told otherwise")) // the same origin, another id and text
	taken := to.addRule(rule("somebody is very young"))          // number 1 is taken
	rep := to.mustTake(first)
	if rep.Added != 2 || rep.Changed != 1 || rep.Renumbered != 1 || rep.Known+rep.Kept != 0 {
		t.Fatalf("%+v", rep)
	}
	c, err := to.Case(ctx, own.ID)
	if err != nil || c.Version != 2 || c.Title != "a transfer" || c.By.ID != eve.ID ||
		!strings.Contains(c.Reason, "From the other office.") || c.Number != own.Number {
		t.Errorf("%+v, %v", c, err)
	}
	got, err := to.RuleAt(ctx, r.ID, 1)
	if err != nil || got.Number != 2 || got.Supporting[0] != own.ID {
		t.Errorf("the rule's evidence is not the case that is here: %+v, %v", got, err)
	}
	if kept, err := to.Rule(ctx, taken.ID); err != nil || kept.Number != 1 {
		t.Errorf("%+v, %v", kept, err)
	}

	// What changes there changes no rule here, and is named.
	r.RuleText = text("It can't be had back.")
	from.write(func(tx *db.Tx) error {
		_, err := from.EditRuleTx(tx, r)
		return err
	})
	if rep := to.mustTake(from.export()); rep.Changed != 0 || rep.Known != 2 || rep.Kept != 1 ||
		!strings.Contains(rep.Notes[0].Why, "The file has a different text") {
		t.Errorf("%+v", rep)
	}
	if got, err := to.Rule(ctx, r.ID); err != nil || got.Version != 2 || got.Principle == r.Principle ||
		got.Status != knowledge.Candidate {
		t.Errorf("%+v, %v", got, err)
	}
	if rep := to.mustTake(first); rep.Known != 3 || rep.Changed != 0 {
		t.Errorf("an older file: %+v", rep)
	}
}

func TestNothingComesBackIntoUse(t *testing.T) {
	for _, status := range []string{knowledge.Quarantined, knowledge.Rejected, knowledge.Withdrawn, knowledge.Retired} {
		t.Run(status, func(t *testing.T) {
			from := newBase(t)
			r := from.addRule(rule("there is a DB pension"))
			c := from.addCase(story("d1", "a transfer"))
			before := from.export()
			to := newBase(t)
			to.mustTake(before)
			to.write(func(tx *db.Tx) error {
				if _, err := to.SetRuleStatusTx(tx, r.ID, status,
					knowledge.Change{By: by, Reason: "harm"}); err != nil {
					return err
				}
				return to.RetireCaseTx(tx, c.ID, knowledge.Change{By: by, Reason: "stale"})
			})
			r.RuleText = text("It was better.")
			from.write(func(tx *db.Tx) error {
				_, err := from.EditRuleTx(tx, r)
				return err
			})
			is := to.export()
			if rep := to.mustTake(before); rep.Known != 2 {
				t.Errorf("the old file: %+v", rep)
			}
			rep := to.mustTake(from.export())
			if rep.Kept != 1 || len(rep.Notes) != 1 || rep.Notes[0].Line != 3 ||
				!strings.Contains(rep.Notes[0].Why, status) {
				t.Errorf("the new file: %+v", rep)
			}
			if to.export() != is {
				t.Error("the base has changed")
			}
		})
	}
}

// sealed gives a body its header.
func sealed(body string) string {
	h := transfer.Header{Format: transfer.Format, Version: transfer.FormatVersion}
	for line := range strings.Lines(body) {
		var l struct {
			Kind     string `json:"kind"`
			Versions []any  `json:"versions"`
		}
		_ = json.Unmarshal([]byte(line), &l) // broken lines count for nothing
		switch l.Kind {
		case "case":
			h.Cases, h.CaseVersions = h.Cases+1, h.CaseVersions+len(l.Versions)
		case "rule":
			h.Rules, h.RuleVersions = h.Rules+1, h.RuleVersions+len(l.Versions)
		}
	}
	sum := sha256.Sum256([]byte(body))
	h.SHA256 = hex.EncodeToString(sum[:])
	b, _ := json.Marshal(h)
	return string(b) + "\n" + body
}

func TestABadFileBringsNothingIn(t *testing.T) {
	file := small(t).export()
	head, body, _ := strings.Cut(file, "\n")
	if sealed(body) != file {
		t.Fatal("the test's header is not the program's")
	}
	lines := strings.SplitAfter(strings.TrimSuffix(body, "\n"), "\n")
	lines[3] += "\n"
	with := func(i int, old, new string) string {
		t.Helper()
		l := strings.Clone(lines[i])
		if !strings.Contains(l, old) {
			t.Fatalf("line %d has no %q", i, old)
		}
		all := append([]string(nil), lines...)
		all[i] = strings.Replace(l, old, new, 1)
		return sealed(strings.Join(all, ""))
	}
	long := strings.Repeat("x", transfer.MaxLine)
	to := newBase(t)
	for name, c := range map[string]struct {
		file string
		line int
		why  string
	}{
		"empty":            {"", 1, "not the header"},
		"no header":        {body, 1, "not the header"},
		"another format":   {strings.Replace(file, transfer.Format, "other", 1), 1, "other"},
		"another version":  {strings.Replace(file, `"version":1,`, `"version":2,`, 1), 1, "version 2"},
		"a changed letter": {head + "\n" + strings.Replace(body, "annuity", "Annuity", 1), 1, "SHA-256"},
		"a missing line":   {head + "\n" + strings.Join(lines[:3], ""), 1, "the file has 2, 3, 1"},
		"half a line":      {sealed(strings.Join(lines[:3], "") + lines[3][:40] + "\n"), 5, "cut off"},
		"an unknown field": {with(1, `"kind"`, `"colour":"red","kind"`), 3, "colour"},
		"a field twice":    {with(1, `"number":2`, `"number":2,"Number":3`), 3, "twice"},
		"a wrong kind":     {with(1, `"number":2`, `"number":"2"`), 3, "number"},
		"not UTF-8":        {with(1, "annuity", "\xff"), 3, "UTF-8"},
		"NUL":              {with(1, "annuity", `\u0000`), 3, "NUL"},
		"no such status":   {with(1, `"status":"active"`, `"status":"golden"`), 3, "golden"},
		"no such domain":   {with(3, `"domain":"risk_disclosure"`, `"domain":"astrology"`), 5, "astrology"},
		"a foreign id":     {with(1, `"id":"`, `"id":"x`), 3, "id"},
		"confidence":       {with(3, `"confidence":0.75`, `"confidence":7.5`), 5, "confidence"},
		"no principle": {
			with(3, `"principle":"When giving guidance to anybody, include “somebody is in debt” because it matters"`,
				`"principle":" "`), 5, "principle"},
		"versions":          {with(2, `"version":2`, `"version":1`), 4, "does not follow"},
		"the number twice":  {with(1, `"number":2`, `"number":1`), 3, "#001"},
		"the origin twice":  {with(1, `"origin":"d2"`, `"origin":"d1"`), 3, "origin"},
		"a rule before":     {sealed(lines[2] + lines[0] + lines[1] + lines[3]), 3, "before rules"},
		"a case of a rule":  {with(3, `"kind":"rule"`, `"kind":"case"`), 5, "source"},
		"a strange time":    {with(1, `"at":"2`, `"at":"9`), 3, "time"},
		"somebody unknown":  {with(1, `"kind":"person"`, `"kind":"god"`), 3, "who wrote"},
		"erased and in use": {with(1, `"at":"2`, `"erased_at":"2026-01-01T00:00:00Z","at":"2`), 3, "erased"},
		"a very long line":  {head + "\n" + long + "y\n", 2, "longer"},
		"two objects":       {with(1, "}\n", "} {}\n"), 3, "behind its end"},
	} {
		rep, err := to.take(c.file)
		if !fault.Is(err, fault.Invalid) || rep.Bad == 0 || rep.Problems[0].Line != c.line ||
			!strings.Contains(rep.Problems[0].Why, c.why) {
			t.Errorf("%s: %v, %+v", name, err, rep.Problems)
		}
		if got := to.export(); strings.Count(got, "\n") != 1 {
			t.Errorf("%s: something came in", name)
		}
	}
	if _, err := to.files.Import(ctx, strings.NewReader(file), transfer.Options{By: eve, Reason: " "}); !fault.Is(err,
		fault.Invalid) {
		t.Errorf("without a reason: %v", err)
	}
}

func TestAnImportThatWasCutOffIsCompletedByTheNext(t *testing.T) {
	from := newBase(t)
	for i := range 450 {
		from.addCase(story(fmt.Sprint("d", i), fmt.Sprint("question ", i)))
	}
	file := from.export()
	to := newBase(t)
	cut, cancel := context.WithCancel(ctx)
	rep, err := to.files.Import(cut, strings.NewReader(file),
		transfer.Options{By: eve, Reason: "r", Progress: func(done, _ int) {
			if done >= 200 {
				cancel()
			}
		}})
	if err == nil || rep.Added != 200 || rep.Items != 200 {
		t.Fatalf("%v %+v", err, rep)
	}
	if rep := to.mustTake(file); rep.Known != 200 || rep.Added != 250 {
		t.Errorf("%+v", rep)
	}
	if to.export() != file {
		t.Error("the second import did not complete the first")
	}
}

func TestAgentsGoByName(t *testing.T) {
	from := newBase(t)
	c := story("d1", "a transfer")
	c.AgentID = "id-there"
	from.addCase(c)
	from.files = transfer.New(from.d, from.Base,
		transfer.Agents{Names: func(context.Context) (map[string]transfer.Agent, error) {
			return map[string]transfer.Agent{"id-there": {Name: "it-helpdesk", Pack: "general"}}, nil
		}})
	file := from.export()
	if strings.Contains(file, "id-there") || !strings.Contains(file, `"agent":"it-helpdesk"`) {
		t.Fatalf("%s", file)
	}
	to := newBase(t)
	to.files = transfer.New(to.d, to.Base, transfer.Agents{
		Names: func(context.Context) (map[string]transfer.Agent, error) {
			return map[string]transfer.Agent{"id-here": {Name: "it-helpdesk", Pack: "general"}}, nil
		},
		Ensure: func(_ context.Context, a transfer.Agent) (string, error) {
			if a.Pack != "general" {
				t.Errorf("the agent comes in as %+v", a)
			}
			return "id-here", nil
		},
	})
	embedded := 0
	to.files.Embed = func(context.Context) error { embedded++; return nil }
	to.mustTake(file)
	if got := to.export(); got != file || embedded != 1 {
		t.Errorf("%s, %d", got, embedded)
	}
}

func active(t failing, b base) []knowledge.Rule {
	t.Helper()
	list, _, err := b.Rules(ctx, knowledge.Filter{Status: knowledge.Active})
	if err != nil {
		t.Fatal(err)
	}
	return list
}

// A rule that nothing tested comes without a confidence, and is known again.
func TestAnUntestedRuleHasNoConfidenceInAFile(t *testing.T) {
	from := newBase(t)
	r := rule("an annuity is for life")
	r.Confidence = knowledge.Untried
	from.addRule(r)
	file := from.export()
	if strings.Contains(file, "confidence") {
		t.Error(file)
	}
	if rep := from.mustTake(file); rep.Known != 1 || rep.Changed != 0 {
		t.Errorf("brought in where it is: %+v", rep)
	}
	to := newBase(t)
	to.mustTake(file)
	if list, _, err := to.Rules(ctx, knowledge.Filter{}); err != nil || len(list) != 1 || !list[0].Untested() {
		t.Errorf("%+v, %v", list, err)
	}
}
