package advisor

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"preceptor/internal/interaction"
	"preceptor/internal/pack"
)

// topicOf is the pack's topic of a consultation, read from the question when none was given; zero where the pack has
// none.
func topicOf(p *pack.Pack, s pack.Situation) pack.Topic {
	task := s.Task
	if len(p.Topics) > 0 && (task == "" || task == pack.General) {
		task = pack.Classify(s.Question)
	}
	topic, _ := p.Topic(task)
	return topic
}

// hello greets the customer.
func (c *composition) hello() string {
	name := strings.TrimSpace(c.r.Name)
	if first, _, _ := strings.Cut(name, " "); first != "" && !honorific(first) {
		name = first
	}
	if name == "" {
		return c.pack.Frames.HelloAny
	}
	return strings.ReplaceAll(c.pack.Frames.Hello, "NAME", name)
}

func honorific(w string) bool {
	return slices.Contains([]string{"mr", "mrs", "ms", "miss", "dr", "prof", "sir", "lady", "mx", "rev"},
		strings.ToLower(strings.TrimRight(w, ".")))
}

// opening says what the question is about, in words that no rule forbids; "" where there are none.
func (c *composition) opening() string {
	frames := []string{c.pack.Frames.OpenAny, ""}
	if c.topic.Phrase != "" {
		frames = append([]string{strings.ReplaceAll(c.pack.Frames.Open, "TOPIC", c.topic.Phrase)}, frames...)
	}
	if c.kind.Open != "" {
		frames = append([]string{c.kind.Open}, frames...)
	}
	i := slices.IndexFunc(frames, func(f string) bool { return c.acts.forbids(f) == nil })
	return frames[i]
}

// parts are the draft's paragraphs in order, from lead to last.
func (c *composition) parts() []paragraph {
	return slices.Concat(c.lead, c.body, c.tail, c.asked, c.last)
}

// draft writes everything down.
func (c *composition) draft() Draft {
	w := &writer{acts: c.acts}
	w.b.WriteString(c.hello())
	paras := c.parts()
	if open := c.opening(); open != "" {
		paras = slices.Insert(paras, len(c.lead), paragraph{pieces: []piece{{text: open}}})
	}
	for _, p := range paras {
		w.paragraph(p)
	}
	if len(c.sources) > 0 {
		fmt.Fprintf(&w.b, "\n\n%s", c.pack.Frames.Sources)
		for i, s := range c.sources {
			fmt.Fprintf(&w.b, "\n[%d] %s", i+1, s)
		}
	}
	for _, id := range w.swapped {
		c.cited[id] = true
	}
	for _, s := range c.acts.swaps {
		if slices.Contains(w.swapped, s.id) {
			c.step("Rule %s: said “%s” rather than “%s”.", s.label, s.say, s.avoid)
		}
	}
	c.tellLeftOut()
	return Draft{Text: w.b.String(), Reasoning: strings.Join(c.steps, "\n"), Cited: c.cited,
		Provenance: interaction.Provenance{Marks: w.marks, Notes: c.notes, Unmet: c.unmet,
			Unanswered: c.unanswered}}
}

// writer writes a draft and marks where its sentences come from.
type writer struct {
	b       strings.Builder
	acts    acts
	marks   []interaction.Mark
	swapped []string // ids of rules that replaced something
}

func (w *writer) paragraph(p paragraph) {
	for i, one := range p.pieces {
		switch {
		case i == 0 || (p.pieces[i-1].listed || p.pieces[i-1].heads) && !one.listed:
			w.b.WriteString("\n\n")
		case one.listed:
			w.b.WriteString("\n")
		default:
			w.b.WriteString(" ")
		}
		w.piece(one)
	}
	if p.cite > 0 {
		fmt.Fprintf(&w.b, " [%d]", p.cite)
	}
}

func (w *writer) piece(p piece) {
	start := w.b.Len()
	text, done := w.acts.swap(p.text)
	w.b.WriteString(text)
	if p.kind != "" {
		w.marks = append(w.marks, interaction.Mark{Start: start, End: w.b.Len(), Kind: p.kind, Label: p.label})
	}
	for _, d := range done {
		w.swapped = append(w.swapped, d.by.id)
		w.marks = append(w.marks, interaction.Mark{Start: start + d.start, End: start + d.end,
			Kind: interaction.MarkRule, Label: d.by.label})
	}
	slices.SortStableFunc(w.marks, func(a, b interaction.Mark) int { return cmp.Compare(a.Start, b.Start) })
}
