package advisor

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"

	"preceptor/internal/interaction"
	"preceptor/internal/knowledge"
	"preceptor/internal/pack"
	"preceptor/internal/phrase"
	"preceptor/internal/platform/lists"
	"preceptor/internal/platform/text"
	"preceptor/internal/platform/text/compare"
)

// EmbeddedName is how drafts of the embedded drafter are labelled.
const EmbeddedName = "embedded advisor"

// Embedded is the drafter without a model: retrieval, selection, and the acts of the rules. It is deterministic.
type Embedded struct{}

// Name is EmbeddedName.
func (Embedded) Name() string { return EmbeddedName }

// Draft composes guidance. It never fails.
func (Embedded) Draft(_ context.Context, r Request) (Draft, error) {
	if r.Recall == nil {
		r.Recall = &knowledge.Recall{}
	}
	r.Recall = r.Shots.within(r.Recall)
	c := &composition{r: r, pack: pack.Of(r.Situation.Pack), cited: map[string]bool{}}
	c.topic = topicOf(c.pack, r.Situation)
	c.kind = kindOf(c.pack, r.Situation, c.topic)
	c.readRequest()
	c.answer()
	c.carryOut()
	c.signpost()
	return c.draft(), nil
}

// composition is a draft in the making, in the order in which its parts stand.
type composition struct {
	r     Request
	pack  *pack.Pack
	topic pack.Topic // zero where none is known
	kind  pack.Kind  // zero where the pack has nothing of its own for it
	acts  acts       // of the rules whose conditions hold

	lead    []paragraph // included texts that come first
	body    []paragraph // the answer, with its citations
	tail    []paragraph // where to point the customer, and the signpost
	asked   []paragraph // questions to the customer
	last    []paragraph // included texts that come last
	sources []string
	cut     string // what was too long of what was taken

	steps, notes []string
	unmet        []interaction.Unmet
	cited        map[string]bool
	unanswered   bool // the draft says that there is no guidance
	kindAnswered bool // by a section of its own, which says where to turn
	several      bool // sections are quoted
}

// piece is a text with where it comes from.
type piece struct {
	text, kind, label string
	listed            bool // a line of its own
	heads             bool // the heading of what follows
}

// paragraph is pieces in one line, with the number of their source; 0 for none.
type paragraph struct {
	pieces []piece
	cite   int
}

func (c *composition) step(format string, args ...any) {
	c.steps = append(c.steps, fmt.Sprintf(format, args...))
}

func (c *composition) tell(format string, args ...any) {
	c.notes = append(c.notes, fmt.Sprintf(format, args...))
}

// leave leaves a rule to the supervisor. text is what it wants said, if that is all.
func (c *composition) leave(id, text, format string, args ...any) {
	c.unmet = append(c.unmet, interaction.Unmet{Rule: id, Note: fmt.Sprintf(format, args...), Text: text})
}

// readRequest notes what the draft begins with.
func (c *composition) readRequest() {
	about := "Topic: not known."
	if c.topic.Label != "" {
		about = "Topic: " + c.topic.Label + "."
	}
	c.step("%s%s", about, who(c.pack, c.r.Situation))
	c.step("Was shown %s and %s.", counted(len(c.r.Recall.Cases)-len(c.r.Shots.Items), "case"),
		counted(len(c.r.Recall.Rules), "rule"))
	if n := len(c.r.Shots.Items); n > 0 {
		c.step("Was shown %s of an answer that customers liked.", counted(n, "example"))
	}
	if note := strings.Join(strings.Fields(c.r.Note), " "); note != "" {
		c.tell("Sent back with: “%s”. The embedded advisor can't act on notes.", note)
	}
}

func counted(n int, what string) string {
	switch {
	case n <= 0:
		return "no " + what
	case n == 1:
		return "one " + what
	}
	return fmt.Sprintf("%d %ss", n, what)
}

// who lists what the profile says in the pack's fields.
func who(p *pack.Pack, s pack.Situation) string {
	var parts []string
	for _, f := range p.Fields {
		values, known := s.Field(f.Name)
		if !known {
			continue
		}
		labels := lists.Map(values, func(v string) string { return p.ValueLabel(f.Name, v) })
		parts = append(parts, f.Label+": "+strings.Join(labels, ", "))
	}
	if len(parts) == 0 {
		return ""
	}
	return " Customer: " + strings.Join(parts, "; ") + "."
}

