package browsertest

import (
	"strconv"
	"time"

	"github.com/a-h/templ"

	"preceptor/internal/audit"
	"preceptor/internal/knowledge"
	"preceptor/internal/knowledge/credit"
	"preceptor/internal/knowledge/transfer"
	"preceptor/internal/knowledge/unanswered"
	"preceptor/internal/learning"
	"preceptor/internal/platform/table/imports"
	"preceptor/internal/review"
	base "preceptor/views/knowledge"
	"preceptor/views/layout"
	lessons "preceptor/views/learning"
	"preceptor/views/ui"
)

func knowledgeSamples() []Sample {
	return []Sample{
		{"knowledge", "Rules", func(f layout.Frame, w Words) templ.Component {
			return base.BrowsePage(f, browse(w, base.KindRules))
		}},
		{"knowledge-more", "More", func(f layout.Frame, w Words) templ.Component { return base.MorePage(f) }},
		{"knowledge-cases", "Cases", func(f layout.Frame, w Words) templ.Component {
			return base.BrowsePage(f, browse(w, base.KindCases))
		}},
		{"knowledge-found", "Knowledge, searched", func(f layout.Frame, w Words) templ.Component {
			return base.BrowsePage(f, searched(w))
		}},
		{"knowledge-found-none", "Knowledge, nothing near", func(f layout.Frame, w Words) templ.Component {
			return base.BrowsePage(f,
				base.Browse{Kind: base.KindRules, Query: w.Question, Nearest: true, Other: 3, Now: w.Now})
		}},
		{"knowledge-found-idle", "Knowledge, found out of use", func(f layout.Frame, w Words) templ.Component {
			v := browse(w, base.KindRules)
			v.Query, v.Nearest = w.Question, true
			return base.BrowsePage(f, v)
		}},
		{"knowledge-empty", "Knowledge, empty", func(f layout.Frame, w Words) templ.Component {
			return base.BrowsePage(f, base.Browse{Kind: base.KindRules, Now: w.Now})
		}},
		{"knowledge-documents", "Documents to check", func(f layout.Frame, w Words) templ.Component {
			return base.DocumentsPage(f,
				base.Documents{Cases: browse(w, base.KindCases).Cases[1:], Documents: 66, Now: w.Now})
		}},
		{"rule", "Rule", func(f layout.Frame, w Words) templ.Component { return base.RulePage(f, ruleView(w)) }},
		{"rule-quarantine", "Rule in quarantine, for an expert", func(f layout.Frame, w Words) templ.Component {
			return base.RulePage(f, harmful(w))
		}},
		{"rule-new", "Rule that nothing was shown yet", func(f layout.Frame, w Words) templ.Component {
			r := sampleRule(w)
			r.Status = knowledge.Candidate
			return base.RulePage(f, base.Rule{Rule: &r, Now: w.Now,
				Versions: []knowledge.Version{{Version: 1, Status: r.Status, CreatedAt: w.Now, Rule: &r.RuleText}}})
		}},
		{"rule-brought-in", "Rule from a file that waits, with errors", func(f layout.Frame, w Words) templ.Component {
			r := sampleRule(w)
			r.Status = knowledge.Candidate
			return base.RulePage(f, base.Rule{Rule: &r, Now: w.Now, MaySettle: true, Teach: ruleTeach(w),
				Reason: w.Reason, Message: "As you worded it the rule would not have come this far.",
				Errors:   map[string]string{"text": w.Reason, "why": "It is kept in the history of the rule."},
				Versions: []knowledge.Version{{Version: 1, Status: r.Status, CreatedAt: w.Now, Rule: &r.RuleText}}})
		}},
		{"rule-coming", "Rule that says something else from a day on", func(f layout.Frame, w Words) templ.Component {
			v := ruleView(w)
			v.Rule.ValidFrom = w.Now.AddDate(0, 1, 0)
			v.Versions[1].Status = knowledge.Active
			v.Versions[0].ValidFrom, v.Held = v.Rule.ValidFrom, &v.Versions[1]
			return base.RulePage(f, v)
		}},
		{"knowledge-case", "Case of knowledge", func(f layout.Frame, w Words) templ.Component {
			return base.CasePage(f, knownCase(w))
		}},
		{"unanswered", "Unanswered questions", func(f layout.Frame, w Words) templ.Component {
			return base.UnansweredPage(f, gaps(w, false))
		}},
		{"unanswered-aside", "Unanswered questions, put aside", func(f layout.Frame, w Words) templ.Component {
			return base.UnansweredPage(f, gaps(w, true))
		}},
		{"unanswered-none", "Unanswered questions, none", func(f layout.Frame, w Words) templ.Component {
			return base.UnansweredPage(f, base.UnansweredList{Now: w.Now})
		}},
		{"unanswered-group", "Unanswered questions of a group", func(f layout.Frame, w Words) templ.Component {
			q := base.Asked{Question: unanswered.Question{InteractionID: "i1", Text: w.Question, At: w.Now},
				Href: "/reviews/i1"}
			return base.UnansweredGroupPage(f,
				base.UnansweredGroup{Group: gaps(w, false).List[0], AgentName: w.Name, Questions: []base.Asked{q, q},
					MaySettle: true, Reason: w.Reason,
					Errors: map[string]string{"reason": w.Reason}, Now: w.Now})
		}},
		{"section", "Section to write, with errors", func(f layout.Frame, w Words) templ.Component {
			f.Title = "Write a section"
			return base.SectionPage(f,
				base.Section{Group: "g1", When: w.Question, Text: w.Goal, For: "a1",
					Whose: []ui.Option{{Value: "a1", Label: w.Name}}, Message: "This section can't be saved yet.",
					Errors: map[string]string{"title": "Give it a title.", "text": w.Reason}})
		}},
		{"knowledge-growth", "Growth", func(f layout.Frame, w Words) templ.Component {
			return base.GrowthPage(f, growth(w))
		}},
		{"knowledge-growth-empty", "Growth, empty", func(f layout.Frame, w Words) templ.Component {
			return base.GrowthPage(f, base.Growth{})
		}},
		{"knowledge-file", "Base as a file", func(f layout.Frame, w Words) templ.Component {
			return base.FilePage(f, fileOf(w, imports.Run{FinishedAt: w.Now},
				transfer.Report{Items: 1200, Added: 1100, Changed: 12, Known: 80, Kept: 8, Renumbered: 40, Waiting: 1,
					Noted: 48,
					Notes: []imports.Problem{
						{Line: 8, Why: "Case #012 stays as it is: it is not in use here (retired)."}}}))
		}},
		{"knowledge-file-running", "Base coming in", func(f layout.Frame, w Words) templ.Component {
			return base.FilePage(f, fileOf(w, imports.Run{Done: 400, Total: 1200}, transfer.Report{}))
		}},
		{"knowledge-file-bad", "Base that is broken", func(f layout.Frame, w Words) templ.Component {
			return base.FilePage(f,
				fileOf(w, imports.Run{Failure: "Nothing came in: there are 240 problems with the file."},
					transfer.Report{Bad: 240,
						Problems: []imports.Problem{{Line: 1,
							Why: "the file has changed since it was exported: its SHA-256 differs from the header's"},
							{Line: 12, Why: w.Reason}}}))
		}},
	}
}

