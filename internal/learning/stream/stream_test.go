package stream

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"math"
	"slices"
	"strings"
	"testing"
	"time"

	"go.uber.org/goleak"
	"pgregory.net/rapid"

	"preceptor/internal/compliance"
	"preceptor/internal/knowledge"
	"preceptor/internal/learning"
	"preceptor/internal/llm"
	"preceptor/internal/llm/embedded"
	"preceptor/internal/llm/llmtest"
	"preceptor/internal/pack"
	"preceptor/internal/platform/db"
	"preceptor/internal/platform/db/dbtest"
	"preceptor/internal/platform/fault"
	"preceptor/internal/platform/job"
	"preceptor/internal/privacy"
	"preceptor/internal/search"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

type bench struct {
	*Store
	t       testing.TB
	clock   *dbtest.Clock
	lessons *learning.Pipeline
	ctx     context.Context
	n       int
}

func open(t testing.TB, gen llm.Generator, policy Policy) *bench {
	t.Helper()
	clock := dbtest.NewClock()
	d := dbtest.NewAt(t, clock)
	dbtest.NothingWhole(t, d)
	log := slog.New(slog.DiscardHandler)
	jobs := job.New(d, log)
	kb := knowledge.New(d, search.New(d), embedded.New(), knowledge.Options{})
	lessons := learning.New(d, jobs, kb, learning.NewEmbedded(nil), privacy.New(), learning.Policy{}, log)
	return &bench{Store: New(d, jobs, lessons, NewPrompted(gen, privacy.New()), privacy.New(), policy, log), t: t,
		clock: clock, lessons: lessons, ctx: context.Background()}
}

func (b *bench) write(f func(tx *db.Tx) error) {
	b.t.Helper()
	if err := b.d.Write(b.ctx, f); err != nil {
		b.t.Fatal(err)
	}
}

func (b *bench) drain() {
	b.t.Helper()
	ctx, cancel := context.WithTimeout(b.ctx, time.Minute)
	defer cancel()
	if err := b.jobs.Drain(ctx); err != nil {
		b.t.Fatal(err)
	}
}

func (b *bench) live(e Event) Event {
	b.t.Helper()
	b.n++
	if e.CauseID == "" {
		e.CauseID = fmt.Sprintf("cause-%d", b.n)
	}
	if e.InteractionID == "" {
		e.InteractionID = fmt.Sprintf("draft-%d", b.n)
	}
	if e.AgentID == "" {
		e.AgentID, e.AgentName = "a1", "pension-advisor"
	}
	b.write(func(tx *db.Tx) error { return b.RememberTx(tx, e) })
	return e
}

// rejected is a draft on a DB transfer without the warning, which a person turned down. It weighs 8.
func rejected() Event {
	return Event{Kind: Decision, What: learning.Reject, Task: pack.DBTransfer,
		Situation: pack.Situation{Task: pack.DBTransfer, HasDB: true, Question: "Shall I move it?"},
		Codes:     []string{compliance.MissingDBWarning},
		Text:      "Rejected. The guarantee that is given up is not mentioned."}
}

func (b *bench) all() []Reflection {
	b.t.Helper()
	list, _, err := b.List(b.ctx, Filter{})
	if err != nil {
		b.t.Fatal(err)
	}
	return list
}

func (b *bench) reflectDue() {
	b.t.Helper()
	if err := b.ReflectDue(b.ctx); err != nil {
		b.t.Fatal(err)
	}
}

