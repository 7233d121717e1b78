package browsertest

import (
	"encoding/json"
	"fmt"
	"strings"
	"time"

	"github.com/a-h/templ"

	"preceptor/internal/advisor"
	"preceptor/internal/audit"
	"preceptor/internal/interaction"
	"preceptor/internal/learning"
	"preceptor/internal/review"
	"preceptor/views/layout"
	"preceptor/views/reviews"
	"preceptor/views/statement"
	"preceptor/views/ui"
)

const me, other = "p1", "p2"

func caseIn(change func(*reviews.Case)) func(layout.Frame, Words) templ.Component {
	return func(f layout.Frame, w Words) templ.Component {
		v := sampleCase(w)
		change(&v)
		return reviews.CasePage(f, v)
	}
}

func sampleInteraction(w Words) *interaction.Interaction {
	age, db, dc, vulnerable := 58, 310_000.0, 42_000.0, true
	return &interaction.Interaction{
		ID: "i1", AgentID: "a1", AgentName: w.Agent, Origin: interaction.OriginAPI, Status: interaction.Waiting,
		Consultation: interaction.Consultation{
			TaskType: "db_transfer", Question: w.Question,
			Customer: interaction.Customer{
				Name: w.Name, Age: &age, Literacy: "low", Vulnerable: &vulnerable, Goal: w.Goal,
				Pensions: []interaction.Pension{{Kind: "db", ValueGBP: &db, Features: []string{"spouse's pension"}},
					{Kind: "dc", ValueGBP: &dc}},
				Extra: map[string]any{"marital_status": "married", "health": w.Goal, "dependants": json.Number("2")},
			},
		},
		Guidance: w.Draft, Reasoning: "The customer asks about the transfer value. Retrieved the section on tax-free " +
			"cash and the section on drawdown; composed an answer from both.",
		Drafter: "embedded advisor", CreatedAt: w.Now.Add(-26 * time.Hour),
	}
}

func sampleFlags(w Words) []review.Flag {
	flags := []review.Flag{
		{Code: "MISSING_DB_WARNING", Severity: review.Critical,
			Why: "The guaranteed income given up by a transfer is never mentioned.", Reference: "COBS 19.1"},
		{Code: "PERSONAL_RECOMMENDATION", Severity: review.Critical,
			Why: "It tells this customer what to do. Guidance may describe options; a recommendation needs an " +
				"authorised adviser.", Reference: "PERG 12.6"},
		{Code: "MISSING_SIGNPOST", Severity: review.Major,
			Why: "It doesn't say where free or regulated help is to be had.", Reference: "COBS 19.7"},
	}
	for i, words := range []string{"you could take £77,500 tax free straight away", "You should transfer it soon"} {
		if at := strings.Index(w.Draft, words); at >= 0 {
			start := len([]rune(w.Draft[:at]))
			flags[i].Start, flags[i].End, flags[i].Quote = start, start+len([]rune(words)), words
		}
	}
	return flags
}

func sampleCase(w Words) reviews.Case {
	in := sampleInteraction(w)
	a := review.Assessment{Label: "NON_COMPLIANT", Blocked: true, Confidence: .93, Flags: sampleFlags(w),
		Source: "three checks"}
	row := sampleRow(w, 0)
	row.ID, row.Assessment = in.ID, a
	row.Claim = review.Claim{By: review.Person{ID: me, Name: "Ann Archer"}, Since: w.Now.Add(-20 * time.Second),
		Until: w.Now.Add(9*time.Minute + 40*time.Second)}
	return reviews.Case{
		Item: &review.Item{Row: row, Text: w.Draft}, In: in, Flags: a.Flags, Assessment: a,
		Targets: reviews.DefaultTargets, Knowledge: sampleKnowledge(w),
		Cuts: []reviews.Cut{{Cut: advisor.Cut{Source: "Case #003", Text: w.Goal, Why: "The section is long."},
			Key: "cut-0"}}, History: sampleHistory(w),
		Pos: 3, Total: 17, Prev: "i0", Next: "i2", Viewer: me, Now: w.Now,
		Form: reviews.Form{Text: w.Draft}, Rail: rail(w), Similar: sampleSimilar(w),
	}
}

func sampleKnowledge(w Words) []reviews.Known {
	return []reviews.Known{
		{Kind: "rule", Label: "Rule R-71 v3", Href: "/knowledge/rules/r1",
			Text: "When a customer asks about tax-free cash, say that it is usually a quarter of each pot because " +
				"the rule is often misread as a quarter of everything", Why: []string{"same task", "says “tax free”"}},
		{Kind: "case", Label: "Case C-213", Href: "/knowledge/cases/c1",
			Text: "58, DB pension of £280,000, asked what the transfer offer means. Explained what is given up, " +
				"signposted advice.", Why: []string{"near in meaning", "same kind of pension"}},
		{Kind: "case", Label: "Case C-40", Href: "/knowledge/cases/c2", Text: w.Goal, Why: []string{"near in meaning"},
			Stale: "figures out of date"},
	}
}

func sampleHistory(w Words) []interaction.Event {
	return []interaction.Event{
		{At: w.Now.Add(-26 * time.Hour), Kind: "submitted", Actor: audit.Actor{Kind: "agent", Name: w.Agent}},
		{At: w.Now.Add(-3 * time.Hour), Kind: "skipped", Actor: audit.Actor{Kind: "person", Name: "Ben Carter"},
			Note: "I know this customer."},
	}
}

func clean(v *reviews.Case) {
	v.Assessment = review.Assessment{Label: "COMPLIANT_GUIDANCE", Passed: true, Confidence: .91}
	v.Flags = nil
	v.Item.CreatedAt = v.Now.Add(-40 * time.Minute)
}

