package browsertest

import (
	"time"

	"github.com/a-h/templ"

	"preceptor/internal/knowledge"
	pairs "preceptor/internal/knowledge/conflict"
	"preceptor/internal/knowledge/credit"
	"preceptor/internal/learning"
	"preceptor/internal/pack"
	base "preceptor/views/knowledge"
	"preceptor/views/layout"
	"preceptor/views/statement"
)

func conflictSamples() []Sample {
	return []Sample{
		{"knowledge-conflicts", "Conflicts", func(f layout.Frame, w Words) templ.Component {
			return base.ConflictsPage(f, conflicts(w))
		}},
		{"knowledge-conflicts-settled", "Conflicts, settled", func(f layout.Frame, w Words) templ.Component {
			v := conflicts(w)
			v.Closed = true
			for i := range v.List {
				v.List[i].State, v.List[i].Outcome, v.List[i].By, v.List[i].Note = pairs.Settled, pairs.KeepBoth,
					w.Name, w.Reason
			}
			v.List[0].State, v.List[0].Note = pairs.Gone, "R-12 was reworded."
			return base.ConflictsPage(f, v)
		}},
		{"knowledge-conflicts-empty", "Conflicts, none", func(f layout.Frame, w Words) templ.Component {
			return base.ConflictsPage(f, base.Conflicts{Now: w.Now})
		}},
		{"knowledge-conflict", "Contradiction, with errors", func(f layout.Frame, w Words) templ.Component {
			v := conflictView(w, pairs.Contradiction)
			v.Message, v.Errors = "A reason is needed.",
				map[string]string{"note": "Say why they don't conflict.", "choice": "Choose one of these.",
					"text": "It does not read as a rule.", "side": "Choose one.",
					"situation": "Write what comes after “When”."}
			v.Answer = pairs.Answer{Choice: pairs.Narrow}
			of := pack.Of(pack.Pension)
			v.Whom = statement.Editor{Form: statement.New(chipsFor()), Pack: of,
				Fields: statement.FieldsOf(of, pack.Situation{})}
			v.Whom.WrongWhen = "Choose a topic, or add a condition."
			return base.ConflictPage(f, v)
		}},
		{"knowledge-conflict-merge", "Duplicate, with the merge proposed",
			func(f layout.Frame, w Words) templ.Component {
				return base.ConflictPage(f, conflictView(w, pairs.Duplicate))
			}},
		{"knowledge-conflict-read", "Conflict, for others", func(f layout.Frame, w Words) templ.Component {
			v := conflictView(w, pairs.Superseded)
			v.MaySettle = false
			return base.ConflictPage(f, v)
		}},
		{"knowledge-conflict-settled", "Conflict, settled", func(f layout.Frame, w Words) templ.Component {
			v := conflictView(w, pairs.Contradiction)
			v.Conflict.State, v.Conflict.Outcome, v.Conflict.Note, v.Conflict.By = pairs.Settled, pairs.KeepBoth,
				w.Reason, w.Name
			return base.ConflictPage(f, v)
		}},
		{"knowledge-conflict-cases", "Near-duplicate cases", func(f layout.Frame, w Words) templ.Component {
			k := *knownCase(w).Case
			c := pairs.Conflict{ID: "k4", Kind: pairs.Duplicate, ItemKind: pairs.OfCases, LeftID: "c1", RightID: "c2",
				State: pairs.Open, Version: 1, Why: w.Reason, FoundBy: "import", FoundAt: w.Now.Add(-time.Hour),
				Left: pairs.Item{Case: &k}, Right: pairs.Item{Case: &k}}
			return base.ConflictPage(f,
				base.ConflictView{Conflict: &c, Left: &base.Side{Item: c.Left}, Right: &base.Side{Item: c.Right},
					MaySettle: true, Now: w.Now})
		}},
		{"knowledge-unused", "Unused rule", func(f layout.Frame, w Words) templ.Component {
			r := sampleRule(w)
			c := pairs.Conflict{ID: "k5", Kind: pairs.Unused, ItemKind: pairs.OfRules, LeftID: r.ID, State: pairs.Open,
				Version: 1, Why: "No draft was shown it in the last 90 days.", FoundBy: "usage ledger", FoundAt: w.Now,
				Left: pairs.Item{Rule: &r}}
			return base.ConflictPage(f,
				base.ConflictView{Conflict: &c, Left: &base.Side{Item: c.Left}, MaySettle: true, Now: w.Now})
		}},
		{"knowledge-quarantine", "Quarantine, with errors", func(f layout.Frame, w Words) templ.Component {
			v := quarantined(w)
			v.TypedFor, v.Reason, v.Errors = "r12", w.Reason,
				map[string]string{"reason": "Say why, for people who read the rule's history."}
			return base.QuarantinePage(f, v)
		}},
		{"knowledge-quarantine-read", "Quarantine, for others", func(f layout.Frame, w Words) templ.Component {
			v := quarantined(w)
			v.MaySettle = false
			return base.QuarantinePage(f, v)
		}},
		{"knowledge-quarantine-empty", "Quarantine, empty", func(f layout.Frame, w Words) templ.Component {
			return base.QuarantinePage(f, base.Quarantine{Now: w.Now})
		}},
	}
}

