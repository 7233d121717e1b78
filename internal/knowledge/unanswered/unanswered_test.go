package unanswered_test

import (
	"context"
	"fmt"
	"log/slog"
	"os"
	"slices"
	"strings"
	"testing"

	"preceptor/internal/audit"
	"preceptor/internal/interaction"
	"preceptor/internal/knowledge"
	"preceptor/internal/knowledge/unanswered"
	"preceptor/internal/llm"
	"preceptor/internal/llm/embedded"
	"preceptor/internal/platform/db"
	"preceptor/internal/platform/db/dbtest"
	"preceptor/internal/platform/fault"
	"preceptor/internal/platform/job"
	"preceptor/internal/search"
)

type fixture struct {
	*unanswered.Store
	d        *db.DB
	jobs     *job.Queue
	in       *interaction.Store
	answered func(question string) bool
	written  int
}

func open(t *testing.T) *fixture {
	t.Helper()
	f := &fixture{d: dbtest.New(t), answered: func(string) bool { return false }}
	log := slog.New(slog.DiscardHandler)
	f.jobs = job.New(f.d, log)
	nothing := func(*db.Tx, *interaction.Interaction) error { return nil }
	f.in = interaction.New(f.d, f.jobs, interaction.Hooks{
		PackOf: func(_ *db.Tx, agentID string) (string, error) { return "general", nil },
		Read: func(string, interaction.Consultation) interaction.Follow {
			return func(tx *db.Tx, in *interaction.Interaction) error { return f.CountTx(tx, in) }
		},
		OnAsked: nothing,
	}, log)
	kb := knowledge.New(f.d, search.New(f.d), embedded.New(), knowledge.Options{})
	f.Store = unanswered.New(f.d, f.jobs, f.in, kb, embedded.New(),
		func(_ context.Context, in *interaction.Interaction) (bool, error) {
			return f.answered(in.Consultation.Question), nil
		})
	return f
}

// ask has an agent asked, and a draft arrive that says that there is no guidance.
func (f *fixture) ask(t *testing.T, agent, question string) (id string) {
	t.Helper()
	id, err := f.in.Advise(t.Context(), interaction.Consultation{Question: question}, agent, agent,
		interaction.OriginAsk, audit.System("test"), nil)
	if err != nil {
		t.Fatal(err)
	}
	d := interaction.Draft{Text: "We have no guidance on this.", Provenance: interaction.Provenance{Unanswered: true}}
	if err := f.in.DraftArrived(t.Context(), id, d); err != nil {
		t.Fatal(err)
	}
	return id
}

func (f *fixture) drain(t *testing.T) {
	t.Helper()
	if err := f.jobs.Drain(t.Context()); err != nil {
		t.Fatal(err)
	}
}

func (f *fixture) list(t *testing.T, filter unanswered.Filter) []unanswered.Group {
	t.Helper()
	list, _, _, err := f.List(t.Context(), filter)
	if err != nil {
		t.Fatal(err)
	}
	return list
}

// intents are questions by what they are about, in mixed order, of one walk of life; see the file.
func intents(t *testing.T, walk string) (questions []string, of map[string]string) {
	t.Helper()
	raw, err := os.ReadFile("../../llm/embedded/testdata/intents.txt")
	if err != nil {
		t.Fatal(err)
	}
	of = map[string]string{}
	var by [][]string
	intent := ""
	for line := range strings.Lines(string(raw)) {
		switch line = strings.TrimSpace(line); {
		case line == "" || line[0] == '#':
		case strings.HasPrefix(line, "= "):
			if intent = line[2:]; strings.HasPrefix(intent, walk) {
				by = append(by, nil)
			}
		case strings.HasPrefix(intent, walk):
			by[len(by)-1] = append(by[len(by)-1], line)
			of[line] = intent
		}
	}
	for n := range 12 {
		for _, list := range by {
			if n < len(list) {
				questions = append(questions, list[n])
			}
		}
	}
	return questions, of
}

