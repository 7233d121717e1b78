package interaction_test

import (
	"context"
	"errors"
	"log/slog"
	"slices"
	"strings"
	"testing"

	"preceptor/internal/audit"
	"preceptor/internal/interaction"
	"preceptor/internal/platform/db"
	"preceptor/internal/platform/db/dbtest"
	"preceptor/internal/platform/fault"
	"preceptor/internal/platform/hook/hooktest"
	"preceptor/internal/platform/job"
)

var ctx = context.Background()

var robot = audit.Actor{Kind: audit.Agent, ID: "agent-1", Name: "pension-advisor"}

// desk is a store on an empty database whose clock the test moves.
type desk struct {
	*interaction.Store
	interaction.Hooks
	db    *db.DB
	clock *dbtest.Clock
	jobs  *job.Queue
}

func open(t testing.TB) *desk {
	t.Helper()
	clock := dbtest.NewClock()
	d := dbtest.NewAt(t, clock)
	log := slog.New(slog.DiscardHandler)
	q := job.New(d, log)
	k := &desk{db: d, clock: clock, jobs: q}
	k.Store = interaction.New(d, q, hooktest.Late(&k.Hooks), log)
	return k
}

// then is a Read that looks at no text.
func then(follow interaction.Follow) func(string, interaction.Consultation) interaction.Follow {
	return func(string, interaction.Consultation) interaction.Follow { return follow }
}

func submission() interaction.Submission {
	age, pounds, vulnerable := 58, 310_000.0, false
	return interaction.Submission{
		AgentID: robot.ID, AgentName: robot.Name, By: robot,
		Consultation: interaction.Consultation{
			Question: "What could I do with the £310,000 they've offered?",
			Customer: interaction.Customer{Age: &age, Literacy: "low", Vulnerable: &vulnerable, Goal: "retire at 60",
				Pensions: []interaction.Pension{
					{Kind: "db", ValueGBP: &pounds, Features: []string{"bridging pension"}}},
				Extra: map[string]any{"married": true}},
		},
		Guidance:      "A transfer gives up a guaranteed income for life.",
		Reasoning:     "They have a DB pension.",
		Model:         "m-1",
		KnowledgeUsed: []interaction.Used{{ID: "rule-71", Version: 3}},
		Steps:         []byte(`[{"step":1}]`),
		Metadata:      []byte(`{"run":"a"}`),
	}
}

func (d *desk) submit(t testing.TB) *interaction.Interaction {
	t.Helper()
	rec, err := d.Submit(ctx, submission(), nil)
	if err != nil {
		t.Fatalf("submit: %v", err)
	}
	return d.get(t, rec.ID)
}

func (d *desk) get(t testing.TB, id string) *interaction.Interaction {
	t.Helper()
	in, err := d.Get(ctx, id)
	if err != nil {
		t.Fatalf("get: %v", err)
	}
	return in
}

func (d *desk) count(t testing.TB, sql string, args ...any) int {
	t.Helper()
	var n int
	if err := d.db.Reader().QueryRow(sql, args...).Scan(&n); err != nil {
		t.Fatalf("%s: %v", sql, err)
	}
	return n
}

func TestSubmitKeepsEverything(t *testing.T) {
	d := open(t)
	in := d.submit(t)
	if in.Status != interaction.Waiting || in.Origin != interaction.OriginAPI || in.Version != 1 {
		t.Errorf("status %s, origin %s, version %d", in.Status, in.Origin, in.Version)
	}
	if in.GuidanceHash != interaction.TextHash(in.Guidance) {
		t.Error("the hash is not the guidance's")
	}
	if in.Consultation.TaskType == "" || in.TaskTypeBy != interaction.ByPreceptor {
		t.Errorf("task %q by %q, want one of ours", in.Consultation.TaskType, in.TaskTypeBy)
	}
	c := in.Consultation.Customer
	if *c.Age != 58 || *c.Pensions[0].ValueGBP != 310_000 || *c.Vulnerable || c.Extra["married"] != true {
		t.Errorf("customer = %+v", c)
	}
	if string(in.Steps) != `[{"step":1}]` || string(in.Metadata) != `{"run":"a"}` || in.KnowledgeUsed[0].Version != 3 {
		t.Errorf("steps %s, metadata %s, used %v", in.Steps, in.Metadata, in.KnowledgeUsed)
	}
	if n := d.count(t, `SELECT COUNT(*) FROM audit
		WHERE action = 'guidance.submitted' AND object_id = $1`, in.ID); n != 1 {
		t.Errorf("%d audit rows, want 1", n)
	}
	list, err := d.History(ctx, in.ID)
	if err != nil || len(list) != 1 || list[0].Kind != "submitted" || list[0].Actor.Name != "pension-advisor" ||
		!list[0].At.Equal(dbtest.Start) {
		t.Errorf("history = %v, %v", list, err)
	}
}

