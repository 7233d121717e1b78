package browsertest

import (
	"context"
	"io"

	"github.com/a-h/templ"

	"preceptor/internal/pack"
	"preceptor/internal/rule"
	"preceptor/views/layout"
	"preceptor/views/statement"
	"preceptor/views/ui"
)

// statementSamples are the form in which people state what should change, in every state.
func statementSamples() []Sample {
	in := func(change func(e *statement.Editor, w Words)) func(layout.Frame, Words) templ.Component {
		return func(f layout.Frame, w Words) templ.Component {
			e := statement.Editor{Form: stated(w), Base: "/reviews/i1", Pack: pack.Of(pack.Pension),
				Fields: statement.FieldsOf(pack.Of(pack.Pension), pack.Situation{}), TextID: "text", Private: true,
				Preview: statedPreview(w)}
			change(&e, w)
			return statementPage(f, e)
		}
	}
	return []Sample{
		{"statement", "What should change, with rows", in(func(*statement.Editor, Words) {})},
		{"statement-empty", "What should change, nothing yet", in(func(e *statement.Editor, _ Words) {
			e.Form, e.Preview = statement.New(chipsFor()), &statement.Preview{None: "Nothing is stated yet."}
		})},
		{"statement-words", "What should change, with words of this customer", in(func(e *statement.Editor, w Words) {
			e.Rows[0].Act.Text = "The council pension pays " + w.Name + " £310,000."
			e.Rows[0].Words = []string{"council", w.Name, "£310,000"}
		})},
		{"statement-wrong", "What should change, to be mended", in(func(e *statement.Editor, w Words) {
			e.Rows[0].Wrong, e.Rows[0].Words = "Make general or remove: “"+w.Name+"”.", []string{w.Name}
			e.Rows[2].Act.Swaps, e.Rows[2].Wrong = []rule.Swap{{Say: "transfer value"}},
				"Write both the term to use and the term it replaces."
			e.WrongWhen, e.WrongBecause = "Choose who this is for. For every customer, choose Everybody.",
				"At most 1200 characters."
			e.When = e.When[:1]
			e.When[0].On = false
		})},
		{"statement-added", "What should change, with rows added by hand", in(func(e *statement.Editor, _ Words) {
			e.Rows = nil
			for _, k := range statement.Kinds {
				e.Form = e.Form.Add(k)
			}
		})},
		{"statement-conditions", "What should change, with more conditions", in(func(e *statement.Editor, w Words) {
			e.When = append(e.When, statement.When{On: true, Typed: true,
				Condition: rule.Condition{Kind: rule.Field, Name: "literacy", Op: rule.Is,
					Values: []string{"low", "medium"}, Not: true}},
				statement.When{On: true, Typed: true,
					Condition: rule.Condition{Kind: rule.Mentions, Draft: true, Values: []string{"pot", "lump sum"}}},
				statement.When{On: true, Typed: true,
					Condition: rule.Condition{Kind: rule.Like, Wide: true, Values: []string{w.Question}}})
		})},
		{"statement-everybody", "What should change, for everybody",
			in(func(e *statement.Editor, _ Words) { e.When[len(e.When)-1].On = true })},
		{"statement-private", "What should change, for this customer only",
			in(func(e *statement.Editor, _ Words) { e.Only = true })},
		{"statement-guess", "A rule that was guessed", in(func(e *statement.Editor, w Words) {
			e.Form, e.Guessed, e.One, e.TextID, e.Private = statement.Of(
				rule.Statement{When: statedFor(), Do: rule.Act{Kind: rule.Include, Text: w.Revised}, Because: w.Reason},
				nil), "guessed from the edit", true, "", false
			e.Legend = "The rule"
		})},
		{"statement-clash", "A rule with others near it", in(func(e *statement.Editor, w Words) {
			e.Preview.Rules = e.Preview.Rules[:1]
			e.Preview.Rules[0].Known = &statement.Near{Label: "R-12", Href: "/knowledge/rules/r12",
				Sentence: w.Principle}
			e.Preview.Rules[0].Clashes = []statement.Near{
				{Label: "R-7", Href: "/knowledge/rules/r7", Sentence: w.Principle}}
			e.Preview.Rules[0].Notes = []string{"It has no reason yet. People who read it later will miss it."}
		})},
	}
}