// answer fills the body with the sentences that answer the question, a paragraph for each case: first without rules,
// since some of them ask for what the draft says, then without what they forbid or place elsewhere.
func (c *composition) answer() {
	pool := usedFor(c.r, c.pack, c.topic)
	if len(c.kind.Sections) > 0 && !strings.Contains(c.r.Situation.Question, "?") {
		pool = c.ofKind(pool)
	}
	rate(pool, c.r)
	for _, p := range c.ofKind(pool) {
		pool[slices.IndexFunc(pool, p.same)].near += byKind
	}
	plain := c.choose(pool)
	c.settle(textOf(plain) + c.mainSource(plain))
	chosen, ok := c.allowed(pool, plain)
	if !ok {
		c.unmade()
		return
	}
	c.several = len(chosen) > 1
	for _, run := range chosen {
		c.take(run)
	}
	told := c.tellUnusable()
	c.tellOther()
	if c.cut != "" {
		c.step("Left out for length: “%s”", c.cut)
	}
	if len(plain) == 0 && !c.includesAnswer() {
		c.topic.Phrase = "" // what isn't answered isn't named
		c.step("Found no passage that answers the question.")
		if c.kind.Close == "" || c.topic.Name == "" || c.topic.Name == pack.General {
			c.sayUnknown()
		} // else what the kind is told is an answer
		c.unanswered = true
		if near, ok := nearest(c.r.Recall.Cases); ok {
			c.r.Nearest = &near
		}
		if c.r.Nearest != nil && !told {
			name := c.sourceName(*c.r.Nearest)
			if name == c.pack.Frames.Released { // a supervisor can look it up
				name = cmp.Or(c.r.Nearest.Label, name)
			}
			c.tell("No reviewed guidance is near enough to answer this. The nearest is %s.", name)
		}
	}
}

// sayUnknown has the draft say that there is no guidance.
func (c *composition) sayUnknown() {
	c.body = []paragraph{{pieces: []piece{{text: c.pack.Frames.Unknown}}}}
	c.step("The draft says that there is no reviewed guidance for this.")
}

// ofKind are the sentences of the sections that the question's kind is answered by.
func (c *composition) ofKind(pool []passage) []passage {
	return slices.DeleteFunc(slices.Clone(pool), func(p passage) bool {
		return !slices.Contains(c.kind.Sections, c.r.Recall.Cases[p.item].Case.Task)
	})
}

// choose is the answer that can be made of the sentences; none where nothing recalled is near enough to answer the
// question or a part of it, nor of the question's kind.
func (c *composition) choose(pool []passage) [][]passage {
	nearest := 0.0
	for _, p := range pool {
		nearest = max(nearest, c.r.Recall.Cases[p.item].Legs.Cosine)
	}
	far := c.pack.Concept && nearest > 0 && nearest < floor(c.topic) && len(c.r.Needs) == 0
	if far || nearest == 0 && meets(c.r.Situation, pool) == 0 {
		if pool = c.ofKind(pool); len(pool) == 0 {
			return nil
		}
	}
	chosen, cut := choose(telling(pool, c.r), c.r)
	c.cut = textOf([][]passage{cut})
	return chosen
}

// unmade empties the draft: it says that there is no guidance, and the supervisor learns why.
func (c *composition) unmade() {
	labels := strings.Join(c.acts.hitLabels(), ", ")
	c.acts.texts = nil
	c.body = []paragraph{{pieces: []piece{{text: c.pack.Frames.Unknown}}}}
	c.tell("The draft could not be made: what answers the question has words that %s says never to say.", labels)
}

func textOf(chosen [][]passage) string {
	var list []string
	for _, run := range chosen {
		for _, p := range run {
			list = append(list, p.text)
		}
	}
	return strings.Join(list, " ")
}

// mainSource is the first source of an answer without rules, marked as in a draft, for conditions that ask for it.
func (c *composition) mainSource(chosen [][]passage) string {
	if len(chosen) == 0 {
		return ""
	}
	return "\n[1] " + c.sourceName(c.r.Recall.Cases[chosen[0][0].item])
}

// take puts a run of sentences into the body.
func (c *composition) take(run []passage) {
	it := c.r.Recall.Cases[run[0].item]
	c.cited[it.ID] = true
	c.kindAnswered = c.kindAnswered || slices.Contains(c.kind.Sections, it.Case.Task)
	c.sources = append(c.sources, c.sourceName(it))
	para := paragraph{cite: len(c.sources)}
	if h := c.heading(it, run); h != "" {
		para.pieces = append(para.pieces, piece{text: h, kind: interaction.MarkSource, label: it.Label, heads: true})
	}
	for _, p := range run {
		para.pieces = append(para.pieces, piece{p.indent + p.text, interaction.MarkSource, it.Label, p.listed, false})
	}
	c.body = append(c.body, para)
	c.step("Took %s from %s (%s).", counted(len(run), "sentence"), it.Label, c.sourceName(it))
}