func TestSubmitRefusals(t *testing.T) {
	many := make([]interaction.Used, 201)
	for i := range many {
		many[i].ID = "x"
	}
	for _, c := range []struct {
		name string
		bad  func(*interaction.Submission)
		at   string
	}{
		{"no agent", func(s *interaction.Submission) { s.AgentName = " " }, "/agent"},
		{"no question", func(s *interaction.Submission) { s.Consultation.Question = "\n" }, "/consultation/question"},
		{"no guidance", func(s *interaction.Submission) { s.Guidance = "" }, "/guidance"},
		{"long guidance", func(s *interaction.Submission) {
			s.Guidance = strings.Repeat("x", interaction.MaxGuidance+1)
		}, "/guidance"},
		{"long reasoning", func(s *interaction.Submission) {
			s.Reasoning = strings.Repeat("x", interaction.MaxReasoning+1)
		}, "/reasoning"},
		{"long question", func(s *interaction.Submission) {
			s.Consultation.Question = strings.Repeat("x", interaction.MaxQuestion+1)
		}, "/consultation/question"},
		{"long task", func(s *interaction.Submission) {
			s.Consultation.TaskType = strings.Repeat("x", 101)
		}, "/consultation/task_type"},
		{"long model", func(s *interaction.Submission) { s.Model = strings.Repeat("x", 201) }, "/model"},
		{"unknown kind", func(s *interaction.Submission) {
			s.Consultation.Customer.Pensions[0].Kind = "isa"
		}, "/consultation/customer/pensions/0/kind"},
		{"unknown literacy", func(s *interaction.Submission) {
			s.Consultation.Customer.Literacy = "fair"
		}, "/consultation/customer/literacy"},
		{"large customer", func(s *interaction.Submission) {
			s.Consultation.Customer.Extra = map[string]any{"x": strings.Repeat("x", interaction.MaxCustomerBytes)}
		}, "/consultation/customer"},
		{"empty used", func(s *interaction.Submission) { s.KnowledgeUsed[0].ID = "" }, "/knowledge_used/0"},
		{"many used", func(s *interaction.Submission) { s.KnowledgeUsed = many }, "/knowledge_used"},
	} {
		t.Run(c.name, func(t *testing.T) {
			d := open(t)
			s := submission()
			c.bad(&s)
			_, err := d.Submit(ctx, s, nil)
			if !fault.Is(err, fault.Invalid) || len(fault.Fields(err)) != 1 || fault.Fields(err)[0].Name != c.at {
				t.Errorf("err = %v, fields %v; want Invalid at %s", err, fault.Fields(err), c.at)
			}
			if n := d.count(t, `SELECT COUNT(*) FROM interaction`); n != 0 {
				t.Errorf("%d rows stored", n)
			}
		})
	}
}

func TestAllThatIsWrongIsNamedAtOnce(t *testing.T) {
	d := open(t)
	_, err := d.Submit(ctx, interaction.Submission{}, nil)
	if got := len(fault.Fields(err)); got != 3 {
		t.Errorf("%d fields named (%v), want agent, guidance, question", got, fault.Fields(err))
	}
}

func TestLongestGuidanceIsAccepted(t *testing.T) {
	d := open(t)
	s := submission()
	s.Guidance = strings.Repeat("x", interaction.MaxGuidance)
	rec, err := d.Submit(ctx, s, nil)
	if err != nil {
		t.Fatal(err)
	}
	if d.get(t, rec.ID).Guidance != s.Guidance {
		t.Error("the longest guidance came back changed")
	}
}

// What a customer or an agent wrote is data: it comes back byte for byte.
func TestHostileTextIsKeptAsItCame(t *testing.T) {
	d := open(t)
	nasty := "<script>alert(1)</script> \u202Etxt.exe\u202C \u2066x\u2069 \x00\x01\x1b[31m hx-get=/x '; DROP TABLE " +
		"interaction;-- \U0001F600 e\u0301"
	s := submission()
	s.Guidance, s.Reasoning = nasty, nasty
	s.Consultation.Question, s.Consultation.Customer.Goal = nasty, nasty
	s.Consultation.Customer.Extra = map[string]any{nasty: nasty}
	rec, err := d.Submit(ctx, s, nil)
	if err != nil {
		t.Fatal(err)
	}
	in := d.get(t, rec.ID)
	for what, got := range map[string]string{"guidance": in.Guidance, "reasoning": in.Reasoning,
		"question": in.Consultation.Question,
		"goal":     in.Consultation.Customer.Goal, "extra": in.Consultation.Customer.Extra[nasty].(string)} {
		if got != nasty {
			t.Errorf("%s = %q", what, got)
		}
	}
	if in.GuidanceHash != interaction.TextHash(nasty) {
		t.Error("the hash is of another text")
	}
}