// Groups are of one matter nearly always, and a matter's questions come together mostly.
func TestGroupsByMeaning(t *testing.T) {
	f := open(t)
	questions, of := intents(t, "it.")
	if testing.Short() {
		questions = questions[:50]
	}
	for _, q := range questions {
		f.ask(t, "desk", q)
		f.drain(t)
	}
	largest, pure, matters := map[string]int{}, 0, map[string]bool{}
	for _, g := range f.list(t, unanswered.Filter{Limit: 500}) {
		_, list, err := f.Get(t.Context(), g.ID)
		if err != nil || len(list) != g.Asked || list[0].Text != g.Question {
			t.Fatalf("%d questions of %d, %v", len(list), g.Asked, err)
		}
		in := map[string]int{}
		for _, q := range list {
			in[of[q.Text]]++
			matters[of[q.Text]] = true
		}
		most := 0
		for matter, n := range in {
			most, largest[matter] = max(most, n), max(largest[matter], n)
		}
		pure += most
	}
	together := 0
	for _, n := range largest {
		together += n
	}
	t.Logf("%d questions on %d matters: %d of their group's matter, %d in the largest of theirs", len(questions),
		len(matters), pure, together)
	if n := len(questions); n < 50 || 100*pure < 88*n || 100*together < 55*n {
		t.Errorf("of %d questions %d are in a group of their own matter, %d in the largest", n, pure, together)
	}
}

