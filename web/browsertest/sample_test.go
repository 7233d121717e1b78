package browsertest

import (
	"slices"
	"strings"
	"time"

	"github.com/a-h/templ"

	"preceptor/views/layout"
)

// Sample is one page in one state, with made-up content: nothing is read from a database, and none of its forms leads
// anywhere.
type Sample struct {
	Name, Label string
	View        func(f layout.Frame, w Words) templ.Component
}

// Path is where such a page would stand, for the navigation's mark.
func (s Sample) Path() string {
	if rest, ok := strings.CutPrefix(s.Name, "admin-"); ok {
		part, _, _ := strings.Cut(rest, "-")
		return "/admin/" + part
	}
	for _, p := range []struct{ prefix, path string }{
		{"queue", "/reviews"}, {"packs", "/stats/packs"}, {"case", "/reviews"}, {"lesson", "/learning"},
		{"reflections", "/learning"}, {"board", "/learning"}, {"knowledge", "/knowledge"}, {"rule", "/knowledge"},
		{"admin", "/admin"}, {"ask", "/ask"}, {"overview", "/overview"}, {"stats", "/stats"},
		{"webhook", "/admin/webhooks"}, {"exports", "/exports"}, {"borderline", "/compliance"},
		{"datasets", "/datasets"}, {"compliance", "/compliance"}, {"feedback", "/feedback"},
		{"preferences", "/preferences"}, {"experiments", "/experiments"},
	} {
		if strings.HasPrefix(s.Name, p.prefix) {
			return p.path
		}
	}
	return "/"
}

// Words are the texts that samples are filled with, so that tests can put other ones in.
type Words struct {
	Question, Draft, Revised, Name, Goal, Agent, Reason, Feedback, Principle string
	Now                                                                      time.Time
}

// Plain are ordinary words.
func Plain(now time.Time) Words {
	return Words{
		Question: "What could I do with the £310,000 they've offered me for my final salary pension? I would like " +
			"to clear the mortgage and help my daughter.",
		Draft: "You have a defined benefit pension with a transfer value of £310,000.\n\nIf it were transferred, " +
			"you could take £77,500 tax free straight away and leave the rest invested. You should transfer it soon, " +
			"because transfer values have been falling since interest rates rose.\n\nThe rest could stay invested " +
			"and be drawn as you need it. Each withdrawal is added to your income for the year and taxed at your " +
			"usual rate.",
		Revised: "You have a defined benefit pension with a transfer value of £310,000. It pays a guaranteed " +
			"income for life, which usually rises with prices; a transfer gives that up for good.\n\nIf it were " +
			"transferred, a quarter could usually be taken tax free and the rest left invested. Because the value is " +
			"above £30,000, the law asks you to take advice from a regulated financial adviser first.\n\nThe rest " +
			"could stay invested and be drawn as you need it. Each withdrawal is added to your income for the year " +
			"and taxed at your usual rate.",
		Name:   "Margaret Ellis",
		Goal:   "Pay off the mortgage, help my daughter with a deposit",
		Agent:  "pension-advisor",
		Reason: "It never says that the guaranteed income is given up, and it tells her to transfer.",
		Feedback: "When the customer has a DB pension, always say what a transfer gives up and that advice is " +
			"required above £30,000, because the guarantee can't be had back.",
		Principle: "When the customer has a defined benefit pension, explain that a transfer gives up a guaranteed " +
			"income for life and signpost regulated advice because the guarantee can't be had back",
		Now: now,
	}
}

// Samples lists all pages in all states.
func Samples() []Sample {
	return slices.Concat(deskSamples(), caseSamples(), learningSamples(), reflectionSamples(), signalSamples(),
		conflictSamples(), knowledgeSamples(), historySamples(), peopleSamples(), adminSamples(), otherSamples(),
		measureSamples(), webhookSamples(), borderlineSamples(), datasetSamples(), judgesSamples(), checkSamples(),
		feedbackSamples(), hardFeedbackSamples(), preferenceSamples(), experimentSamples(), practiceSamples(),
		practiceCaseSamples(), packSamples(), statsSamples(), statementSamples())
}
