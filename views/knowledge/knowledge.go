// Package knowledge draws what the advisor knows: the rules and cases one can browse and search, a rule with its life,
// a case with its sources, and the guidance documents that a person should look at.
package knowledge

import (
	"time"

	"preceptor/internal/knowledge"
	"preceptor/internal/knowledge/conflict"
	"preceptor/internal/knowledge/credit"
	"preceptor/internal/learning"
	"preceptor/internal/stats"
	"preceptor/views/layout"
	"preceptor/views/statement"
	"preceptor/views/ui"
)

// Rule is one rule with its life.
type Rule struct {
	Rule     *knowledge.Rule
	Versions []knowledge.Version // newest first
	Lessons  []learning.Lesson   // with their steps
	Shown    []Shown             // newest first
	// ShownBefore is how many more drafts it was shown to before those.
	ShownBefore int
	Used        int    // in UsedDays
	AcceptedBy  string // who let it in; "" when nobody did, or it is not known
	Evidence    []Evidence
	Credit      credit.Estimate
	Votes       *stats.Change // users' votes since it came into use; nil when it never did
	MayAsk      bool          // experts to review it
	Now         time.Time

	Conflicts []conflict.Conflict
	Comparing bool // with the other rules, at this moment

	Held      *knowledge.Version // of Versions, what holds now, or held when it left use; nil when none does
	InUse     *knowledge.Rule    // as Held has it; nil when that is Rule, or none holds
	MaySettle bool               // its quarantine, and whether it is let in where it has no lesson
	Reason    string
	Errors    map[string]string
	Teach     *statement.Editor // of a rule that waits; nil where the viewer may not settle it
	Message   string            // why what was typed was not taken
	Against   statement.Against // of a rule that waits
	// rules in use that this one is the exception to, or they to it
	Exceptions []knowledge.Rule
	// What was typed to go back to a version, and what was wrong with it.
	RollbackTo                      int
	RollbackReason, RollbackMessage string
}

// Evidence is a case that speaks for a rule or against it, as the rule's page or the case's shows it.
type Evidence struct {
	CaseID  string
	RuleID  string
	Number  int
	Title   string
	Against bool
	Made    bool // of the rule: it was made from the decision that the case keeps
}

// Case is one case with its sources.
type Case struct {
	Case       *knowledge.Case
	Versions   []knowledge.Version
	Duplicates []knowledge.Case
	Lessons    []learning.Lesson
	Shown      []Shown
	// ShownBefore is how many more drafts it was shown to before those.
	ShownBefore int
	Used        int
	Rules       []Evidence // for which it is evidence
	Conflicts   []conflict.Conflict
	Credit      credit.Estimate
	MayEdit     bool // it was written here, or a section can be written of it
	MaySettle   bool
	Withdrawn   *learning.Lesson // that made it, and was withdrawn; it alone brings the case back
	Message     string           // why nothing was done
	Reason      string           // as typed
	Errors      map[string]string
	Now         time.Time
}

// Documents are the sections of guidance documents that a person should look at.
type Documents struct {
	Cases     []knowledge.Case
	Sources   []knowledge.Source // where documents came from
	Names     map[string]string  // of agents
	Documents int                // sections imported in all
	MayImport bool
	Now       time.Time
}

// checked says of what nothing was found; only UK pensions have a table of facts.
func (v Documents) checked(f layout.Frame) string {
	if f.Pension() {
		return "All " + ui.Count(v.Documents, "imported section") + " agree with the table of facts."
	}
	return "Nothing is marked in " + ui.Count(v.Documents, "imported section") +
		". Facts such as prices and dates aren't checked."
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

// retireTitle is what a person can decide of a case.
func retireTitle(c knowledge.Case) string {
	switch {
	case c.Status != knowledge.Active:
		return "Put it back into use"
	case c.RestsOn(""):
		return "Decide"
	}
	return "Retire"
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