func TestReflectionFallsDueOnceAndCitesItsMemories(t *testing.T) {
	b := open(t, nil, Policy{})
	for i := range 18 { // 144
		b.live(rejected())
		b.clock.Advance(time.Minute)
		if len(b.all()) != 0 {
			t.Fatalf("due after %d", i+1)
		}
	}
	b.live(rejected()) // 152
	due := b.all()
	if len(due) != 1 || due[0].State != Due || due[0].Total != 152 || due[0].Memories != 19 {
		t.Fatalf("due: %+v", due)
	}
	b.live(rejected()) // of the next window
	b.reflectDue()
	b.reflectDue()
	list := b.all()
	if len(list) != 1 || list[0].State != Done || list[0].AnsweredBy != "embedded reflection" ||
		len(list[0].Insights) == 0 {
		t.Fatalf("done: %+v", list)
	}
	in := list[0].Insights[0]
	if !strings.Contains(in.Text,
		"Missing DB warning” was found in 19 of 19 drafts, and people corrected 19 of them.") ||
		in.Theme != "code:MISSING_DB_WARNING" {
		t.Errorf("insight: %+v", in)
	}
	if len(in.Cites) != mostCites || in.Cites[0].Kind != Decision || in.Cites[0].Earlier {
		t.Errorf("cites %d", len(in.Cites))
	}
	if in.Principle != "" || in.LessonID == "" || in.Again {
		t.Fatalf("no lesson was opened: %+v", in)
	}
	b.drain()
	l, err := b.lessons.Get(b.ctx, in.LessonID)
	if err != nil || l.Origin != learning.Reflected || l.State == learning.Failed || len(l.Steps) != 1 ||
		!strings.Contains(l.Problem, "19 of 19 drafts") {
		t.Fatalf("lesson: %+v, %v", l, err)
	}
	if l.State != learning.Unstated || !l.Statement.Empty() {
		t.Errorf("the lesson stands at %s, %s: %s", l.Stage, l.State, l.Outcome)
	}
	found, _, err := b.Memories(b.ctx, Filter{AgentID: "a1", Kind: Insights})
	if err != nil || len(found) != len(list[0].Insights) || found[len(found)-1].Text == "" {
		t.Errorf("insights are memories: %v, %v", found, err)
	}
	for range 18 { // with the one above, the next window
		b.live(rejected())
	}
	b.reflectDue()
	list = b.all()
	if len(list) != 2 || !list[0].Insights[0].Again || list[0].Insights[0].LessonID != in.LessonID {
		t.Fatalf("the theme opens two lessons: %+v", list[0].Insights)
	}
	earlier := slices.ContainsFunc(list[0].Insights[0].Cites, func(c Cite) bool { return c.Earlier })
	if !earlier {
		t.Error("nothing from before was recalled")
	}
}

func TestWhatIsOldOrTakenBackDoesNotCount(t *testing.T) {
	b := open(t, nil, Policy{Threshold: 16})
	b.live(rejected())
	b.clock.Advance(25 * time.Hour)
	e := b.live(rejected())
	if len(b.all()) != 0 {
		t.Fatal("what is older than a day counts")
	}
	b.write(func(tx *db.Tx) error { return b.UndoTx(tx, Decision, e.CauseID) })
	b.live(rejected())
	if len(b.all()) != 0 {
		t.Fatal("what was undone counts")
	}
	again := rejected()
	again.CauseID = e.CauseID
	b.live(again)
	if len(b.all()) != 0 {
		t.Fatal("a cause has two memories")
	}
	last := b.live(rejected())
	if len(b.all()) != 1 {
		t.Fatal("not due")
	}
	b.write(func(tx *db.Tx) error { return b.UndoTx(tx, Decision, last.CauseID) })
	b.reflectDue()
	if list := b.all(); list[0].State != Done || len(list[0].Insights) != 0 {
		t.Fatalf("one living memory makes an insight: %+v", list)
	}
}

