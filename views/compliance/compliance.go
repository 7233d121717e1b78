// Package compliance draws the experts' pages: the list of borderline cases, a case before and after one's own answer,
// adjudication, ratings, and the line that experts rule by.
//
// Nothing is hidden by a style or a fold: what a person may not see yet is not in the arguments (borderline.View).
package compliance

import (
	"slices"
	"strconv"
	"strings"
	"time"

	"preceptor/internal/compliance"
	"preceptor/internal/compliance/borderline"
	"preceptor/internal/compliance/rubric"
	"preceptor/internal/interaction"
	"preceptor/internal/learning"
	"preceptor/internal/pack"
	"preceptor/internal/policy"
	"preceptor/views/reviews"
	"preceptor/views/statement"
	"preceptor/views/ui"
)

// The tabs beside the lists of package borderline.
const (
	TabRatings   = "ratings"
	TabSentences = "sentences"
)

// List is the page of lists.
type List struct {
	Tab     string // a list of package borderline, or TabRatings
	Page    borderline.Page
	Counts  borderline.Counts
	Ratings []borderline.Rating // that wait for me
	Rated   []borderline.Rating // that I gave
	Ruled   []RuledSentence     // newest first
	Form    SentenceForm
	Viewer  borderline.Viewer
	First   string // address of the first page, once one has turned it
	Budgets []AgentBudget
	Bound   string            // on missed violations
	Stuck   []borderline.Case // that no expert can bring further
	Figures bool              // may read how judges do
	Now     time.Time
}

// AgentBudget is what experts can take of an agent's drafts, with its name.
type AgentBudget struct {
	borderline.Budget
	Agent string
}

func (b AgentBudget) words() string {
	limit := "no limit"
	if b.Share < 1 {
		limit = "limit " + ui.Percent(b.Share)
	}
	return b.Agent + ": " + strconv.Itoa(b.With) + " of the last " + ui.Count(b.Drafts, "draft") +
		" went to experts (" + limit + "); " + strconv.Itoa(b.Held) +
		" that the judges couldn't settle went to supervisors. What supervisors ask experts " +
		"counts and is always asked, even above the limit. Target " + policy.Span(b.Target)
}

func overdue(n int) string {
	if n == 0 {
		return ""
	}
	return " · " + strconv.Itoa(n) + " overdue"
}

// targets say when a case turns amber and red: its last quarter before the target, and after it.
func targets(since, target time.Time) reviews.Targets {
	late := target.Sub(since)
	return reviews.Targets{Soon: late / 4 * 3, Late: late}
}

func (v List) tabs() []ui.Tab {
	tab := func(label, list string, count int) ui.Tab {
		return ui.Tab{Label: label, Href: "/compliance?list=" + list, Count: count, Current: v.Tab == list}
	}
	list := []ui.Tab{tab("Waiting", borderline.ListWaiting, v.Counts.Waiting),
		tab("Needs adjudication", borderline.ListAdjudication, v.Counts.Adjudication)}
	if v.Counts.Late > 0 || v.Tab == borderline.ListLate {
		list = append(list, tab("Overdue", borderline.ListLate, v.Counts.Late))
	}
	if v.Tab == borderline.ListInTime {
		list = append(list, tab("Within target", borderline.ListInTime, v.Counts.Open()-v.Counts.Late))
	}
	return append(list, tab("Your answers", borderline.ListMine, -1), tab("Ruled", borderline.ListClosed, -1),
		tab("Ruled sentences", TabSentences, -1), tab("Quality ratings", TabRatings, v.Counts.Ratings))
}

func (v List) empty() (title, text string) {
	switch v.Tab {
	case borderline.ListMine:
		return "You have not answered a case yet", "Your answers appear here, with their outcomes."
	case borderline.ListAdjudication:
		return "Nothing needs adjudication",
			"A case appears here when the experts who were asked disagree. Another person then rules on it."
	case borderline.ListLate:
		return "Nothing is overdue", "A case appears here when it has waited for longer than its target."
	case TabSentences:
		return "No ruled sentences yet",
			"What experts call right or wrong on a borderline case appears here: for other experts after " +
				strconv.Itoa(int(borderline.UndoFor.Minutes())) + " minutes, when the ruling can't be undone any more."
	case borderline.ListClosed:
		return "No rulings yet", "Rulings appear here, with the answers behind them."
	}
	return "No borderline case is waiting", "Drafts the judges are least sure of appear here, up to the share the " +
		"review policy allows, along with those supervisors send."
}

// Case is the page of one case.
type Case struct {
	View     *borderline.View
	In       *interaction.Interaction
	Viewer   borderline.Viewer
	Rubric   compliance.Rubric
	Taxonomy rubric.Taxonomy
	Similar  []borderline.Precedent
	Mode     string // ModeChange: the form to answer otherwise is open
	Form     Form
	Remark   RemarkForm
	Lesson   *learning.Lesson  // what the ruling teaches; nil while it teaches nothing
	Teach    *statement.Editor // where the lesson waits for its sentence and the viewer may state it
	Now      time.Time
}

