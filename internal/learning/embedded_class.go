package learning

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"preceptor/internal/pack"
)

// Classes of corrections that teach no rule: what the embedded reasoner takes them for.
const (
	ClassCosmetic     = "cosmetic"       // spaces, punctuation, capitals, spelling, small words
	ClassLink         = "link"           // a web address
	ClassHeading      = "heading"        // a title or a label, which says nothing
	ClassReordered    = "reordered"      // the same words in another order
	ClassFigure       = "figure"         // a fact with a date or sum: for the documents that state it
	ClassExample      = "example_figure" // of a worked example
	ClassOwn          = "own_figure"     // the customer's own, or a way to reach somebody
	ClassShortened    = "shortened"      // something was taken out, and nobody said why
	ClassParticular   = "particular"     // what was added holds for this text only, or can't stand alone
	ClassRestructured = "restructured"   // another text took its place
	ClassReworded     = "reworded"       // said in other words, and nobody said why
	ClassUnsaid       = "unsaid"         // a rejection, ruling or finding that names nothing to do
)

// ClassLabel is a class in words.
func ClassLabel(class string) string {
	if class == "" {
		return "a lesson"
	}
	return strings.ReplaceAll(class, "_", " ")
}

// FigureChange is a figure that a person put in the place of another. It is no rule: a fact has a date and belongs into the
// documents that state it. The lesson keeps it, so that those who care for the knowledge can look where the old one stands.
type FigureChange struct {
	Was  string `json:"was"`
	Now  string `json:"now"`
	Text string `json:"text,omitempty"` // the sentence that has it now
}

// nothing says why a correction teaches no rule, and what it is instead.
func (e evidence) nothing() Reflection {
	class, why := e.class()
	r := Reflection{Nothing: true, Class: class, Why: why, Seen: e.seen()}
	if class == ClassFigure {
		r.Figures = e.figuresChanged()
	}
	return r
}

func (e evidence) class() (class, why string) {
	switch {
	case causeOf(e.src.Kind) != CauseDecision:
		return ClassUnsaid, e.nothingFromPanel()
	case e.src.Kind == Reject:
		return ClassUnsaid, "The rejection does not say what should have been different. A sentence in the feedback, such as “mention that …”, would make a lesson of it."
	case e.numbersMoved():
		return e.figureClass()
	case e.diff.same:
		return ClassCosmetic, "Only spaces, punctuation or capitals changed, so there is nothing to learn."
	case letters(withoutLinks(e.src.AgentText)) == letters(withoutLinks(e.src.HumanText)):
		return ClassLink, "Only a web address changed, so there is nothing to learn."
	case e.diff.trivial():
		return ClassCosmetic, "Only spelling and small words changed, so there is nothing to learn."
	case e.diff.reordered:
		return ClassReordered, "The same words stand in another order, and nobody said why."
	case heading(e.src.AgentText) && heading(e.src.HumanText):
		return ClassHeading, "Only a heading or a label changed, which says nothing to a customer."
	case e.rebuilt():
		return ClassRestructured, "Another text took the place of the draft, so no single change can be named, and nobody said why."
	case len(e.diff.added) > 0:
		return ClassParticular, "What was added holds for this text only or can't stand alone, and nobody said why. A sentence in the feedback, such as “mention that …”, would make a lesson of it."
	case len(e.diff.removed) > 0 || len(pack.Words(e.src.HumanText)) < len(pack.Words(e.src.AgentText))*3/4:
		return ClassShortened, "Something was taken out, and nobody said why. A sentence in the feedback would make a lesson of it."
	}
	return ClassReworded, "The text was reworded, and nobody said why. A sentence in the feedback would make a lesson of it."
}

func (e evidence) figureClass() (class, why string) {
	switch {
	case e.personal():
		return ClassOwn, "Only this customer's own figures or contact details changed, which teaches nothing about other customers."
	case exampleRE.MatchString(e.src.HumanText) || exampleRE.MatchString(e.src.AgentText):
		return ClassExample, "The figures of a worked example changed, which teaches nothing about other answers."
	}
	if list := e.figuresChanged(); len(list) > 0 {
		return ClassFigure, fmt.Sprintf("A figure changed (%s to %s). A fact that has a date is no rule: it belongs into the documents that state it. Look whether the knowledge still says %s.", list[0].Was, list[0].Now, list[0].Was)
	}
	return ClassFigure, "Figures came in or went out. A fact that has a date is no rule: it belongs into the documents that state it. To have it said all the same, ask for it in the feedback: “mention that …”."
}

