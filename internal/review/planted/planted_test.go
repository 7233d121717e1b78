package planted

import (
	"cmp"
	"context"
	"encoding/json"
	"math/rand/v2"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"preceptor/internal/audit"
	"preceptor/internal/compliance"
	"preceptor/internal/interaction"
	"preceptor/internal/pack"
	"preceptor/internal/platform/db"
	"preceptor/internal/platform/db/dbtest"
	"preceptor/internal/platform/fault"
	"preceptor/internal/review"
)

var (
	ctx   = context.Background()
	ann   = review.Person{ID: "ann", Name: "Ann"}
	boss  = audit.Actor{Kind: audit.Person, ID: "morag", Name: "Morag"}
	robot = audit.Actor{Kind: audit.Agent, ID: "agent-1", Name: "pension-advisor"}
)

func shelf(t testing.TB) []Draft {
	t.Helper()
	drafts, err := library()
	if err != nil {
		t.Fatal(err)
	}
	return drafts
}

// The library is what it says: enough drafts over many tasks, each complete.
func TestLibrary(t *testing.T) {
	drafts := shelf(t)
	tasks, problems, ids := map[string]bool{}, map[string]bool{}, map[string]bool{}
	for _, d := range drafts {
		if ids[d.ID] {
			t.Errorf("two drafts are called %s", d.ID)
		}
		ids[d.ID], tasks[d.Task], problems[d.Problem] = true, true, true
		if err := d.check(); err != nil {
			t.Errorf("%s: %v %v", d.ID, err, fault.Fields(err))
		}
		if d.Reasoning == "" || !known(d.Task) {
			t.Errorf("%s has no reasoning, or the unknown task %s", d.ID, d.Task)
		}
	}
	if len(drafts) < 24 || len(tasks) < 12 || len(problems) < 7 {
		t.Errorf("%d drafts, %d tasks, %d kinds of problem", len(drafts), len(tasks), len(problems))
	}
}

func known(task string) bool {
	_, ok := pack.Of(pack.Pension).Topic(task)
	return ok
}

// Each draft has its problem in it whoever asks, and no variable is left over.
func TestHoweverTheCustomerIsDrawn(t *testing.T) {
	drafts := shelf(t)
	rapid.Check(t, func(t *rapid.T) {
		d := rapid.SampledFrom(drafts).Draw(t, "draft")
		m := d.fill(rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 1)), rapid.Bool().Draw(t, "named"))
		for _, text := range append([]string{m.consultation.Question, m.guidance, m.reasoning},
			append(m.absent, m.present...)...) {
			if regexp.MustCompile(`\{[a-z]`).MatchString(text) {
				t.Fatalf("%s: a variable is left over in %q", d.ID, text)
			}
		}
		if ok, err := gone(m.guidance, m.absent, m.present); err != nil || ok {
			t.Fatalf("%s: its problem is not in it (%v):\n%s", d.ID, err, m.guidance)
		}
		if wrong := m.consultation.Customer.Check(); len(wrong) > 0 {
			t.Fatalf("%s: %v", d.ID, wrong)
		}
	})
}

// Most are clean and some are flagged, as real drafts are: a flag tells nothing.
func TestSomeAreFlagged(t *testing.T) {
	v := compliance.NewChecker(func() time.Time { return dbtest.Start })
	clean, flagged := 0, 0
	for _, d := range shelf(t) {
		m := d.fill(source(d.ID), false)
		if v.Check(m.guidance, m.consultation.Situation()).Passed {
			clean++
		} else {
			flagged++
		}
	}
	if clean < 10 || flagged < 4 { // they are known to be bad, and twelve checks see more of it than three did
		t.Errorf("%d are clean, %d flagged", clean, flagged)
	}
}

