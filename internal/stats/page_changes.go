package stats

import (
	"time"

	"preceptor/internal/platform/estimate"
	"preceptor/internal/stats/counter"
)

// ChangesPage is what was put in use around a time, beside what people said before and after: where to look when
// satisfaction falls.
type ChangesPage struct {
	Filter  Filter
	Around  Range    // what stood out
	Dip     Figure   // satisfaction within Around
	Rest    Figure   // satisfaction in the filter's range without Around
	Topics  []Slice  // Dip by topic, most votes first; Before of each is the rest of the filter's range
	Changes []Change // first those whose votes surely differ, the largest difference first; then the newest first
	Quotes  []Row    // the newest negative votes with words within Around, at most 5
}

// Change is one thing that was put in use, or taken out of it.
type Change struct {
	Kind  string // rule, check, policy, line (the rubric), taxonomy (the issues that experts name), threshold, exemplar
	ID    string
	Name  string // R-34, the check's code, the policy's version
	Title string // the rule's sentence, the check's title; may be foreign text
	What  string // in: taken into use; new: a new wording; days: the same on other days; out: taken out of use
	By    string // who; "" for the program
	At    time.Time
	From  time.Time // the day to come, at At, on which it counts; zero: from At on
	Since time.Time // of a rule that was taken out of use: when it had come into use
	Why   string    // the reason that was given
	Href  bool      // whether there is a page for it

	counter.Became // of rules alone: what became of it

	// Shown, With and Without say what users thought: of rules alone, from the ledger of what drafts were shown.
	Topic   string         // that they are about; "" is all on which it was used
	Shown   int            // interactions of the filter's range that were shown it, and that somebody voted on
	With    estimate.Share // positive of positive and negative votes on those
	Without estimate.Share // the same of all other interactions of that topic, or the same topics, in the same time
	Earlier bool           // and before it, where few voted on others since (fewOthers)
	Suspect bool           // the votes on what was shown it are worse than the others by more than chance
}

// Beside says what Without is of.
func (c Change) Beside() string {
	if c.Earlier {
		return "without it or before it came into use"
	}
	return "without it"
}

// InUse is from when on answers were made with a rule.
func (c Change) InUse() time.Time {
	if c.What == "out" {
		return c.Since
	}
	return c.At
}
