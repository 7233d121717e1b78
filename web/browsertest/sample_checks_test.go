package browsertest

import (
	"time"

	"github.com/a-h/templ"

	"preceptor/internal/audit"
	"preceptor/internal/compliance"
	"preceptor/internal/compliance/checklist"
	"preceptor/internal/phrase"
	"preceptor/views/accounts"
	"preceptor/views/checks"
	"preceptor/views/layout"
	"preceptor/views/ui"
)

func checkSamples() []Sample {
	wide := func(view func(f layout.Frame, w Words) templ.Component) func(f layout.Frame, w Words) templ.Component {
		return func(f layout.Frame, w Words) templ.Component { f.Wide = true; return view(f, w) }
	}
	return []Sample{
		{"compliance-checks", "Checks, one asked to go off",
			wide(func(f layout.Frame, w Words) templ.Component { return checks.ListPage(f, checkList(w)) })},
		{"compliance-checks-none", "Checks, as shipped, for somebody who reads them",
			wide(func(f layout.Frame, w Words) templ.Component {
				v := checkList(w)
				v.Own, v.Of, v.MayWrite = nil, 0, false
				return checks.ListPage(f, v)
			})},
		{"compliance-check", "A check, tried, to put in place of the one before",
			wide(func(f layout.Frame, w Words) templ.Component { return checks.ShowPage(f, checkShow(w)) })},
		{"compliance-check-untried", "A check, not tried, its examples fail",
			wide(func(f layout.Frame, w Words) templ.Component {
				v := checkShow(w)
				v.Trial, v.Texts, v.InForce, v.On, v.Last, v.History = nil, nil, nil, false, nil, v.History[3:]
				v.Examples[0].OK = false
				v.Errors = accounts.Errors{"reason": "Say why, in at most 2000 characters: it stays on record.",
					"": "Version 2 was not tried yet. Try it first, then switch it on."}
				return checks.ShowPage(f, v)
			})},
		{"compliance-check-broken", "A check that this program can't run, seen by a manager",
			wide(func(f layout.Frame, w Words) templ.Component {
				v := checkShow(w)
				v.Broken, v.MayWrite, v.MayRead, v.Texts =
					"It is written as a regular expression, which Preceptor no longer runs. Write it again as phrases.",
					false, false, nil
				v.Trial.ExamplesOK = false
				return checks.ShowPage(f, v)
			})},
		{"compliance-check-shipped", "A shipped check, asked to go off, to agree to",
			wide(func(f layout.Frame, w Words) templ.Component { return checks.ShowPage(f, checkShipped(w)) })},
		{"compliance-check-shipped-mine", "A shipped check, asked to go off by me",
			wide(func(f layout.Frame, w Words) templ.Component {
				v := checkShipped(w)
				v.Waiting.Mine = true
				return checks.ShowPage(f, v)
			})},
		{"compliance-check-new", "Add a check", wide(func(f layout.Frame, w Words) templ.Component {
			return checks.FormPage(f, checks.Form{Severity: compliance.Minor, Codes: []string{compliance.Pressure}})
		})},
		{"compliance-check-reword", "Reword a check, with errors and its examples tried",
			wide(func(f layout.Frame, w Words) templ.Component {
				return checks.FormPage(f,
					checks.Form{CheckID: "c", Base: 2, Code: "HOUSE_STYLE", Title: w.Goal, Source: "Pot of gold",
						Severity: compliance.Major,
						Why:      w.Reason, Reference: w.Goal, Finds: w.Question, Leaves: w.Goal, Preview: true,
						Examples: checkExamples(w),
						Errors: accounts.Errors{"source": "It can't be read: “Pot of gold”: words stand in lower case.",
							"reason": "Say why. Your reason is kept on record."}})
			})},
	}
}

func wordings(w Words) (old, now *checklist.Wording) {
	by := audit.Actor{Kind: audit.Person, ID: "e", Name: w.Name}
	old = &checklist.Wording{ID: "w1", CheckID: "c", Version: 1, Code: "HOUSE_STYLE",
		Title: "Pension called a pot of gold", Source: "pot of gold\nnest egg~",
		Severity: compliance.Minor, Why: w.Reason, Reference: "House style 4",
		Finds: []string{"Your pot of gold is waiting."}, Leaves: []string{w.Goal}, Reason: w.Feedback, By: by,
		At: w.Now.Add(-400 * time.Hour)}
	next := *old
	next.ID, next.Version, next.Source, next.Severity, next.Reason, next.At = "w2", 2,
		"pot~ of gold\nnest egg~\ngolden .. years", compliance.Major, w.Reason, w.Now.Add(-3*time.Hour)
	return old, &next
}

func checkExamples(w Words) []checklist.Example {
	mark := []compliance.Issue{{Severity: compliance.Major, Span: [2]int{5, 16}}}
	return []checklist.Example{{Text: "Your pot of gold is waiting.", Finds: true, OK: true, Issues: mark},
		{Text: w.Question, OK: true}, {Text: "Your pot of gold has a tax-free part.", Issues: mark},
		{Text: w.Goal, Finds: true}}
}

