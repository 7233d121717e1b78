// Package knowledge draws what the advisor knows: the rules and cases one can browse and search, a rule with its life, a
// case with its sources, and the guidance documents that a person should look at.
package knowledge

import (
	"net/url"
	"strconv"
	"time"

	"preceptor/internal/knowledge"
	"preceptor/internal/knowledge/credit"
	"preceptor/internal/learning"
	"preceptor/internal/pension"
	lessons "preceptor/views/learning"
	"preceptor/views/ui"
)

// Browse is the list of rules or cases.
type Browse struct {
	Kind                       string // "rules" or "cases"
	Query                      string
	Domain, Task, Source, From string // filters; From: status
	Rules                      []knowledge.Rule
	Cases                      []knowledge.Case
	Found                      []knowledge.Item // answers to Query by meaning; nil without one
	Sizes                      knowledge.Sizes
	Next, Cursor               string
	Now                        time.Time
	MayImport                  bool
}

// Rule is one rule with its life.
type Rule struct {
	Rule     *knowledge.Rule
	Versions []knowledge.Version // newest first
	Lessons  []learning.Lesson
	Uses     []lessons.Use
	UsesMore bool
	Evidence []Evidence
	Credit   credit.Standing
	Now      time.Time

	MaySettle bool // its quarantine
	Reason    string
	Errors    map[string]string
}

// Evidence is a case that speaks for a rule or against it.
type Evidence struct {
	CaseID  string
	Number  int
	Title   string
	Against bool
}

// Case is one case with its sources.
type Case struct {
	Case       *knowledge.Case
	Versions   []knowledge.Version
	Duplicates []knowledge.Duplicate
	Uses       []lessons.Use
	UsesMore   bool
	Now        time.Time
}

// Documents are the sections of guidance documents that a person should look at.
type Documents struct {
	Cases     []knowledge.Case
	Documents int // sections imported in all
	MayImport bool
	Now       time.Time
}

func (v Browse) href(kind, cursor string) string {
	q := url.Values{}
	set := func(k, val string) {
		if val != "" {
			q.Set(k, val)
		}
	}
	if kind != "rules" {
		q.Set("kind", kind)
	}
	set("q", v.Query)
	if kind == v.Kind {
		set("domain", v.Domain)
		set("task", v.Task)
		set("source", v.Source)
		set("status", v.From)
		set("cursor", cursor)
	}
	if len(q) == 0 {
		return "/knowledge"
	}
	return "/knowledge?" + q.Encode()
}

func (v Browse) tabs() []ui.Tab {
	return []ui.Tab{
		{Label: "Rules", Href: v.href("rules", ""), Count: v.Sizes.ActiveRules, Current: v.Kind == "rules"},
		{Label: "Cases", Href: v.href("cases", ""), Count: v.Sizes.Cases, Current: v.Kind == "cases"},
		{Label: "Documents to look at", Href: "/knowledge/documents", Count: v.Sizes.Flagged},
	}
}

func (v Browse) filtered() bool {
	return v.Query != "" || v.Domain != "" || v.Task != "" || v.Source != "" || v.From != ""
}

func statusBadge(s string) (ui.Tone, string, string) {
	switch s {
	case knowledge.Active:
		return ui.Green, "check", "in use"
	case knowledge.Candidate:
		return ui.Amber, "person", "waits for an expert"
	case knowledge.Rejected:
		return ui.Red, "cross", "rejected"
	case knowledge.Withdrawn:
		return ui.Neutral, "undo", "withdrawn"
	case knowledge.Quarantined:
		return ui.Red, "info", "in quarantine"
	default:
		return ui.Neutral, "info", "retired"
	}
}

func domainOptions() []ui.Option {
	out := []ui.Option{{Value: "", Label: "All domains"}}
	for _, d := range knowledge.Domains {
		out = append(out, ui.Option{Value: d, Label: learning.DomainLabel(d)})
	}
	return out
}

func statusOptions() []ui.Option {
	return []ui.Option{{Value: "", Label: "Any status"}, {Value: knowledge.Active, Label: "In use"}, {Value: knowledge.Candidate, Label: "Waits for an expert"}, {Value: knowledge.Quarantined, Label: "In quarantine"},
		{Value: knowledge.Rejected, Label: "Rejected"}, {Value: knowledge.Withdrawn, Label: "Withdrawn"}, {Value: knowledge.Retired, Label: "Retired"}}
}

func sourceOptions() []ui.Option {
	return []ui.Option{{Value: "", Label: "All sources"}, {Value: knowledge.FromReview, Label: SourceLabel(knowledge.FromReview)},
		{Value: knowledge.FromDocument, Label: SourceLabel(knowledge.FromDocument)}}
}

func taskOptions() []ui.Option {
	out := []ui.Option{{Value: "", Label: "All tasks"}}
	for _, t := range pension.Tasks() {
		out = append(out, ui.Option{Value: t, Label: pension.Label(t)})
	}
	return out
}

// SourceLabel says where a case came from.
func SourceLabel(source string) string {
	switch source {
	case knowledge.FromReview:
		return "A supervisor's decision"
	case knowledge.FromDocument:
		return "A guidance document"
	case knowledge.FromDataset:
		return "A gold dataset"
	case knowledge.FromPractice:
		return "Practice"
	case knowledge.FromFeedback:
		return "Customers' feedback"
	default:
		return source
	}
}

func itemHref(kind, id string) string {
	if kind == "rule" {
		return "/knowledge/rules/" + id
	}
	return "/knowledge/cases/" + id
}

func caseTitle(c knowledge.Case) string {
	if c.Title != "" {
		return c.Title
	}
	return c.Label()
}

// before is the text of the version before versions[i]; empty for the first.
func before(versions []knowledge.Version, i int) string {
	if i+1 >= len(versions) {
		return ""
	}
	v := versions[i+1]
	switch {
	case v.Rule != nil:
		return v.Rule.Principle
	case v.Case != nil:
		return v.Case.Guidance
	}
	return ""
}

func text(v knowledge.Version) string {
	switch {
	case v.Rule != nil:
		return v.Rule.Principle
	case v.Case != nil:
		return v.Case.Guidance
	}
	return ""
}

func flagTone(severity string) ui.Tone {
	if severity == "major" {
		return ui.Red
	}
	return ui.Amber
}

func itoa(n int) string { return strconv.Itoa(n) }
