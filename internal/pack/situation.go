package pack

import (
	"slices"
	"strings"
	"sync"

	"preceptor/internal/llm/tuned"
	"preceptor/internal/phrase"
)

// answers are what is asked of a situation again and again.
type answers struct {
	read    *phrase.Reading
	by      *phrase.Lexicon
	earlier func() *phrase.Reading
}

// Known is the situation with its words read, for several readers of one text. Whoever changes its words afterwards
// asks again.
func (s Situation) Known() Situation {
	by := Of(s.Pack).Phrases()
	s.known = &answers{
		by.ReadText(strings.Join([]string{s.Question, s.Goal, s.Text, strings.Join(s.Features, "\n")}, "\n\n"), nil),
		by, sync.OnceValue(func() *phrase.Reading { return by.ReadText(s.saidBefore(), nil) })}
	return s
}

// Earlier are the customer's words before the question, as they were read.
func (s Situation) Earlier() *phrase.Reading {
	if s.known == nil {
		s = s.Known()
	}
	return s.known.earlier()
}

// Words are the customer's words as they were read: question, goal, what else they said, and features of their
// pensions.
func (s Situation) Words() *phrase.Reading {
	if s.known == nil {
		s = s.Known()
	}
	return s.known.read
}

// says reports whether the customer's words have a class of the pack's.
func (s Situation) says(classes ...string) bool {
	if s.known == nil {
		s = s.Known()
	}
	for _, c := range classes {
		if s.known.by.Holds(s.known.read, c) {
			return true
		}
	}
	return false
}

// HoldsDB reports whether the customer has a pension with a promised income, by the profile or their own words, now or
// earlier in the conversation. Where the profile lists pensions and none of them is DB, a question about one, as "what
// is a final salary pension?", makes nobody a member; telling of one does, and so does asking to move one.
func (s Situation) HoldsDB() bool {
	if s.known == nil {
		s = s.Known()
	}
	if s.HasDB || s.Task == DBTransfer || s.says("q_own_db") || !s.HasDC && !s.HasState && s.says("q_db") {
		return true
	}
	by, said := s.known.by, []*phrase.Reading{s.Words(), s.Earlier()}
	moves := s.AsksOfMoving() || by.Holds(s.Earlier(), "q_moving")
	return by.Holds(s.Earlier(), "q_own_db") || slices.ContainsFunc(said, func(r *phrase.Reading) bool {
		return by.Tells(r, "q_db_name", "q_me") || moves && by.Affirms(r, "q_db")
	})
}

// HoldsSafeguarded reports whether they have a guarantee that a transfer would end, DB or other.
func (s Situation) HoldsSafeguarded() bool { return s.HoldsDB() || s.says("q_safeguarded") }

// Asked is what the question asks for, and of which pensions: the one answer for advisor, needs, checks and recall.
func (s Situation) Asked() tuned.Question { return tuned.Ask(s.Question) }

// AsksForChoice reports whether the customer asks to be told what to do, not only what to look out for or whom to ring.
func (s Situation) AsksForChoice() bool { return s.Asked().Is(tuned.Choice) }

// AsksOfMoving reports whether the customer asks about moving, combining or giving up a pension.
func (s Situation) AsksOfMoving() bool { return s.says("q_moving") }

// ScamSigns reports whether what the customer says shows signs of a scam: one that is enough, or two that are weak
// alone.
func (s Situation) ScamSigns() bool {
	signs := 0
	for _, sign := range scamSigns {
		if s.says(sign) {
			signs++
		}
	}
	return signs > 1 || s.says("q_scam_sure")
}

var scamSigns = []string{"q_scam_contact", "q_scam_return", "q_scam_hurry", "q_scam_investment", "q_scam_release",
	"q_scam_money", "q_scam_secret"}

// Crisis reports whether the customer is in a state in which free help is needed first.
func (s Situation) Crisis() bool { return s.Asked().Is(tuned.Crisis) }

// Fragile reports whether the customer counts as vulnerable, by the profile or their own words.
func (s Situation) Fragile() bool { return s.Vulnerable || s.says("q_fragile") }

// Reads is the customer's literacy: given, or low when they say that they don't follow.
func (s Situation) Reads() string {
	if l := strings.ToLower(strings.TrimSpace(s.Literacy)); l != "" {
		return l
	}
	if s.says("q_low") {
		return "low"
	}
	return ""
}

// Is reports whether a flag of a need holds of the customer (see phrase.Need).
func (s Situation) Is(flag string) bool {
	switch flag {
	case "db":
		return s.HoldsDB()
	case "dc":
		return s.HasDC
	case "state":
		return s.HasState
	case "safeguarded":
		return s.HoldsSafeguarded()
	case "low":
		return s.Reads() == "low"
	case "fragile": // their words count where the profile tells nothing of how they read
		return s.Vulnerable || s.Literacy == "" && s.Fragile()
	case "choice":
		return s.AsksForChoice()
	case "moving":
		return s.AsksOfMoving()
	case "scam":
		return s.ScamSigns()
	case "crisis":
		return s.Crisis()
	case "advice":
		return s.needsAdvice()
	}
	return false
}

// needsAdvice reports whether the law requires advice before their safeguarded benefits are moved: where these are
// worth more than the limit, or of unknown value.
func (s Situation) needsAdvice() bool {
	limit, ok := Facts(s.At).Get("db_advice")
	switch {
	case !ok:
		return false
	case s.HoldsDB():
		return s.DBValue == 0 || s.DBValue > limit.Value
	}
	return s.HoldsSafeguarded() && s.DCValue > limit.Value
}