func TestBrokenUTF8IsReplaced(t *testing.T) {
	d := open(t)
	s := submission()
	s.Guidance = "a\xffb"
	rec, err := d.Submit(ctx, s, nil)
	if err != nil {
		t.Fatal(err)
	}
	if got := d.get(t, rec.ID).Guidance; got != "a\uFFFDb" {
		t.Errorf("guidance = %q", got)
	}
}

func TestTaskType(t *testing.T) {
	for given, want := range map[string]struct{ task, by string }{
		"DB transfer":   {"db_transfer", interaction.ByAgent},
		"tax-free cash": {"tax_free_cash", interaction.ByAgent},
		"my own topic":  {"my_own_topic", interaction.ByAgent},
	} {
		d := open(t)
		s := submission()
		s.Consultation.TaskType = given
		rec, err := d.Submit(ctx, s, nil)
		if err != nil {
			t.Fatal(err)
		}
		if in := d.get(t, rec.ID); in.Consultation.TaskType != want.task || in.TaskTypeBy != want.by {
			t.Errorf("%q became %q by %q, want %v", given, in.Consultation.TaskType, in.TaskTypeBy, want)
		}
	}
	d := open(t)
	s := submission()
	s.Consultation.TaskType = "unknown"
	rec, err := d.Submit(ctx, s, nil)
	if err != nil {
		t.Fatal(err)
	}
	if in := d.get(t, rec.ID); in.Consultation.TaskType == "unknown" || in.TaskTypeBy != interaction.ByPreceptor {
		t.Errorf("unknown became %q by %q", in.Consultation.TaskType, in.TaskTypeBy)
	}
}

func TestHooksShareTheTransaction(t *testing.T) {
	d := open(t)
	var got []string
	d.Read = then(func(_ *db.Tx, in *interaction.Interaction) error { got = append(got, in.Status); return nil })
	d.submit(t)
	if !slices.Equal(got, []string{interaction.Waiting}) {
		t.Errorf("the hook ran at %q, want once, when it waits", got)
	}
	boom := errors.New("boom")
	d.Read = then(func(*db.Tx, *interaction.Interaction) error { return boom })
	if _, err := d.Submit(ctx, submission(), nil); !errors.Is(err, boom) {
		t.Errorf("err = %v, want the hook's", err)
	}
	if n := d.count(t, `SELECT COUNT(*) FROM interaction`); n != 1 {
		t.Errorf("%d interactions, want 1: a failing hook undoes the submission", n)
	}
}

func TestListPagesByKeyset(t *testing.T) {
	d := open(t)
	for i := range 7 {
		s := submission()
		if i%2 == 1 {
			s.AgentID, s.AgentName = "agent-2", "other"
		}
		if _, err := d.Submit(ctx, s, nil); err != nil {
			t.Fatal(err)
		}
		if i > 3 { // the last ones share a time: the id decides
			continue
		}
		d.clock.Advance(1)
		d.clock.Advance(1_000_000)
	}
	seen := map[string]bool{}
	var f interaction.Filter
	f.AgentID, f.Status, f.Limit = "agent-1", interaction.Waiting, 3
	pages := 0
	for {
		page, err := d.List(ctx, f)
		if err != nil {
			t.Fatal(err)
		}
		pages++
		for i, in := range page.Items {
			if seen[in.ID] || in.AgentID != "agent-1" {
				t.Errorf("%s twice or not the agent's", in.ID)
			}
			seen[in.ID] = true
			if i > 0 && in.CreatedAt.After(page.Items[i-1].CreatedAt) {
				t.Error("not newest first")
			}
		}
		if page.Next == "" {
			break
		}
		f.Cursor = page.Next
	}
	if len(seen) != 4 || pages != 2 {
		t.Errorf("%d rows on %d pages, want 4 on 2", len(seen), pages)
	}
}

func TestListRefusals(t *testing.T) {
	d := open(t)
	for _, c := range []struct {
		f  interaction.Filter
		at string
	}{
		{interaction.Filter{Status: "sent"}, "status"},
		{interaction.Filter{Limit: 101}, "limit"}, {interaction.Filter{Limit: -1}, "limit"},
		{interaction.Filter{Cursor: "%%"}, "cursor"}, {interaction.Filter{Cursor: "MTIz"}, "cursor"},
		{interaction.Filter{Cursor: "eC55"}, "cursor"},
	} {
		_, err := d.List(ctx, c.f)
		if !fault.Is(err, fault.Invalid) || fault.Fields(err)[0].Name != c.at {
			t.Errorf("%+v: %v", c.f, err)
		}
	}
}

func TestGetUnknown(t *testing.T) {
	if _, err := open(t).Get(ctx, "nope"); !fault.Is(err, fault.NotFound) {
		t.Errorf("err = %v, want NotFound", err)
	}
}