func TestFrame(t *testing.T) {
	written := "Hello,\n\nThank you for your question about tax. This is how it works.\n\nA fact. [1]\n\nAnother. " +
		"[2]\n\nSources:\n[1] One\n[2] Two"
	want := "Hello,\n\nThank you for your question about tax. This is how it works.\n\nBad. [1]\n\nWorse. " +
		"[2]\n\nWorst.\n\nSources:\n[1] One\n[2] Two"
	draft := interaction.Draft{Text: written,
		Provenance: interaction.Provenance{Notes: []string{"R-1 applies, please check: be kind"},
			Marks: []interaction.Mark{
				{Start: 0, End: 5, Kind: interaction.MarkRule, Label: "R-1"},
				{Start: 6, End: 7, Kind: interaction.MarkSource, Label: "Case #001"},
				{Start: 8, End: 9, Kind: interaction.MarkSource, Label: "Case #002"}}}}
	got := dress(draft, "Bad.\n\nWorse.\n\nWorst.")
	if got.Text != want || len(got.Marks) != 2 || len(got.Notes) != 1 {
		t.Errorf("got %+v", got)
	}
	for i, said := range []string{"Bad.", "Worse."} {
		if m := got.Marks[i]; got.Text[m.Start:m.End] != said || m.Label != []string{"Case #001", "Case #002"}[i] {
			t.Errorf("%q is marked %q", got.Text[m.Start:m.End], m.Label)
		}
	}
	if got := dress(draft,
		"Bad."); got.Text != "Hello,\n\nThank you for your question about tax. This is how it works.\n\nBad. "+
		"[1]\n\nSources:\n[1] One" {
		t.Errorf("got %+v", got)
	}
	if got := dress(interaction.Draft{Text: "A pension is a pension."},
		"Bad.\n\nWorse."); got.Text != "Bad.\n\nWorse." || len(got.Marks) > 0 {
		t.Errorf("a text without a frame lends %+v", got)
	}
}

func TestPhrasesOfOnesOwnAreTakenLiterally(t *testing.T) {
	d := Draft{Absent: []string{"a third (33 %)"}, Present: []string{"a quarter | 25 %", ""}}
	absent, present := d.patterns()
	for text, want := range map[string]bool{
		"It is A  THIRD (33 %) of it, not a quarter.": false,
		"It is a quarter.":                            true, "It is\n25 %.": true, "It is half.": false,
	} {
		if ok, err := gone(text, absent, present); err != nil || ok != want {
			t.Errorf("%q: gone %v, %v", text, ok, err)
		}
	}
}

func (k *desk) submit(t testing.TB) string {
	t.Helper()
	age := 61
	rec, err := k.in.Submit(ctx, interaction.Submission{AgentID: robot.ID, AgentName: robot.Name, By: robot,
		Guidance: "A quarter is usually tax free.", Reasoning: "Looked it up.", Model: "m-1",
		Consultation: interaction.Consultation{Question: "How much is tax free?", TaskType: "tax_free_cash",
			Customer: interaction.Customer{Age: &age, Name: "Una Moss"}}}, nil)
	if err != nil {
		t.Fatal(err)
	}
	return rec.ID
}

// plant mixes one in and returns its case.
func (k *desk) plant(t testing.TB) *interaction.Interaction {
	t.Helper()
	caseID, err := k.planted.Plant(ctx, k.submit(t))
	if err != nil {
		t.Fatal(err)
	}
	in, err := k.in.Get(ctx, caseID)
	if err != nil || !in.Planted {
		t.Fatalf("planted %+v, %v", in, err)
	}
	return in
}

func (k *desk) decide(t testing.TB, id, kind, text string) *review.Decision {
	t.Helper()
	item, err := k.Get(ctx, id)
	if err != nil {
		t.Fatal(err)
	}
	in := review.Input{ID: id, By: ann, Kind: kind, Version: item.Version, TextHash: item.TextHash, Text: text,
		Reason: "why", Feedback: "next time"}
	if kind == review.Reject {
		in.ReasonCode = "wrong_facts"
	}
	dec, err := k.Decide(ctx, in)
	if err != nil {
		t.Fatalf("%s: %v", kind, err)
	}
	return dec
}

func (k *desk) settle(t testing.TB) {
	t.Helper()
	k.clock.Advance(time.Minute)
	if err := k.jobs.Drain(ctx); err != nil {
		t.Fatal(err)
	}
}

func (k *desk) results(t testing.TB) []Result {
	t.Helper()
	page, err := k.planted.Results(ctx, ann.ID, "")
	if err != nil {
		t.Fatal(err)
	}
	return page.Items
}

