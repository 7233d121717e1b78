package history

import (
	"encoding/json"
	"strings"
	"testing"
	"time"

	"preceptor/internal/audit"
	"preceptor/internal/comment"
	"preceptor/internal/compliance"
	"preceptor/internal/compliance/borderline"
	"preceptor/internal/delivery"
	"preceptor/internal/feedback"
	"preceptor/internal/interaction"
	"preceptor/internal/knowledge"
	"preceptor/internal/learning"
	"preceptor/internal/review"
)

const evil = `</section></main><script>alert(1)</script><img src=x onerror=alert(1)> https://example.org`

var at = time.Date(2026, time.November, 2, 9, 0, 0, 0, time.UTC)

// full is a story with everything in it, every foreign text being evil: sent, signed once, overruled, revised by two,
// recalled.
func full() *told {
	yes := true
	in := &interaction.Interaction{ID: "i1", AgentID: "a", AgentName: evil, Origin: interaction.OriginAPI,
		Status: interaction.Waiting, TaskTypeBy: interaction.ByAgent,
		Consultation: interaction.Consultation{Question: evil, TaskType: "db_transfer",
			Customer: interaction.Customer{Name: evil, Vulnerable: &yes,
				Extra: map[string]any{"z": evil, "n": json.Number("3")}}},
		Guidance: "You could wait. " + evil, GuidanceHash: interaction.TextHash("You could wait. " + evil),
		Reasoning: evil, Model: evil, Drafter: evil, Failure: evil,
		KnowledgeUsed: []interaction.Used{{ID: evil, Version: 2}, {ID: "k"}},
		Steps:         json.RawMessage(`[{"say":"` + "<script>" + `"}]`), Metadata: json.RawMessage(`{"x":1}`),
		FinalText: "You could wait a year. " + evil, CreatedAt: at, ReleasedAt: at, Revises: "i0"}
	ann, bob := review.Person{ID: "p-ann", Name: evil}, review.Person{ID: "p-bob", Name: "Bob"}
	flags := []review.Flag{{Code: "PRESSURE", Severity: review.Critical, Why: evil, Quote: evil, Reference: evil}}
	s := &told{in: in, newer: "i2",
		history: []interaction.Event{
			{At: at, Kind: evil, Actor: audit.Actor{Kind: audit.Person, ID: "p-ann", Name: evil}, Note: evil}},
		given: &knowledge.Prompt{Kept: true, Mode: "hybrid", At: at, BlockMatch: knowledge.Identical, BlockHash: "b",
			PromptMatch: knowledge.Different, PromptHash: "h",
			Items: []knowledge.UsedItem{
				{Kind: "rule", ID: "r1", Label: evil, Version: 2, Current: 3,
					Status: "active", Why: []string{evil}, Cited: true, Score: 0.9, Block: evil, Changed: true}},
			Messages: []knowledge.Message{
				{Name: evil, Hash: "t", Parts: []knowledge.Part{{Text: evil}}}}},
		verdicts: []compliance.Recorded{{Verdict: compliance.Verdict{Label: compliance.Borderline,
			Source: compliance.Consensus, Confidence: 0.5, Checklist: 4, Because: []string{evil},
			Issues: []compliance.Issue{{Code: "PRESSURE", Severity: "critical", Why: evil, Quote: evil, Reference: evil,
				By: compliance.ByJudges}},
			Judges: []compliance.Vote{{Judge: evil, AnsweredBy: evil, Reasoning: evil, Confidence: 0.6},
				{Judge: "b", Abstained: true, Why: evil}}}, TextHash: in.GuidanceHash, At: at}},
		cases: []borderline.Case{{ID: "c1", State: borderline.Ruled, TextHash: in.GuidanceHash, CreatedAt: at},
			{ID: "c2", State: borderline.Overtaken, TextHash: "x", CreatedAt: at}},
		rulings: map[string]*borderline.Ruling{
			"c1": {Label: compliance.Compliant, Rationale: evil, By: borderline.Person{Name: evil},
				How: borderline.Agreed, RubricVersion: 2, At: at}},
		item: &review.Item{Skips: []review.Skip{{By: ann, Reason: evil, At: at}}},
		decisions: []review.Decision{
			{ID: "d1", Kind: review.Approve, State: review.Overruled, By: ann, Text: in.Guidance, DecidedAt: at,
				Flags: flags, SettledBy: bob, SettledWhy: evil},
			{ID: "d2", Kind: review.Revise, State: review.Recalled, By: ann, Second: bob, SecondAt: at,
				Text: in.FinalText, Reason: evil, Feedback: evil, Confirmation: "I have read it.",
				SecondConfirmation: "I too.", NeedsSecond: true, DecidedAt: at, SettledAt: at},
			{ID: "d3", Kind: review.Reject, State: review.Pending, By: bob, ReasonCode: "unsafe", Reason: evil,
				BaseID: "d2", DecidedAt: at}},
		comments: []comment.Comment{{By: comment.Person{Name: evil}, Text: evil, At: at},
			{By: comment.Person{Name: "x"}, WithdrawnAt: at, At: at}, {Erased: true, At: at}},
		receipts: []delivery.Receipt{{Delivery: delivery.Delivery{ID: "msg_1", Type: "guidance.released",
			State: delivery.Done, CreatedAt: at},
			Attempts: []delivery.Attempt{{N: 1, At: at, Outcome: evil, Status: 200, BodyHash: "h", Note: evil}}},
			{Delivery: delivery.Delivery{ID: "msg_2", Type: "guidance.recalled", State: delivery.Waiting,
				CreatedAt: at}}},
		lessons: []learning.Lesson{{ID: "l1", Origin: "revise", Stage: learning.StageAccept, State: learning.Accepted,
			RuleNumber: 7, CaseNumber: 9, CreatedAt: at}},
		said: feedback.Said{Votes: []feedback.Vote{
			{Kind: feedback.Rating, Value: 3.5, Text: evil, Channel: feedback.ChannelLink, Version: 2, At: at}},
			Outcomes: []feedback.Outcome{{Satisfaction: 4, Comprehension: 5.5, GoalsMet: &yes, Issues: []string{evil},
				Channel: feedback.ChannelDesk, At: at}}},
		rows: []audit.Exported{
			{Seq: 3, Action: "guidance.submitted", ActorKind: audit.Agent, ActorID: "a",
				Content: json.RawMessage(`{"guidance_hash":"g","question":"q"}`)},
			{Seq: 5, Action: "review.approved", ActorKind: audit.Person, ActorID: "p-ann", ActorName: evil,
				Content: json.RawMessage(`{"decision":"d1","text_hash":"t","final_hash":"f"}`)},
			{Seq: 6, Action: "review.revised", ActorKind: audit.Person, ActorID: "p-ann",
				Content: json.RawMessage(`{"decision":"d2","text_hash":"t","final_hash":"f"}`)},
			{Seq: 7, Action: "review.seconded", ActorKind: audit.Person, ActorID: "p-bob",
				Content: json.RawMessage(`{"decision":"d2","final_hash":"f"}`)},
			{Seq: 9, Action: audit.ActionErased, ActorKind: audit.SystemActor, ActorID: "erase", ErasedAt: 1}}}
	return s
}