func statedFor() []rule.Condition {
	return []rule.Condition{{Kind: rule.Topic, Values: []string{"db_transfer"}},
		{Kind: rule.Field, Name: "pensions", Op: rule.Has, Values: []string{"db"}},
		{Kind: rule.Field, Name: "age", Op: rule.Above, Values: []string{"55"}}}
}

func chipsFor() (out []rule.Chip) {
	for i, c := range statedFor() {
		out = append(out, rule.Chip{Condition: c, On: i < 2})
	}
	return out
}

// stated are rows as a revision gives them.
func stated(w Words) statement.Form {
	f := statement.New(chipsFor())
	f.Because = w.Reason
	f = f.Compared([]rule.Act{
		{Kind: rule.Include, Text: "It pays a guaranteed income for life, which usually rises with prices; a " +
			"transfer gives that up for good. " + w.Goal},
		{Kind: rule.Never,
			Phrases: []string{
				"You should transfer it soon, because transfer values have been falling since interest rates rose."}},
		{Kind: rule.Replace, Swaps: []rule.Swap{{Say: "transfer value", Avoid: "pot"}}},
		{Kind: rule.Include, Place: rule.AtStart, Text: "I am sorry to hear about your loss."},
	})
	for i := range f.Rows {
		f.Rows[i].On = true
	}
	return f
}

func statedPreview(w Words) *statement.Preview {
	ex := func(q string) statement.Example {
		return statement.Example{Question: q, Href: "/reviews/i9",
			Change: ui.WordDiff("The rest could stay invested.",
				"The rest could stay invested. A transfer gives a guaranteed income up for good.")}
	}
	e := statement.Effect{Sentence: "When the topic is DB transfer and your pensions includes DB pension, include " +
		"“It pays a guaranteed income for life”", Draft: ui.WordDiff(w.Draft, w.Revised),
		Changes: []statement.Example{ex("Should I move my NHS pension while the offer stands?"), ex(w.Question)},
		Stays: []statement.Example{{Question: "How much can I take from my pot without tax?", Href: "/reviews/i8"},
			{Question: "Where do I find a pension from a job in 1998?", Href: "/reviews/i7"}}}
	silent := statement.Effect{Sentence: "When the topic is DB transfer, never say “You should transfer it soon”",
		Same: true, Silent: "Stays as it is: the draft doesn't say it.", Stays: e.Stays[:1]}
	return &statement.Preview{Rules: []statement.Effect{e, silent}, More: 2}
}

// statementPage is the component in a form, as its pages have it.
func statementPage(f layout.Frame, e statement.Editor) templ.Component {
	inner := templ.ComponentFunc(func(ctx context.Context, w io.Writer) error {
		if _, err := io.WriteString(w, `<h1>`+templ.EscapeString(f.Title)+
			`</h1><form class="form card" method="post" action="/reviews/i1/revise" aria-label="Your revision" novalidate data-submit-key><label class="label" for="text">The text for the customer</label><textarea class="input" id="text" name="text"></textarea>`); err != nil {
			return err
		}
		if err := statement.EditorView(e).Render(ctx, w); err != nil {
			return err
		}
		_, err := io.WriteString(w,
			`<div class="form-actions"><button class="btn primary" type="submit">Send revision and next</button></div></form>`)
		return err
	})
	return templ.ComponentFunc(func(ctx context.Context, w io.Writer) error {
		return layout.Page(f).Render(templ.WithChildren(ctx, inner), w)
	})
}
