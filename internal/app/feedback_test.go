package app_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"preceptor/internal/account"
	"preceptor/internal/app/apptest"
	"preceptor/internal/audit"
	"preceptor/internal/erase"
	"preceptor/internal/feedback"
	"preceptor/internal/interaction"
	"preceptor/internal/knowledge"
	"preceptor/internal/learning"
	"preceptor/internal/platform/db"
	"preceptor/internal/review"
)

// feedbackClient sends feedback for pension-advisor.
func (s spine) feedbackClient(t *testing.T) *apptest.Client {
	t.Helper()
	c := s.Nobody(t)
	c.Header.Set("Authorization", "Bearer "+s.Token(t, account.Feedback, account.Recall))
	return c
}

// released asks our advisor, has the draft revised, and lets the hold pass.
func (s spine) released(t *testing.T, question string) *interaction.Interaction {
	t.Helper()
	in := s.advise(t, question, 120_000)
	s.revise(t, in)
	s.Clock.Advance(31 * time.Second)
	s.Drain(t)
	in, err := s.Interactions.Get(t.Context(), in.ID)
	if err != nil || in.Status != interaction.Released {
		t.Fatalf("not released: %+v %v", in, err)
	}
	return in
}

func vote(t *testing.T, c *apptest.Client, id, user string, value float64) (status int) {
	t.Helper()
	r := c.JSON(t, http.MethodPost, "/api/feedback/submit",
		fmt.Sprintf(`{"interaction_id":%q,"user_id":%q,"feedback_type":"thumbs","feedback_value":%v}`, id, user, value))
	return r.Status
}

func read[T any](t *testing.T, r apptest.Response) (v T) {
	t.Helper()
	if err := json.Unmarshal([]byte(r.Body), &v); err != nil || r.Status >= 300 {
		t.Fatalf("%d %s", r.Status, r.Body)
	}
	return v
}

type exampleList struct {
	Examples []feedback.LearningExample `json:"examples"`
	FewShot  string                     `json:"few_shot"`
}

// The first acceptance of the issue, for guidance: votes of two users, the stats, the example in the next recall, and
// its use counted.
func TestVotesMakeAnExampleThatTheNextDraftIsShown(t *testing.T) {
	s := openSpine(t)
	c := s.feedbackClient(t)
	const question = "Could I put my pensions together in one place?"
	waiting := s.advise(t, question, 310_000)
	if status := vote(t, c, waiting.ID, "ann", 1); status != http.StatusConflict {
		t.Errorf("a vote on what nobody released: %d", status)
	}
	in := s.released(t, question)
	for _, user := range []string{"ann", "ann", "bob"} {
		if status := vote(t, c, in.ID, user, 1); status != http.StatusOK {
			t.Fatalf("vote: %d", status)
		}
	}
	stats := read[struct {
		Total    int `json:"total_interactions"`
		Feedback struct {
			Positive int     `json:"positive"`
			Negative int     `json:"negative"`
			Rate     float64 `json:"satisfaction_rate"`
		} `json:"feedback"`
		Topics []struct {
			Topic string  `json:"topic"`
			Avg   float64 `json:"avg_feedback"`
		} `json:"top_topics"`
	}](t, c.Get(t, "/api/feedback/stats/pension-advisor?days=7"))
	if stats.Total != 1 || stats.Feedback.Positive != 2 || stats.Feedback.Rate != 1 || len(stats.Topics) != 1 ||
		stats.Topics[0].Topic != in.Consultation.TaskType || stats.Topics[0].Avg != 1 {
		t.Errorf("stats %+v", stats)
	}
	path := "/api/feedback/examples?agent_type=pension-advisor&topic=" + in.Consultation.TaskType
	list := read[exampleList](t, c.Get(t, path))
	if len(list.Examples) != 1 || list.Examples[0].UseCount != 0 || list.Examples[0].Good != in.FinalText {
		t.Fatalf("examples %+v", list)
	}
	recalled := read[struct {
		Prompt string           `json:"prompt"`
		Items  []knowledge.Item `json:"items"`
	}](t, c.JSON(t, http.MethodPost, "/api/recall",
		`{"query":"Should I think about joining my pots up in one place?","task_type":"`+in.Consultation.TaskType+`"}`))
	if last := recalled.Items[len(recalled.Items)-1]; !strings.HasSuffix(recalled.Prompt, "\n\n"+list.FewShot) ||
		last.Kind != "exemplar" || last.ID != list.Examples[0].ID {
		t.Errorf("the recall lacks the example: %s", recalled.Prompt)
	}
	next := s.advise(t, question, 90_000)
	list = read[exampleList](t, c.Get(t, path))
	if list.Examples[0].UseCount != 1 ||
		!strings.Contains(next.Reasoning, "example of an answer that customers liked") {
		t.Errorf("use_count %d; %s", list.Examples[0].UseCount, next.Reasoning)
	}
	if _, err := s.Reviews.Recall(t.Context(), s.decisionOf(t, in.ID), s.person(), "It is wrong."); err != nil {
		t.Fatal(err)
	}
	if list = read[exampleList](t, c.Get(t, path)); len(list.Examples) != 0 {
		t.Errorf("what was recalled is still given: %+v", list)
	}
}

