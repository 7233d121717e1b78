package knowledge_test

import (
	"flag"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"preceptor/internal/audit"
	"preceptor/internal/knowledge"
	"preceptor/internal/pack"
	"preceptor/internal/platform/db"
	"preceptor/internal/platform/fault"
	"preceptor/internal/search"
)

// item is what the test believes of a rule or case, found out without the code that is tried.
type item struct {
	kind, text, status string
	erased             bool
	hidden             bool // quarantined, and no person has put it back
}

// state is a named state as the test remembers it.
type state struct {
	knowledge.State
	items  map[string]item
	recall []string // what each of the questions got
	why    []string
	at     time.Time
}

// draft is a draft as it was sent.
type draft struct {
	id    string
	block string
	texts []string
	items []string
}

// history plays a random life of a base and remembers what it should come to.
type history struct {
	bench
	rt     *rapid.T
	items  map[string]item
	order  []string // ids, as they came
	states []state
	drafts []draft
	turns  []time.Time // when something begins or ends by date
	n      int
}

var expert = knowledge.Person{ID: "p1", Name: "Edie", Roles: []string{"expert"}}

var questions = []string{"what does a transfer of my final salary pension give up", "can I take the tax free cash",
	"how do annuities work when I am ill", "combine small pots"}

var subjects = []string{"a transfer of a final salary pension", "tax free cash", "an annuity for somebody who is ill",
	"small pots", "divorce", "a scam"}

func TestHistories(t *testing.T) {
	checks, steps := "1", 1000
	if testing.Short() {
		checks, steps = "5", 150 // rapid runs a fifth of them
	}
	before := flag.Lookup("rapid.checks").Value.String()
	defer flag.Set("rapid.checks", before)
	if err := flag.Set("rapid.checks", checks); err != nil {
		t.Fatal(err)
	}
	rapid.Check(t, func(rt *rapid.T) {
		h := &history{bench: setUp(t, knowledge.Options{RecentFor: 100 * 365 * 24 * time.Hour}), rt: rt,
			items: map[string]item{}}
		for i := 0; i < steps; i++ {
			h.step()
			if i%50 == 49 {
				h.nothingComesBack()
			}
		}
		h.promptsHold()
		h.nothingComesBack()
		if r, err := h.index.Check(ctx); err != nil || len(r.Problems) > 0 {
			rt.Fatalf("the index: %+v, %v", r, err)
		}
	})
}

// step is one operation. Reads of what was are rarer than writes, as in life.
func (h *history) step() {
	h.n++
	switch k := rapid.IntRange(0, 99).Draw(h.rt, "operation"); {
	case k < 14 || len(h.order) < 5:
		h.add()
	case k < 30:
		h.edit()
	case k < 45:
		h.move()
	case k < 52:
		h.quarantine()
	case k < 55:
		h.erase()
	case k < 61:
		h.name()
	case k < 65:
		h.rollBack()
	case k < 72:
		h.rollBackRule()
	case k < 78:
		h.clock.Advance(time.Duration(rapid.IntRange(1, 72).Draw(h.rt, "hours")) * time.Hour)
	default:
		h.draft()
	}
}

// pick draws an item of a kind; "" when there is none.
func (h *history) pick(kind string) string {
	var ids []string
	for _, id := range h.order {
		if kind == "" || h.items[id].kind == kind {
			ids = append(ids, id)
		}
	}
	if len(ids) == 0 {
		return ""
	}
	return rapid.SampledFrom(ids).Draw(h.rt, "item")
}

func (h *history) sentence() knowledge.RuleText {
	// A word that is none, as "no" would be: sentences that differ in a figure or a "not" contradict each other.
	point := strings.Map(func(r rune) rune { return rune("bcdfghjklm"[r-'0']) }, fmt.Sprint(h.n))
	return stated(say(fmt.Sprintf("On %s, point %s matters.", rapid.SampledFrom(subjects).Draw(h.rt, "subject"),
		point)), everybody...)
}