// heading is what stands above the sentences in their document, where it says what neither they nor the question do:
// what they are of, or that they are not. A list always has it, with the page's title, and so have the sections of an
// answer from several; else the page's title is there only where it denies ("What we don't cover").
func (c *composition) heading(it knowledge.Item, run []passage) string {
	if it.Case == nil || it.Case.Source != knowledge.FromDocument {
		return ""
	}
	above, denies := it.Case.Title, compare.DeniesAnything(it.Case.Title)
	if page := it.Case.Page; page != "" && page != it.Case.Heading && (run[0].listed || compare.DeniesAnything(page)) {
		above, denies = page+" – "+above, true
	}
	if above == "" {
		return ""
	}
	said, asked := text.Set(text.Words(textOf([][]passage{run}))), text.Set(text.Words(c.r.Situation.Question))
	if !run[0].listed && !slices.ContainsFunc(text.Words(above), func(w string) bool {
		return !said[w] && (denies || c.several || !asked[w])
	}) {
		return ""
	}
	if b := c.acts.forbids(above); b != nil {
		c.tell("The heading “%s” stands above what the draft quotes, and is left out: %s says never to say “%s”. "+
			"Check that the answer holds without it.", above, b.label, b.phrase)
		return ""
	}
	if run[0].listed && !strings.ContainsAny(above[len(above)-1:], ".?!:") {
		above += ":"
	}
	return above
}

// sourceName is how a source is shown to the reader: by the fullest name that has none of the words that rules forbid
// or replace.
func (c *composition) sourceName(it knowledge.Item) string {
	if it.Case == nil || it.Case.Source != knowledge.FromDocument {
		return c.pack.Frames.Released // a case's number says nothing to a customer
	}
	page, heading := it.Case.Page, it.Case.Heading
	names := []string{page + ": " + heading, page, heading}
	if page == "" || page == heading {
		names = []string{heading}
	}
	for _, name := range names {
		if swapped, _ := c.acts.swap(name); name != "" && swapped == name && c.acts.forbids(name) == nil {
			return name
		}
	}
	if c.acts.forbids(names[0]) != nil {
		return c.pack.Frames.Released
	}
	return names[0]
}

// signpost says where to get help with what nobody here may choose or do.
func (c *composition) signpost() {
	if c.kind.Close != "" && !c.kindAnswered {
		c.point(c.kind.Close, "The question is of a kind that is told where to turn: "+pack.Plain(c.kind.Kind)+".")
		if len(c.body)+len(c.tail) == 0 { // a rule forbids it
			c.sayUnknown()
		}
	}
	if c.pack.Frames.Signpost != "" && c.r.Situation.AsksForChoice() {
		c.point(c.pack.Frames.Signpost, "The customer asks for a choice, so the draft points to those who may advise.")
	}
}

// point adds of one of the pack's texts what neither the draft says nor, in other words, a rule that points somewhere,
// unless a rule forbids it.
func (c *composition) point(told, why string) {
	var p paragraph
	for _, sp := range phrase.Sentences(told) {
		one := piece{text: sp.In(told)}
		if !slices.ContainsFunc(c.tail, func(said paragraph) bool { return said.near(one.text) }) {
			p.pieces = append(p.pieces, one)
		}
	}
	if !c.says(told) && c.acts.forbids(told) == nil && len(p.pieces) > 0 {
		c.tail = append(c.tail, p)
		c.step("%s", why)
	}
}

// near reports whether a paragraph has most of a text's telling words.
func (p paragraph) near(wanted string) bool {
	stems, have := pack.ContentStems(wanted), map[string]bool{}
	for _, one := range p.pieces {
		maps.Copy(have, pack.ContentStems(one.text))
	}
	return float64(text.Common(stems, have)) >= sameLimit*float64(max(3, len(stems)))
}

// kindOf is how the pack answers a question of this kind; zero where it has nothing of its own for it.
func kindOf(p *pack.Pack, s pack.Situation, topic pack.Topic) pack.Kind {
	for _, k := range p.Frames.Kinds {
		if s.Asked().Kinds[k.Kind] >= k.From && (len(k.About) == 0 || slices.Contains(k.About, topic.Name)) {
			return k
		}
	}
	return pack.Kind{}
}