func flipped(w Words, book int, on bool, state string) *checklist.Switch {
	s := &checklist.Switch{ID: "s", CheckID: "c", Version: 1, On: on, State: state, Book: book, Reason: w.Feedback,
		By: audit.Actor{Kind: audit.Person, ID: "e", Name: w.Name}, At: w.Now.Add(-200 * time.Hour)}
	if state == checklist.Refused {
		s.Answered, s.AnswerAt, s.Answer = audit.Actor{ID: "b", Name: "Bo"}, w.Now.Add(-100*time.Hour), w.Reason
	}
	return s
}

func checkList(w Words) checks.List {
	_, now := wordings(w)
	v := checks.List{Of: 480, MayWrite: true, Own: []checks.Row{
		{Check: checklist.Check{ID: "c", Newest: now, InForce: now, On: true,
			Last: flipped(w, 7, true, checklist.Done)}, Hits: 12, Examples: checkExamples(w)},
		{Check: checklist.Check{ID: "d", Newest: now}},
	}}
	for i, info := range compliance.Registry() {
		r := checks.Row{Check: checklist.Check{ID: info.Code, Shipped: true, Info: info, On: true}, Hits: 3 * i}
		switch info.Code {
		case compliance.Pressure:
			r.Asked = flipped(w, 0, false, checklist.Asked)
		case compliance.JargonForLiteracy:
			r.On, r.Last = false, flipped(w, 4, false, checklist.Done)
		}
		for _, text := range info.Finds {
			r.Examples = append(r.Examples, checklist.Example{Text: text, Finds: true, OK: true})
		}
		v.Shipped = append(v.Shipped, r)
	}
	return v
}

func checkShow(w Words) checks.Show {
	old, now := wordings(w)
	last := flipped(w, 7, true, checklist.Done)
	text := "Your pot of gold is waiting. " + w.Draft
	marks := []ui.Mark{{Start: 5, End: 16, Tone: ui.Amber}}
	return checks.Show{Check: checklist.Check{ID: "c", Newest: now, InForce: old, On: true, Last: last}, Version: 2,
		Wording: now, Examples: checkExamples(w)[:2], MayWrite: true, MayRead: true,
		Sources: []ui.Option{{Value: "gold:v", Label: w.Goal + ", version 3, 240 texts"},
			{Value: "desk", Label: "the newest 300 drafts that people decided on"}}, Source: "gold:v",
		Trial: &checklist.Trial{ID: "t", CheckID: "c", Version: 2,
			Source: checklist.Source{Kind: checklist.Gold, ID: "v", Name: w.Goal + ", version 3"}, ExamplesOK: true,
			By: audit.Actor{Name: w.Name}, At: w.Now.Add(-time.Hour),
			Figures: checklist.Figures{Of: 12_400, Texts: 4134, Fine: checklist.Counter{Texts: 2100, Hit: 3},
				Soft: checklist.Counter{Texts: 900, Hit: 4}, Bad: checklist.Counter{Texts: 1134, Hit: 17},
				Coded:   checklist.Counter{Texts: 19, Hit: 14},
				Checked: 21, Already: 15, Hits: []checklist.Hit{{Ref: "1"}}}},
		Texts: []checks.Shown{{Text: text, Label: "COMPLIANT_GUIDANCE", Kind: checklist.Alarm, Marks: marks},
			{Text: w.Draft, Label: "NON_COMPLIANT", Kind: checklist.Miss},
			{Text: text, Label: "BORDERLINE", Kind: checklist.Find, Marks: marks}},
		History: []checks.Event{{At: now.At, Wording: now, Before: old},
			{At: w.Now.Add(-100 * time.Hour), Switch: flipped(w, 0, false, checklist.Refused)},
			{At: last.At, Switch: last}, {At: old.At, Wording: old}}}
}

func checkShipped(w Words) checks.Show {
	info, _ := compliance.InfoOf(compliance.Pressure)
	v := checks.Show{Check: checklist.Check{ID: info.Code, Shipped: true, Info: info, On: true,
		Asked: flipped(w, 0, false, checklist.Asked)}, MayWrite: true, MayRead: true,
		Waiting: waitingChange(w),
		Sources: []ui.Option{{Value: "desk", Label: "the newest 300 drafts that people decided on"}}}
	v.Asked.Version = 0
	v.Examples = []checklist.Example{{Text: info.Finds[0], Finds: true, OK: true}, {Text: info.Leaves[0], OK: true}}
	v.Rules = []phrase.Head{{Name: "act-now", Why: "There is no such deadline.", Source: "PRIN 2A.2",
		Text: "find act|move now|today\nfind before it is too late ; last chance ; {f_hurry} ... " +
			"offer|window|deadline ends|closes|(runs out)\nwhy There is no such deadline.\n"}}
	v.Try = checks.TryText{Text: "Act now. " + w.Draft, Question: w.Question,
		Found: []compliance.Issue{{Severity: compliance.Critical, Span: [2]int{0, 7},
			Why: "There is no such deadline."}, {Severity: compliance.Major, Span: [2]int{9, 12}, Why: w.Reason}}}
	v.History = []checks.Event{{At: v.Asked.At, Switch: v.Asked}}
	return v
}
