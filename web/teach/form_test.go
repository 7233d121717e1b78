package teach

import (
	"bytes"
	"net/url"
	"strings"
	"testing"

	"github.com/PuerkitoBio/goquery"
	"github.com/google/go-cmp/cmp"

	domain "preceptor/internal/pack"
	"preceptor/internal/platform/fault"
	"preceptor/internal/rule"
	"preceptor/views/statement"
)

// fields are what a browser sends of a form that is drawn so.
func fields(t testing.TB, e statement.Editor) url.Values {
	t.Helper()
	var b bytes.Buffer
	if err := statement.EditorView(e).Render(t.Context(), &b); err != nil {
		t.Fatal(err)
	}
	doc, err := goquery.NewDocumentFromReader(&b)
	if err != nil {
		t.Fatal(err)
	}
	out := url.Values{}
	doc.Find("input[name], textarea[name], select[name]").Each(func(_ int, c *goquery.Selection) {
		name, value := c.AttrOr("name", ""), c.AttrOr("value", "")
		_, checked := c.Attr("checked")
		switch {
		case (c.AttrOr("type", "") == "checkbox" || c.AttrOr("type", "") == "radio") && !checked:
			return
		case c.Is("textarea"):
			value = strings.TrimPrefix(c.Text(), "\n")
		case c.Is("select"):
			value = c.Find("option[selected]").AttrOr("value", c.Find("option").First().AttrOr("value", ""))
		}
		out.Add(name, value)
	})
	return out
}

func editor(f statement.Form) statement.Editor {
	p := domain.Of(domain.Pension)
	return statement.Editor{Form: f, Base: "/reviews/i1", Pack: p, Fields: statement.FieldsOf(p, domain.Situation{}),
		Private: true}
}

var everyCondition = []rule.Condition{
	{Kind: rule.Topic, Values: []string{"annuity"}},
	{Kind: rule.Field, Name: "age", Op: rule.Below, Values: []string{"55"}},
	{Kind: rule.Field, Name: "pensions", Op: rule.Has, Values: []string{"db", "dc"}, Not: true},
	{Kind: rule.Field, Name: "os", Op: rule.Is, Values: []string{"Windows 11"}},
	{Kind: rule.Field, Name: "goal", Op: rule.Known, Not: true},
	{Kind: rule.Mentions, Values: []string{"lump sum", "pot"}, Draft: true},
	{Kind: rule.Mentions, Values: []string{"transfer"}, Not: true},
	{Kind: rule.Like, Values: []string{"Can I cash it in?", "How do I take it all?"}, Wide: true},
	{Kind: rule.Scope, Values: []string{"language:go"}},
}

var everyAct = []rule.Act{
	{Kind: rule.Include, Text: "First paragraph.\n\nSecond one.", Place: rule.AtEnd},
	{Kind: rule.Never, Phrases: []string{"guaranteed to be the best", "buy it now"}},
	{Kind: rule.Replace, Swaps: []rule.Swap{{Say: "transfer value", Avoid: "pot"},
		{Say: "transfer values", Avoid: "pots"}}},
	{Kind: rule.Ask, Text: "When do you want to stop working?"},
	{Kind: rule.Point, Text: "MoneyHelper gives free guidance."},
	{Kind: rule.Other, Text: "Write warmly."},
}

func TestAStatementSurvivesTheForm(t *testing.T) {
	for _, a := range everyAct {
		st := rule.Statement{When: everyCondition, Do: a, Because: "people asked"}.Tidy()
		for _, one := range []bool{false, true} {
			e := editor(statement.Of(st, nil))
			e.One = one
			got := Read(fields(t, e)).Statements()
			if diff := cmp.Diff([]rule.Statement{st}, got); len(got) != 1 || got[0].Key() != st.Key() ||
				got[0].Because != st.Because {
				t.Errorf("%s, one %v: %s", a.Kind, one, diff)
			}
		}
	}
}

