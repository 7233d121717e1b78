package learning

import (
	"fmt"
	"regexp"
	"strings"

	"preceptor/internal/pack"
)

// situationFor works out whom a lesson is for: a fact about this customer that the lesson turns on, or else the subject
// asked about. Never a sum, an age or a name.
func (e evidence) situationFor(c candidate) (situation string, conditions, tasks []string) {
	s := e.src.Situation
	for _, cond := range movebook[c.move].whom {
		if meets(s, cond) {
			return conditionPhrases[cond], []string{cond}, nil
		}
	}
	if cond := e.meantCondition(c); cond != "" {
		return conditionPhrases[cond], []string{cond}, nil
	}
	task := e.consulted()
	if c.move == "" { // a move of the book is for what the customer asked about: "asks about tax, explain the tax" says nothing
		task = e.task(c.action)
	}
	phrase, ok := taskPhrases[task]
	if c.anyone || !ok {
		return anyDraft, nil, nil
	}
	if task == pack.DBTransfer && s.HoldsDB() {
		return conditionPhrases[CondDB], []string{CondDB}, nil
	}
	return "the customer asks about " + phrase, nil, []string{task}
}

// task is the subject that a lesson belongs to: the one its own words name, if that is what this customer asked about, or
// else the consultation's.
func (e evidence) task(action string) string {
	s := e.src.Situation
	if own := pack.Classify(action); taskPhrases[own] != "" {
		if fires, _ := (pack.Principle{Situation: "the customer asks about " + taskPhrases[own], Action: action}).Applies(s); fires && own != pack.DBTransfer {
			return own
		}
	}
	return e.consulted()
}

// consulted is the subject that the customer asked about.
func (e evidence) consulted() string {
	s := e.src.Situation
	if s.Task != "" && s.Task != pack.General {
		return s.Task
	}
	if e.src.Task != "" && e.src.Task != pack.General {
		return e.src.Task
	}
	return pack.Classify(firstText(e.src.Question, s.Question))
}

// meantWords are how words show that a fact about the customer matters.
var meantWords = []struct {
	condition string
	re        *regexp.Regexp
}{
	{CondDB, ci(`defined[- ]benefit|\bdb\b|final[- ]salary|career[- ]average|\bscheme`)},
	{CondLow, ci(`literacy|reading age|struggles? (?:with|to read)|plain (?:english|words)`)},
	{CondVulnerable, ci(`vulnerab|bereave|widow|distress|fragile`)},
	{CondYoung, ci(`too young|under 55|below (?:the )?minimum|before 55`)},
	{CondState, ci(`state pension`)},
}

// meantCondition is the fact that the reviewer's or the lesson's words speak of and that this customer has.
func (e evidence) meantCondition(c candidate) string {
	words := c.action + " " + c.because
	if c.score >= 3 {
		words += " " + e.said
	}
	for _, m := range meantWords {
		if m.re.MatchString(words) && meets(e.src.Situation, m.condition) {
			return m.condition
		}
	}
	return ""
}

// statedConditions reads what a situation in the reviewer's words depends on, as far as there is a name for it.
func (e evidence) statedConditions(situation string) (conditions, tasks []string) {
	pr := pack.Principle{Situation: situation, Action: "mention it"}
	for _, m := range meantWords {
		if m.re.MatchString(situation) && meets(e.src.Situation, m.condition) {
			conditions = append(conditions, m.condition)
		}
	}
	if len(conditions) == 0 {
		if fires, _ := pr.Applies(e.src.Situation); fires && e.src.Situation.Task != "" {
			if other, _ := pr.Applies(pack.Situation{Question: "When will I get my State Pension?", Task: pack.StatePension}); !other {
				tasks = []string{e.src.Situation.Task}
			}
		}
	}
	return conditions, tasks
}

// domainOf files a lesson in the reviewer's own words under what it is about.
func (e evidence) domainOf(action string, moves []pack.Move) string {
	for _, m := range moves {
		if b, ok := movebook[m]; ok {
			return b.domain
		}
	}
	switch {
	case ci(`\brecommend|\bfca\b|regulated|advice|authorised|must by law|legal|complian|you should`).MatchString(action):
		return RegulatoryCompliance
	case ci(`\bwarn|risk|lose|losing|lost|guarantee|scam|deadline|closing|expire|irreversib|penalt|protected`).MatchString(action):
		return RiskDisclosure
	case ci(`^ask\b|underst[ao]od|understand|own words|check (?:that|whether|if)`).MatchString(action):
		return UnderstandingVerification
	}
	return PensionEducation
}

// generalise takes this customer's own sums and age out of a sentence.
func (e evidence) generalise(text string) string {
	text = strings.TrimSpace(tokenName.ReplaceAllString(text, "the customer"))
	figures := pack.FindFigures(text)
	for i := len(figures) - 1; i >= 0; i-- {
		f := figures[i]
		if word := e.own(f); word != "" {
			text = strings.TrimSuffix(text[:f.Start], "the ") + word + text[f.End:]
		}
	}
	return text
}

// own is what to say in place of a figure that is the customer's; "" when it is not.
func (e evidence) own(f pack.Figure) string {
	s := e.src.Situation
	if f.Kind == "age" && s.Age > 0 && int(f.Value) == s.Age && s.Age != 55 && s.Age != 57 && s.Age != 75 {
		return strings.ReplaceAll(f.Text, fmt.Sprint(s.Age), "their age")
	}
	if f.Kind != "money" {
		return ""
	}
	for _, v := range []struct {
		value float64
		word  string
	}{{s.DBValue, "the transfer value"}, {s.DCValue, "the value of the pot"}, {s.DBValue / 4, "a quarter of it"}, {s.DCValue / 4, "a quarter of the pot"}} {
		if v.value > 0 && f.Value == v.value {
			return v.word
		}
	}
	return ""
}
