package stream

import (
	"context"
	"fmt"
	"slices"
	"sort"
	"strings"

	"preceptor/internal/compliance"
	"preceptor/internal/pack"
)

// When a group of memories says something.
const (
	codeFrom     = 3   // drafts with the same finding
	mendedFrom   = 2   // of which people corrected
	taskFrom     = 4   // decided drafts of one task
	taskShare    = 0.5 // corrected share from which a task stands out
	taskBeyond   = 0.2 // and by how much beyond the other tasks
	shownFrom    = 4   // decided drafts that were shown the same knowledge
	shownShare   = 0.6
	bandFrom     = 3 // drafts of one band
	surprises    = 2 // verdicts that people did not share
	mostInsights = 8
	mostCites    = 12
)

// Material is what there is to reflect on: the memories of the window, oldest first.
type Material struct {
	Agent  string
	Window []Memory
}

// Thought is an insight as a reflector gives it.
type Thought struct {
	Theme      string
	Text       string
	Cites      []string // ids of memories of the material
	Importance int
	Code       string         // of the finding that people keep correcting: it opens a lesson; "" for none
	Situation  pack.Situation // of the customer that stands for the others, where there is a lesson
}

// Reflector sees from a distance. Embedded and Prompted implement it.
type Reflector interface {
	Reflect(ctx context.Context, m Material) ([]Thought, error)
	Name() string
}

// Embedded groups memories by finding, task, knowledge and verdict, and counts. It is deterministic and understands
// nothing; its insights say how often.
type Embedded struct{}

// NewEmbedded makes the reflector.
func NewEmbedded() *Embedded { return &Embedded{} }

// Name is stored as who answered.
func (*Embedded) Name() string { return "embedded reflection" }

// Reflect gives at most eight thoughts, the weightiest first.
func (*Embedded) Reflect(_ context.Context, m Material) ([]Thought, error) {
	var out []Thought
	out = append(out, byCode(m)...)
	out = append(out, byTask(m)...)
	out = append(out, byShown(m)...)
	out = append(out, byVerdict(m)...)
	sort.SliceStable(out, func(i, j int) bool { return out[i].Importance > out[j].Importance })
	return out[:min(mostInsights, len(out))], nil
}

// group is the memories that have something in common, by draft.
type group struct {
	key    string
	all    []Memory
	drafts map[string]bool // interactions
	mended map[string]bool // of which people corrected
	done   map[string]bool // of which people decided
}

func (g *group) add(m Memory) {
	g.all = append(g.all, m)
	draft := m.InteractionID
	if draft == "" {
		draft = m.ID
	}
	g.drafts[draft] = true
	if m.Kind == Decision {
		g.done[draft] = true
	}
	if m.corrected() {
		g.mended[draft] = true
	}
}

// grouped sorts memories by the keys that they have, in the order of the keys.
func grouped(list []Memory, keys func(Memory) []string) []*group {
	by := map[string]*group{}
	for _, m := range list {
		for _, k := range keys(m) {
			g := by[k]
			if g == nil {
				g = &group{key: k, drafts: map[string]bool{}, mended: map[string]bool{}, done: map[string]bool{}}
				by[k] = g
			}
			g.add(m)
		}
	}
	out := make([]*group, 0, len(by))
	for _, g := range by {
		out = append(out, g)
	}
	sort.Slice(out, func(i, j int) bool { return out[i].key < out[j].key })
	return out
}

// cites are the ids of a group, what people corrected first.
func (g *group) cites() []string {
	ordered := slices.Clone(g.all)
	sort.SliceStable(ordered, func(i, j int) bool { return ordered[i].corrected() && !ordered[j].corrected() })
	var ids []string
	for _, m := range ordered {
		if len(ids) < mostCites {
			ids = append(ids, m.ID)
		}
	}
	return ids
}

func draftsOf(list []Memory) int {
	seen := map[string]bool{}
	for _, m := range list {
		if m.InteractionID != "" {
			seen[m.InteractionID] = true
		}
	}
	return len(seen)
}

// byCode are findings that come again. Where people corrected some of them a lesson is opened, for an expert to state.
func byCode(m Material) (out []Thought) {
	all := draftsOf(m.Window)
	for _, g := range grouped(m.Window, func(m Memory) []string { return m.Codes }) {
		n, mended := len(g.drafts), len(g.mended)
		if n < codeFrom {
			continue
		}
		t := Thought{Theme: "code:" + g.key, Cites: g.cites(), Importance: min(10, 4+n/2+mended),
			Text: fmt.Sprintf("“%s” was found in %d of %d drafts, and people corrected %s of them.",
				pack.Upper(words(g.key)), n, all, some(mended))}
		if i := slices.IndexFunc(g.all, Memory.corrected); i >= 0 && mended >= mendedFrom {
			t.Code, t.Situation = g.key, g.all[i].Situation
		}
		out = append(out, t)
	}
	return out
}

