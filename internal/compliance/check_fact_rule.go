package compliance

import (
	"regexp"
	"strings"
	"sync"

	"preceptor/internal/pack"
)

// factTopic is what a sentence may speak of, with the ways in which its rules are told wrong. The topic may stand in the sentence
// before, as in "There is a lower limit after that. It is £4,000."
type factTopic struct {
	about string
	rules []factRule
}

// factRule is one way to tell a rule wrong. All conditions are held against the sentence in plain form (see plainly), in any order,
// because other authors say the same in other words and another order.
type factRule struct {
	kind  ruleKind
	all   string // what the sentence says: conditions joined by " & ", each an expression that begins at a word
	none  string // and what it must not say
	slot  string // for a figure: an expression whose first group is the figure, and whose second may be its unit
	right string // the right figures, joined by "|"; {key} stands for the value in the dated table
	own   bool   // it speaks of fraud or of what was itself, so that words of them excuse nothing
	why   string
}

type ruleKind int

const (
	// affirms is a claim that the law denies: any denial in the main clause excuses it.
	affirms ruleKind = iota
	// denies is a claim that has its denial in itself ("is not taxable").
	denies
	// figures is a slot in which any figure but the right ones is wrong.
	figures
)

type compiledTopic struct {
	about *pack.Pattern
	rules []compiledRule
}

type compiledRule struct {
	factRule
	topic int
	all   []*pack.Pattern
	none  *pack.Pattern
	slot  *pack.Pattern
	right []string
	words bool // the figure may stand in words ("half", "a year")
}

// compiledFacts are all topics and their rules, with what the rules need as one set.
type compiledFacts struct {
	topics []compiledTopic
	rules  []compiledRule
	need   *pack.Set // of each rule the condition that the fewest sentences fulfil
}

// factTopics are compiled when the first text comes, not when the program starts.
var factTopics = sync.OnceValue(func() compiledFacts {
	var out compiledFacts
	var need []*pack.Pattern
	for _, list := range [][]factTopic{savingFacts, allowanceFacts, accessFacts, productFacts, stateFacts, taxFacts, schemeFacts, deathFacts, bodyFacts, secondFacts, thirdFacts, fourthFacts, fifthFacts, sixthFacts} {
		for _, t := range list {
			c := t.compile()
			for _, r := range c.rules {
				r.topic = len(out.topics)
				out.rules = append(out.rules, r)
				need = append(need, pack.Rarest(r.conditions()))
			}
			out.topics = append(out.topics, c)
		}
	}
	out.need = pack.NewSet(need)
	return out
})

func (t factTopic) compile() compiledTopic {
	c := compiledTopic{about: atWord(t.about)}
	for _, r := range t.rules {
		cr := compiledRule{factRule: r}
		for _, part := range strings.Split(r.all, " & ") {
			if part != "" {
				cr.all = append(cr.all, atWord(part))
			}
		}
		if r.none != "" {
			cr.none = atWord(shortRE.ReplaceAllString(shortRE.ReplaceAllString(r.none, "$1$2\\b$3"), "$1$2\\b$3"))
		}
		if r.slot != "" {
			cr.slot = pack.NewPattern(r.slot)
			cr.words = strings.Contains(r.slot, "half") || strings.Contains(r.slot, "a|one")
			cr.right = strings.Split(r.right, "|")
		}
		c.rules = append(c.rules, cr)
	}
	return c
}

// conditions are what a sentence that breaks the rule matches.
func (r *compiledRule) conditions() []*pack.Pattern {
	if r.kind != figures {
		return r.all
	}
	return append(r.all[:len(r.all):len(r.all)], r.slot)
}

// shortRE is a word among alternatives that begins many others ("not", "nothing"), so that it must be meant whole.
var shortRE = regexp.MustCompile(`(^|\|)(not|if|some|may|but|part|all|act|own|over|one|she|tax)(\||$)`)

