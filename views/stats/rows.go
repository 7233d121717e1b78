package stats

import (
	"cmp"
	"strings"
	"time"

	"preceptor/internal/pack"
	"preceptor/internal/stats"
	"preceptor/views/chart"
)

// Rows is the list of what a figure was counted from.
type Rows struct {
	Scope
	stats.RowPage
	Of     string
	Title  string
	Person string // account; "" for everybody
	Name   string // of the person
	Since  string // of a rule: answers made from then on
	Search string
	Link   func(stats.Row) string // the page of a row's case; "" without one
	Later  bool                   // not the first page
	Mine   bool                   // the reader's own
}

// RowsTitle names the rows of a figure, after what they were counted for.
func RowsTitle(of string) string {
	if strings.HasPrefix(of, "rule:") {
		return "Votes on answers that used a rule"
	}
	if t, ok := rowTitles[of]; ok {
		return t
	}
	if code, ok := strings.CutPrefix(of, "borderline."); ok {
		return "Borderline cases: " + pack.Lower(codeWords(code))
	}
	if code, ok := strings.CutPrefix(of, "ruling."); ok {
		return "Rulings: " + pack.Lower(codeWords(code))
	}
	return "Rows of a figure"
}

var rowTitles = map[string]string{
	"votes": "Votes", "satisfaction": "Satisfaction: votes for and against", "avg_feedback": "Mean opinion: votes",
	"rating":        "Mean rating: ratings from 0 to 10",
	"vote.positive": "Positive votes", "vote.negative": "Negative votes", "vote.neutral": "Neutral votes",
	"outcomes": "Outcomes", "outcome.satisfaction": "Satisfaction of customers: outcomes",
	"outcome.comprehension":  "Comprehension: outcomes",
	"outcome.goal_alignment": "Goal alignment: outcomes", "outcome.goals_met": "Goals met: outcomes that say yes or no",
	"outcome.understanding_checked": "Understanding checked: outcomes that say yes or no",
	"outcome.signposted":            "Signposted: outcomes that say yes or no",
	"outcome.db_warning_given":      "DB warning given: outcomes that say yes or no",
	"decisions":                     "Decisions", "decision.approve": "Approved unchanged",
	"decision.revise": "Revised",
	"decision.reject": "Escalated to a person",
	"decision.return": "Sent back to the agent", "decision.sampled": "Sent by sampling",
	"waited": "Arrival to decision: decisions", "waited_p90": "Arrival to decision: decisions",
	"sla":     "Decided within the target: decisions",
	"on_case": "Time per review: decisions", "on_case_p90": "Time per review: decisions",
	"hasty": "Rapid approvals: first and second approvals", "second": "Second approvals",
	"escalations_closed": "Escalated and closed by a person",
	"escalation_wait":    "Escalated, question to closed: escalations",
	"expired":            "Expired before a decision", "withdrawn": "Withdrawn by the agent",
	"recalled": "Recalled after they were sent: approvals and revisions",
	"edit":     "Words changed in revisions: revisions", "rewritten": "More than half changed: revisions",
	"agreement": "Second supervisor agreed: first approvals",
	"quality":   "Quality rated by experts: ratings", "planted": "Seeded checks caught: closed checks",
	"drafts": "Drafts with a verdict", "compliance": "Drafts judged compliant: drafts with a verdict",
	"missed":      "Missed: drafts with no flags that were found right or wrong",
	"otherwise":   "No flags, and changed or not sent for another reason",
	"false_alarm": "False alarms: drafts that were flagged and decided", "borderline": "Borderline cases",
	"rulings": "Rulings", "panel": "Panel agreed with experts: rulings",
	"lessons": "Lessons started", "lessons_accepted": "Lessons accepted", "lessons_kept": "Cases from lessons",
}

// about says what the rows are narrowed to.
func (v Rows) about() string {
	s := v.Period.words() + ", " + v.Period.zone().String()
	if n := v.narrow(); n != "" {
		s += "; " + n
	}
	if v.Search != "" {
		s += "; with “" + v.Search + "”"
	}
	return s
}

// narrow is what the rows are narrowed to beside their days.
func (v Rows) narrow() string {
	scope := v.Scope
	scope.Path = TabReview // a team narrows rows wherever it can
	out := scope.filter()
	if v.Name != "" {
		out = strings.Trim(v.Name+"; "+out, "; ")
	}
	return out
}

// counted says by which rule the rows count.
func (v Rows) counted() string {
	switch v.Of {
	case "sla":
		return "Each decision counts by the target in the policy in force when it was made."
	case "hasty":
		return "Each approval counts by the reading speed in the policy in force when it was made. " + unstarted
	}
	return ""
}

// unstarted says what of rapid approvals isn't measured.
const unstarted = "Approving a review without starting it counts as 0 seconds."

