package learning

import (
	"regexp"
	"strings"

	"preceptor/internal/fault"
	"preceptor/internal/pack"
)

// What the embedded reasoner makes of the note with which a person sends a lesson back. It does what the note asks and says so
// where it can't read it: the same answer as before would look as if the note had been heard.

// reflectNoted takes the lesson from the note alone; the correction says only for whom.
func reflectNoted(s Source, n Note) (Reflection, error) {
	kind := s.Kind
	s.Kind, s.Feedback, s.Reason, s.ReasonCode, s.Flags, s.Phrases, s.Voices, s.Better = Reject, n.Text, "", "", nil, nil, nil, nil
	best, ok := evidenceOf(s).best()
	if !ok {
		return Reflection{}, fault.Wrap(fault.Invalid, errUnheard, "The note asks for nothing that the embedded reasoner can read. Send it back again with what the advisor should do, as “When …, mention that … because …”.")
	}
	e := evidenceOf(s)
	r := e.reflection(best)
	r.Why = "The person who sent it back asked for it."
	if len(n.Text) < 300 {
		r.RootCause += " The note says: “" + strings.TrimRight(n.Text, ". ") + "”."
	}
	if c := causeOf(kind); c == CauseRuling || c == CauseVerdict {
		r.Domain = RegulatoryCompliance
	}
	return r, nil
}

const quoted = `[“"']([^“”"']{2,200})[”"']`

var (
	insteadRE = ci(`\b(?:say|write|use|put)\s+` + quoted + `\s+(?:instead of|rather than|and not|not|for)\s+` + quoted)
	replaceRE = ci(`\breplace\s+` + quoted + `\s+(?:with|by)\s+` + quoted)
	removeRE  = ci(`\b(?:leave out|remove|drop|delete|cut)\s+` + quoted)
	ofRuleRE  = ci(`\b(?:reason|sentence|wording|shorter|longer|clearer|plainer|simpler|simplify)\b|^(?:make|keep|put|word|write|phrase)\s+(?:it|this)\b`) // asks something of the rule's words and not of the advisor
	reasonRE  = ci(`\b(?:because|the reason is(?: that)?:?)\s+(.+)$`)
)

// refineNoted words a rule anew as a note asks: as the rule that the note spells out, with the words it replaces or takes out, with
// the action or the reason it gives.
func refineNoted(n Note) (string, error) {
	for _, s := range append([]string{n.Text}, sentences(n.Text)...) {
		if text, err := threeParts(strings.TrimRight(s, ". ")); err == nil {
			return text, nil
		}
	}
	if text, ok := reworded(n); ok {
		return threeParts(text)
	}
	pr, err := pack.ParsePrinciple(n.Rule)
	if err != nil {
		return "", err
	}
	switch asked, reason := instructions(n.Text, true), reasonRE.FindStringSubmatch(strings.TrimRight(strings.TrimSpace(n.Text), ". ")); {
	case reason != nil && (len(asked) == 0 || ofRuleRE.MatchString(asked[0].action)):
		pr.Because = reason[1]
	case len(asked) > 0 && !ofRuleRE.MatchString(asked[0].action):
		pr.Action = asked[0].action
		if asked[0].situation != "" {
			pr.Situation = asked[0].situation
		}
		if asked[0].because != "" {
			pr.Because = asked[0].because
		}
	default:
		return "", fault.Wrap(fault.Invalid, errUnheard, "The note asks for no wording that the embedded reasoner can read. Send it back again with the words to use, as “say ‘…’ instead of ‘…’”, or with the whole rule.")
	}
	return threeParts("When " + lowerFirst(pr.Situation) + ", " + lowerFirst(pr.Action) + " because " + lowerFirst(pr.Because))
}

// reworded puts other words into a rule, or takes some out; false when the note names none that stand in it.
func reworded(n Note) (string, bool) {
	text, note, done := plainQuotes(n.Rule), plainQuotes(n.Text), false
	swap := func(old, now string) {
		re := regexp.MustCompile(`(?i)` + regexp.QuoteMeta(old))
		if re.MatchString(text) {
			text, done = re.ReplaceAllLiteralString(text, now), true
		}
	}
	for _, m := range insteadRE.FindAllStringSubmatch(note, 4) {
		swap(m[2], m[1])
	}
	for _, m := range replaceRE.FindAllStringSubmatch(note, 4) {
		swap(m[1], m[2])
	}
	for _, m := range removeRE.FindAllStringSubmatch(note, 4) {
		swap(" "+m[1], "")
	}
	return text, done
}