func TestImportanceIsFromOneToTen(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		e := Event{Kind: rapid.SampledFrom(append(slices.Clone(Kinds), "else")).Draw(t, "kind"),
			What: rapid.SampledFrom([]string{"approve", "revise", "reject", "NON_COMPLIANT", "negative_example",
				""}).Draw(t, "what"),
			Critical: rapid.Bool().Draw(t, "critical"), Codes: make([]string, rapid.IntRange(0, 5).Draw(t, "codes"))}
		e.Situation.HasDB = rapid.Bool().Draw(t, "db")
		if rapid.Bool().Draw(t, "scored") {
			e.Scores = &learning.Scores{Satisfaction: rapid.Float64Range(0, 10).Draw(t, "s"), Comprehension: 10,
				GoalAlignment: 10}
		}
		if w := Importance(e); w < 1 || w > 10 {
			t.Fatalf("%+v weighs %d", e, w)
		}
	})
	approve, reject := Importance(Event{Kind: Decision, What: learning.Approve}),
		Importance(Event{Kind: Decision, What: learning.Reject})
	critical := Importance(Event{Kind: Verdict, What: string(compliance.NegativeExample), Critical: true})
	low := Importance(Event{Kind: Outcome,
		Scores: &learning.Scores{Satisfaction: 2, Comprehension: 9, GoalAlignment: 9}})
	if approve != 2 || reject != 7 || critical != 9 || low != 8 {
		t.Errorf("approve %d, reject %d, critical %d, low outcome %d", approve, reject, critical, low)
	}
}

func TestRecencyImportanceAndRelevanceRank(t *testing.T) {
	if r := Recency(24 * time.Hour); math.Abs(r-.8867) > .001 || Recency(-time.Hour) != 1 {
		t.Errorf("recency of a day %f", r)
	}
	b := open(t, nil, Policy{Threshold: 1000})
	say := func(text, what string) string {
		return b.live(Event{Kind: Decision, What: what, Text: text}).CauseID
	}
	old := say("Rejected. The tax on the lump sum is not explained.", learning.Reject)
	b.clock.Advance(30 * 24 * time.Hour)
	light := say("Approved. The tax on the lump sum is explained.", learning.Approve)
	heavy := say("Rejected. The tax on the lump sum is not explained.", learning.Reject)
	other := say("Rejected. The scam signs were passed over.", learning.Reject)
	found, err := b.Retrieve(b.ctx, "a1", "tax on a lump sum", 0, 4)
	if err != nil || len(found) < 3 || found[0].CauseID != heavy {
		t.Fatalf("found %+v, %v", found, err)
	}
	at := func(cause string) int {
		return slices.IndexFunc(found, func(r Recalled) bool { return r.CauseID == cause })
	}
	if at(light) > at(old) && at(old) >= 0 {
		t.Errorf("a month old and heavy comes before fresh and light: %d, %d", at(old), at(light))
	}
	if at(other) == 0 {
		t.Error("what is not relevant comes first")
	}
	if before, err := b.Retrieve(b.ctx, "a1", "tax on a lump sum", 1, 4); err != nil || len(before) != 1 ||
		before[0].CauseID != old {
		t.Errorf("before the window: %+v, %v", before, err)
	}
	if none, err := b.Retrieve(b.ctx, "another", "tax", 0, 4); err != nil || len(none) != 0 {
		t.Errorf("another agent remembers it: %v, %v", none, err)
	}
}

func TestConfidenceMakesBandsUnlessSwitchedOff(t *testing.T) {
	for _, off := range []bool{false, true} {
		b := open(t, nil, Policy{IgnoreConfidence: off})
		draft := func(id string) Event {
			return Event{AgentID: "a1", CauseID: id, InteractionID: id, Task: pack.Consolidation}
		}
		b.write(func(tx *db.Tx) error {
			issue := compliance.Issue{Code: compliance.DisguisedRecommendation, Severity: compliance.Major}
			return errors.Join(
				b.FromVerdictTx(tx, draft("i1"),
					compliance.Verdict{Confidence: .62, Split: "2-1 failed", Issues: []compliance.Issue{issue}},
					[]string{"you might want to"}),
				b.FromVerdictTx(tx, draft("i2"), compliance.Verdict{Confidence: .76, Issues: []compliance.Issue{issue}},
					[]string{"you might want to", "given your situation", "you might want to"}),
				b.FromVerdictTx(tx, draft("i3"), compliance.Verdict{Confidence: .95, Passed: true}, nil),
				b.FromVerdictTx(tx, draft("i4"),
					compliance.Verdict{Confidence: .96, Source: compliance.RuleBased, Label: compliance.NonCompliant,
						Issues: []compliance.Issue{issue}}, nil))
		})
		found, _, err := b.Memories(b.ctx, Filter{Kind: Verdict})
		if err != nil {
			t.Fatal(err)
		}
		if off {
			if len(found) != 0 {
				t.Errorf("switched off: %+v", found)
			}
			continue
		}
		want := []struct{ band, says string }{{"negative_example", "what not to write"},
			{"exemplar_candidate", "once a person approves it"},
			{"ambiguous_language", "“you might want to”; “given your situation”."},
			{"boundary_clarification", "2 of 3 judges flagged it, 62% sure"}}
		for i, w := range want {
			if found[i].What != w.band || !strings.Contains(found[i].Text, w.says) {
				t.Errorf("%d: %s, %s", i, found[i].What, found[i].Text)
			}
		}
		if found[0].Importance != 9 || found[1].Importance != 1 {
			t.Errorf("weights %d, %d", found[0].Importance, found[1].Importance)
		}
	}
}