func (h *history) add() {
	if rapid.Bool().Draw(h.rt, "rule") {
		status := rapid.SampledFrom([]string{knowledge.Active, knowledge.Active, knowledge.Candidate}).Draw(h.rt,
			"status")
		text := h.sentence()
		if c := h.pick(search.KindCase); c != "" {
			text.Supporting = []string{c}
		}
		r := h.addRule(knowledge.Rule{Status: status, Domain: rapid.SampledFrom(knowledge.Domains).Draw(h.rt, "domain"),
			RuleText: text})
		h.items[r.ID] = item{kind: search.KindRule, text: r.Principle, status: r.Status}
		h.order = append(h.order, r.ID)
		return
	}
	subject := rapid.SampledFrom(subjects).Draw(h.rt, "subject")
	c := h.addCase(knowledge.Case{Origin: fmt.Sprint("o", h.n),
		CaseText: text("About "+subject, "Somebody asks about "+subject,
			fmt.Sprintf("Some people consider %s in case %d. There are risks.", subject, h.n))})
	h.items[c.ID] = item{kind: search.KindCase, text: c.Guidance, status: c.Status}
	h.order = append(h.order, c.ID)
}

// edit changes a text, now and then from a day on or up to one.
func (h *history) edit() {
	id := h.pick("")
	it := h.items[id]
	if it.erased {
		return
	}
	if it.kind == search.KindCase {
		c, err := h.Case(ctx, id)
		h.must(err)
		next := *c
		next.Guidance += fmt.Sprintf(" Also point %d.", h.n)
		next.Status = knowledge.Active
		h.write(func(tx *db.Tx) error { _, err := h.AddCaseTx(tx, next); return err })
		it.text, it.status = next.Guidance, knowledge.Active
		h.items[id] = it
		return
	}
	r, err := h.Rule(ctx, id)
	h.must(err)
	e := knowledge.EditOf(r)
	e.Statement, e.Reason = h.sentence().Statement, "edited"
	if rapid.IntRange(0, 9).Draw(h.rt, "dated") == 0 {
		day := h.clock.Now().AddDate(0, 0, rapid.IntRange(-3, 6).Draw(h.rt, "days"))
		from := rapid.Bool().Draw(h.rt, "from")
		e.ValidFrom, e.ValidTo = "", ""
		if from {
			e.ValidFrom = knowledge.DayOf(day)
		} else {
			e.ValidTo = knowledge.DayOf(day)
		}
	}
	made, err := h.EditRule(ctx, id, e, r.Version, expert)
	if fault.Is(err, fault.Conflict) && it.status != knowledge.Active && it.status != knowledge.Quarantined {
		return
	}
	h.must(err)
	for _, at := range []time.Time{made.ValidFrom, made.ValidTo} {
		if !at.IsZero() {
			h.turns = append(h.turns, at)
		}
	}
	it.text = made.Principle
	h.items[id] = it
}

// move retires, withdraws, activates.
func (h *history) move() {
	id := h.pick("")
	it := h.items[id]
	if it.erased {
		return
	}
	if it.kind == search.KindCase {
		h.write(func(tx *db.Tx) error { return h.RetireCaseTx(tx, id, knowledge.Change{By: by, Reason: "moved"}) })
		it.status = knowledge.Retired
		h.items[id] = it
		return
	}
	to := rapid.SampledFrom([]string{knowledge.Active, knowledge.Active, knowledge.Retired, knowledge.Withdrawn}).
		Draw(h.rt, "status")
	h.write(func(tx *db.Tx) error {
		_, err := h.SetRuleStatusTx(tx, id, to, knowledge.Change{By: by, Reason: "moved"})
		return err
	})
	it.hidden, it.status = it.hidden && to != knowledge.Active, to
	h.items[id] = it
}

func (h *history) quarantine() {
	id := h.pick(search.KindRule)
	it := h.items[id]
	if id == "" || it.status != knowledge.Active {
		return
	}
	h.write(func(tx *db.Tx) error {
		_, err := h.SetRuleStatusTx(tx, id, knowledge.Quarantined,
			knowledge.Change{By: audit.System("credit"), Reason: "it harms"})
		return err
	})
	it.status, it.hidden = knowledge.Quarantined, true
	h.items[id] = it
}

func (h *history) erase() {
	id := h.pick(search.KindCase)
	if id == "" {
		return
	}
	h.write(func(tx *db.Tx) error {
		_, err := h.EraseCaseTx(tx, id, "the law", by)
		return err
	})
	it := h.items[id]
	it.status, it.erased = knowledge.Retired, true
	h.items[id] = it
}

