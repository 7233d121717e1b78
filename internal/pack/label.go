package pack

import (
	"cmp"
	"slices"
	"strings"
	"sync"

	"preceptor/internal/platform/fault"
)

// CheckName is nil when a pack of this name ships; else an Invalid fault that lists those that do. The empty name is no
// name.
func CheckName(name string) error {
	if name != "" && packs[name] != nil {
		return nil
	}
	msg := "There is no pack " + cmp.Or(name, `""`) + ". Choose one of: " + strings.Join(Names(), ", ") + "."
	return fault.Wrong(msg, "pack", msg)
}

// Names lists the packs' names.
func Names() (names []string) {
	for _, p := range All() {
		names = append(names, p.Name)
	}
	return names
}

// Title is a pack's name as people read it.
func Title(name string) string { return Of(name).Title }

// Label is a topic in words, as "DB transfer", whichever pack has it; another's is shown with its underscores as
// spaces.
func Label(topic string) string {
	for _, p := range All() {
		if t, ok := p.Topic(topic); ok {
			return t.Label
		}
	}
	if words := strings.TrimSpace(Plain(topic)); words != "" {
		return upperFirst(words)
	}
	return "General"
}

// TopicOf is the topic that a question's own words name; General where they name none.
func (p *Pack) TopicOf(question string) string {
	return cmp.Or(p.Phrases().Topic(p.Phrases().ReadText(question, nil)), General)
}

// TopicIn is the topic of a question in its conversation: the one that its own words name, else the one that it has
// with what it may refer to, the customer's message before it and the answer to that.
func (p *Pack) TopicIn(s Situation) string {
	topic := p.TopicOf(s.Question)
	for _, before := range []string{s.Previous(), s.Exchange()} {
		if topic == General && before != "" {
			topic = p.TopicOf(before + "\n" + s.Question)
		}
	}
	return topic
}

// Topics are the topics of these packs in their order, then those seen that no pack has, by name; each once.
func Topics(names, seen []string) (topics []string) {
	add := func(t string) {
		if t != "" && !slices.Contains(topics, t) {
			topics = append(topics, t)
		}
	}
	for _, p := range All() {
		if slices.Contains(names, p.Name) {
			for _, t := range p.Topics {
				add(t.Name)
			}
		}
	}
	for _, t := range slices.Sorted(slices.Values(seen)) {
		add(t)
	}
	return topics
}

// RuleDomains are what rules are filed under in any of these packs, or in all packs when none is named; each once, the
// weightiest first and then as the packs list them.
func RuleDomains(names ...string) (domains []RuleDomain) {
	for _, p := range slices.Backward(All()) { // where two packs have a name, pension's label is shown
		if len(names) > 0 && !slices.Contains(names, p.Name) {
			continue
		}
		for _, d := range p.Domains {
			if !slices.ContainsFunc(domains, func(have RuleDomain) bool { return have.Name == d.Name }) {
				domains = append(domains, d)
			}
		}
	}
	slices.SortStableFunc(domains, func(a, b RuleDomain) int { return cmp.Compare(b.Importance, a.Importance) })
	return domains
}

// DomainLabel is a rule's domain in the words of these packs, else of all; the name with blanks where none has it.
func DomainLabel(name string, names ...string) string {
	if name == "" {
		return "Not yet known"
	}
	for _, d := range append(RuleDomains(names...), RuleDomains()...) {
		if d.Name == name {
			return d.Label
		}
	}
	return Upper(strings.TrimSpace(Plain(name)))
}

// ownNames are the titles of firms' own checks, by code.
var ownNames sync.Map

// NameIssue gives the code of a firm's own check its title.
func NameIssue(code, title string) { ownNames.Store(code, title) }

// IssueName is the one name of an issue's code wherever people read it, as "Missing DB warning"; what is no code stays
// as it is.
func IssueName(code string) string {
	if name, ok := issueNames[code]; ok {
		return name
	}
	if title, ok := ownNames.Load(code); ok {
		return title.(string)
	}
	if code == "" || code != strings.ToUpper(code) || strings.ContainsRune(code, ' ') {
		return code
	}
	return Upper(Plain(strings.ToLower(code)))
}

// Plain is a name of a field, a topic or a code in words, as "marital status" and "OS version".
func Plain(name string) string {
	parts := strings.Split(name, "_")
	for i, p := range parts {
		if slices.Contains([]string{"db", "dc", "fca", "id", "ip", "isa", "mpaa", "os", "pc", "uk", "url", "vat"}, p) {
			parts[i] = strings.ToUpper(p)
		}
	}
	return strings.Join(parts, " ")
}

// issueNames are those that the code's own words don't give.
var issueNames = map[string]string{"NON_COMPLIANT": "Non-compliant",
	"PRODUCT_NAMED_RECOMMENDATION": "Product recommended by name", "INACCURATE_FACT": "Wrong fact",
	"GUARANTEE_OR_PROMISE": "Guarantee", "MISSING_RISK_DISCLOSURE": "Missing risk",
	"JARGON_FOR_LITERACY": "Too hard to read", "OFF_TOPIC": "Doesn't answer the question"}