func pageOf(t *testing.T, s *told) map[string]string {
	t.Helper()
	parts, err := s.view().parts()
	if err != nil {
		t.Fatal(err)
	}
	out := map[string]string{}
	for _, p := range parts {
		out[p.ID] = string(p.HTML)
	}
	return out
}

func TestEveryForeignTextIsInert(t *testing.T) {
	page := pageOf(t, full())
	if len(page) != len(partList) {
		t.Errorf("%d of %d parts", len(page), len(partList))
	}
	for id, html := range page {
		for _, raw := range []string{"<script", "<img", "</section>", "</main>", "onerror=alert(1)>"} {
			if strings.Contains(strings.ToLower(html), raw) {
				t.Errorf("%s has %q as it came", id, raw)
			}
		}
	}
	b, err := json.Marshal(full().view())
	if err != nil || strings.Contains(string(b), "<") {
		t.Errorf("the facts: %v", err)
	}
}

func TestTheStoryIsTold(t *testing.T) {
	page := pageOf(t, full())
	for id, words := range map[string][]string{
		"summary": {"Decision that stands", "Bob", "Answered anew by", "New version of"},
		"draft":   {"You could wait.", "k</code>"},
		"knowledge": {"version 2", "It says something else now: version 3", "cited by the draft",
			"made again byte for byte"},
		"prompt": {"NOT what was sent"},
		"verdicts": {"BORDERLINE", "50% sure", "on the draft", "version 4 of the experts", "abstained",
			"named by judges"},
		"experts": {"Ruled COMPLIANT_GUIDANCE, on the draft", "rubric version 2",
			"A supervisor decided before experts ruled, on a text that was not kept"},
		"decisions": {"3. ", "the text of decision 2", "<ins>", "a year.", "I have read it.", "I too.",
			"The text was left as it was.", "No text went to the customer.", "p-bob"},
		"remarks":    {"Deleted by its author.", "Erased."},
		"delivery":   {"was recalled after it was delivered", "guidance.released", "200", "not tried yet"},
		"afterwards": {"rating 3.5, by link, version 2", "5.5 of 10", "rule 7, case 9", "row 9"},
		"record":     {"review.seconded", "content erased on"},
	} {
		for _, w := range words {
			if !strings.Contains(page[id], w) {
				t.Errorf("%s does not say %q:\n%s", id, w, page[id])
			}
		}
	}
}