func TestTheRateIsThePolicys(t *testing.T) {
	k := open(t)
	lots := []float64{0.09, 0.5, 0.1, 0.0, 0.0}
	k.planted.lot = func() float64 { l := lots[0]; lots = lots[1:]; return l }
	k.submit(t) // the rate is 0: no lot is drawn
	if len(lots) != 5 {
		t.Fatal("a policy without planted checks draws")
	}
	k.rate = 0.1
	k.submit(t) // 0.09 plants, and 0.5 says when
	k.submit(t) // 0.1 does not
	k.submit(t) // 0 plants, and 0 says when
	if n := k.waiting(t); n != 4 {
		t.Fatalf("%d wait before any check is due", n)
	}
	k.clock.Advance(soonest)
	k.drain(t)
	if n := k.waiting(t); n != 5 {
		t.Errorf("%d wait after a minute", n)
	}
	k.clock.Advance(latest)
	k.drain(t)
	if n := k.waiting(t); n != 6 {
		t.Errorf("%d wait at the end", n)
	}
}

func (k *desk) drain(t testing.TB) {
	t.Helper()
	if err := k.jobs.Drain(ctx); err != nil {
		t.Fatal(err)
	}
}

func (k *desk) waiting(t testing.TB) int {
	t.Helper()
	c, err := k.Counts(ctx, ann.ID, false)
	if err != nil {
		t.Fatal(err)
	}
	return c.Needs
}

// A planted case has every field that a real one of its agent has, and none that tells.
func TestItLooksLikeAnyOther(t *testing.T) {
	k := open(t)
	real, err := k.in.Get(ctx, k.submit(t))
	if err != nil {
		t.Fatal(err)
	}
	fake := k.plant(t)
	if fake.AgentID != real.AgentID || fake.AgentName != real.AgentName || fake.Origin != real.Origin ||
		fake.Status != real.Status || fake.Model != real.Model ||
		(fake.Reasoning == "") != (real.Reasoning == "") ||
		(fake.Consultation.Customer.Name == "") != (real.Consultation.Customer.Name == "") ||
		fake.TaskTypeBy != real.TaskTypeBy || fake.Version != real.Version || len(fake.ID) != len(real.ID) ||
		!fake.CreatedAt.Equal(k.db.Now()) {
		t.Errorf("planted %+v\nreal %+v", fake, real)
	}
	a, _ := k.in.History(ctx, fake.ID)
	b, _ := k.in.History(ctx, real.ID)
	if len(a) != 1 || len(b) != 1 || a[0].Kind != b[0].Kind || a[0].Actor != b[0].Actor || a[0].Note != b[0].Note {
		t.Errorf("histories: %+v, %+v", a, b)
	}
	if page, err := k.in.List(ctx, interaction.Filter{AgentID: robot.ID}); err != nil ||
		slices.ContainsFunc(page.Items, func(in interaction.Interaction) bool { return in.Planted }) {
		t.Errorf("an agent's list shows it: %v", err)
	}
}

// It has a conversation, a thread, urgency and metadata where the draft that it follows has, and nothing in them that was
// said by or of that draft's customer.
func TestItIsLikeItsModelInAll(t *testing.T) {
	k := open(t)
	sub := interaction.Submission{AgentID: robot.ID, AgentName: robot.Name, By: robot, Guidance: "You may take it.",
		Consultation: interaction.Consultation{Question: "And the tax on that?", Thread: "conv-48213", Messages: []interaction.Message{
			{Role: "user", Text: "I'm Ottilie Canary.", At: k.db.Now().Add(-time.Minute)},
			{Role: "assistant", Text: "Hello Ottilie."}, {Role: "user", Text: "Can I take it?"},
			{Role: "assistant", Text: "Yes."}, {Role: "user", Text: "And the tax on that?"}}},
		Handling: interaction.Handling{Urgency: interaction.UrgencyHigh, Channel: "chat"},
		Metadata: json.RawMessage(`{"case_ref":"AB-90817","customer_name":"Ottilie","queue":"retail","note":"Ottilie called",
			"email":"o@example.org","priority":2,"customer_id":4711223,"vip":true,"nested":{"who":"Ottilie"}}`)}
	rec, err := k.in.Submit(ctx, sub, nil)
	if err != nil {
		t.Fatal(err)
	}
	caseID, err := k.planted.Plant(ctx, rec.ID)
	if err != nil {
		t.Fatal(err)
	}
	fake, err := k.in.Get(ctx, caseID)
	if err != nil {
		t.Fatal(err)
	}
	c := fake.Consultation
	if c.Turn() != 3 || len(c.Messages) != 5 || c.Messages[4].Text != c.Question || c.Messages[0].At.IsZero() ||
		!c.Messages[0].At.Before(c.Messages[4].At) || len(c.Thread) != 10 || c.Thread == "conv-48213" ||
		!fake.Urgent() || fake.Channel != "chat" {
		t.Errorf("%+v %+v", c, fake.Handling)
	}
	all := string(fake.Metadata) + c.Talk() + c.Thread
	for _, theirs := range []string{"Ottilie", "90817", "4711223", "48213", "example.org", "tax on that"} {
		if strings.Contains(all, theirs) {
			t.Errorf("%q is of the model's customer: %s", theirs, all)
		}
	}
	var meta map[string]any
	if err := json.Unmarshal(fake.Metadata, &meta); err != nil || meta["queue"] != "retail" || meta["priority"] != 2.0 ||
		meta["vip"] != true || !strings.HasPrefix(meta["case_ref"].(string), "AB-") || meta["customer_id"] == nil ||
		len(meta) != 5 {
		t.Errorf("%s %v", fake.Metadata, err)
	}
	plain := k.plant(t) // like a draft that has none of it
	if c := plain.Consultation; len(c.Messages) != 0 || c.Thread != "" || len(plain.Metadata) != 0 || plain.Urgency != "" {
		t.Errorf("%+v", plain)
	}
}