// RemarkForm is a comment as it was typed.
type RemarkForm struct {
	Key    string `form:"form_key"`
	Quote  string `form:"remark_quote"`
	Text   string `form:"remark"`
	Errors map[string]string
}

// ModeChange opens the form to change an answer.
const ModeChange = "change"

// Form is an answer as it was typed.
type Form struct {
	Label      string `form:"label"`
	Boundary   string `form:"boundary"`
	Confidence string `form:"confidence"`
	Rationale  string `form:"rationale"`
	Reason     string `json:"-"` // to close it
	Marks      []MarkField
	Clicks     []string          // on findings, as their values are
	Seconds    string            `form:"seconds"`
	Errors     map[string]string `json:"-"`
	Message    string            `json:"-"`
}

// MarkField is one row of the form: words, and what is wrong with them.
type MarkField struct {
	Code, Quote, Start, End string
}

// FormOf is an answer as the form to change it shows it.
func FormOf(a borderline.Answer) Form {
	f := Form{Label: string(a.Label), Boundary: a.Boundary,
		Confidence: strings.TrimSuffix(ui.Percent(a.Confidence), "%"), Rationale: a.Rationale}
	for _, m := range a.Marks {
		f.Marks = append(f.Marks, MarkField{Code: m.Code, Quote: m.Quote, Start: strconv.Itoa(m.Start),
			End: strconv.Itoa(m.End)})
	}
	return f
}

// rows are the marks of a form and empty ones to write into, three at least.
func (f Form) rows() []MarkField {
	out := append([]MarkField(nil), f.Marks...)
	out = append(out, MarkField{})
	for len(out) < 3 {
		out = append(out, MarkField{})
	}
	return out
}

func (v Case) href(tail string) string { return "/compliance/" + v.View.ID + tail }

// answers reports whether the form for a first answer is to be shown.
func (v Case) answers() bool {
	return v.View.State == borderline.Waiting && v.View.Blind == nil && v.View.WhyNot == "" && v.Viewer.Expert
}

// settles reports whether the viewer has answered and not yet kept or changed it.
func (v Case) settles() bool {
	return v.View.State == borderline.Waiting && v.View.Blind != nil && v.View.Last == nil
}

// rules reports whether the viewer can adjudicate.
func (v Case) rules() bool {
	return v.View.Decide || v.View.State == borderline.Adjudication && v.View.WhyNot == "" && v.Viewer.Expert
}

// undoable reports whether the viewer can take back what they did last.
func (v Case) undoable() bool {
	switch v.View.State {
	case borderline.Ruled:
		return v.View.Ruling != nil && v.View.WhyNoUndo == "" && (v.Viewer.Expert || v.Viewer.Decides)
	case borderline.Waiting:
		return v.View.Last != nil
	}
	return false
}

// phrases are the words that divided the judges, as marks of the text: numbered, and leading to their reasons.
func (v Case) phrases() []ui.Mark {
	if v.View.Panel == nil {
		return nil
	}
	var out []ui.Mark
	for i, p := range v.View.Panel.Pattern.Phrases {
		tone := ui.Amber
		if len(p.Against) == 0 {
			tone = ui.Neutral
		}
		out = append(out, ui.Mark{Start: p.Start, End: p.End, Number: i + 1, Tone: tone, Label: "what the judges say",
			Href: "#phrase-" + strconv.Itoa(i+1)})
	}
	for i, r := range v.View.Remarks {
		if r.OnWords() {
			out = append(out, ui.Mark{Start: r.Start, End: r.End, Number: v.number(i), Tone: ui.Accent,
				Label: "a comment on these words", Href: "#remark-" + r.ID})
		}
	}
	return out
}

// number is that of the i-th comment among the numbers of the text: those of phrases come first.
func (v Case) number(i int) int {
	n := len(v.View.Panel.Pattern.Phrases)
	for _, r := range v.View.Remarks[:i+1] {
		if r.OnWords() {
			n++
		}
	}
	return n
}

// comments reports whether the viewer may comment.
func (v Case) comments() bool { return v.View.Panel != nil && v.Viewer.Expert }

// standsAlone reports whether a vote is not that of the majority.
func standsAlone(v compliance.Vote, all []compliance.Vote) bool {
	same, said := 0, 0
	for _, o := range all {
		if o.Abstained {
			continue
		}
		said++
		if o.Passed == v.Passed {
			same++
		}
	}
	return !v.Abstained && 2*same < said
}

// LabelWords is a label as people say it.
func LabelWords(l compliance.Label) string {
	switch l {
	case compliance.Compliant:
		return "compliant guidance"
	case compliance.NonCompliant:
		return "non-compliant"
	case compliance.Borderline:
		return "borderline"
	}
	return string(l)
}

// madeBy says whose answers made a ruling, where nobody had to adjudicate.
func madeBy(answers []borderline.Answer, r borderline.Ruling) string {
	people := map[string]bool{}
	for _, a := range answers {
		if a.Step == borderline.Final {
			people[a.By.ID] = true
		}
	}
	if len(people) < 2 {
		return "Decided by " + r.By.Name + ", "
	}
	return "Decided by " + r.By.Name + ", who agree, "
}