// What was recalled is not handed out as an experience either, and nothing is taken about it; its correction is another
// answer than the one that users liked.
func TestWhatWasRecalledIsNoExperience(t *testing.T) {
	s := openSpine(t)
	c := s.feedbackClient(t)
	in := s.released(t, "Could I put my pensions together in one place?")
	for _, user := range []string{"ann", "bob"} {
		if status := vote(t, c, in.ID, user, 1); status != http.StatusOK {
			t.Fatalf("vote: %d", status)
		}
	}
	given := func() string {
		t.Helper()
		list, export := c.Get(t, "/api/feedback/experiences?min_reward=0.5"),
			c.Get(t, "/api/feedback/export/experiences")
		if list.Status != http.StatusOK || export.Status != http.StatusOK {
			t.Fatalf("%d %d", list.Status, export.Status)
		}
		return list.Body + export.Body
	}
	if n := strings.Count(given(), in.ID); n != 2 {
		t.Fatalf("it is given %d times before it is recalled, want 2", n)
	}
	praised := knowledge.Case{Source: knowledge.FromFeedback, Origin: in.ID, AgentID: in.AgentID,
		CaseText: knowledge.CaseText{Title: "Praised", Guidance: in.FinalText}}
	if err := s.DB.Write(t.Context(), func(tx *db.Tx) (err error) {
		praised, err = s.Knowledge.AddCaseTx(tx, praised)
		return err
	}); err != nil {
		t.Fatal(err)
	}
	if _, err := s.Reviews.Recall(t.Context(), s.decisionOf(t, in.ID), s.person(), "It is wrong."); err != nil {
		t.Fatal(err)
	}
	if kept, err := s.Knowledge.Case(t.Context(), praised.ID); err != nil || kept.Status != knowledge.Retired {
		t.Errorf("the advisor still chooses from it: %+v, %v", kept, err)
	}
	if got := given(); strings.Contains(got, in.ID) || strings.Contains(got, `"reward"`) {
		t.Errorf("what was recalled is an experience: %s", got)
	}
	if status := vote(t, c, in.ID, "cas", 1); status != http.StatusConflict {
		t.Errorf("a vote on what was recalled: %d", status)
	}
	if r := c.JSON(t, http.MethodPost, "/api/feedback/outcomes",
		fmt.Sprintf(`{"interaction_id":%q,"satisfaction":9,"comprehension":9,"goal_alignment":9}`, in.ID)); r.Status !=
		http.StatusConflict {
		t.Errorf("an outcome of what was recalled: %d %s", r.Status, r.Body)
	}
}