// numbersMoved tells whether the two texts differ in their numbers, whatever order they stand in.
func (e evidence) numbersMoved() bool {
	if e.src.Kind != Revise {
		return false
	}
	set := func(text string) []string {
		list := numbers(withoutLinks(text))
		slices.Sort(list)
		return slices.Compact(list)
	}
	return !slices.Equal(set(e.src.AgentText), set(e.src.HumanText))
}

// figuresChanged pairs the figures that went with those that came.
func (e evidence) figuresChanged() []FigureChange {
	var out []FigureChange
	for _, c := range e.added {
		if was, now, ok := strings.Cut(c.Text, " to "); ok && c.Move == pack.Figures && c.Label == "figure corrected" && len(out) < 12 {
			out = append(out, FigureChange{Was: strings.TrimSpace(was), Now: strings.TrimSpace(now), Text: clip(e.sentenceWith(now), 300)})
		}
	}
	return out
}

// sentenceWith is the sentence that states a figure. "This is currently £5" takes its subject from the sentence before.
func (e evidence) sentenceWith(figure string) string {
	list := sentences(clip(e.src.HumanText, 60_000))
	for i, s := range list {
		if !strings.Contains(s, strings.TrimSpace(figure)) {
			continue
		}
		if rest := thisIsRE.FindString(s); rest != "" && i > 0 {
			if subject := lastThingRE.FindStringSubmatch(strings.TrimRight(list[i-1], " .")); subject != nil {
				return subject[1] + " " + s[len("This "):]
			}
		}
		return s
	}
	return ""
}

var (
	thisIsRE    = regexp.MustCompile(`^This (?:is|was|will be|falls|rises|drops|goes)\b`)
	lastThingRE = regexp.MustCompile(`(?:^|\s)((?:the|your) (?:\w+ ){0,3}\w+)$`)
	linkRE      = ci(`https?://\S+|\bwww\.\S+|\]\([^)\s]*\)`)
)

// withoutLinks is text without web addresses.
func withoutLinks(text string) string { return linkRE.ReplaceAllString(text, " ") }

// heading tells whether a text is a title or a label: a few words that state nothing.
func heading(text string) bool {
	text = strings.TrimSpace(withoutLinks(text))
	return len(strings.Fields(text)) <= 12 && !strings.ContainsAny(strings.TrimRight(text, ". :"), ".!") && !verbRE.MatchString(text)
}

// slight tells whether a revision changes nothing that a customer would be told: spelling, links, headings, the order of the words
// or figures alone. Whatever the reviewer reports on it, only what they ask for in the feedback can make a lesson of it.
func (e evidence) slight() bool {
	was, is := withoutLinks(e.src.AgentText), withoutLinks(e.src.HumanText)
	if e.diff.trivial() || e.diff.reordered || letters(was) == letters(is) || heading(was) && heading(is) {
		return true
	}
	return letters(digitRE.ReplaceAllString(was, "")) == letters(digitRE.ReplaceAllString(is, "")) || compare(digitRE.ReplaceAllString(was, " "), digitRE.ReplaceAllString(is, " ")).trivial()
}

// digitRE is numbers with what belongs to them, and months, so that a date that moved is one figure.
var digitRE = regexp.MustCompile(`(?i)£?\d[\d,.]*(?:%|st|nd|rd|th|k|m)?(?: million)?|\b(?:january|february|march|april|may|june|july|august|september|october|november|december)\b`)

// rebuilt tells whether so little of the draft is left that the change has no name.
func (e evidence) rebuilt() bool {
	if e.src.Kind != Revise || e.diff.kept >= 0.3 {
		return false
	}
	was, is := pack.ContentStems(e.src.AgentText), pack.ContentStems(e.src.HumanText)
	return covered(was, is) < 0.4
}