func TestPeopleWhoDoNotShareTheChecksAreSeen(t *testing.T) {
	var m Material
	for i := range 3 {
		draft := fmt.Sprint("d", i)
		m.Window = append(m.Window, Memory{ID: "v" + draft, Kind: Verdict, What: string(compliance.ExemplarOffer),
			InteractionID: draft},
			Memory{ID: "r" + draft, Kind: Decision, What: learning.Revise, InteractionID: draft, Task: pack.Tax,
				Shown: []string{"rule-9"}})
	}
	m.Window = append(m.Window, Memory{ID: "x", Kind: Decision, What: learning.Revise, InteractionID: "dx",
		Task: pack.Tax, Shown: []string{"rule-9"}})
	for i := range 8 {
		m.Window = append(m.Window, Memory{ID: fmt.Sprint("ok", i), Kind: Decision, What: learning.Approve,
			InteractionID: fmt.Sprint("e", i), Task: pack.Annuity})
	}
	got, err := NewEmbedded().Reflect(t.Context(), m)
	if err != nil {
		t.Fatal(err)
	}
	themes := map[string]Thought{}
	for _, th := range got {
		themes[th.Theme] = th
	}
	for theme, says := range map[string]string{"surprise:exemplar_candidate": "sure of 3 drafts that people corrected",
		"task:tax":     "corrected 4 of 4 drafts, and 0 of 8",
		"shown:rule-9": "shown to 4 drafts", "task:annuity": "all 8 drafts went out"} {
		if !strings.Contains(themes[theme].Text, says) {
			t.Errorf("%s: %q (all: %v)", theme, themes[theme].Text, got)
		}
	}
	if th := themes["surprise:exemplar_candidate"]; len(th.Cites) != 6 || th.Code != "" {
		t.Errorf("surprise: %+v", th)
	}
}

func modelInsight(cites ...string) map[string]any {
	return map[string]any{"text": "People keep asking for the guarantee.", "cites": cites,
		"about": "missing DB warning", "importance": 8}
}