func TestWhatComesOfIt(t *testing.T) {
	for name, c := range map[string]struct {
		kind, want string
		text       func(in *interaction.Interaction) string
	}{
		"approved":  {review.Approve, Missed, func(*interaction.Interaction) string { return "" }},
		"rejected":  {review.Reject, Caught, func(*interaction.Interaction) string { return "" }},
		"sent back": {review.Return, Caught, func(*interaction.Interaction) string { return "" }},
		"revised, and the problem is still there": {review.Revise, Missed, func(in *interaction.Interaction) string {
			return in.Guidance + "\n\nKind regards"
		}},
		"revised well": {review.Revise, Caught, func(*interaction.Interaction) string {
			return "Usually a quarter can be taken free of tax; MoneyHelper explains it."
		}},
	} {
		t.Run(name, func(t *testing.T) {
			k := open(t)
			k.only(t, "b01")
			in := k.plant(t)
			k.decide(t, in.ID, c.kind, c.text(in))
			if got := k.results(t); len(got) != 0 || len(k.told) != 0 {
				t.Fatalf("it is told during the hold: %+v", got)
			}
			k.settle(t)
			got := k.results(t)
			if len(got) != 1 || got[0].Outcome != c.want || got[0].InteractionID != in.ID || got[0].What == "" {
				t.Fatalf("got %+v, want %s", got, c.want)
			}
			if len(k.told) != 1 || k.told[0].Person != ann {
				t.Errorf("told %+v", k.told)
			}
			if k.reached != 0 {
				t.Errorf("%d hooks ran for it", k.reached)
			}
			after, err := k.in.Get(ctx, in.ID)
			if err != nil || after.Status != interaction.Closed || after.FinalText != "" {
				t.Errorf("it ends as %s with %q, %v", after.Status, after.FinalText, err)
			}
		})
	}
}

// only leaves one draft of the library in use.
func (k *desk) only(t testing.TB, draftID string) {
	t.Helper()
	for _, d := range shelf(t) {
		if d.ID != draftID {
			if err := k.planted.Retire(ctx, d.ID, true, boss); err != nil {
				t.Fatal(err)
			}
		}
	}
}

// An approval that is undone is no miss; what counts is what would have left.
func TestUndoneIsNotMissed(t *testing.T) {
	k := open(t)
	in := k.plant(t)
	dec := k.decide(t, in.ID, review.Approve, "")
	if _, err := k.Undo(ctx, dec.ID, ann, ""); err != nil {
		t.Fatal(err)
	}
	k.settle(t)
	if got := k.results(t); len(got) != 0 {
		t.Fatalf("got %+v", got)
	}
	k.decide(t, in.ID, review.Reject, "")
	k.settle(t)
	if got := k.results(t); len(got) != 1 || got[0].Outcome != Caught {
		t.Errorf("got %+v", got)
	}
}