func revising(v *reviews.Case) {
	w := Plain(v.Now)
	v.Mode = "revise"
	v.Form = reviews.Form{Text: w.Revised, Reason: w.Reason,
		Errors: map[string]string{"reason": "Say what was wrong, in a sentence."}, Teach: stated(w),
		Message: "Something is missing before this can be decided."}
	v.Preview, v.Wording = statedPreview(w), map[string]string{"MISSING_SIGNPOST": w.Principle}
	v.Check = &reviews.Check{Changes: ui.WordDiff(v.In.Guidance, w.Revised),
		Assessment: review.Assessment{Label: "COMPLIANT_GUIDANCE", Passed: true, Confidence: .88,
			Flags: []review.Flag{{Code: "MISSING_SIGNPOST", Severity: review.Minor,
				Why: "Say where free help is to be had, as MoneyHelper or Pension Wise."}}}}
}

func rejecting(v *reviews.Case) {
	v.Mode = "reject"
	v.Form = reviews.Form{Reason: "She needs to talk to somebody.",
		Errors:  map[string]string{"reason_code": "Choose a reason."},
		Message: "Something is missing before this can be decided."}
	v.Form.Teach, v.Preview = statement.New(chipsFor()), &statement.Preview{None: "Nothing is stated yet."}
}

func taken(v *reviews.Case) {
	v.Item.Claim.By = review.Person{ID: other, Name: "Ben Carter"}
	v.Item.Claim.Until = v.Now.Add(6 * time.Minute)
}

func decided(v *reviews.Case) {
	w := Plain(v.Now)
	v.Item.State = "decided"
	v.Item.Claim = review.Claim{}
	v.Item.Decision = &review.Decision{ID: "d1", InteractionID: "i1", Kind: review.Revise, State: review.Released,
		By:   review.Person{ID: other, Name: "Ben Carter"},
		Text: w.Revised, Reason: w.Reason, Feedback: w.Feedback, DecidedAt: v.Now.Add(-2 * time.Hour),
		HeldUntil: v.Now.Add(-2 * time.Hour)}
	l := sampleLesson(w)
	v.Lesson = &l
}

func conflict(v *reviews.Case) {
	decided(v)
	v.Conflict = "Ben Carter revised it 4 s before you"
	w := Plain(v.Now)
	v.Form = reviews.Form{Text: w.Revised, Reason: w.Reason, Feedback: w.Feedback}
}

func sampleRow(w Words, i int) review.Row {
	r := []review.Row{
		{Task: "db_transfer", Why: "MISSING_DB_WARNING, PERSONAL_RECOMMENDATION, DB pension",
			Who: "58, DB £310k + DC £42k, literacy low, vulnerable", CreatedAt: w.Now.Add(-26 * time.Hour)},
		{Task: "consolidation", Why: "borderline", Who: "47, DC £31k + DC £12k + DC £8k, literacy medium",
			CreatedAt: w.Now.Add(-5 * time.Hour)},
		{Task: "tax_free_cash", Why: "", Who: "61, DC £80k, literacy high", CreatedAt: w.Now.Add(-70 * time.Minute)},
		{Task: "scams", Why: "vulnerable customer, MISSING_SIGNPOST", Who: "66, vulnerable",
			CreatedAt: w.Now.Add(-12 * time.Minute)},
		{Task: "state_pension", Why: "low confidence", Who: "", CreatedAt: w.Now.Add(-20 * time.Second)},
	}[i%5]
	questions := []string{w.Question, "Should I put my three old pots together?",
		"How much can I take without paying tax?",
		"Somebody rang and offered to unlock my pension early, is that right?", "When do I get it?"}
	r.ID, r.AgentID, r.AgentName, r.State, r.Version = fmt.Sprintf("i%d", i+1), "a1", w.Agent, "waiting", 1
	r.Opening = questions[i%5]
	if i%5 == 0 {
		r.Assessment.Flags = sampleFlags(w)[:2]
	}
	return r
}

func rail(w Words) reviews.Rail {
	l := sampleLesson(w)
	d := func(id, kind, state string, ago time.Duration) review.Decision {
		return review.Decision{ID: id, InteractionID: "i9", Kind: kind, State: state,
			By:        review.Person{ID: me, Name: "Ann Archer"},
			DecidedAt: w.Now.Add(-ago), HeldUntil: w.Now.Add(30*time.Second - ago), Opening: w.Question}
	}
	return reviews.Rail{Now: w.Now, Items: []reviews.RailItem{
		{Decision: d("d9", review.Approve, review.Held, 12*time.Second)},
		{Decision: d("d8", review.Revise, review.Released, 3*time.Minute), Lesson: &l},
		{Decision: d("d7", review.Reject, review.Escalated, 6*time.Minute)},
		{Decision: d("d6", review.Approve, review.Undone, 9*time.Minute)},
	}}
}

func sampleLesson(w Words) learning.Lesson {
	return learning.Lesson{ID: "l1", Origin: learning.Revise, DecisionID: "d8", InteractionID: "i9", AgentName: w.Agent,
		By: "Ann Archer", Task: "db_transfer",
		Stage: learning.StageAccept, State: learning.Waiting, Title: "Say what a DB transfer gives up",
		Domain:  learning.RegulatoryCompliance,
		Problem: "The draft described the cash of a transfer and never the guaranteed income that it gives up.",
		RootCause: "Nothing that the advisor was shown asks for the warning when the transfer value is mentioned in " +
			"passing.",
		Principle: w.Principle, RuleText: w.Principle, Confidence: .8, Helpful: 8, Tried: 10, Held: 3, MustNotFire: 3,
		RuleNumber: 12, RuleID: "r12",
		CreatedAt: w.Now.Add(-3 * time.Minute), UpdatedAt: w.Now.Add(-2 * time.Minute), Version: 5}
}