func TestAModelWeighsAndReflects(t *testing.T) {
	gen := llmtest.New().On("memory_scored", map[string]any{"reasoning": "It matters.", "importance": 10},
		map[string]any{"reasoning": "?", "importance": 99},
		map[string]any{"reasoning": "It matters.", "importance": 10}).
		On("reflection", map[string]any{"reasoning": "So.",
			"insights": []any{modelInsight("m1", "m2", "m77"),
				map[string]any{"text": "Made up.", "cites": []string{"m98", "m99"}, "about": "x", "importance": 3}}})
	b := open(t, gen, Policy{Threshold: 28})
	for range 3 {
		e := rejected()
		e.Text, e.Known = "Rejected: Odile Quarrington asked about the guarantee.", []string{"Odile Quarrington"}
		b.live(e)
		b.drain()
	}
	found, _, err := b.Memories(b.ctx, Filter{})
	if err != nil || len(found) != 3 {
		t.Fatal(found, err)
	}
	if found[2].Importance != 10 || found[1].Importance != 8 || found[1].ScoredBy != embeddedName ||
		found[0].Importance != 10 {
		t.Errorf("weights %d %d %d", found[2].Importance, found[1].Importance, found[0].Importance)
	}
	if len(b.all()) != 1 {
		t.Fatal("a weight that the model raised makes nothing due")
	}
	b.reflectDue()
	list := b.all()
	if list[0].AgentName == "" || len(list[0].Insights) != 1 || len(list[0].Insights[0].Cites) != 2 ||
		list[0].Insights[0].LessonID == "" || !strings.HasPrefix(list[0].AnsweredBy, "scripted") {
		t.Fatalf("reflection: %+v", list[0])
	}
	for _, asked := range gen.Asked() {
		if strings.Contains(asked.Prompt, "Quarrington") {
			t.Error("a name left the house")
		}
	}
	b.write(func(tx *db.Tx) error {
		n, err := b.EraseTx(tx, list[0].Insights[0].Cites[0].InteractionID, []string{"Odile Quarrington"})
		if n != 2 {
			t.Errorf("%d texts erased", n)
		}
		return err
	})
	in := b.all()[0].Insights[0]
	if !strings.HasPrefix(in.Text, "Erased on") || in.Principle != "" ||
		!strings.HasPrefix(in.Cites[0].Text, "Erased on") || len(in.Cites[0].Codes) > 0 {
		t.Errorf("after the erasure: %+v", in)
	}
	if l, err := b.lessons.Get(b.ctx, in.LessonID); err != nil || l.Source != nil {
		t.Errorf("the lesson keeps its source: %+v, %v", l, err)
	}
}

func TestAModelThatDoesNotAnswerLeavesTheEmbeddedReflection(t *testing.T) {
	gen := llmtest.New().On("memory_scored", fault.New(fault.Unavailable, "Down.")).On("reflection",
		fault.New(fault.Unavailable, "Down."))
	b := open(t, gen, Policy{Threshold: 24})
	for range 3 {
		b.live(rejected())
	}
	b.reflectDue()
	if list := b.all(); len(list) != 1 || list[0].AnsweredBy != "embedded reflection" || len(list[0].Insights) == 0 {
		t.Fatalf("%+v", list)
	}
}

func TestARolledBackCauseLeavesNoMemory(t *testing.T) {
	b := open(t, nil, Policy{Threshold: 1})
	boom := errors.New("boom")
	err := b.d.Write(b.ctx, func(tx *db.Tx) error {
		e := rejected()
		e.AgentID, e.CauseID = "a1", "c1"
		if err := b.RememberTx(tx, e); err != nil {
			return err
		}
		return boom
	})
	if !errors.Is(err, boom) || len(b.all()) != 0 {
		t.Fatalf("%v, %v", err, b.all())
	}
}

// Work that is done twice, beside itself, has one effect: the job may run again after a kill, and by hand.
func TestAReflectionMadeFourTimesIsOne(t *testing.T) {
	b := open(t, nil, Policy{Threshold: 24})
	for range 3 {
		b.live(rejected())
	}
	id := b.all()[0].ID
	failed := make(chan error, 4)
	for range 4 {
		go func() { failed <- b.reflect(b.ctx, id) }()
	}
	for range 4 {
		if err := <-failed; err != nil {
			t.Error(err)
		}
	}
	b.drain()
	list := b.all()
	found, _, err := b.Memories(b.ctx, Filter{Kind: Insights})
	if err != nil || len(list) != 1 || len(found) != len(list[0].Insights) {
		t.Fatalf("%d reflections, %d insights, %d of their memories, %v", len(list), len(list[0].Insights), len(found),
			err)
	}
	lessons, err := b.lessons.List(b.ctx, learning.Filter{Origin: learning.Reflected, Limit: 9})
	if err != nil || len(lessons.Items) != 1 {
		t.Errorf("%d lessons, %v", len(lessons.Items), err)
	}
}
