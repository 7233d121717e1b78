package knowledge

import (
	"regexp"
	"strings"

	"preceptor/internal/pack"
	"preceptor/internal/rule"
)

// Rules from before rules were data are carried over once: a new version says as data what sentences of exactly known
// shapes said, and the old versions keep their text. Nothing else reads English here. An action of another shape
// becomes an instruction (rule.Other); a rule whose conditions can't be read waits for an expert.

var (
	oldRuleRE = regexp.MustCompile(`^When ([^,]+), (.+?)(?:,? because (.+?))?\.?$`)
	quoteRE   = `[“"'‘]([^“”"]+?)[”"'’]`

	replaceRE = exact(`(?:say|use|write|put) (?:the words? )?` + quoteRE + ` (?:rather than|instead of) ` + quoteRE)
	neverRE   = exact(
		`(?:never say|never use|avoid saying|avoid|don't say|do not say|don't use|do not use)(?: the words?| the phrase| the wording)? ` + quoteRE)
	includeRE = exact(`(?:mention|say|include|add|state|write)(?: the sentence| the words)?:? ` + quoteRE)
	startRE   = exact(`(?:start|begin|open) with:? ` + quoteRE)
	endRE     = exact(`(?:end|close|finish) with:? ` + quoteRE)
	askRE     = exact(`ask(?: the customer| them)?:? ` + quoteRE)
	pointRE   = exact(`(?:signpost|point(?: the customer| them)?(?: to)?):? ` + quoteRE)

	topicRE  = exact(`(?:the|a) customer asks about (.+)|(?:somebody|someone|anybody) asks about (.+)`)
	hasRE    = exact(`(?:the|a) customer has (?:an? |the )?(.+)`)
	belowRE  = exact(`(?:the|a) customer is (?:under|below|younger than) (?:age )?(\d{2})`)
	aboveRE  = exact(`(?:the|a) customer is (?:over|above|older than) (?:age )?(\d{2})`)
	isRE     = exact(`the customer is (vulnerable)`)
	anyoneRE = exact(`giving guidance|giving guidance to anybody`)
)

func exact(pattern string) *regexp.Regexp { return regexp.MustCompile(`(?i)^(?:` + pattern + `)$`) }

// oldFacts are the facts that old conditions named, in their exact words.
var oldFacts = map[string]rule.Condition{
	"db pension":                   {Kind: rule.Field, Name: "pensions", Op: rule.Has, Values: []string{"db"}},
	"defined benefit pension":      {Kind: rule.Field, Name: "pensions", Op: rule.Has, Values: []string{"db"}},
	"final salary pension":         {Kind: rule.Field, Name: "pensions", Op: rule.Has, Values: []string{"db"}},
	"dc pension":                   {Kind: rule.Field, Name: "pensions", Op: rule.Has, Values: []string{"dc"}},
	"defined contribution pension": {Kind: rule.Field, Name: "pensions", Op: rule.Has, Values: []string{"dc"}},
	"state pension":                {Kind: rule.Field, Name: "pensions", Op: rule.Has, Values: []string{"state"}},
	"low financial literacy":       {Kind: rule.Field, Name: "literacy", Op: rule.Is, Values: []string{"low"}},
	"limited financial literacy":   {Kind: rule.Field, Name: "literacy", Op: rule.Is, Values: []string{"low"}},
}

// oldTopics are words for a topic that are neither its name nor its label.
var oldTopics = map[string]string{
	"combining pensions": pack.Consolidation, "bringing pensions together": pack.Consolidation,
	"transferring a pension": pack.Transfer, "early access": pack.Access,
	"transferring a defined benefit pension": pack.DBTransfer, "an annuity": pack.Annuity, "annuities": pack.Annuity,
	"a lost pension": pack.LostPensions,
	"a complaint":    pack.Complaints, "a scam": pack.Scams, "a possible scam": pack.Scams,
	"investment risk": pack.RiskAssessment, "what happens to a pension at death": pack.DeathBenefits,
	"pensions and divorce": pack.Divorce, "a transfer": pack.Transfer, "taking money out": pack.Access,
}

