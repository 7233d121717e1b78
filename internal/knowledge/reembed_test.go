package knowledge_test

import (
	"context"
	"errors"
	"log/slog"
	"strings"
	"testing"

	"preceptor/internal/knowledge"
	"preceptor/internal/llm"
	"preceptor/internal/llm/embedded"
	"preceptor/internal/pack"
	"preceptor/internal/platform/db"
	"preceptor/internal/platform/job"
	"preceptor/internal/search"
)

// other is another embedder: longer vectors, and it may be down.
type other struct {
	*embedded.Embedder
	down  bool
	calls int
	sent  []string // the last that was asked for
}

func (o *other) Name() string { return "other/1" }
func (o *other) Local() bool  { return false }
func (o *other) Embed(ctx context.Context, texts []string) ([][]float32, error) {
	o.calls++
	o.sent = texts
	if o.down {
		return nil, errors.New("no connection")
	}
	out, err := o.Embedder.Embed(ctx, texts)
	for i := range out {
		out[i] = append(out[i], make([]float32, 16)...)
	}
	return out, err
}

func TestChangingTheEmbedder(t *testing.T) {
	b := setUp(t, knowledge.Options{})
	for range 3 {
		b.addCase(knowledge.Case{CaseText: text("Annuity", "", "An annuity gives a guaranteed income for life.")})
	}
	b.addCase(knowledge.Case{CaseText: text("Divorce", "", "A court may share a pension.")})
	o := &other{Embedder: embedded.New()}
	changed := knowledge.New(b.d, b.index, o, knowledge.Options{Previous: []llm.Embedder{embedded.New()}})
	finds := func(when string, base *knowledge.Base) {
		t.Helper()
		got, err := base.Search(ctx, knowledge.Query{Text: "who gets my share if we split up, divorce"}, 3)
		if err != nil || len(got) == 0 || got[0].Title != "Divorce" {
			t.Errorf("%s: %v, %v", when, got, err)
		}
	}
	finds("before, by the old vectors", changed)
	alone := knowledge.New(b.d, b.index, o, knowledge.Options{})
	finds("before, by words alone", alone)
	if o.calls != 0 {
		t.Errorf("the new embedder was asked %d times for vectors that nothing can be compared with", o.calls)
	}

	q := job.New(b.d, slog.New(slog.DiscardHandler))
	changed.RegisterJobs(q)
	if err := changed.EnsureEmbedded(ctx, q); err != nil {
		t.Fatal(err)
	}
	o.down = true
	if err := changed.Reembed(ctx); err == nil {
		t.Error("re-embedding without an embedder went well")
	}
	finds("half way", changed)
	o.down = false
	if err := q.Drain(ctx); err != nil {
		t.Fatal(err)
	}
	if m, err := b.index.Model(ctx); err != nil || m != "other/1" {
		t.Errorf("the model in use is %q, %v", m, err)
	}
	finds("after", changed)
	o.down = true
	finds("after, with the embedder down", changed)
	if r, err := b.index.Check(ctx); err != nil || len(r.Problems) > 0 || r.Missing > 0 {
		t.Errorf("%+v, %v", r, err)
	}
	o.down = false
	before := o.calls
	if err := changed.EnsureEmbedded(ctx, q); err != nil {
		t.Fatal(err)
	}
	if err := q.Drain(ctx); err != nil || o.calls != before {
		t.Errorf("embedded again without need: %d calls, %v", o.calls-before, err)
	}
}

func TestACaseThatWasNotPreparedGetsItsVectorLater(t *testing.T) {
	b := setUp(t, knowledge.Options{})
	o := &other{Embedder: embedded.New()}
	base := knowledge.New(b.d, search.New(b.d), o, knowledge.Options{})
	b.Base = base
	b.addCase(knowledge.Case{CaseText: text("Annuity", "", "An annuity gives a guaranteed income for life.")})
	if o.calls != 0 {
		t.Error("a model was asked inside a transaction")
	}
	if err := base.Reembed(ctx); err != nil {
		t.Fatal(err)
	}
	if r, err := b.index.Check(ctx); err != nil || len(r.Problems) > 0 || r.Missing > 0 || r.Model != "other/1" {
		t.Errorf("%+v, %v", r, err)
	}
}

