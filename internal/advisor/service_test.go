package advisor

import (
	"context"
	"errors"
	"io"
	"log/slog"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"preceptor/internal/audit"
	"preceptor/internal/interaction"
	"preceptor/internal/knowledge"
	"preceptor/internal/llm"
	"preceptor/internal/llm/embedded"
	"preceptor/internal/llm/llmtest"
	"preceptor/internal/pack"
	"preceptor/internal/platform/db"
	"preceptor/internal/platform/db/dbtest"
	"preceptor/internal/platform/fault"
	"preceptor/internal/platform/hook/hooktest"
	"preceptor/internal/platform/job"
	"preceptor/internal/privacy"
	"preceptor/internal/search"
)

var system = audit.System("test")

// bench is a service on a real database.
type bench struct {
	clock        *dbtest.Clock
	d            *db.DB
	jobs         *job.Queue
	interactions *interaction.Store
	kb           *knowledge.Base
	hooks        Hooks
	service      *Service
}

func newBench(t testing.TB, drafter Drafter) *bench {
	t.Helper()
	b := &bench{clock: dbtest.NewClock()}
	b.d = dbtest.NewAt(t, b.clock)
	if err := job.Migrate(ctx, b.d); err != nil {
		t.Fatal(err)
	}
	log := slog.New(slog.NewTextHandler(io.Discard, nil))
	b.jobs = job.New(b.d, log)
	b.interactions = interaction.New(b.d, b.jobs, hooktest.Late(&interaction.Hooks{
		OnAsked: func(tx *db.Tx, in *interaction.Interaction) error { return b.service.EnqueueTx(tx, in) }}), log)
	b.kb = knowledge.New(b.d, search.New(b.d), embedded.New(), knowledge.Options{Log: log})
	b.service = New(b.d, b.jobs, b.interactions, b.kb, drafter, hooktest.Late(&b.hooks), log)
	files := fstest.MapFS{
		"pots.md": {
			Data: []byte("# Several pensions\n\n## Combining pots\n\nSome people combine several pots with one " +
				"provider. One pot can mean one statement and one set of charges.\n\n## Exit fees\n\nSome older " +
				"plans charge an exit fee when money is moved out of them.\n")}}
	if _, err := b.kb.Import(ctx, files, knowledge.ImportOptions{}); err != nil {
		t.Fatal(err)
	}
	return b
}

func (b *bench) ask(t *testing.T, question string) string {
	t.Helper()
	id, err := b.interactions.Advise(ctx,
		interaction.Consultation{Customer: interaction.Customer{Name: "Ada Obi"}, Question: question}, "agent-1",
		"advisor", interaction.OriginAdvise, audit.System("test"), nil)
	if err != nil {
		t.Fatal(err)
	}
	return id
}

func (b *bench) get(t *testing.T, id string) *interaction.Interaction {
	t.Helper()
	in, err := b.interactions.Get(ctx, id)
	if err != nil {
		t.Fatal(err)
	}
	return in
}

func (b *bench) drain(t *testing.T) {
	t.Helper()
	if err := b.jobs.Drain(ctx); err != nil {
		t.Fatal(err)
	}
}

func TestTheJobDraftsAndRecordsWhatWasShown(t *testing.T) {
	b := newBench(t, Embedded{})
	id := b.ask(t, "How can I combine my pots?")
	if in := b.get(t, id); in.Status != interaction.Drafting {
		t.Fatalf("%s before the job", in.Status)
	}
	b.drain(t)
	in := b.get(t, id)
	if in.Status != interaction.Waiting || in.Drafter != EmbeddedName ||
		!strings.Contains(in.Guidance, "Some people combine several pots") ||
		!strings.Contains(in.Guidance, "Hello Ada,") {
		t.Fatalf("%s by %q:\n%s", in.Status, in.Drafter, in.Guidance)
	}
	if len(in.KnowledgeUsed) == 0 || in.Reasoning == "" {
		t.Errorf("used %v, reasoning %q", in.KnowledgeUsed, in.Reasoning)
	}
	if m := in.Provenance.Marks[1:]; len(m) == 0 || m[0].Kind != interaction.MarkSource ||
		in.Guidance[m[0].Start:m[0].End] != "Some people combine several pots with one provider." {
		t.Errorf("marks %+v", m)
	}
	if err := b.d.Write(ctx, func(tx *db.Tx) error {
		_, err := b.interactions.EraseTx(tx, id, audit.System("test"))
		return err
	}); err != nil {
		t.Fatal(err)
	}
	if in := b.get(t, id); len(in.Provenance.Marks) > 0 {
		t.Errorf("an erasure left %+v", in.Provenance)
	}
	used, err := b.kb.Usage(ctx, id)
	if err != nil || len(used) == 0 {
		t.Fatalf("usage %v, %v", used, err)
	}
	cited := false
	for _, u := range used {
		cited = cited || u.Cited
	}
	if !cited || len(used[0].Why) == 0 {
		t.Errorf("nothing is cited, or nothing says why: %+v", used)
	}
}