// An outcome that went well stands with the case of its decision; a low one begins a lesson; either is a memory.
func TestOutcomesReachWhatIsLearned(t *testing.T) {
	s := openSpine(t)
	c := s.feedbackClient(t)
	in := s.released(t, "Could I put my pensions together in one place?")
	send := func(body string) {
		t.Helper()
		if r := c.JSON(t, http.MethodPost, "/api/feedback/outcomes",
			fmt.Sprintf(`{"interaction_id":%q,%s}`, in.ID, body)); r.Status != http.StatusCreated {
			t.Fatalf("%d %s", r.Status, r.Body)
		}
	}
	send(`"satisfaction":9,"comprehension":8,"goal_alignment":9`)
	ofDecision := func(tx *db.Tx) (*knowledge.Case, error) {
		return s.Knowledge.CaseOfOriginTx(tx, in.AgentID, knowledge.FromReview, s.decisionOf(t, in.ID))
	}
	kept, err := db.Read(t.Context(), s.DB, ofDecision)
	if err != nil || !strings.Contains(kept.Outcome, "The customer afterwards: satisfaction 9, comprehension 8") ||
		!kept.Exemplar {
		t.Errorf("%+v %v", kept, err)
	}
	send(`"satisfaction":10,"comprehension":10,"goal_alignment":10`)
	if kept, err = db.Read(t.Context(), s.DB, ofDecision); err != nil ||
		strings.Count(kept.Outcome, "afterwards") != 1 {
		t.Errorf("%+v %v", kept, err)
	}
	send(`"satisfaction":3,"comprehension":4,"goal_alignment":6,"db_warning_given":false,"issues":["The words were too hard."]`)
	s.Drain(t)
	lessons, err := s.Learning.ForInteraction(t.Context(), in.ID)
	if err != nil {
		t.Fatal(err)
	}
	n := 0
	for _, l := range lessons {
		if l.Origin == learning.Outcome {
			n++
		}
	}
	if n != 1 {
		t.Errorf("%d lessons from outcomes: %+v", n, lessons)
	}
}

// Erasing the guidance takes the example, what was written with the votes, and the example out of prompts.
func TestErasureReachesFeedback(t *testing.T) {
	s := openSpine(t)
	c := s.feedbackClient(t)
	in := s.released(t, "Could I put my pensions together in one place?")
	for _, user := range []string{"ann", "bob"} {
		body := fmt.Sprintf(
			`{"interaction_id":%q,"user_id":%q,"feedback_value":1,"feedback_text":"Thank you from Zebedee"}`, in.ID,
			user)
		if r := c.JSON(t, http.MethodPost, "/api/feedback/submit", body); r.Status != http.StatusOK {
			t.Fatalf("%d %s", r.Status, r.Body)
		}
	}
	rec, err := s.Erase.Erase(t.Context(),
		erase.Request{How: interaction.ByID, Subject: in.ID, Why: "asked",
			By: audit.Actor{Kind: audit.Person, ID: "p", Name: "Ada"}})
	if err != nil {
		t.Fatal(err)
	}
	found := false
	for _, n := range rec.Counts {
		found = found || n.Place == "Votes, outcomes and examples" && n.N > 0
	}
	if !found {
		t.Errorf("counts %+v", rec.Counts)
	}
	if list := read[exampleList](t, c.Get(t, "/api/feedback/examples?agent_type=pension-advisor")); len(
		list.Examples) != 0 {
		t.Errorf("%+v", list)
	}
	var left int
	if err := s.DB.Read(t.Context(), func(tx *db.Tx) error {
		return tx.QueryRow(`SELECT (SELECT count(*) FROM vote WHERE text <> '') + (SELECT count(*) FROM vote_history
				WHERE text <> '')
			+ (SELECT count(*) FROM exemplar WHERE instr(good, $1) > 0)`, in.FinalText).Scan(&left)
	}); err != nil || left != 0 {
		t.Errorf("%d texts stay, %v", left, err)
	}
}