// name keeps a state, with what each question gets.
func (h *history) name() {
	s, err := h.SaveState(ctx, fmt.Sprint("state ", h.n), expert)
	h.must(err)
	kept := state{State: s, items: map[string]item{}, at: h.clock.Now()}
	for id, it := range h.items {
		kept.items[id] = it
	}
	for _, q := range questions {
		got := h.ask(q)
		kept.recall, kept.why = append(kept.recall, got.Prompt), append(kept.why, h.legs(got))
	}
	h.states = append(h.states, kept)
}

// legs says how each item was found, and what is in use, for a failure's message.
func (h *history) legs(r *knowledge.Recall) string {
	var b strings.Builder
	for _, it := range r.Items {
		fmt.Fprintf(&b, "%s %.4f %+v %q\n", it.Label, it.Score, it.Legs, it.Why)
	}
	sizes, err := h.Sizes(ctx)
	h.must(err)
	check, err := h.index.Check(ctx)
	h.must(err)
	fmt.Fprintf(&b, "%d cases, %d rules; %+v", sizes.Cases(), sizes.Rules, check)
	return b.String()
}

func (h *history) ask(q string) *knowledge.Recall {
	r, err := h.Recall(ctx, knowledge.Query{Text: q, Situation: pack.Situation{Question: q, HasDC: true}})
	h.must(err)
	return r
}

// rollBack goes back to a state and compares everything with what it was.
func (h *history) rollBack() {
	if len(h.states) == 0 {
		return
	}
	s := rapid.SampledFrom(h.states).Draw(h.rt, "state")
	p, err := h.PreviewRollback(ctx, s.ID)
	h.must(err)
	r, err := h.Rollback(ctx, s.ID, "it was better", p.Seq, expert)
	if fault.Is(err, fault.Conflict) {
		for _, it := range p.Items {
			if !it.LeftOut() {
				h.rt.Fatalf("nothing is done, and the preview has %+v", it)
			}
		}
	} else {
		h.must(err)
	}
	if len(r.Items) != 0 && len(r.Items) != len(p.Items) {
		h.rt.Fatalf("the preview says %d items, the rollback %d", len(p.Items), len(r.Items))
	}
	left := h.compare(s, p)
	if left == 0 && !slices.ContainsFunc(h.turns, func(at time.Time) bool {
		return at.After(s.at) && !at.After(h.clock.Now())
	}) {
		for i, q := range questions {
			if got := h.ask(q).Prompt; got != s.recall[i] {
				h.rt.Fatalf("after going back to %s %q gets\n%s\n%s\nand got\n%s\n%s", s.Name, q, got, h.legs(h.ask(q)),
					s.recall[i], s.why[i])
			}
		}
	}
}

// compare holds every item against what it was, takes over what it is now, and tells how many were left out.
func (h *history) compare(s state, p knowledge.Preview) (left int) {
	out := map[string]bool{}
	for _, it := range p.Items {
		if it.LeftOut() {
			out[it.ID] = true
			left++
		}
	}
	for _, id := range h.order {
		now, text := h.stored(id)
		it, then := h.items[id], s.items[id]
		wanted := then.status == knowledge.Active
		switch {
		case it.erased || it.hidden:
			if now == knowledge.Active {
				h.rt.Fatalf("%s came back, erased %v, quarantined %v", id, it.erased, it.hidden)
			}
			if wanted && !out[id] {
				h.rt.Fatalf("%s stays out and is not listed", id)
			}
		case (now == knowledge.Active) != wanted:
			h.rt.Fatalf("%s is %s and was %q", id, now, then.status)
		case wanted && text != then.text:
			h.rt.Fatalf("%s says %q and said %q", id, text, then.text)
		}
		if !it.erased {
			it.text = text
		}
		it.status = now
		h.items[id] = it
	}
	return left
}

func (h *history) stored(id string) (status, text string) {
	if h.items[id].kind == search.KindRule {
		r, err := h.Rule(ctx, id)
		h.must(err)
		return r.Status, r.Principle
	}
	c, err := h.Case(ctx, id)
	h.must(err)
	return c.Status, c.Guidance
}