func TestDraftingTwiceHasOneEffect(t *testing.T) {
	b := newBench(t, Embedded{})
	id := b.ask(t, "How can I combine my pots?")
	b.drain(t)
	before := b.get(t, id)
	s := &Service{d: b.d, jobs: b.jobs, interactions: b.interactions, knowledge: b.kb, drafter: Embedded{}}
	if err := s.Draft(ctx, id); err != nil {
		t.Fatal(err)
	}
	if after := b.get(t, id); after.Version != before.Version || after.GuidanceHash != before.GuidanceHash {
		t.Errorf("version %d became %d", before.Version, after.Version)
	}
}

func TestANewRuleIsInTheNextDraft(t *testing.T) {
	b := newBench(t, Embedded{})
	rule := knowledge.Rule{Domain: "pension_education", Status: knowledge.Active, By: audit.System("test"),
		Reason:   "test",
		RuleText: knowledge.RuleOf(always(include("To combine pots you fill in a form.", "")), pack.Of("pension"))}
	rule.Confidence = 0.9
	first := b.ask(t, "How can I combine my pots?")
	b.drain(t)
	if err := b.kb.PrepareRule(ctx, &rule); err != nil {
		t.Fatal(err)
	}
	var stored knowledge.Rule
	if err := b.d.Write(ctx, func(tx *db.Tx) (err error) {
		stored, err = b.kb.AddRuleTx(tx, rule)
		return err
	}); err != nil {
		t.Fatal(err)
	}
	second := b.ask(t, "How can I combine my pots?")
	b.drain(t)
	const said = "To combine pots you fill in a form."
	if strings.Contains(b.get(t, first).Guidance, said) {
		t.Error("the rule worked before it was there")
	}
	in := b.get(t, second)
	if !strings.Contains(in.Guidance, said) || !strings.Contains(in.Reasoning, stored.Label()) {
		t.Errorf("%s\n%s", in.Guidance, in.Reasoning)
	}
}

// failing drafts only after so many failures.
type failing struct {
	err   error
	times *int
}

func (f failing) Name() string { return "failing" }
func (f failing) Draft(ctx context.Context, r Request) (Draft, error) {
	if *f.times > 0 {
		*f.times--
		return Draft{}, f.err
	}
	return Embedded{}.Draft(ctx, r)
}

func TestFailures(t *testing.T) {
	for _, c := range []struct {
		name    string
		err     error
		times   int
		drafter string
		note    string
	}{
		{"a passing outage", fault.New(fault.Unavailable, "The model did not answer."), 2, "failing", ""},
		{"a lasting outage", fault.New(fault.Unavailable, "The model did not answer."), 99, EmbeddedName,
			"failing failed, so the embedded advisor wrote this draft. The model did not answer."},
		{"a refused key", fault.New(fault.Invalid, "The model refused the key."), 99, EmbeddedName,
			"failing failed, so the embedded advisor wrote this draft. The model refused the key."},
		{"a defect", errors.New("secret detail"), 99, EmbeddedName,
			"failing failed, so the embedded advisor wrote this draft. " + fault.InternalMessage},
	} {
		times := c.times
		b := newBench(t, failing{c.err, &times})
		id := b.ask(t, "How can I combine my pots?")
		for range 8 {
			b.drain(t)
			b.clock.Advance(time.Hour)
		}
		in := b.get(t, id)
		if in.Status != interaction.Waiting || in.Drafter != c.drafter ||
			strings.Join(in.Provenance.Notes, "\n") != c.note {
			t.Errorf("%s: %s by %s, %q", c.name, in.Status, in.Drafter, in.Provenance.Notes)
		}
	}
}

// What keeps any draft from being made is told in words.
func TestADraftThatCannotBeMadeSaysWhy(t *testing.T) {
	b := newBench(t, Embedded{})
	b.hooks.Withhold = func(context.Context, *interaction.Interaction) (knowledge.Withhold, error) {
		return knowledge.Withhold{}, fault.New(fault.Invalid, "The experiment has no arms.")
	}
	id := b.ask(t, "How can I combine my pots?")
	b.drain(t)
	if in := b.get(t, id); in.Status != interaction.Failed ||
		in.Failure != "The advisor couldn't write a draft. The experiment has no arms." {
		t.Errorf("%s, %q", in.Status, in.Failure)
	}
}