// gaps are groups of questions that nothing answers.
func gaps(w Words, aside bool) base.UnansweredList {
	v := base.UnansweredList{Aside: aside, Names: map[string]string{"a1": w.Name},
		Agents: []ui.Option{{Label: "All agents"}, {Value: "a1", Label: w.Name}, {Value: "a2", Label: "Chat"}},
		Totals: unanswered.Totals{Groups: 2, Questions: 42}, MaySettle: true, Now: w.Now}
	for i, n := range []int{41, 1} {
		g := unanswered.Group{ID: "g" + strconv.Itoa(i), AgentID: "a1", Pack: "pension", Question: w.Question, Asked: n,
			LastAt: w.Now.Add(-time.Hour)}
		if aside {
			g.AsideAt, g.AsideBy, g.AsideWhy = w.Now, w.Name, w.Reason
		}
		v.List = append(v.List, g)
	}
	return v
}

func sampleRule(w Words) knowledge.Rule {
	return knowledge.Rule{ID: "r12", Number: 12, Version: 2, Status: knowledge.Active,
		Domain: knowledge.RegulatoryCompliance, CreatedAt: w.Now.Add(-72 * time.Hour), UpdatedAt: w.Now.Add(-time.Hour),
		Reason: "Edited and accepted by Edie Lindqvist.",
		RuleText: knowledge.RuleText{Title: "Say what a DB transfer gives up", Principle: w.Principle, Confidence: .8,
			Provisional: true}}
}

func helpful() credit.Estimate {
	return credit.Estimate{Effect: .064, Low: -.02, High: .15, Shown: 24, Approved: 19, Expected: 16.4, Helpful: 6.2,
		Harmful: 3.6, Asked: 4, Misled: 1}
}

func browse(w Words, kind string) base.Browse {
	c := knownCase(w).Case
	warning := *c
	warning.ID, warning.Number, warning.Guidance = "c2", 41, ""
	held := sampleRule(w)
	held.ID, held.Number, held.Status, held.Provisional = "r11", 11, knowledge.Quarantined, false
	v := base.Browse{Kind: kind, Next: "n", Now: w.Now,
		Agents:  []ui.Option{{Label: "All agents"}, {Value: "a", Label: w.Agent}},
		Effects: map[string]credit.Estimate{"r12": helpful(), "c1": helpful()},
		Used:    map[string]int{"r12": 31, "c1": 1}}
	if kind == base.KindRules {
		v.Rules = []knowledge.Rule{sampleRule(w), held}
	} else {
		v.Cases = []knowledge.Case{*c, warning}
	}
	return v
}

func searched(w Words) base.Browse {
	v := browse(w, base.KindRules)
	r := sampleRule(w)
	v.Query, v.Nearest, v.Rules, v.Next, v.More, v.Other = w.Question, true, nil, "", 12, 40
	v.Found = []knowledge.Item{{Kind: "rule", ID: r.ID, Label: r.Label(), Score: .71, Rule: &r,
		Why: []string{"found by meaning (place 1) and by words (place 3)", "regulatory compliance counts × 2.0"}}}
	return v
}