func TestTheSameConditionsHoldForEachTickedAct(t *testing.T) {
	f := statement.New([]rule.Chip{{Condition: everyCondition[0], On: true}, {Condition: everyCondition[1]}}).
		Compared(everyAct)
	for i := range f.Rows {
		f.Rows[i].On = i != 1
	}
	got := Read(fields(t, editor(f))).Statements()
	if len(got) != len(everyAct)-1 {
		t.Fatalf("%d statements of %d ticked rows", len(got), len(everyAct)-1)
	}
	for _, st := range got {
		if st.Do.Kind == rule.Never || len(st.When) != 1 || st.When[0].Kind != rule.Topic {
			t.Errorf("stated %+v", st)
		}
	}
}

func TestOnlyThisCustomerStatesNothing(t *testing.T) {
	f := statement.New(nil).Compared(everyAct)
	f.Only = true
	if got := Read(fields(t, editor(f))); !got.Only || got.Statements() != nil || len(got.Rows) != len(everyAct) {
		t.Errorf("only this customer: %v, %d statements, %d rows kept", got.Only, len(got.Statements()), len(got.Rows))
	}
}

func TestEverybodyOverrulesThePills(t *testing.T) {
	f := statement.New([]rule.Chip{{Condition: everyCondition[0], On: true}})
	if f.When[1].On {
		t.Error("everybody is ticked although nobody chose it")
	}
	f.When[1].On = true
	if got := f.Conditions(); len(got) != 1 || got[0].Values[0] != rule.Universal {
		t.Errorf("everybody and a topic: %+v", got)
	}
	f.When = append(f.When, statement.When{On: true, Typed: true, Condition: everyCondition[6]},
		statement.When{On: true, Typed: true, Condition: everyCondition[7]})
	if got := f.Conditions(); len(got) != 1 || got[0].Kind != rule.Mentions {
		t.Errorf("everybody whose question mentions it: %+v", got)
	}
}

func TestComparingAgainKeepsWhatSomebodyDid(t *testing.T) {
	f := statement.New(nil).Compared(everyAct[:3])
	f.Rows[1].On = true
	f.Rows[1].Act.Phrases = []string{"buy it"} // changed by hand
	f = f.Add(rule.Ask)
	f.Rows[3].Act.Text = "Since when?"
	f = Read(fields(t, editor(f)))
	got := f.Compared([]rule.Act{everyAct[0], everyAct[4]})
	var kinds []string
	for _, r := range got.Rows {
		kinds = append(kinds, r.Act.Kind)
	}
	if want := []string{rule.Include, rule.Point, rule.Never, rule.Ask}; !cmp.Equal(kinds, want) {
		t.Fatalf("rows %v, want %v", kinds, want)
	}
	if got.Rows[0].On || got.Rows[1].On || !got.Rows[2].On || got.Rows[2].Act.Phrases[0] != "buy it" ||
		got.Rows[3].Act.Text != "Since when?" {
		t.Errorf("rows %+v", got.Rows)
	}
}

// A revision that changes much would make a rule of each sentence: of several the person chooses.
func TestOneSuggestionIsTickedAndSeveralAreOffered(t *testing.T) {
	one := statement.New(nil).Compared(everyAct[:1])
	if !one.Rows[0].On {
		t.Error("the only suggestion isn't ticked")
	}
	many := one.Compared(everyAct[:3])
	if got := Read(fields(t, editor(many))).Statements(); len(many.Rows) != 3 || len(got) != 0 {
		t.Errorf("%d suggestions, %d of them ticked by nobody", len(many.Rows), len(got))
	}
	many.Rows[1].On = true
	if again := many.Compared(everyAct[:3]); again.Rows[0].On || !again.Rows[1].On || again.Rows[2].On {
		t.Errorf("what was chosen doesn't stay: %+v", again.Rows)
	}
}

func TestAKindIsChangedAndTheTextStays(t *testing.T) {
	form := fields(t, func() statement.Editor {
		e := editor(statement.Of(rule.Statement{Do: everyAct[5]}, nil))
		e.One = true
		return e
	}())
	for kind, said := range map[string]string{rule.Include: "Write warmly.", rule.Never: "Write warmly.",
		rule.Replace: "Write warmly."} {
		form.Set("teach.0.kind", kind)
		a := Read(form).Rows[0].Act
		if words := actWords(a); a.Kind != kind || !strings.Contains(words, said) {
			t.Errorf("as %s it says %q", kind, words)
		}
	}
}

