package learning

import (
	"fmt"
	"strings"

	"preceptor/internal/pack"
)

var (
	pushesRE   = ci(`\b(?:recommend|advise|tell|urge|encourage|persuade|push|suggest)\s+(?:that )?(?:the customer|them|customers|people|they|she|he)?\s*(?:to |should |that they |that the customer )?(?:should )?(?:transfer|take|cash|buy|choose|move|consolidate|invest|withdraw|switch|combine|put)\b`)
	silencesRE = ci(`\b(?:avoid|never|do not|don't|leave out|stop|without|skip|drop|remove|omit)\b.{0,40}\b(?:warn|risks?|signpost|regulated advi|guarantee|scam|fca)`)
	tellsRE    = ci(`^(?:mention|say|explain|tell the customer|warn|state|point out|make clear|remind the customer) that\b`) // what is told may well be that something is not so
	vagueRE    = ci(`^(?:be (?:careful|clear|better|accurate|helpful|good|more careful)|do better|improve|write better|check everything|be more|think|consider the customer)\b[^,]{0,30}$`)
	properRE   = ci(`\b(?:mr|mrs|ms|dr)\.? [A-Z]`)
)

// boundary asks whether following the rule keeps to guidance: it pushes no choice, silences no warning, and what it would
// add passes the checks.
func (e *Embedded) boundary(pr pack.Principle, regulation []Regulation) Head {
	h := Head{Name: HeadBoundary, Pass: true, Why: "It asks for general information and no personal recommendation."}
	action := unquoted(pr.Action)
	ended, past := endedIn(regulation)
	switch {
	case past && !negative(action):
		h.Pass, h.Why = false, "It speaks of what has ended on "+longDate(ended.To)+": "+lowerFirst(ended.Title)+" ("+ended.Reference+")."
	case pushesRE.MatchString(action) && !negative(action) && !strings.Contains(action, "regulated"):
		h.Pass, h.Why = false, "It would have the advisor recommend a choice, which is regulated advice."
	case silencesRE.MatchString(action) && !tellsRE.MatchString(action):
		h.Pass, h.Why = false, "It would take a warning or a signpost out of guidance."
	default:
		s := pack.Situation{Question: "What are my options?", HasDC: true}
		for _, i := range e.check.Check(pr.Sentences(s), s).Issues {
			if i.Code == "PERSONAL_RECOMMENDATION" {
				h.Pass, h.Why = false, "What it would add reads as a personal recommendation: "+i.Why
			}
		}
	}
	return h
}

// unquoted is an action without the words it quotes, which are examples and not demands.
func unquoted(s string) string { return quotedRE.ReplaceAllString(s, " ") }

func actionable(pr pack.Principle) Head {
	h := Head{Name: HeadActionable, Pass: true, Why: "It says when, and what to do."}
	switch n := len(pack.Words(pr.Action)); {
	case n < 2 || vagueRE.MatchString(pr.Action) && len(pack.ContentStems(pr.Action)) < 4:
		h.Pass, h.Why = false, "It does not say what to do differently."
	case n > 70:
		h.Pass, h.Why = false, fmt.Sprintf("It asks for too much at once (%d words).", n)
	case pr.Situation == "" || pr.Because == "":
		h.Pass, h.Why = false, "It lacks its situation or its reason."
	}
	return h
}

func general(pr pack.Principle) Head {
	h := Head{Name: HeadGeneral, Pass: true, Why: "It names no person and holds for every customer like this one."}
	all := pr.Situation + " " + pr.Action
	switch {
	case hasToken(all) || properRE.MatchString(all):
		h.Pass, h.Why = false, "It speaks of one person."
	case len(moneyIn(pr.Situation)) > 1:
		h.Pass, h.Why = false, "Its situation fits one customer's sums only."
	}
	return h
}

func moneyIn(text string) []pack.Figure {
	var out []pack.Figure
	for _, f := range pack.FindFigures(text) {
		if f.Kind == "money" {
			out = append(out, f)
		}
	}
	return out
}

// vacuous words make up actions that any text fulfils.
var vacuous = map[string]bool{"clear": true, "helpful": true, "accur": true, "accurate": true, "help": true, "good": true, "care": true, "correct": true, "polit": true, "profession": true, "inform": true, "relevant": true}

func addsValue(pr pack.Principle, known []Known) Head {
	h := Head{Name: HeadValue, Pass: true, Why: "No rule in use asks for it."}
	telling := 0
	for w := range pack.ContentStems(pr.Action) {
		if !vacuous[w] {
			telling++
		}
	}
	if _, ok := bookMove(pr.Action); !ok && telling == 0 {
		h.Pass, h.Why = false, "Any text does that already."
		return h
	}
	for _, k := range known {
		if l := likeness(k.Text, pr.String()); l > 0.4 {
			h.Why = fmt.Sprintf("Rule R-%d comes near; this one differs in when or what it asks.", k.Number)
			break
		}
	}
	return h
}