// The same draft is not met twice while others were not used.
func TestTheLibraryIsUsedInTurn(t *testing.T) {
	k := open(t)
	first := k.plant(t).Consultation.TaskType
	for range len(shelf(t)) { // one more than there are
		c := k.submit(t)
		if _, err := k.planted.Plant(ctx, c); err != nil {
			t.Fatal(err)
		}
		k.clock.Advance(time.Minute)
	}
	drafts, err := k.planted.Library(ctx)
	if err != nil {
		t.Fatal(err)
	}
	for _, d := range drafts {
		if d.Used != 1 {
			t.Errorf("%s is met %d times", d.ID, d.Used)
		}
	}
	if first != "tax_free_cash" {
		t.Errorf("an agent that only has tax-free cash first meets %s", first)
	}
}

func TestOwnDrafts(t *testing.T) {
	k := open(t)
	d := Draft{Task: "Tax free cash", Problem: "wrong_facts", Expected: Revise, Title: " Half ",
		What: "It is a quarter.", Question: "How much?", Guidance: "Half of {dc} is tax free.",
		Customer: Profile{Pensions: []Pot{{Kind: "dc", Value: Range{50000, 50000}}}}, Absent: []string{"half"}}
	draftID, err := k.planted.Add(ctx, d, boss)
	if err != nil {
		t.Fatal(err)
	}
	got, err := k.planted.Draft(ctx, draftID)
	if err != nil || got.Builtin || got.Title != "Half" || got.Task != "tax_free_cash" || got.ByName != "Morag" {
		t.Fatalf("%+v, %v", got, err)
	}
	got.What = "Usually a quarter."
	if err := k.planted.Change(ctx, got, boss); err != nil {
		t.Fatal(err)
	}
	if err := k.planted.Change(ctx, got, boss); !fault.Is(err, fault.Conflict) {
		t.Errorf("a change of an older version: %v", err)
	}
	b, _ := k.planted.Draft(ctx, "b01")
	if err := k.planted.Change(ctx, b, boss); !fault.Is(err, fault.Denied) {
		t.Errorf("a change of one that comes with the program: %v", err)
	}
	for name, change := range map[string]func(*Draft){
		"guidance":  func(d *Draft) { d.Guidance = " " },
		"question":  func(d *Draft) { d.Question = "What of {db}?" },
		"question ": func(d *Draft) { d.Question = "I am {name}. How much?" },
		"guidance ": func(d *Draft) { d.Guidance = "Half of your {{scheme}} pot is tax free." },
		"reasoning": func(d *Draft) { d.Reasoning = "They are {age}." },
		"present":   func(d *Draft) { d.Present = []string{"{foo bar}"} },
		"absent":    func(d *Draft) { d.Absent = []string{"three quarters"} },
		"problem":   func(d *Draft) { d.Problem = "ugly" },
		"expected":  func(d *Draft) { d.Expected = "approve" },
		"task":      func(d *Draft) { d.Task = "" },
		"customer":  func(d *Draft) { d.Customer.Literacy = "none" },
		"what":      func(d *Draft) { d.What = strings.Repeat("x", 3000) },
	} {
		bad := d
		change(&bad)
		_, err := k.planted.Add(ctx, bad, boss)
		if !fault.Is(err, fault.Invalid) || !slices.ContainsFunc(fault.Fields(err), func(f fault.Field) bool {
			return f.Name == strings.TrimSpace(name)
		}) {
			t.Errorf("%s: %v %v", name, err, fault.Fields(err))
		}
	}
}

// A new version of the program brings new drafts and leaves what was retired.
func TestSyncKeepsWhatWasRetired(t *testing.T) {
	k := open(t)
	if err := k.planted.Retire(ctx, "b02", true, boss); err != nil {
		t.Fatal(err)
	}
	if err := k.db.Write(ctx, func(tx *db.Tx) error {
		_, err := tx.Exec(`UPDATE planted_draft SET version = 0, title = 'old' WHERE id = 'b02'`)
		return err
	}); err != nil {
		t.Fatal(err)
	}
	if err := k.planted.Sync(ctx); err != nil {
		t.Fatal(err)
	}
	d, err := k.planted.Draft(ctx, "b02")
	if err != nil || !d.Retired || d.Title == "old" {
		t.Errorf("%+v, %v", d, err)
	}
}