// byTask are tasks whose drafts people correct clearly more often than the others.
func byTask(m Material) (out []Thought) {
	decided := slices.DeleteFunc(slices.Clone(m.Window), func(m Memory) bool { return m.Kind != Decision })
	groups := grouped(decided, func(m Memory) []string { return []string{m.Task} })
	done, mended := 0, 0
	for _, g := range groups {
		done, mended = done+len(g.done), mended+len(g.mended)
	}
	for _, g := range groups {
		n, k := len(g.done), len(g.mended)
		others, otherMended := done-n, mended-k
		if n < taskFrom || g.key == "" {
			continue
		}
		share, rest := float64(k)/float64(n), 0.0
		if others > 0 {
			rest = float64(otherMended) / float64(others)
		}
		switch {
		case share >= taskShare && (others == 0 || share-rest >= taskBeyond):
			text := fmt.Sprintf("%s is hard for this agent: people corrected %d of %d drafts", pack.Label(g.key), k, n)
			if others > 0 {
				text += fmt.Sprintf(", and %d of %d on other subjects", otherMended, others)
			}
			out = append(out, Thought{Theme: "task:" + g.key, Cites: g.cites(), Importance: min(9, 4+k/2),
				Text: text + "."})
		case k == 0 && n >= 2*taskFrom:
			out = append(out, Thought{Theme: "task:" + g.key, Cites: g.cites(), Importance: 3,
				Text: fmt.Sprintf("%s goes well: all %d drafts went out as they were.", pack.Label(g.key), n)})
		}
	}
	return out
}

// byShown are rules and cases whose drafts people keep correcting. No principle follows: credit and a person settle
// such knowledge.
func byShown(m Material) (out []Thought) {
	decided := slices.DeleteFunc(slices.Clone(m.Window), func(m Memory) bool { return m.Kind != Decision })
	for _, g := range grouped(decided, func(m Memory) []string { return m.Shown }) {
		n, k := len(g.done), len(g.mended)
		if n < shownFrom || float64(k) < shownShare*float64(n) {
			continue
		}
		out = append(out, Thought{Theme: "shown:" + g.key, Cites: g.cites(), Importance: min(9, 4+k/2),
			Text: fmt.Sprintf("The same knowledge was shown to %d drafts, and people corrected %d of them. Whether "+
				"it misleads is worth a look.", n, k)})
	}
	return out
}

// byVerdict is what the confidence of the checks and the panel says, and where people did not share it.
func byVerdict(m Material) (out []Thought) {
	bands := grouped(m.Window, func(m Memory) []string {
		if m.Kind == Verdict {
			return []string{m.What}
		}
		return nil
	})
	decided := map[string]Memory{}
	for _, m := range m.Window {
		if m.Kind == Decision {
			decided[m.InteractionID] = m
		}
	}
	for _, g := range bands {
		switch band := compliance.Band(g.key); band {
		case compliance.Clarify, compliance.Ambiguous:
			if len(g.drafts) >= bandFrom {
				out = append(out, Thought{Theme: "band:" + g.key, Cites: g.cites(),
					Importance: min(8, 3+len(g.drafts)/2), Text: unclear(band, g)})
			}
		case compliance.ExemplarOffer, compliance.NegativeExample:
			if t, ok := surprise(band, g, decided); ok {
				out = append(out, t)
			}
		}
	}
	return out
}

func unclear(band compliance.Band, g *group) string {
	var tasks []string
	for _, m := range g.all {
		tasks = append(tasks, pack.Lower(pack.Label(m.Task)))
	}
	on := strings.Join(unique(tasks, 3), ", ")
	if band == compliance.Clarify {
		return fmt.Sprintf("Where the guidance boundary runs was not clear in %d drafts (%s). A ruling or a line in "+
			"the rubric would decide it.", len(g.drafts), on)
	}
	return fmt.Sprintf("The language of %d drafts was ambiguous (%s): the words that divide are in the memories below.",
		len(g.drafts), on)
}

// surprise is where people corrected what the checks were sure was fine, or let go what they were sure was not.
func surprise(band compliance.Band, g *group, decided map[string]Memory) (Thought, bool) {
	var cites []string
	n := 0
	for _, m := range g.all {
		d, ok := decided[m.InteractionID]
		if !ok || d.corrected() != (band == compliance.ExemplarOffer) {
			continue
		}
		n++
		if len(cites) < mostCites {
			cites = append(cites, m.ID, d.ID)
		}
	}
	if n < surprises {
		return Thought{}, false
	}
	text := fmt.Sprintf("The checks were sure of %d drafts that people corrected all the same: they look for "+
		"something that the checks do not know.", n)
	if band == compliance.NegativeExample {
		text = fmt.Sprintf(
			"People let %d drafts go that the checks were sure break the boundary: one of the two is wrong.", n)
	}
	return Thought{Theme: "surprise:" + string(band), Cites: cites, Importance: min(9, 5+n/2), Text: text}, true
}

func some(n int) string {
	if n == 0 {
		return "none"
	}
	return fmt.Sprint(n)
}