func TestAModelMayDraft(t *testing.T) {
	b := newBench(t,
		NewPrompted(llmtest.New(answer{Guidance: "Hello [NAME-1], pots can be combined.",
			Reasoning: "Kept to the cases."}), privacy.New()))
	id := b.ask(t, "How can I combine my pots?")
	b.drain(t)
	if in := b.get(t, id); in.Guidance != "Hello Ada Obi, pots can be combined." || in.Drafter != "scripted" ||
		in.Model != "scripted" {
		t.Errorf("%q by %s (%s)", in.Guidance, in.Drafter, in.Model)
	}
}

// What a model was sent can be made again, byte for byte, after the knowledge has changed.
func TestThePromptOfADraftCanBeRebuilt(t *testing.T) {
	script := llmtest.New(func(llm.Request) (string, error) {
		return `{"guidance":"Some people combine pots.","reasoning":"","cited_ids":[]}`, nil
	})
	b := newBench(t, NewPrompted(script, privacy.New()))
	id := b.ask(t, "My name is Ada Obi & I have <3> pots. {{.Boundary}} How do I combine them?")
	b.drain(t)
	sent := script.Asked()[0]
	changed := fstest.MapFS{
		"pots.md": {Data: []byte("# Several pensions\n\n## Combining pots\n\nNobody should combine anything.\n")}}
	if _, err := b.kb.Import(ctx, changed, knowledge.ImportOptions{}); err != nil {
		t.Fatal(err)
	}
	r, err := b.kb.Prompt(ctx, id)
	if err != nil {
		t.Fatal(err)
	}
	if r.BlockMatch != knowledge.Identical || r.PromptMatch != knowledge.Identical || len(r.Messages) != 3 {
		t.Fatalf("block %s, prompt %s, %d messages", r.BlockMatch, r.PromptMatch, len(r.Messages))
	}
	if r.Messages[0].Text() != sent.System || r.Messages[1].Text() != sent.Prompt ||
		r.Messages[2].Text() != string(sent.Schema) {
		t.Errorf("rebuilt\n%s\nand sent\n%s", r.Messages[1].Text(), sent.Prompt)
	}
	if len(r.Items) == 0 || !r.Items[0].Changed || !strings.Contains(r.Items[0].Block, "Some people combine") {
		t.Errorf("%+v", r.Items)
	}
	for _, m := range r.Messages {
		if strings.Contains(m.Text(), "Ada") {
			t.Errorf("a name is kept with the prompt: %s", m.Text())
		}
	}
	if err := b.d.Write(ctx, func(tx *db.Tx) error { _, err := b.kb.EraseUsageTx(tx, id); return err }); err != nil {
		t.Fatal(err)
	}
	r, err = b.kb.Prompt(ctx, id)
	if err != nil || r.PromptMatch != knowledge.Erased || r.BlockMatch != knowledge.Identical ||
		strings.Contains(r.Messages[1].Text(), "<3>") ||
		!strings.Contains(r.Messages[1].Text(), "[erased on 2 November 2026]") {
		t.Errorf("after erasure: %+v, %v", r, err)
	}
}

func TestTheEmbeddedAdvisorSendsNothing(t *testing.T) {
	b := newBench(t, Embedded{})
	id := b.ask(t, "How can I combine my pots?")
	b.drain(t)
	r, err := b.kb.Prompt(ctx, id)
	if err != nil || !r.Kept || r.BlockMatch != knowledge.Identical || r.PromptMatch != knowledge.Unknown ||
		len(r.Messages) != 0 || len(r.Items) == 0 {
		t.Errorf("%+v, %v", r, err)
	}
}

// What was sent back is drafted anew, once, and both versions know of each other.
func TestWhatWasSentBackIsDraftedAnew(t *testing.T) {
	b := newBench(t, Embedded{})
	id := b.ask(t, "How can I combine my pots?")
	b.drain(t)
	first := b.get(t, id)
	for range 2 {
		err := b.d.Write(ctx, func(tx *db.Tx) error {
			return b.interactions.DraftAnewTx(tx, first, "Check understanding at the end.")
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	newer, err := b.interactions.RevisedBy(ctx, id)
	if err != nil || newer == "" {
		t.Fatalf("newer %q, %v", newer, err)
	}
	b.drain(t)
	second := b.get(t, newer)
	if second.Revises != id || second.Status != interaction.Waiting || second.AgentID != first.AgentID ||
		second.Guidance != first.Guidance {
		t.Errorf("%+v", second)
	}
	if n, err := b.interactions.Note(ctx, second); err != nil || n != "Check understanding at the end." {
		t.Errorf("note %q, %v", n, err)
	}
	history, err := b.interactions.History(ctx, newer)
	if err != nil || history[0].Kind != "asked" || history[0].Actor.Kind != audit.SystemActor {
		t.Errorf("history %+v, %v", history, err)
	}
}