func (h *history) rollBackRule() {
	id := h.pick(search.KindRule)
	if id == "" {
		return
	}
	r, err := h.Rule(ctx, id)
	h.must(err)
	made, err := h.RollBackRule(ctx, id, rapid.IntRange(1, r.Version).Draw(h.rt, "version"), "it was better", r.Version,
		expert)
	if fault.Is(err, fault.Conflict) {
		return
	}
	h.must(err)
	it := h.items[id]
	if it.hidden && made.Status == knowledge.Active {
		h.rt.Fatalf("%s came out of its quarantine by a rollback", made.Label())
	}
	it.text, it.status = made.Principle, made.Status
	h.items[id] = it
}

// draft recalls, and records what a drafter was sent.
func (h *history) draft() {
	r := h.ask(rapid.SampledFrom(questions).Draw(h.rt, "question"))
	d := draft{id: fmt.Sprint("draft-", h.n), block: r.Prompt}
	own := []knowledge.Part{{Text: `{"question":"<what> I & said ` + d.id + `","cases":[`, Own: true}}
	for _, it := range r.Items {
		own = append(own, knowledge.Part{Text: knowledge.JSONString(it.Text), ItemID: it.ID},
			knowledge.Part{Text: ",", Own: true})
		d.items = append(d.items, it.ID)
	}
	sent := knowledge.Sent{knowledge.NewMessage("system", "Be kind.", nil), knowledge.NewMessage("draft",
		"Edition "+fmt.Sprint(h.n%3)+"\n{{.Boundary}}\n{{.Data}}\n{{.Boundary}} {{.Other}}",
		map[string][]knowledge.Part{"Boundary": {{Text: "=== {{.Data}} ===", Own: true}}, "Data": own})}
	d.texts = sent.Texts()
	h.write(func(tx *db.Tx) error {
		if _, err := h.RecordUsageTx(tx, d.id, "", r.Shown(nil)); err != nil {
			return err
		}
		return h.RecordPromptTx(tx, d.id, "scripted", r, sent)
	})
	h.drafts = append(h.drafts, d)
}

// promptsHold reads the prompt of every draft.
func (h *history) promptsHold() {
	for _, d := range h.drafts {
		r, err := h.Prompt(ctx, d.id)
		h.must(err)
		if len(r.Items) != len(d.items) || !r.Kept || len(r.Messages) != 2 {
			h.rt.Fatalf("%s: %d items and %d messages, %+v", d.id, len(r.Items), len(r.Messages), r)
		}
		erased := false
		for i, it := range r.Items {
			if it.ID != d.items[i] {
				h.rt.Fatalf("%s: item %d is %s", d.id, i, it.Label)
			}
			if h.items[it.ID].erased {
				erased = true
				if !strings.Contains(it.Block, "erased on") || it.Text != "" {
					h.rt.Fatalf("%s: an erased item says %q", d.id, it.Block)
				}
			} else if !strings.Contains(d.block, it.Block) {
				h.rt.Fatalf("%s: %q was not sent", d.id, it.Block)
			}
		}
		want := knowledge.Identical
		if erased {
			want = knowledge.Erased
		}
		if r.BlockMatch != want || r.PromptMatch != want {
			h.rt.Fatalf("%s: block %s, prompt %s, want %s", d.id, r.BlockMatch, r.PromptMatch, want)
		}
		if !erased && (r.Block != d.block || r.Messages[0].Text() != d.texts[0] || r.Messages[1].Text() != d.texts[1]) {
			h.rt.Fatalf("%s is not what was sent:\n%s\n%s", d.id, r.Messages[1].Text(), d.texts[1])
		}
	}
}

// nothingComesBack asks every question: nothing erased, quarantined or out of use is given, and nothing that does not
// hold yet or any more.
func (h *history) nothingComesBack() {
	for _, q := range questions {
		for _, it := range h.ask(q).Items {
			believed := h.items[it.ID]
			if believed.status != knowledge.Active || believed.erased || believed.hidden {
				h.rt.Fatalf("%s is recalled and is %+v", it.Label, believed)
			}
			if it.Rule != nil && !it.Rule.Holds(h.clock.Now()) || it.Case != nil && !it.Case.Holds(h.clock.Now()) {
				h.rt.Fatalf("%s is recalled outside its dates", it.Label)
			}
		}
	}
}

func (h *history) must(err error) {
	if err != nil {
		h.rt.Fatalf("step %d: %v", h.n, err)
	}
}