func labelTone(l compliance.Label) (ui.Tone, string) {
	switch l {
	case compliance.Compliant:
		return ui.Green, "check"
	case compliance.NonCompliant:
		return ui.Red, "stop"
	}
	return ui.Amber, "warn"
}

// line has the words for the line of the text's pack.
func (v Case) line() pack.Line { return pack.Of(v.In.Consultation.Pack).Line }

// sureIs is how sure a judge or expert is of a side of the line.
func (v Case) sureIs(confidence float64, side string) string {
	i := slices.Index(borderline.Boundaries, side)
	if i < 0 {
		return ui.Percent(confidence) + " sure"
	}
	return ui.Percent(confidence) + " sure it is " + strings.ToLower(v.line().Sides[i])
}

func labelOptions() []ui.Option {
	return []ui.Option{{Value: string(compliance.Compliant), Label: "Compliant guidance", Key: "1"},
		{Value: string(compliance.Borderline), Label: "Borderline: needs rewording", Key: "2"},
		{Value: string(compliance.NonCompliant), Label: "Non-compliant", Key: "3"}}
}

// confidenceOptions are three, and whatever else an answer already says.
func confidenceOptions(chosen string) []ui.Option {
	list := []ui.Option{{Value: "60", Label: "Not very sure", Key: "7"}, {Value: "80", Label: "Fairly sure", Key: "8"},
		{Value: "95", Label: "Very sure", Key: "9"}}
	if n, err := strconv.Atoi(chosen); err == nil && !slices.ContainsFunc(list, func(o ui.Option) bool {
		return o.Value == chosen
	}) {
		list = append(list, ui.Option{Value: chosen, Label: strconv.Itoa(n) + "% sure"})
	}
	return list
}

// fieldName is a field of the forms as its label says it.
func fieldName(field string) string {
	name, ok := map[string]string{"label": "Verdict", "boundary": "Side of the boundary",
		"confidence": "How sure are you?", "rationale": "Why", "rating": "How good is it?", "note": "Note",
		"text": "New version", "reason": "Why", "remark": "Comment", "remark_quote": "Words"}[field]
	if !ok {
		return "Mark the problem"
	}
	return name
}

func stuckTitle(v List) string {
	return ui.Count(len(v.Stuck), "case has", "cases have") + " no expert left to decide it"
}

// asks reports whether the viewer has a form to fill in beside the text.
func (v Case) asks() bool { return v.answers() || v.rules() || v.settles() && v.Mode == ModeChange }

// lost is what was typed where the case, as it is now, has no form for it.
func (v Case) lost() string {
	if v.asks() {
		return ""
	}
	return v.Form.Rationale + v.Form.Reason
}

func (v Case) boundaryOptions() (out []ui.Option) {
	for i, b := range borderline.Boundaries {
		out = append(out, ui.Option{Value: b, Label: v.line().Sides[i], Key: strconv.Itoa(4 + i)})
	}
	return out
}

func codeOptions(t rubric.Taxonomy, now string) []ui.Option {
	out := []ui.Option{{Value: "", Label: "–"}}
	known := now == ""
	for _, k := range t.Issues {
		out = append(out, ui.Option{Value: k.Code, Label: k.Label})
		known = known || k.Code == now
	}
	if !known {
		out = append(out, ui.Option{Value: now, Label: now})
	}
	return out
}

func causeWords(p borderline.Panel) string {
	switch p.Cause {
	case borderline.Dissent:
		return "The judges disagree."
	case borderline.Sent:
		return p.SentBy + " sent it."
	}
	return "The panel is not sure."
}

func stateWords(c borderline.Case) (ui.Tone, string, string) {
	switch c.State {
	case borderline.Adjudication:
		return ui.Amber, "person", "needs adjudication"
	case borderline.Ruled:
		return ui.Neutral, "check", "ruled"
	case borderline.Overtaken:
		if c.Unresolved() {
			return ui.Neutral, "info", "closed as unresolved"
		}
		if c.Erased() {
			return ui.Neutral, "cross", "erased before a ruling"
		}
		return ui.Neutral, "undo", "supervisor decided first"
	}
	return ui.Accent, "clock", "waiting"
}

func task(t string) string { return pack.Label(t) }

// progress says how many of the experts who are asked have answered.
func progress(blinded, wanted int) string {
	return strconv.Itoa(blinded) + " of " + ui.Count(wanted, "answer")
}

// Rating is the page on which an expert rates what went out.
type Rating struct {
	Rating  borderline.Rating
	In      *interaction.Interaction
	Stars   string `form:"rating"`
	Note    string `form:"note"`
	Errors  map[string]string
	Message string
	Now     time.Time
}

func starOptions() []ui.Option {
	return []ui.Option{{Value: "1", Label: "1", Key: "1", Hint: "Should not have gone out"},
		{Value: "2", Label: "2", Key: "2", Hint: "Weak"}, {Value: "3", Label: "3", Key: "3", Hint: "Acceptable"},
		{Value: "4", Label: "4", Key: "4", Hint: "Good"},
		{Value: "5", Label: "5", Key: "5", Hint: "A model for others"}}
}