func TestTextsStandBesideTheRowsThatRecordedThem(t *testing.T) {
	got := map[string]int64{}
	for _, x := range full().texts() {
		got[x.Name] = x.Row
		if x.SHA256 != interaction.TextHash(x.Text) || x.Erased {
			t.Errorf("%+v", x)
		}
	}
	want := map[string]int64{"Question": 3, "Draft": 3, "Decision 1": 5, "Decision 2": 6, "Sent to the customer": 6}
	if len(got) != len(want) {
		t.Errorf("%v", got)
	}
	for name, row := range want {
		if got[name] != row {
			t.Errorf("%s: row %d, want %d", name, got[name], row)
		}
	}
	s := full()
	s.in.Guidance = "bad \xff byte"
	if x := s.texts()[1]; x.Row != 0 || x.SHA256 != interaction.TextHash(x.Text) {
		t.Errorf("a text that JSON can't carry: %+v", x)
	}
	s.in.ErasedAt = at
	for _, x := range s.texts() {
		if !x.Erased || x.Text != "" || x.SHA256 != "" {
			t.Errorf("after an erasure: %+v", x)
		}
	}
}

// Guidance of which next to nothing is on record has a story, too.
func TestAShortStory(t *testing.T) {
	page := pageOf(t,
		&told{in: &interaction.Interaction{ID: "i1", Status: interaction.Drafting, Planted: true, ErasedAt: at}})
	for id, words := range map[string]string{"summary": "seeded check", "history": "No history",
		"draft": "There is no draft", "knowledge": "Nothing is on record", "prompt": "No prompt is on record",
		"verdicts": "No verdict", "decisions": "Nobody has decided", "delivery": "No text went to the customer",
		"afterwards": "No lesson came of it", "record": "no row about it"} {
		if !strings.Contains(page[id], words) {
			t.Errorf("%s does not say %q", id, words)
		}
	}
	if !strings.Contains(page["summary"], "were erased on") || page["experts"] != "" {
		t.Error("it does not say that texts were erased, or has experts")
	}
}