// A question that leaves for an embedder elsewhere carries nobody's name; one that stays is asked as it is.
func TestQuestionLeavesWithoutNames(t *testing.T) {
	b := setUp(t, knowledge.Options{})
	o := &other{Embedder: embedded.New()}
	hide := func(text string, known ...string) string {
		for _, k := range known {
			text = strings.ReplaceAll(text, k, "[NAME-1]")
		}
		return text
	}
	base := knowledge.New(b.d, b.index, o, knowledge.Options{Hide: hide})
	b.addCase(knowledge.Case{CaseText: text("Annuity", "", "An annuity gives a guaranteed income for life.")})
	if err := base.Reembed(ctx); err != nil {
		t.Fatal(err)
	}
	o.calls = 0
	q := knowledge.Query{Text: "Janet here: can I take it all?", Known: []string{"Janet"}}
	if _, err := base.Recall(ctx, q); err != nil {
		t.Fatal(err)
	}
	if o.calls != 1 || o.sent[0] != "[NAME-1] here: can I take it all?" {
		t.Errorf("asked %d times, sent %q", o.calls, o.sent)
	}
}

// An agent outside the domain that we know is asked by meaning too.
func TestAnAgentOutsideTheDomainIsAskedByMeaning(t *testing.T) {
	b := setUp(t, knowledge.Options{})
	packs := map[string]string{"desk": pack.General, "adv": pack.Pension}
	base := knowledge.New(b.d, b.index, embedded.New(),
		knowledge.Options{PackOf: func(_ *db.Tx, agentID string) (string, error) { return packs[agentID], nil }})
	add := func(agent, title, guidance string) {
		b.write(func(tx *db.Tx) error {
			_, err := base.AddCaseTx(tx,
				knowledge.Case{AgentID: agent, Source: knowledge.FromReview, CaseText: text(title, "", guidance)})
			return err
		})
	}
	add("desk", "Forgotten password",
		"Open the sign-in page, choose Reset, and follow the link in the message that we send.")
	add("desk", "The printer says it is out of paper", "Fill the lower tray and press OK.")
	add("adv", "Lost pension", "The Pension Tracing Service finds it.")
	ask := func(agent, question string) string {
		t.Helper()
		got, err := base.Recall(ctx, knowledge.Query{AgentID: agent, Text: question,
			Situation: pack.Situation{Pack: packs[agent], Question: question}})
		if err != nil {
			t.Fatal(err)
		}
		return labels(got.Cases)
	}
	const unworded = "I can't remember my login credentials"
	for range 2 { // kept by a rebuild
		if got := ask("desk", unworded); got != "Case #001" {
			t.Errorf("by meaning: %q, want the forgotten password", got)
		}
		if err := b.index.Rebuild(ctx, ""); err != nil {
			t.Fatal(err)
		}
	}
	if got := ask("desk", "What is the capital of Peru?"); got != "" {
		t.Errorf("an unrelated question is given %s", got)
	}
	if got := ask("adv", "how do I find a lost pension"); got != "Case #003" {
		t.Errorf("the other agent is given %q", got)
	}
	if r, err := b.index.Check(ctx); err != nil || len(r.Problems) > 0 {
		t.Errorf("%+v, %v", r, err)
	}
}

// counting is the embedder that ships, and counts what it reads for a base.
type counting struct {
	*embedded.Embedder
	texts int
}

func (c *counting) Embed(ctx context.Context, texts []string) ([][]float32, error) {
	c.texts += len(texts)
	return c.Embedder.Embed(ctx, texts)
}

// Reading a text takes a while, so a write never waits for it, and what stands is not read again.
func TestAWriteReadsNothing(t *testing.T) {
	b := setUp(t, knowledge.Options{})
	e := &counting{Embedder: embedded.New()}
	b.Base = knowledge.New(b.d, b.index, e, knowledge.Options{})
	q := job.New(b.d, slog.New(slog.DiscardHandler))
	b.RegisterJobs(q)
	c := b.addCase(knowledge.Case{Origin: "1",
		CaseText: text("Annuity", "", "An annuity gives a guaranteed income for life.")})
	if e.texts != 0 {
		t.Errorf("%d texts were read inside the write", e.texts)
	}
	if err := q.Drain(ctx); err != nil || e.texts != 1 {
		t.Errorf("%d texts were read by the job, %v", e.texts, err)
	}
	c.Outcome = "They thanked us."
	b.addCase(c)
	b.write(func(tx *db.Tx) error { return b.RetireCaseTx(tx, c.ID, knowledge.Change{By: by, Reason: "old"}) })
	if err := q.Drain(ctx); err != nil || e.texts != 1 {
		t.Errorf("%d texts were read after a change of what isn't in the vector, %v", e.texts, err)
	}
	if r, err := b.index.Check(ctx); err != nil || len(r.Problems) > 0 {
		t.Errorf("%+v, %v", r, err)
	}
}