// The job may run again after a crash at any point and makes one case.
func TestPlacingTwiceMakesOneCase(t *testing.T) {
	k := open(t)
	k.rate = 1
	k.submit(t)
	k.clock.Advance(latest)
	k.drain(t)
	var checkID string
	if err := k.db.Read(ctx, func(tx *db.Tx) error {
		return tx.QueryRow(`SELECT id FROM planted_check`).Scan(&checkID)
	}); err != nil {
		t.Fatal(err)
	}
	for range 2 {
		if err := k.planted.place(ctx, placeArgs{checkID}); err != nil {
			t.Fatal(err)
		}
	}
	if n := k.waiting(t); n != 2 {
		t.Errorf("%d wait", n)
	}
}

// No draft of the library carries anything but what its fields say.
func TestLibraryHasNoStrangeFields(t *testing.T) {
	dec := json.NewDecoder(strings.NewReader(string(libraryJSON)))
	dec.DisallowUnknownFields()
	var drafts []Draft
	if err := dec.Decode(&drafts); err != nil {
		t.Error(err)
	}
}

// A text isn't met while it waits, nor again for a long while, and a domain's drafts stay with its agents.
func TestATextIsNotMetTwice(t *testing.T) {
	k := open(t)
	k.only(t, "")
	add := func(title, guidance, domain string) {
		t.Helper()
		if _, err := k.planted.Add(ctx, Draft{Task: "tax_free_cash", Problem: "wrong_facts", Expected: Revise,
			Title: title, What: "It is a quarter.", Question: "How much?", Guidance: guidance,
			Customer: Profile{Pack: domain, Age: Range{55, 60}}}, boss); err != nil {
			t.Fatal(err)
		}
	}
	plant := func(want bool, when string) (caseID string) {
		t.Helper()
		caseID, err := k.planted.Plant(ctx, k.submit(t))
		if err != nil || (caseID != "") != want {
			t.Fatalf("%s: planted %q, %v", when, caseID, err)
		}
		return caseID
	}
	add("Other", "Half is tax free.", pack.GeneralName)
	plant(false, "a draft of another domain")
	add("Half", "Half is tax free.", pack.Pension)
	caseID := plant(true, "the first time")
	plant(false, "while it waits")
	k.decide(t, caseID, review.Reject, "")
	k.settle(t)
	plant(false, "right after")
	k.clock.Advance(Rest)
	plant(true, "after its rest")
	add("Drawn", "At {age} half is tax free.", "")
	plant(true, "one whose text is drawn")
	plant(false, "while both wait")
	if _, err := k.planted.Add(ctx, Draft{Customer: Profile{Pack: "sofas"}}, boss); !slices.ContainsFunc(
		fault.Fields(err), func(f fault.Field) bool { return f.Name == "pack" }) {
		t.Errorf("a domain that there isn't: %v", err)
	}
}

// Among the drafts of our own advisor a check asks what that answers: the frame of one that found nothing would tell.
func TestACheckAsksWhatOurAdvisorAnswers(t *testing.T) {
	for _, none := range []bool{false, true} {
		k := open(t)
		refused := ""
		k.hooks.Answers = func(_ context.Context, in *interaction.Interaction) (bool, error) {
			refused = cmp.Or(refused, in.Consultation.Question)
			return !none && in.Consultation.Question != refused, nil
		}
		k.hooks.Compose = func(context.Context, *interaction.Interaction) (interaction.Draft, error) {
			return interaction.Draft{Text: "Hello,\n\nIt is so. [1]\n\nSources:\n[1] A leaflet", Drafter: "ours"}, nil
		}
		id, err := k.in.Advise(ctx, interaction.Consultation{Question: "What is drawdown?"}, "a", "a",
			interaction.OriginAdvise, robot, nil)
		if err == nil {
			err = k.in.DraftArrived(ctx, id, interaction.Draft{Text: "An income.", Drafter: "ours"})
		}
		if err != nil {
			t.Fatal(err)
		}
		fake, err := k.planted.Plant(ctx, id)
		if err != nil || (fake == "") != none {
			t.Fatalf("%t: %q %v", none, fake, err)
		}
		if none {
			continue
		}
		if in, err := k.in.Get(ctx, fake); err != nil || in.Consultation.Question == refused || refused == "" {
			t.Errorf("it asks what isn't answered: %q %v", refused, err)
		}
	}
}
