package practice

import (
	"math"
	"slices"
	"strings"

	"preceptor/internal/compliance"
	"preceptor/internal/feedback"
	"preceptor/internal/pack"
	"preceptor/internal/phrase"
)

// Outcome is how a consultation went (seed 000, OutcomeResult). Scores are from 0 to 10; a nil says that it was not
// asked for.
type Outcome struct {
	Satisfaction         float64  `json:"satisfaction"`
	Comprehension        float64  `json:"comprehension"`
	GoalAlignment        float64  `json:"goal_alignment"`
	RisksIdentified      float64  `json:"risks_identified"` // share of the dangers they had to know of
	GuidanceAppropriate  bool     `json:"guidance_appropriate"`
	FCACompliant         bool     `json:"fca_compliant"`
	UnderstandingChecked *bool    `json:"understanding_checked,omitempty"`
	Signposted           *bool    `json:"signposted_when_needed,omitempty"`
	DBWarningGiven       *bool    `json:"db_warning_given,omitempty"`
	Successful           bool     `json:"successful"`
	Met                  []string `json:"met"` // needs
	Missed               []string `json:"missed"`
	Issues               []string `json:"issues,omitempty"`     // codes of the checks
	Unanswered           bool     `json:"unanswered,omitempty"` // it says that there is no guidance
	Elsewhere            bool     `json:"elsewhere,omitempty"`  // it tells more of what other questions need
	Why                  string   `json:"why,omitempty"`        // it wasn't successful; "" for one that was
	InBase               bool     `json:"in_base,omitempty"`    // the sections in use say every fact that they needed
}

// The formulas of an outcome. Needs are weighed; a text that is too long for its reader is understood less: none of
// what stands after twice as many words as they read with ease, by literacy.
const (
	ofNeeds = 0.8 // of satisfaction; the rest is that the text is no longer than it need be

	easeLow, easeMedium, easeHigh = 160, 240, 320 // words
)

func ease(literacy string) float64 {
	switch literacy {
	case "low":
		return easeLow
	case "high":
		return easeHigh
	}
	return easeMedium
}

// judged is the outcome of a dialogue for somebody, by what of their needs it met and what the checks say of it.
func judged(who *Person, said string, met map[string]bool, v compliance.Verdict) Outcome {
	o := Outcome{FCACompliant: true, GuidanceAppropriate: true, RisksIdentified: 1, Met: []string{}, Missed: []string{}}
	var all, got, goals, goalsGot, risks, risksGot float64
	for _, n := range who.Needs {
		ok := met[n.ID]
		all += n.Weight
		if n.Kind != Warning {
			goals += n.Weight
		}
		if n.Risk {
			risks++
		}
		switch {
		case n.checksUnderstanding():
			o.UnderstandingChecked = &ok
		case n.Kind == NextStep:
			signposted := ok && (o.Signposted == nil || *o.Signposted)
			o.Signposted = &signposted
		}
		if !ok {
			o.Missed = append(o.Missed, n.ID)
			continue
		}
		o.Met = append(o.Met, n.ID)
		got += n.Weight
		if n.Kind != Warning {
			goalsGot += n.Weight
		}
		if n.Risk {
			risksGot++
		}
	}
	if risks > 0 {
		o.RisksIdentified = risksGot / risks
	}
	o.checked(who, said, v)
	read := readable(said, who.Literacy)
	o.Satisfaction = tenth(ofNeeds*share(got, all) + (1-ofNeeds)*read)
	o.Comprehension = tenth(share(got, all) * read)
	o.GoalAlignment = tenth(share(goalsGot, goals))
	// what rules add to such a text may meet needs; an answer it isn't
	o.Unanswered, o.Elsewhere = pack.Of(who.Situation.Pack).Unanswered(said), who.elsewhere(said)
	o.Successful = !o.Unanswered && !o.Elsewhere && feedback.Outcome{
		Satisfaction: o.Satisfaction, Comprehension: o.Comprehension, GoalAlignment: o.GoalAlignment, Issues: o.Issues,
		UnderstandingChecked: o.UnderstandingChecked, Signposted: o.Signposted, DBWarningGiven: o.DBWarningGiven,
	}.Successful()
	return o
}

// elsewhere reports whether a text tells more of what only other questions need than of what its own does: it answers
// something else, though a rule may have added the need that is due.
func (p *Person) elsewhere(said string) bool {
	if p.people == nil {
		return false
	}
	met := p.people.recognise().met(said)
	own, other := 0, 0
	for _, n := range p.people.Needs {
		switch {
		case !met[n.ID] || len(n.Topics) == 0:
		case slices.Contains(n.Topics, p.Topic):
			own++
		default:
			other++
		}
	}
	return other > own
}

// checked enters what the checks found. An issue counts where it would have a supervisor mend the text.
func (o *Outcome) checked(who *Person, said string, v compliance.Verdict) {
	missing := false
	for _, i := range v.Issues {
		if i.Severity == compliance.Minor || i.By != "" {
			continue
		}
		o.GuidanceAppropriate = false
		if i.Severity == compliance.Critical {
			o.FCACompliant = false
		}
		missing = missing || i.Code == compliance.MissingDBWarning
		if !slices.Contains(o.Issues, i.Code) {
			o.Issues = append(o.Issues, i.Code)
		}
	}
	// The question says to whom the warning is due, never the answer: before and after a training they are the same
	// people.
	if who.Situation.HasDB && who.Situation.AsksOfMoving() {
		given := !missing
		o.DBWarningGiven = &given
	}
}

// readable is 1 for a text that its reader reads with ease, and falls to 0 at twice that length.
func readable(text, literacy string) float64 {
	over := float64(len(strings.Fields(text)))/ease(literacy) - 1
	return min(1, max(0, 1-over))
}

func share(part, whole float64) float64 {
	if whole == 0 {
		return 1
	}
	return part / whole
}

func tenth(x float64) float64 { return math.Round(x*100) / 10 }

// Turn is one thing that was said.
type Turn struct {
	By   string `json:"by"` // customer or advisor
	Text string `json:"text"`
}

// Sides of a dialogue.
const (
	ByCustomer = "customer"
	ByAdvisor  = "advisor"
)

// advised is all that the advisor said.
func advised(d []Turn) string {
	var out []string
	for _, t := range d {
		if t.By == ByAdvisor {
			out = append(out, t.Text)
		}
	}
	return strings.Join(out, "\n\n")
}

// asks reports whether the last text ends with a question to its reader.
func asks(text string) bool {
	spans := phrase.Sentences(text)
	return slices.ContainsFunc(spans, func(sp phrase.Span) bool {
		return strings.HasSuffix(strings.TrimSpace(sp.In(text)), "?")
	})
}