// Notes are the first lines of the rows' file.
func (v Rows) Notes() []string {
	words := ""
	if v.Search != "" {
		words = "with the words " + v.Search
	}
	n := v.Scope.Notes(v.Title)
	n[2] = "Filter: " + cmp.Or(strings.Trim(v.narrow()+"; "+words, "; "), "none")
	if s := v.counted(); s != "" {
		n = append(n, s)
	}
	return n
}

// codeWords are the words of a label, a cause, a kind of decision or an origin.
func codeWords(code string) string {
	if w, ok := rowWords[code]; ok {
		return w
	}
	return codeName(code)
}

var rowWords = map[string]string{
	"approve": "Approved unchanged", "revise": "Revised", "reject": "Rejected", "return": "Sent back",
	"sampled": "Sent by sampling", "agreed": "Agreed", "overruled": "Decided differently",
	"recalled": "Sent, recalled since",
	"hasty":    "Rapid approvals", "missed": "Missed", "false_alarm": "False alarm", "yes": "Yes", "no": "No",
	"caught": "Caught", "positive": "Positive", "negative": "Negative", "neutral": "Neutral",
	"satisfaction": "Satisfaction", "comprehension": "Comprehension", "goal_alignment": "Goal alignment",
	"correctly passed": "Correctly passed", "correctly flagged": "Correctly flagged",
	"changed": "Changed or not sent", "in_time": "Within the target", "late": "Past the target",
}

// whatText is what a row says, in words.
func whatText(r stats.Row) string {
	s := ""
	switch {
	case r.Kind == "lesson":
		s = originName(r.What)
	case r.Kind == "second" && r.What == "revise":
		s = "Revision approved"
	case r.What != "":
		s = codeWords(r.What)
	}
	if r.Value.Known {
		s += " " + text(r.Value)
	}
	return strings.TrimSpace(s)
}

// path is the page of the list.
func (v Rows) path() string {
	if v.Mine {
		return minePath + "/rows"
	}
	return "/stats/rows"
}

// address is the list with its figure; one's own needs no person.
func (v Rows) address(more ...string) string {
	person := v.Person
	if v.Mine {
		person = ""
	}
	return v.Period.address(v.path(),
		append([]string{"of", v.Of, "person", person, "since", v.Since, "q", v.Search}, more...)...)
}

// kept are the values of the address that the filter leaves as they are.
func (v Rows) kept() (out [][2]string) {
	for _, h := range [][2]string{{"of", v.Of}, {"person", v.Person}, {"since", v.Since}, {"team", v.Period.Team},
		{"period", v.Period.Preset}} {
		if h[1] != "" && (h[0] != "person" || !v.Mine) {
			out = append(out, h)
		}
	}
	return out
}

// ofVotes reports whether the rows have words of users.
func (v Rows) ofVotes() bool {
	return strings.HasPrefix(v.Of, "vote") || v.Of == "satisfaction" || v.Of == "rating" || v.Of == "avg_feedback"
}

// MostRows is how many rows a file has at most: the newest.
const MostRows = 20_000

// Table is the list as a file.
func (v Rows) Table() chart.Table {
	var t chart.Table
	for _, label := range []string{"when", "what", "value", "agent", "topic", "person", "channel", "comment",
		"review"} {
		t.Heads = append(t.Heads, chart.Head{Label: label})
	}
	for _, r := range v.RowPage.Rows {
		value := ""
		if r.Value.Known {
			value = unit(r.Value.Unit).Raw(r.Value.Value)
		}
		var cells []chart.Cell
		for _, s := range []string{r.At.In(v.Period.zone()).Format(time.RFC3339), r.What, value, r.Agent, r.Topic,
			r.Person, r.Channel, r.Text, r.CaseID} {
			cells = append(cells, chart.Cell{Text: s, Raw: s})
		}
		t.Rows = append(t.Rows, cells)
	}
	return t
}

// next is the address of the following page.
func (v Rows) next() string {
	if v.Next == "" {
		return ""
	}
	return v.address("after", v.Next)
}

// firstWhenPaged leads back from a later page.
func (v Rows) firstWhenPaged() string {
	if !v.Later {
		return ""
	}
	return v.address()
}

// back is where one came from.
func (v Rows) back() (label, href string) {
	if v.Mine {
		return "Back to my statistics", v.Period.address(minePath)
	}
	return "Back to the statistics", v.Period.address(TabOverview)
}

// minePath is the page of one's own figures.
const minePath = "/stats/mine"

// rows is the address of one's own rows of a figure; "" where it has none.
func (v Mine) rows(key string) string {
	if !stats.OwnRows(key) {
		return ""
	}
	return v.Period.address(minePath+"/rows", "of", key)
}