// carried is what a version says, as data where it wasn't. Without conditions where they could not be read.
func carried(old RuleText, p *pack.Pack) RuleText {
	st := old.Statement.Tidy()
	if st.Empty() {
		situation, action, because := old.Situation, old.Action, old.Because
		if situation == "" || action == "" {
			m := oldRuleRE.FindStringSubmatch(strings.Join(strings.Fields(old.Principle), " "))
			if m == nil {
				m = []string{"", "", old.Principle, ""}
			}
			situation, action, because = m[1], m[2], m[3]
		}
		st = rule.Statement{When: oldConditions(situation, p), Do: oldAct(action), Because: because}.Tidy()
	}
	text := RuleOf(st, p)
	if len(st.When) == 0 {
		text.Title, text.Principle, text.Situation = old.Title, old.Principle, old.Situation
	}
	text.Confidence, text.Provisional, text.FCACompliant = old.Confidence, old.Provisional, old.FCACompliant
	text.Supporting, text.MadeFrom, text.Counter = old.Supporting, old.MadeFrom, old.Counter
	text.CreatedFrom = old.CreatedFrom
	return text
}

func oldAct(action string) rule.Act {
	action = strings.TrimRight(strings.TrimSpace(action), ".")
	if m := replaceRE.FindStringSubmatch(action); m != nil {
		return rule.Act{Kind: rule.Replace, Swaps: []rule.Swap{{Say: m[1], Avoid: m[2]}}}
	}
	if m := neverRE.FindStringSubmatch(action); m != nil {
		return rule.Act{Kind: rule.Never, Phrases: []string{m[1]}}
	}
	for _, t := range []struct {
		re          *regexp.Regexp
		kind, place string
	}{{includeRE, rule.Include, rule.AtTopic}, {startRE, rule.Include, rule.AtStart}, {endRE, rule.Include, rule.AtEnd},
		{askRE, rule.Ask, ""}, {pointRE, rule.Point, ""}} {
		if m := t.re.FindStringSubmatch(action); m != nil {
			return rule.Act{Kind: t.kind, Text: m[1], Place: t.place}
		}
	}
	return rule.Act{Kind: rule.Other, Text: action}
}

// oldConditions are those of a situation, each of whose parts has a known shape; nil when one has not.
func oldConditions(situation string, p *pack.Pack) (out []rule.Condition) {
	for _, part := range strings.Split(strings.TrimSpace(situation), " and ") {
		c, ok := oldCondition(part, p)
		if !ok && len(out) > 0 {
			c, ok = oldCondition("the customer "+part, p) // "has a DB pension and asks about tax"
		}
		if !ok {
			return nil
		}
		out = append(out, c)
	}
	return out
}

func oldCondition(part string, p *pack.Pack) (rule.Condition, bool) {
	if anyoneRE.MatchString(part) {
		return rule.Condition{Kind: rule.Scope, Values: []string{rule.Universal}}, true
	}
	if m := topicRE.FindStringSubmatch(part); m != nil {
		name := oldTopic(m[1]+m[2], p)
		return rule.Condition{Kind: rule.Topic, Values: []string{name}}, name != ""
	}
	for re, op := range map[*regexp.Regexp]string{belowRE: rule.Below, aboveRE: rule.Above} {
		if m := re.FindStringSubmatch(part); m != nil {
			return rule.Condition{Kind: rule.Field, Name: "age", Op: op, Values: []string{m[1]}}, true
		}
	}
	if isRE.MatchString(part) {
		return rule.Condition{Kind: rule.Field, Name: "vulnerable", Op: rule.Is, Values: []string{"yes"}}, true
	}
	if m := hasRE.FindStringSubmatch(part); m != nil {
		c, ok := oldFacts[strings.ToLower(m[1])]
		return c, ok
	}
	return rule.Condition{}, false
}

func oldTopic(words string, p *pack.Pack) string {
	words = strings.ToLower(words)
	if name, ok := oldTopics[words]; ok {
		if _, there := p.Topic(name); there {
			return name
		}
	}
	words = strings.TrimPrefix(strings.TrimPrefix(words, "the "), "their ")
	for _, t := range p.Topics {
		for _, known := range []string{t.Label, t.Phrase, strings.ReplaceAll(t.Name, "_", " ")} {
			if words == strings.TrimPrefix(strings.ToLower(known), "the ") {
				return t.Name
			}
		}
	}
	return ""
}