// Agents' questions are counted apart; a draft that came twice counts once; what the advisor answers by now doesn't
// count.
func TestWhatCounts(t *testing.T) {
	f := open(t)
	f.ask(t, "one", "Do you sell gift cards?")
	f.ask(t, "two", "Do you sell gift cards?")
	id := f.ask(t, "two", "Can I buy a gift card?")
	f.answered = func(q string) bool { return strings.Contains(q, "sofa") }
	f.ask(t, "two", "When does my sofa come?")
	f.drain(t)
	list := f.list(t, unanswered.Filter{})
	if len(list) != 2 || list[0].AgentID != "two" || list[0].Asked != 2 || list[1].Asked != 1 ||
		list[0].Pack != "general" {
		t.Fatalf("%+v", list)
	}
	if own := f.list(t, unanswered.Filter{AgentID: "one"}); len(own) != 1 {
		t.Errorf("%+v", own)
	}
	err := f.d.Write(t.Context(), func(tx *db.Tx) error {
		in, err := f.in.GetTx(tx, id)
		if err != nil {
			return err
		}
		for _, change := range []func(*interaction.Interaction){
			func(*interaction.Interaction) {}, // again
			func(in *interaction.Interaction) { in.Planted = true }, func(in *interaction.Interaction) {
				in.Revises = "earlier"
			},
			func(in *interaction.Interaction) { in.Provenance.Unanswered = false },
		} {
			other := *in
			if change(&other); other.Planted || other.Revises != "" || !other.Provenance.Unanswered {
				other.ID = "none" // its job would fail
			}
			if err := f.CountTx(tx, &other); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	f.drain(t)
	if parked, err := f.jobs.Parked(t.Context()); err != nil || len(parked) > 0 ||
		f.list(t, unanswered.Filter{})[0].Asked != 2 {
		t.Errorf("%v %v", parked, err)
	}
}

// What a base answers after a change leaves, the rest is asked again only after the next; an erased question leaves its
// group another name.
func TestWhatLeaves(t *testing.T) {
	f := open(t)
	ids := []string{f.ask(t, "one", "Do you sell gift cards?"), f.ask(t, "one", "Do you sell a gift card?")}
	f.ask(t, "one", "Who won the football last night?")
	f.drain(t)
	asked := 0
	f.answered = func(q string) bool { asked++; return strings.Contains(q, "football") }
	if err := f.Reread(t.Context()); err != nil || asked != 0 {
		t.Errorf("asked %d times again of the same base: %v", asked, err)
	}
	by := knowledge.Person{ID: "p", Name: "Edie", Roles: []string{"expert"}}
	section := knowledge.Section{Title: "Football", When: "Who won?", Text: "We don't follow football.",
		Pack: "general"}
	if _, err := f.Write(t.Context(), "", section, by); err != nil {
		t.Fatal(err)
	}
	for range 2 {
		if err := f.Reread(t.Context()); err != nil || asked != 3 {
			t.Errorf("asked %d times: %v", asked, err)
		}
	}
	list := f.list(t, unanswered.Filter{})
	if len(list) != 1 || list[0].Asked != 2 {
		t.Fatalf("%+v", list)
	}
	for i, want := range []int{1, 0} {
		err := f.d.Write(t.Context(), func(tx *db.Tx) error {
			n, err := f.EraseTx(tx, ids[i])
			if n != 1 {
				t.Errorf("%d texts", n)
			}
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
		left := f.list(t, unanswered.Filter{})
		if len(left) != want || want == 1 && left[0].Question != "Do you sell a gift card?" {
			t.Errorf("%+v", left)
		}
	}
	if n, err := f.Totals(t.Context()); err != nil || n != (unanswered.Totals{}) {
		t.Errorf("%+v %v", n, err)
	}
}

// What was put aside stays aside with its like when the advisor answers it by now, and however much else was asked
// since; what is brought back is asked again.
func TestPutAsideStays(t *testing.T) {
	f := open(t)
	by := knowledge.Person{ID: "p", Name: "Edie", Roles: []string{"expert"}}
	first := f.ask(t, "one", "Who won the football last night?")
	f.drain(t)
	group := f.list(t, unanswered.Filter{})[0].ID
	if err := f.SetAside(t.Context(), group, "We sell furniture.", by); err != nil {
		t.Fatal(err)
	}
	f.answered = func(string) bool { return true }
	section := knowledge.Section{Title: "Football", When: "Who won?", Text: "We don't follow football.",
		Pack: "general"}
	if _, err := f.Write(t.Context(), group, section, by); err != nil {
		t.Fatal(err)
	}
	f.drain(t)
	if err := f.Reread(t.Context()); err != nil {
		t.Fatal(err)
	}
	other := llm.Stored(append([]float32{1}, make([]float32, embedded.New().Dims()-1)...))
	err := f.d.Write(t.Context(), func(tx *db.Tx) error {
		for i := range 2000 {
			if err := db.Exec(tx, "another group", `INSERT INTO unanswered_group (id, agent_id, pack, central_id, model,
					middle, asked_at)
				VALUES ($1, 'one', 'general', $2, $3, $4, $5)`, fmt.Sprint(i), first, embedded.New().Name(), other,
				tx.NowMs()+1); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	f.answered = func(string) bool { return false }
	second := f.ask(t, "one", "Who won the football yesterday night?")
	f.drain(t)
	if list := f.list(t, unanswered.Filter{}); len(list) != 0 {
		t.Errorf("came back: %+v", list)
	}
	if list := f.list(t, unanswered.Filter{Aside: true}); len(list) != 1 || list[0].ID != group || list[0].Asked != 2 {
		t.Fatalf("aside: %+v", list)
	}
	f.answered = func(q string) bool { return strings.Contains(q, "last") }
	if err := f.BringBack(t.Context(), group, by); err != nil {
		t.Fatal(err)
	}
	f.drain(t)
	if list := f.list(t, unanswered.Filter{}); len(list) != 1 || list[0].Asked != 1 {
		t.Errorf("brought back: %+v", list)
	}
	if err := f.SetAside(t.Context(), group, "We sell furniture.", by); err != nil {
		t.Fatal(err)
	}
	err = f.d.Write(t.Context(), func(tx *db.Tx) error {
		_, err := f.EraseTx(tx, second)
		return err
	})
	if _, _, gone := f.Get(t.Context(), group); err != nil || !fault.Is(gone, fault.NotFound) {
		t.Errorf("after its last question was erased: %v %v", err, gone)
	}
}

// A large group is asked again to its end, once each, after a section was written for it, and its page is bounded.
func TestALargeGroupIsAskedInParts(t *testing.T) {
	f := open(t)
	const n = 201 // two full runs and one more
	var ids []string
	for range n {
		ids = append(ids, f.ask(t, "one", "Do you sell gift cards?"))
	}
	f.drain(t)
	group := f.list(t, unanswered.Filter{})[0]
	if _, list, err := f.Get(t.Context(), group.ID); err != nil || group.Asked != n || len(list) != n-1 {
		t.Fatalf("%d of %d listed: %v", len(list), group.Asked, err)
	}
	asked := 0
	f.answered = func(string) bool { asked++; return asked > 1 }
	by := knowledge.Person{ID: "p", Name: "Edie", Roles: []string{"expert"}}
	section := knowledge.Section{Title: "Gifts", When: "Do you sell gifts?", Text: "We sell gift cards.",
		Pack: "general"}
	if _, err := f.Write(t.Context(), group.ID, section, by); err != nil {
		t.Fatal(err)
	}
	f.drain(t)
	_, list, err := f.Get(t.Context(), group.ID)
	if err != nil || asked != n || len(list) != 1 || !slices.Contains(ids, list[0].InteractionID) {
		t.Errorf("asked %d times, %d left: %v", asked, len(list), err)
	}
}

// Every group can be reached page by page, once each and in order.
func TestPagesOfGroups(t *testing.T) {
	f := open(t)
	for _, q := range []string{"Do you sell gift cards?", "Do you sell gift cards?", "Who won the football last night?",
		"How is the weather on the moon?", "Is there a car park?", "Can I play the violin upstairs?"} {
		f.ask(t, "one", q)
	}
	f.drain(t)
	whole := f.list(t, unanswered.Filter{})
	var paged []unanswered.Group
	filter := unanswered.Filter{Limit: 2}
	for range 4 {
		list, next, totals, err := f.List(t.Context(), filter)
		if err != nil || len(list) > 2 || totals.Groups != len(whole) {
			t.Fatalf("%+v %+v %v", list, totals, err)
		}
		paged = append(paged, list...)
		if filter.Cursor = next; next == "" {
			break
		}
	}
	if len(whole) < 4 || whole[0].Asked != 2 || !slices.Equal(paged, whole) {
		t.Errorf("paged %+v, whole %+v", paged, whole)
	}
	filter.Cursor = "x"
	if _, _, _, err := f.List(t.Context(), filter); !fault.Is(err, fault.Invalid) {
		t.Errorf("a cursor of nothing: %v", err)
	}
}

// A question that left comes back to its group when the base answers it no more, alone or with others that never left;
// meanwhile one that is like it joins them, and an erasure takes it.
func TestWhatComesBack(t *testing.T) {
	f := open(t)
	all := []string{f.ask(t, "one", "Do you sell gift cards?"), f.ask(t, "one", "Do you sell a gift card?"),
		f.ask(t, "one", "Who won the football last night?")}
	f.drain(t)
	first := f.list(t, unanswered.Filter{})
	if len(first) != 2 {
		t.Fatalf("%+v", first)
	}
	by := knowledge.Person{ID: "p", Name: "Edie", Roles: []string{"expert"}}
	again := func(answers func(q string) bool) {
		t.Helper()
		f.answered = answers
		section := knowledge.Section{Title: "More", When: "Who won?", Text: strings.Repeat("Words. ", f.written+2),
			Pack: "general"}
		f.written++
		if _, err := f.Write(t.Context(), "", section, by); err != nil {
			t.Fatal(err)
		}
		if err := f.Reread(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	again(func(string) bool { return true })
	if list := f.list(t, unanswered.Filter{}); len(list) != 0 {
		t.Fatalf("all are answered: %+v", list)
	}
	if to, err := f.Listed(t.Context(), all[0]); err != nil || to != "" {
		t.Errorf("an answered question is listed in %q, %v", to, err)
	}
	if _, _, err := f.Get(t.Context(), first[0].ID); !fault.Is(err, fault.NotFound) {
		t.Errorf("the page of an answered group: %v", err)
	}
	again(func(q string) bool { return strings.Contains(q, "cards") })
	list := f.list(t, unanswered.Filter{})
	if len(list) != 2 || list[0].Asked != 1 || list[1].Asked != 1 {
		t.Fatalf("one of each is back: %+v", list)
	}
	if to, err := f.Listed(t.Context(), all[1]); err != nil || to != first[0].ID {
		t.Errorf("it is back in %q, %v", to, err)
	}
	again(func(string) bool { return false })
	if list = f.list(t, unanswered.Filter{}); len(list) != 2 || list[0].ID != first[0].ID || list[0].Asked != 2 {
		t.Fatalf("all are back: %+v", list)
	}
	again(func(string) bool { return true })
	if err := f.d.Write(t.Context(), func(tx *db.Tx) error {
		n, err := f.EraseTx(tx, all[2])
		if err == nil && n != 1 {
			t.Errorf("%d were erased", n)
		}
		return err
	}); err != nil {
		t.Fatal(err)
	}
	again(func(string) bool { return false })
	if list = f.list(t, unanswered.Filter{}); len(list) != 1 || list[0].Asked != 2 {
		t.Errorf("what was erased isn't back: %+v", list)
	}
}
