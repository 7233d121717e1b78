package observe

import (
	"bytes"
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	"preceptor/internal/llm"
	"preceptor/internal/pack"
	"preceptor/internal/platform/text"
	"preceptor/internal/rule"
	"preceptor/internal/signal/turn"
)

// What the seed's detectors ask for and what they give.
const (
	leastApproved  = 3
	leastCorrected = 2
	leastFollowed  = 2
	surelyFollowed = 3
	approvalsFull  = 10.0 // approvals for a confidence of 1
	correctedFull  = 5.0
	followed       = 0.6
	followedTwice  = 0.4
	mostEvidence   = 3
	// consistent is the share of a code base from which a pattern is the project's own.
	consistent = 0.5
	// bound is between what was approved and what of its kind was corrected.
	bound = ", not "
)

// Codebase is what package scan found.
type Codebase struct {
	Project  string           `json:"project"`
	Patterns []ProjectPattern `json:"patterns"`
}

// UnmarshalJSON reads what package scan writes, and seed 002's codebase_analysis: patterns by their names, each with a
// description and a confidence.
func (c *Codebase) UnmarshalJSON(raw []byte) error {
	var base struct {
		Project  string
		Patterns json.RawMessage
	}
	if err := json.Unmarshal(raw, &base); err != nil {
		return err
	}
	*c = Codebase{Project: base.Project}
	if !bytes.HasPrefix(base.Patterns, []byte("{")) {
		return json.Unmarshal([]byte(cmp.Or(string(base.Patterns), "null")), &c.Patterns)
	}
	var named map[string]struct {
		Description string
		Language    string
		Confidence  float64
	}
	if err := json.Unmarshal(base.Patterns, &named); err != nil {
		return err
	}
	for _, name := range slices.Sorted(maps.Keys(named)) {
		p := named[name]
		c.Patterns = append(c.Patterns, ProjectPattern{Name: name, Language: p.Language, Description: p.Description,
			Share: p.Confidence})
	}
	return nil
}

// ProjectPattern is how a code base does one thing, and the share of places that do.
type ProjectPattern struct {
	Name        string   `json:"name"` // error_handling, testing, imports
	Language    string   `json:"language"`
	Description string   `json:"description"`
	Share       float64  `json:"share"`
	Holds       int      `json:"holds"`
	Of          int      `json:"of"`
	Unit        string   `json:"unit"`  // of Holds and Of: functions, handlers, files
	Files       []string `json:"files"` // where it holds
}

// Detect gives the proposals of all four detectors, in an order that depends on the observations alone and not on
// theirs.
func Detect(ctx context.Context, e llm.Embedder, list []Observation, base Codebase) ([]Proposal, error) {
	m, err := Read(ctx, e, list, base)
	if err != nil {
		return nil, err
	}
	groups := m.Groups(list, Floor, nil)
	successes := Successes(list, groups)
	praised := slices.DeleteFunc(Praised(list, groups), func(p Proposal) bool { // it is said with all that was approved
		return slices.ContainsFunc(successes, func(s Proposal) bool {
			return s.Content == p.Content || strings.HasPrefix(s.Content, p.Content+bound)
		})
	})
	return slices.Concat(successes, Corrections(list, m), Followed(list, base, m), praised), nil
}

// IsFailure reports whether the user corrected what was done.
func IsFailure(o Observation) bool { return o.Kind == Failure && !o.Aside }

// Successes are what the user approved each time, three times or more.
func Successes(list []Observation, groups [][]int) (out []Proposal) {
	for _, g := range groups {
		var good, bad []int
		actions := map[string]bool{}
		for _, i := range g {
			switch kind := list[i].hear().kind; {
			case kind == Success && !IsFailure(list[i]):
				good = append(good, i)
				actions[list[i].Action] = true
			case kind == Failure || IsFailure(list[i]):
				bad = append(bad, i)
			}
		}
		contradicted := slices.ContainsFunc(bad, func(i int) bool { return actions[list[i].Action] })
		if len(good) < leastApproved || len(good)+len(bad) < len(g) || len(bad)*leastApproved > len(good) ||
			contradicted {
			continue
		}
		content := continued(done(list, good))
		if head, _, value := strings.Cut(content, ": "); value && len(bad) > 0 {
			if not, same := strings.CutPrefix(pack.Upper(shown(often(list, bad, action))), head+": "); same {
				content += bound + not
			}
		}
		bounds := bad[:min(1, len(bad))]
		evidence := slices.Concat(good[:min(mostEvidence-len(bounds), len(good))], bounds)
		out = append(out, propose(list, g, Rule, scope(list, g), content, reactions(list, evidence),
			min(float64(len(g))/approvalsFull, 1), 1))
	}
	return out
}

// Corrections are what the user corrected twice or more.
func Corrections(list []Observation, m Meanings) (out []Proposal) {
	for _, g := range m.corrected(list) {
		if len(g) < leastCorrected {
			continue
		}
		content, orders, g := m.instead(list, g)
		if len(g) < leastCorrected { // some ask for something else
			continue
		}
		p := propose(list, g, Correction, scope(list, g), content, reactions(list, g),
			min(float64(len(g))/correctedFull, 1), 2)
		p.Orders = orders
		out = append(out, p)
	}
	return out
}