func TestWhatHasToBeMendedStandsBesideItsRow(t *testing.T) {
	s := domain.Situation{Question: "What about my council pension?", Age: 61}
	f := statement.New(nil)
	for _, a := range []rule.Act{{Kind: rule.Include, Text: "Jane Smith, a transfer gives it up."}, {Kind: rule.Point},
		{Kind: rule.Ask, Text: "When?"}} {
		f.Rows = append(f.Rows, statement.Row{Act: a, On: true})
	}
	pass := func(rule.Statement) error { return nil }
	err := Mend(&f, s, []string{"Jane Smith"}, pass)
	if !fault.Is(err, fault.Invalid) || !strings.Contains(f.Rows[0].Wrong, "Jane Smith") ||
		!strings.Contains(f.Rows[1].Wrong, "Write where to point") || f.Rows[2].Wrong != "" || f.WrongWhen == "" {
		t.Fatalf("%v: rows %+v, when %q", err, f.Rows, f.WrongWhen)
	}
	f = statement.Form{When: []statement.When{{On: true, Condition: statement.Everybody()}}, Rows: f.Rows[2:]}
	if err := Mend(&f, s, nil, pass); err != nil {
		t.Errorf("a sound statement: %v", err)
	}
	f.Rows[0].On = false
	f.When = nil
	if err := Mend(&f, s, nil, pass); err != nil {
		t.Errorf("nothing ticked: %v", err)
	}
}

func TestLabelsAndAmountsBecomeValues(t *testing.T) {
	f := statement.Form{When: []statement.When{
		{On: true, Condition: rule.Condition{Kind: rule.Field, Name: "pensions", Op: rule.Has,
			Values: []string{domain.Of(domain.Pension).ValueLabel("pensions", "db")}}},
		{On: true, Condition: rule.Condition{Kind: rule.Field, Name: "db_value", Op: rule.Above,
			Values: []string{"£30,000"}}},
	}}
	InValues(&f, domain.Of(domain.Pension))
	if a, b := f.When[0].Condition.Values[0], f.When[1].Condition.Values[0]; a != "db" || b != "30000" {
		t.Errorf("values %q and %q", a, b)
	}
}

func FuzzReadStatement(f *testing.F) {
	f.Add("teach.0.kind=include&teach.0.on=1&teach.0.text=a&when.0.kind=field&when.0.name=age&when.0.how=not+below&when.0.values=55;56&when.0.on=1&because=x")
	f.Add("teach.999999999999.kind=never&teach.-1.kind=ask&teach.01.kind=ask&teach..kind=ask&when.0.kind=scope&when.0.value=universal")
	f.Add("teach.0.kind=replace&teach.0.say=a&teach.0.say=b&teach.0.avoid=%ff&only_customer=1")
	f.Fuzz(func(t *testing.T, query string) {
		form, err := url.ParseQuery(query)
		if err != nil {
			t.Skip()
		}
		read := Read(form)
		if len(read.Rows) > statement.MaxRows || len(read.When) > statement.MaxWhen {
			t.Fatalf("%d rows and %d conditions", len(read.Rows), len(read.When))
		}
		again := Read(fields(t, editor(read)))
		if a, b := read.Statements(), again.Statements(); len(a) != len(b) {
			t.Fatalf("%d statements, and %d when it is sent again", len(a), len(b))
		}
		if kept, ok := Kept(Keep(read)); ok && len(kept.Rows) != len(read.Rows) {
			t.Fatalf("%d rows kept of %d", len(kept.Rows), len(read.Rows))
		}
	})
}

// A row that a person has to mend is joined to what is wrong with it, and nothing is said twice.
func TestAMarkedRowNamesItsWordsOnce(t *testing.T) {
	f := statement.New(nil)
	f.Rows = []statement.Row{{On: true, Act: rule.Act{Kind: rule.Include, Text: "Jane Smith"},
		Words: []string{"Jane Smith"}}}
	for wrong, notes := range map[string]int{"": 1, "Make general or remove: “Jane Smith”.": 0} {
		f.Rows[0].Wrong = wrong
		var b bytes.Buffer
		if err := statement.RowsView(editor(f), false).Render(t.Context(), &b); err != nil {
			t.Fatal(err)
		}
		if got := strings.Count(b.String(), "About one person only"); got != notes {
			t.Errorf("%d notes with %q", got, wrong)
		}
	}
}