// What users liked is recalled by the agent that reported it, whatever type it gave there.
func TestALikedAnswerOfAnotherTypeIsRecalled(t *testing.T) {
	s := openSpine(t)
	c := s.feedbackClient(t)
	answer := s.id(t, c.JSON(t, http.MethodPost, "/api/feedback/interactions",
		`{"agent_type":"biology-tutor","user_id":"u1","query":"What is photosynthesis?","response":"Plants do it."}`))
	for _, user := range []string{"u1", "u2"} {
		if r := c.JSON(t, http.MethodPost, "/api/feedback/submit",
			fmt.Sprintf(`{"interaction_id":%q,"user_id":%q,"feedback_value":1}`, answer, user)); r.Status != http.StatusOK {
			t.Fatalf("%d %s", r.Status, r.Body)
		}
	}
	r := c.JSON(t, http.MethodPost, "/api/recall", `{"query":"What is photosynthesis?"}`)
	if r.Status != http.StatusOK || !strings.Contains(string(r.Body), "Plants do it.") {
		t.Errorf("%d %s", r.Status, r.Body)
	}
}

// A user whom an agent names by an id of its own is erased by that id.
func TestAUserIsErasedByTheAgentsReference(t *testing.T) {
	s := openSpine(t)
	c := s.feedbackClient(t)
	log := func(user string) string {
		return s.id(t, c.JSON(t, http.MethodPost, "/api/feedback/interactions",
			fmt.Sprintf(
				`{"agent_type":"tutor","user_id":%q,"query":"What is photosynthesis?","response":"Plants do it."}`,
				user)))
	}
	mine, other := log("member-4711"), log("member-4712")
	for _, user := range []string{"member-4711", "member-4712"} {
		body := fmt.Sprintf(`{"interaction_id":%q,"user_id":%q,"feedback_value":1,"feedback_text":"From %s."}`, other,
			user, user)
		if r := c.JSON(t, http.MethodPost, "/api/feedback/submit", body); r.Status != http.StatusOK {
			t.Fatalf("%d %s", r.Status, r.Body)
		}
	}
	rec, err := s.Erase.Erase(t.Context(),
		erase.Request{How: interaction.ByReference, Subject: "Member 4711", Why: "asked",
			By: audit.Actor{Kind: audit.Person, ID: "p", Name: "Ada"}})
	if err != nil || rec.State != erase.Done {
		t.Fatalf("%+v %v", rec, err)
	}
	if sub, err := s.Feedback.Subject(t.Context(), mine); err != nil || !sub.Erased || sub.UserID != "" ||
		strings.Contains(sub.Query, "photosynthesis") {
		t.Errorf("%+v %v", sub, err)
	}
	if sub, err := s.Feedback.Subject(t.Context(), other); err != nil || sub.Erased || sub.UserID != "member-4712" {
		t.Errorf("another user's: %+v %v", sub, err)
	}
	votes, err := s.Feedback.VotesOf(t.Context(), other, 10)
	if err != nil || len(votes) != 2 {
		t.Fatal(votes, err)
	}
	for _, v := range votes {
		if v.UserID == "member-4711" || strings.Contains(v.Text, "4711") ||
			v.UserID == "member-4712" && v.Text != "From member-4712." {
			t.Errorf("%+v", v)
		}
	}
}

func (s spine) decisionOf(t *testing.T, id string) string {
	t.Helper()
	list, err := s.Reviews.DecisionsFor(t.Context(), id)
	if err != nil || len(list) != 1 {
		t.Fatalf("decisions %+v %v", list, err)
	}
	return list[0].ID
}

func (s spine) person() review.Person {
	return review.Person{ID: s.supervisor.Account.ID, Name: s.supervisor.Account.Name}
}
