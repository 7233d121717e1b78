package knowledge

import (
	"fmt"
	"strconv"
	"time"

	"preceptor/internal/knowledge"
	"preceptor/internal/knowledge/credit"
	"preceptor/views/layout"
	"preceptor/views/ui"
)

// UsedDays is over how many days a list counts the drafts that an item was shown to.
const UsedDays = 30

// Browse is the list of rules or cases.
type Browse struct {
	Kind        string `form:"kind"` // KindRules or KindCases
	Query       string `form:"q"`
	Domain      string `form:"domain"`
	Task        string `form:"task"`
	Source      string `form:"source"`
	From        string `form:"status"`
	Agent       string `form:"agent"` // that agent's own and what is shared
	Provisional bool   `form:"provisional"`
	Exemplar    bool   `form:"exemplar"`
	Flagged     bool   `form:"flagged"`
	Agents      []ui.Option
	Rules       []knowledge.Rule
	Cases       []knowledge.Case
	Nearest     bool             // Found answers Query by meaning
	Found       []knowledge.Item // of Kind
	More, Other int              // that fit and are not shown; of the other kind
	Effects     map[string]credit.Estimate
	Used        map[string]int // in UsedDays
	Next        string
	Cursor      string `form:"cursor"`
	Now         time.Time
	MayImport   bool // documents
}

// href is this list at a cursor, or the other one for the same question.
func (v Browse) href(kind, cursor string) string {
	to := Browse{Kind: kind, Query: v.Query, Agent: v.Agent, Domain: v.Domain}
	if kind == v.Kind {
		to.Task, to.Source, to.From, to.Provisional, to.Exemplar, to.Flagged, to.Cursor = v.Task, v.Source, v.From,
			v.Provisional, v.Exemplar, v.Flagged, cursor
	}
	if kind == KindRules {
		to.Kind = ""
	}
	return ui.Address("/knowledge", to)
}

// idle is how many items that are not in use stand beside those found by meaning.
func (v Browse) idle() int { return len(v.Rules) + len(v.Cases) }

// clear is the list without question and filters.
func (v Browse) clear() string { return Browse{Kind: v.Kind}.href(v.Kind, "") }

func (v Browse) filtered() bool {
	return v.Query != "" || v.Domain != "" || v.Task != "" || v.Source != "" || v.From != "" || v.Agent != "" ||
		v.Provisional || v.Exemplar || v.Flagged
}

// effectLine is what an item does to the chance that a draft goes out unchanged.
func effectLine(e credit.Estimate) string {
	if e.Shown == 0 {
		return "no effect known yet"
	}
	return fmt.Sprintf("effect %s points (%s to %s, n = %s)", points(e.Effect), points(e.Low), points(e.High),
		ui.Thousands(e.Shown))
}

func usedLine(n int) string {
	return map[bool]string{true: "not used", false: "used " + ui.Times(n)}[n == 0] + " in " + strconv.Itoa(UsedDays) +
		" days"
}

func domainOptions(f layout.Frame) []ui.Option {
	return append([]ui.Option{{Value: "", Label: "All domains"}}, f.Domains()...)
}

func statusOptions(kind string) []ui.Option {
	if kind != KindRules {
		return []ui.Option{{Value: "", Label: "Any status"}, {Value: knowledge.Active, Label: "In use"},
			{Value: knowledge.Retired, Label: "Retired"}}
	}
	return []ui.Option{{Value: "", Label: "Any status"}, {Value: knowledge.Active, Label: "In use"},
		{Value: knowledge.Candidate, Label: "Waiting for an expert"},
		{Value: knowledge.Quarantined, Label: "In quarantine"},
		{Value: knowledge.Rejected, Label: "Rejected"}, {Value: knowledge.Withdrawn, Label: "Withdrawn"},
		{Value: knowledge.Retired, Label: "Retired"}}
}

func sourceOptions() []ui.Option {
	out := []ui.Option{{Value: "", Label: "All sources"}}
	for _, s := range []string{knowledge.FromReview, knowledge.FromDocument, knowledge.FromDataset,
		knowledge.FromPractice, knowledge.FromFeedback} {
		out = append(out, ui.Option{Value: s, Label: SourceLabel(s)})
	}
	return out
}

func taskOptions(f layout.Frame, v Browse) []ui.Option {
	seen := []string{v.Task}
	for _, c := range v.Cases {
		seen = append(seen, c.Task)
	}
	return append([]ui.Option{{Value: "", Label: "All tasks"}}, f.Tasks(seen...)...)
}

// The kinds that the page lists.
const (
	KindRules = "rules"
	KindCases = "cases"
)

func (v Browse) tab() string {
	if v.Kind == KindCases {
		return layout.TabCases
	}
	return layout.TabRules
}

func (v Browse) title() string {
	if v.Kind == KindCases {
		return "Cases"
	}
	return "Rules"
}