var (
	// pointerRE is how a sentence begins that goes on with what the one before spoke of.
	pointerRE = pack.NewPattern(`^(?:as |for |once |after |and |but |so |there |then |after )?(?:it|that|this|they|these|those|its|such|there|the (?:limit|allowance|charge|rule|cut|reduction|most|amount|age|cap))\b|\b(?:it|that|they|this)\b`)
	deniesRE  = atWord(`(?:not|never|no|nor|neither|nothing|nobody|none|without|rarely|seldom|unlikely|hardly|unless|ban|banned|barred|refuse[sd]?|few|wrong)\b`)
	// leadRE and tailRE are clauses whose denials don't touch the main one: "if it doesn't suit, you can hand it back".
	leadRE = pack.NewPattern(`^(?:if|even if|when|once|while|because|as|since|although|though|should|whether|where|for)\b[^,]*, `)
	tailRE = pack.NewPattern(`[, ](?:if|when|because|as long as|so long as|even (?:if|though|when)|whether|however|without telling)\b.*$`)
	// toldRE is what others say, fear or offer; what was; what may come; and what holds elsewhere.
	toldRE = atWord(`(?:some|many|most|lots of|plenty of|other|few) people (?:still )?(?:think|believe|say|assume|imagine)|(?:often|commonly|widely|sometimes|wrongly|mistakenly) (?:thought|believed|said|assumed|told|claimed|feared|quoted)|people (?:often|sometimes|still) (?:think|believe|say|assume)|it is (?:a )?(?:common )?(?:myth|misconception|mistake)|myth|misconception|misunderst|mistaken|contrary to|untrue|(?:not|is not|never) (?:true|right|correct|the case)\b|false|wrong to|wrongly|you (?:asked|said|say|mention\w*|read|heard|wrote|write|were told|have heard|have read|have been told|may have (?:heard|read|seen)|might have (?:heard|read))|(?:he|she|they|caller|salesman|friend|brother|sister|neighbour|colleague|firm|website|advert|article|leaflet|man|woman|someone|anyone|anybody|who|company|introducer|scammers?|fraudsters?|criminals?)(?: who| that)? (?:says?|said|claims?|claimed|told|tells?|promis\w+|offers?|offering|insists?|suggests?|assures?|thinks?|believes?|tell|say|offer)|claims? (?:that|to)|promises? (?:of|that)|scams?|fraud\w*|beware|be wary|suspicious|warning signs?|red flags?|so called`)
	pastRE = atWord(`used to|until (?:\d+ )?(?:january|february|march|april|may|june|july|august|september|october|november|december)? ?(?:19|20)[012]\d|(?:before|prior to|up to) (?:\d+ )?(?:april )?(?:20[01]\d|202[0-6])\b|in the past|formerly|previously|historically|back then|old (?:rules?|system|rate)|old style|(?:was|were) (?:abolished|scrapped|removed|replaced|ended|dropped)|no longer|at one time|once (?:was|were|had)|years ago|had been|stopped being|(?:allowance|limit|rule|cap|test|tax|system|charge|exemption|regime)s? (?:has|have) (?:now )?gone|not any more|proposals?|proposed|consult(?:ing|ation)|rumou?rs?|if the (?:rules|law|government)|in (?:america|the united states|the us|germany|australia|ireland|new zealand)\b`)
)

// misread is the first rule that sentence i tells wrong.
func misread(plain []sentence, i int, at pack.FactTable) (string, bool) {
	s := &plain[i]
	texts := [2]string{s.text}
	n := 1
	if i > 0 && pointerRE.MatchOnce(s.text[:min(len(s.text), 50)]) {
		texts[1], n = plain[i-1].text, 2
	}
	facts := factTopics()
	var room [64]int
	topic, spoken := -1, false
	for _, k := range facts.need.Possible(room[:0], s.text) { // what no sentence says, none of its parts does
		r := &facts.rules[k]
		if r.topic != topic {
			topic = r.topic
			about := facts.topics[topic].about
			spoken = about.MatchString(s.text) || n == 2 && about.MatchString(texts[1])
		}
		if spoken && r.wrongIn(s, at) {
			return r.why, r.own || !toldRE.MatchString(s.text) && !pastRE.MatchString(s.text)
		}
	}
	return "", false
}

// wrongIn tells whether a claim of a sentence breaks the rule; one without parts is a claim itself.
func (r *compiledRule) wrongIn(s *sentence, at pack.FactTable) bool {
	if len(s.pieces) == 0 {
		return r.wrong(s, at)
	}
	for i := range s.pieces {
		if r.wrong(&s.pieces[i], at) {
			return true
		}
	}
	return false
}

func (r *compiledRule) wrong(s *sentence, at pack.FactTable) bool {
	if r.kind == figures && !s.digits && r.slot != nil && !r.words {
		return false
	}
	if !pack.MatchAll(r.all, s.text) {
		return false
	}
	if r.kind == figures {
		if !r.wrongFigure(s.text, at) {
			return false
		}
	} else if r.kind == affirms && denied(mainClause(s.text)) && !r.claims(s.text) {
		return false
	}
	return r.none == nil || !r.none.MatchString(s.text)
}

// claims tells whether what a sentence says before its consequence is the whole claim, and denies nothing: "the form binds the
// trustees, so nobody can argue".
func (r *compiledRule) claims(s string) bool {
	at := strings.Index(s, ", so ")
	if at < 0 {
		return false
	}
	return pack.MatchAll(r.all, s[:at]) && !denied(mainClause(s[:at]))
}

func denied(clause string) bool { return deniesRE.MatchOnce(clause) }

// mainClause is a sentence without the conditions before and after it.
func mainClause(s string) string {
	if m := leadRE.FindStringIndex(s); m != nil {
		s = s[m[1]:]
	}
	if m := tailRE.FindStringIndex(s); m != nil && m[0] > 25 {
		s = s[:m[0]]
	}
	return s
}

// wrongFigure tells whether the slot holds a figure that is none of the right ones.
func (r *compiledRule) wrongFigure(s string, at pack.FactTable) bool {
	for _, m := range r.slot.FindAllStringSubmatchIndex(s, 4) {
		figure := ""
		for g := 2; g+1 < len(m); g += 2 {
			if m[g] >= 0 {
				figure = strings.TrimSpace(figure + " " + s[m[g]:m[g+1]])
			}
		}
		if figure != "" && !r.isRight(strings.TrimSuffix(figure, "s"), at) {
			return true
		}
	}
	return false
}

func (r *compiledRule) isRight(figure string, at pack.FactTable) bool {
	for _, v := range r.right {
		if strings.HasPrefix(v, "{") {
			f, ok := at.Get(v[1 : len(v)-1])
			if !ok || trimNumber(f.Value) == figure {
				return true
			}
		} else if strings.TrimSuffix(v, "s") == figure {
			return true
		}
	}
	return false
}