// Followed are the project's own patterns that the agent followed twice or more.
func Followed(list []Observation, base Codebase, m Meanings) (out []Proposal) {
	order := inTime(list)
	for _, p := range base.Patterns {
		if p.Share < consistent || strings.TrimSpace(base.Project) == "" {
			continue
		}
		var g []int
		for _, i := range order {
			if list[i].follows(p, m) {
				g = append(g, i)
			}
		}
		if len(g) < leastFollowed {
			continue
		}
		confidence := followed
		if len(g) < surelyFollowed {
			confidence = followedTwice
		}
		var evidence []string
		for _, i := range g[:min(mostEvidence, len(g))] {
			evidence = append(evidence, "applied in "+shown(cmp.Or(list[i].text("file"), list[i].Action)))
		}
		out = append(out, propose(list, g, Pattern, "project:"+name(base.Project),
			"Project pattern: "+shown(p.Description), evidence, confidence, 3))
	}
	return out
}

// follows reports whether the agent did as the pattern says: it names the pattern, or its action means the same. What
// was corrected followed nothing, nor did what is nearer to the contrary.
func (o Observation) follows(p ProjectPattern, m Meanings) bool {
	if langs := o.languages(); IsFailure(o) || p.Language != "" && len(langs) > 0 &&
		!slices.Contains(langs, strings.ToLower(p.Language)) {
		return false
	}
	words := func(s string) string {
		return " " + strings.Join(text.Words(strings.ReplaceAll(s, "_", " ")), " ") + " "
	}
	if p.Name != "" && (strings.EqualFold(o.text("pattern"), p.Name) ||
		strings.Contains(words(o.Action), words(p.Name))) {
		return true
	}
	near := m.alike(whole(o.Action), whole(p.Description))
	return near >= samePattern && !slices.ContainsFunc(turns, func(how string) bool {
		return m.alike(whole(o.Action), whole(how+p.Description)) > near
	})
}

// Praised are the approaches that the user praised in so many words, one for each behaviour.
func Praised(list []Observation, groups [][]int) (out []Proposal) {
	for _, g := range groups {
		good := slices.DeleteFunc(slices.Clone(g), func(i int) bool { return list[i].hear().kind != Success })
		g = slices.DeleteFunc(slices.Clone(good), func(i int) bool { return !list[i].hear().praise })
		if len(g) > 0 {
			out = append(out, propose(list, g, Preference, scope(list, g), continued(done(list, good)),
				reactions(list, g), praised, 1))
		}
	}
	return out
}

func propose(list []Observation, g []int, category, scope, content string, evidence []string, confidence float64,
	priority int) Proposal {
	sum := sha256.Sum256([]byte(category + "\n" + scope + "\n" + content))
	return Proposal{ID: fmt.Sprintf("agent-%x", sum[:4]), Category: category, Scope: scope, Content: content,
		Evidence: evidence, Confidence: confidence, Priority: priority, Observations: g}
}

func action(o Observation) string { return o.Action }
func masked(o Observation) string { return mask(o.Action) }
func said(o Observation) string   { return o.Said }

// often is the text that occurs most often in a group; the last of several.
func often(list []Observation, g []int, of func(Observation) string) (best string) {
	count := map[string]int{}
	for _, i := range g {
		t := of(list[i])
		count[t]++
		if count[t] >= count[best] {
			best = t
		}
	}
	return best
}

// done are a group's actions, the most frequent one last.
func done(list []Observation, g []int) (all []string) {
	for _, i := range g {
		all = append(all, list[i].Action)
	}
	return append(all, often(list, slices.DeleteFunc(slices.Clone(g), func(i int) bool {
		return mask(list[i].Action) != mask(often(list, g, masked))
	}), action))
}

// shown is a text on one line, short enough for five proposals to keep to their budget.
func shown(s string) string { return text.Opening(s, 80) }

// reactions are actions with what was said to them.
func reactions(list []Observation, g []int) (out []string) {
	for _, i := range g[:min(mostEvidence, len(g))] {
		out = append(out, shown(list[i].Action)+" → "+shown(list[i].Said))
	}
	return out
}

func (o Observation) languages() (out []string) {
	if l := strings.ToLower(o.text("language")); l != "" {
		out = append(out, name(l))
	}
	if l := turn.OfFile(o.text("file")); l != "" {
		out = append(out, l)
	}
	return out
}

// name fits into a scope.
func name(s string) string { return text.Opening(s, 60) }

// scope is whom a group speaks for: the one project that it names, or else the one language, or else everybody.
func scope(list []Observation, g []int) string {
	projects, languages := map[string]string{}, map[string]bool{}
	for _, i := range g {
		if p := name(list[i].text("project")); p != "" {
			key := strings.ToLower(p)
			if known, ok := projects[key]; !ok || p < known {
				projects[key] = p
			}
		}
		for _, l := range list[i].languages() {
			languages[l] = true
		}
	}
	if len(projects) == 1 {
		for _, p := range projects {
			return "project:" + p
		}
	}
	if len(languages) == 1 {
		for l := range languages {
			return "language:" + l
		}
	}
	return rule.Universal
}