func shown(w Words) (out []base.Shown) {
	for i, f := range []*review.Result{nil, {Kind: review.Approve, By: w.Name, At: w.Now},
		{Kind: review.Revise, By: w.Name, At: w.Now}, {Kind: review.Reject, By: w.Name, At: w.Now},
		{Kind: review.Sampled, At: w.Now}} {
		out = append(out,
			base.Shown{Use: lessons.Use{InteractionID: "i1", Version: 1 + i%2, Cited: i == 1,
				At:   w.Now.Add(-time.Duration(i*20) * time.Minute),
				Href: []string{"/reviews/i1", "/interactions/i1", ""}[i%3]}, Result: f})
	}
	return out
}

func ruleView(w Words) base.Rule {
	r := sampleRule(w)
	first := r.RuleText
	first.Principle, first.Confidence = "When the customer has a DB pension, warn because the guarantee is lost", .6
	l := sampleLesson(w)
	l.CreatedAt = w.Now.Add(-4 * time.Hour)
	l.Steps = []learning.Step{{Name: learning.StageValidate, AnsweredBy: "embedded reasoner",
		At: w.Now.Add(-3 * time.Hour),
		Cases: []learning.CaseTest{{Kind: learning.TestExemplar, Verdict: learning.Helped},
			{Kind: learning.TestMustNotFire, Verdict: learning.Helped}}}}
	by := audit.Actor{Name: "Edie Lindqvist"}
	return base.Rule{Rule: &r, Now: w.Now, Shown: shown(w), ShownBefore: 212, Used: 31, AcceptedBy: by.Name,
		Lessons: []learning.Lesson{l},
		Evidence: []base.Evidence{{CaseID: "c1", Number: 40, Title: w.Goal},
			{CaseID: "c2", Number: 41, Title: w.Goal, Against: true}},
		Credit: helpful(),
		Versions: []knowledge.Version{{Version: 2, Status: knowledge.Active, By: by, Reason: r.Reason,
			CreatedAt: w.Now.Add(-30 * time.Minute), Rule: &r.RuleText},
			{Version: 1, Status: knowledge.Candidate, CreatedAt: w.Now.Add(-2 * time.Hour), Rule: &first}}}
}

// harmful is a rule in quarantine, whose form came back.
func harmful(w Words) base.Rule {
	v := ruleView(w)
	v.Rule.Status, v.Rule.Reason, v.MaySettle = knowledge.Quarantined,
		"It seems to do harm: 21 points fewer approvals, surely more than 3.", true
	v.Credit = credit.Estimate{Effect: -.21, Low: -.33, High: -.09, Shown: 48, Approved: 20, Expected: 31.2, Helpful: 7,
		Harmful: 18.2, Asked: 9, Misled: 7}
	v.Reason, v.Errors = w.Reason, map[string]string{"reason": "Say why."}
	return v
}

func knownCase(w Words) base.Case {
	flags := []knowledge.Flag{{Code: "stale_figure", Severity: "major", Quote: "£1,073,100",
		Why: "The lifetime allowance was abolished on 6 April 2024."}}
	c := &knowledge.Case{ID: "c1", Number: 40, Status: knowledge.Active, Source: knowledge.FromReview,
		Task: "db_transfer", Approved: true, Exemplar: true, Flags: flags, CreatedAt: w.Now.Add(-48 * time.Hour),
		UpdatedAt: w.Now.Add(-48 * time.Hour),
		CaseText: knowledge.CaseText{Title: w.Goal, Situation: w.Question, Guidance: w.Revised, Negative: w.Draft,
			Reasoning: w.Reason, Outcome: "Released", SuccessFactors: []string{"warning added", "signpost added"},
			Citation: "moving/transfer.md#what-you-give-up"}}
	return base.Case{Case: c, Now: w.Now, Shown: shown(w), Used: 1, Duplicates: []knowledge.Case{*c},
		Rules:  []base.Evidence{{RuleID: "r12", Number: 12, Title: w.Goal}},
		Credit: helpful(),
		Versions: []knowledge.Version{{Version: 1, Status: knowledge.Active, By: audit.Actor{Name: w.Name},
			CreatedAt: w.Now.Add(-48 * time.Hour), Case: &c.CaseText}}}
}

func growth(w Words) base.Growth {
	v := base.Growth{}
	for i := range 30 {
		p := base.GrowthPoint{End: w.Now.AddDate(0, 0, i-29), Consultations: 40 * i, Succeeded: 40 * i * 8 / 10}
		p.FromDrafts, p.Documents, p.Rules = 30*i+i%3*20, 812, 2*i+i%4
		v.Points = append(v.Points, p)
	}
	return v
}

func fileOf(w Words, run imports.Run, rep transfer.Report) base.File {
	run.Source, run.By, run.StartedAt = w.Agent+".jsonl", w.Name, w.Now.Add(-time.Minute)
	return base.File{Run: &run, Report: rep, Reason: w.Reason, Now: w.Now}
}