func twoRules(w Words) (left, right knowledge.Rule) {
	left, right = sampleRule(w), sampleRule(w)
	right.ID, right.Number, right.Status, right.Principle = "r15", 15, knowledge.Candidate,
		"When the customer has a defined benefit pension, don't mention the guarantee because "+w.Goal
	return left, right
}

func conflicts(w Words) base.Conflicts {
	v := base.Conflicts{Counts: pairs.Counts{Open: 4, ByKind: map[string]int{}, Oldest: w.Now.Add(-50 * time.Hour)},
		Next: "n", Now: w.Now}
	for i, kind := range pairs.Kinds {
		v.Counts.ByKind[kind] = 1
		left, right := twoRules(w)
		c := pairs.Conflict{ID: "k" + string(rune('0'+i)), Kind: kind, ItemKind: pairs.OfRules, LeftID: left.ID,
			RightID: right.ID, State: pairs.Open, Why: w.Reason, FoundBy: "embedded detector",
			FoundAt: w.Now.Add(-time.Duration(50-i) * time.Hour), Left: pairs.Item{Rule: &left},
			Right: pairs.Item{Rule: &right}}
		if kind == pairs.Unused {
			c.RightID, c.Right = "", pairs.Item{}
		}
		v.List = append(v.List, c)
	}
	return v
}

func conflictView(w Words, kind string) base.ConflictView {
	left, right := twoRules(w)
	c := pairs.Conflict{ID: "k1", Kind: kind, ItemKind: pairs.OfRules, LeftID: left.ID, RightID: right.ID,
		State: pairs.Open, Version: 1, Why: w.Reason,
		FoundBy: "embedded detector", FoundAt: w.Now.Add(-time.Hour), Left: pairs.Item{Rule: &left},
		Right: pairs.Item{Rule: &right}}
	e := credit.Estimate{Effect: -.12, Low: -.21, High: -.03, Shown: 31, Approved: 14, Expected: 19.2, Helpful: 6.1,
		Harmful: 11.4, Asked: 9, Misled: 4}
	evidence := []base.Evidence{{CaseID: "c1", Number: 40, Title: w.Goal}}
	return base.ConflictView{Conflict: &c, MaySettle: true, Now: w.Now, Merged: w.Principle + ", and " + w.Goal,
		Left: &base.Side{Item: c.Left, Credit: e, Supporting: evidence, Counter: evidence,
			Lessons: []learning.Lesson{sampleLesson(w)}},
		Right: &base.Side{Item: c.Right}}
}

func quarantined(w Words) base.Quarantine {
	r, second := twoRules(w)
	r.Status, r.Reason = knowledge.Quarantined,
		"Drafts that were shown it went out unchanged 14 times of 31, where 19 were to be expected."
	e := conflictView(w, pairs.Contradiction).Left.Credit
	second.ReviewBy = w.Now.AddDate(0, 0, -3)
	third := second
	third.ID, third.Number, third.ReviewBy = "r16", 16, w.Now.AddDate(0, 0, 9)
	return base.Quarantine{MaySettle: true, Now: w.Now, Due: []knowledge.Rule{second, third},
		Cases: []base.DoubtfulCase{{Case: *knownCase(w).Case, Credit: e}},
		Rules: []base.Held{{Rule: r, Says: r.Principle, By: "what became of its drafts",
			Since: w.Now.Add(-26 * time.Hour), Credit: e, Shown: shown(w), Fresh: []learning.Lesson{sampleLesson(w)}}}}
}
