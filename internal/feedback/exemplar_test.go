package feedback_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"preceptor/internal/audit"
	"preceptor/internal/feedback"
	"preceptor/internal/platform/db"
	"preceptor/internal/platform/db/dbtest"
	"preceptor/internal/platform/fault"
)

func TestTwoUsersMakeAnExampleAndAThirdUnmakesIt(t *testing.T) {
	k := open(t, feedback.Settings{})
	s := k.log("What is photosynthesis?", "Photosynthesis is how plants turn light into sugar.")
	k.thumb(s, "ann", 1)
	k.thumb(s, "ann", 1)
	if list := k.examples(); len(list) != 0 {
		t.Fatalf("one user made %+v", list)
	}
	st := k.thumb(s, "bob", 1)
	list := k.examples()
	if !st.Promoted || len(list) != 1 || st.Exemplar == nil || list[0].ID != st.Exemplar.ID {
		t.Fatalf("two users made %+v, %+v", st, list)
	}
	if e := list[0]; e.Score != 2 || e.Weight != 0.75 || e.Source != "user_feedback" ||
		e.Good != "Photosynthesis is how plants turn light into sugar." || e.UseCount != 0 || e.Bad != "" {
		t.Errorf("%+v", e)
	}
	k.thumb(s, "eve", -1)
	if list := k.examples(); len(list) != 0 {
		t.Errorf("against a third, it stays: %+v", list)
	}
	fallen, _, err := k.Exemplars(ctx, feedback.ExemplarFilter{})
	if err != nil || len(fallen) != 1 || fallen[0].State != feedback.Demoted ||
		!strings.Contains(fallen[0].Why, "2 for, 1 against") {
		t.Errorf("%+v, %v", fallen, err)
	}
	if st := k.thumb(s, "eve", 0); !st.Promoted || st.Exemplar.ID != fallen[0].ID {
		t.Errorf("it does not come back: %+v", st)
	}
	if n := k.count(`SELECT count(*) FROM audit
		WHERE action IN ('exemplar.promoted', 'exemplar.demoted', 'exemplar.restored')`); n != 3 {
		t.Errorf("%d audit rows, want 3", n)
	}
}

func TestSimilarQueriesCountTogetherAndADislikedTwinIsTheBadAnswer(t *testing.T) {
	k := open(t, feedback.Settings{})
	good := "Photosynthesis is how plants turn light, water and carbon dioxide into sugar."
	first, second := k.log("What is photosynthesis?", good), k.log("Can you explain what photosynthesis is?", good)
	other := k.log("Who won the French Revolution?", "Nobody did.")
	twin := k.log("what is PHOTOSYNTHESIS", "It is a thing plants do.")
	k.thumb(first, "ann", 1)
	k.thumb(other, "bob", 1)
	if len(k.examples()) != 0 {
		t.Fatal("votes on another question count")
	}
	k.thumb(second, "bob", 1)
	list := k.examples()
	if len(list) != 1 || list[0].Good != good || list[0].Score != 2 {
		t.Fatalf("%+v", list)
	}
	k.thumb(twin, "cas", -1)
	k.thumb(twin, "dov", -1)
	if list = k.examples(); len(list) != 1 || list[0].Bad != "It is a thing plants do." || list[0].Score != 2 {
		t.Errorf("%+v", list)
	}
	st, err := k.Exemplar(ctx, list[0].ID)
	if err != nil || len(st.Sources) != 2 || st.Positive != 2 || st.Negative != 0 {
		t.Errorf("%+v, %v", st, err)
	}
}

func TestOneUserOnTwoLikeAnswersIsOneUser(t *testing.T) {
	k := open(t, feedback.Settings{})
	a, b := k.log("What is photosynthesis?", "One answer."), k.log("What is photosynthesis?", "Another answer.")
	k.thumb(a, "ann", 1)
	k.thumb(b, "ann", 1)
	if list := k.examples(); len(list) != 0 {
		t.Errorf("%+v", list)
	}
}

func TestUseIsCountedOncePerAnswer(t *testing.T) {
	k := open(t, feedback.Settings{})
	s := k.log("What is photosynthesis?", "Plants do it.")
	k.thumb(s, "ann", 1)
	e := k.thumb(s, "bob", 1).Exemplar
	k.examples() // into the cache
	o := feedback.Observation{AgentID: tutor, AgentName: "Tutor", AgentType: "tutor", Query: "And in the dark?",
		Response: "No.", Examples: []string{e.ID, e.ID, "nothing"}}
	id, err := k.Log(ctx, o)
	if err != nil {
		t.Fatal(err)
	}
	o.AgentID = "other"
	if _, err := k.Log(ctx, o); err != nil {
		t.Fatal(err)
	}
	if list := k.examples(); list[0].UseCount != 1 {
		t.Errorf("use_count %d, want 1", list[0].UseCount)
	}
	if used, err := k.UsedBy(ctx, id); err != nil || len(used) != 1 {
		t.Errorf("%+v, %v", used, err)
	}
}

func TestRetiredStaysRetired(t *testing.T) {
	k := open(t, feedback.Settings{})
	s := k.log("What is photosynthesis?", "Plants do it.")
	k.thumb(s, "ann", 1)
	e := k.thumb(s, "bob", 1).Exemplar
	wantKind(t, k.Retire(ctx, e.ID, "x", audit.System("x")), fault.Denied)
	by := audit.Actor{Kind: audit.Person, ID: "p", Name: "Edie"}
	wantKind(t, k.Retire(ctx, e.ID, " ", by), fault.Invalid)
	if err := k.Retire(ctx, e.ID, "It is out of date.", by); err != nil {
		t.Fatal(err)
	}
	k.thumb(s, "cas", 1)
	if list := k.examples(); len(list) != 0 {
		t.Errorf("%+v", list)
	}
	wantKind(t, k.Retire(ctx, e.ID, "again", by), fault.Conflict)
	better := k.log("What is photosynthesis?", "Plants turn light into sugar.")
	k.thumb(better, "ann", 1)
	k.thumb(better, "bob", 1)
	if list := k.examples(); len(list) != 1 || list[0].Good != "Plants turn light into sugar." {
		t.Errorf("%+v", list)
	}
}

func TestLowPerformersAreRetired(t *testing.T) {
	k := open(t, feedback.Settings{})
	s := k.log("What is photosynthesis?", "Plants do it.")
	k.thumb(s, "ann", 1)
	e := k.thumb(s, "bob", 1).Exemplar
	for i := range 12 { // answers that were written with it, disliked
		id, err := k.Log(ctx, feedback.Observation{AgentID: tutor, AgentName: "Tutor", AgentType: "tutor",
			Query: fmt.Sprintf("Question %d about leaf %d?", i, i*i), Response: "Plants do it, too.",
			Examples: []string{e.ID}})
		if err != nil {
			t.Fatal(err)
		}
		if i < 3 {
			if n, err := k.RetireLow(ctx, 0.5); err != nil || n != 0 {
				t.Fatalf("after %d votes: %d retired, %v", i, n, err)
			}
		}
		k.thumb(id, "u", -1)
	}
	if n, err := k.RetireLow(ctx, 0.5); err != nil || n != 1 {
		t.Errorf("%d retired, %v", n, err)
	}
	if list := k.examples(); len(list) != 0 {
		t.Errorf("%+v", list)
	}
}

// Whatever is voted in whatever order, the exemplar is what a plain count says.
func TestPromotionIsAPlainCount(t *testing.T) {
	rapid.Check(t, func(r *rapid.T) {
		least := rapid.IntRange(1, 3).Draw(r, "least")
		k := open(t, feedback.Settings{MinPositive: least, CacheTTL: time.Hour})
		answers := []string{"Plants turn light into sugar.", "It happens in leaves.", "No idea."}
		var subjects []string
		said := map[string]string{}
		for i := range rapid.IntRange(1, 5).Draw(r, "subjects") {
			a := rapid.SampledFrom(answers).Draw(r, "answer")
			id := k.log("What is photosynthesis?", a)
			subjects, said[id] = append(subjects, id), a
			_ = i
		}
		votes := map[[2]string]float64{}
		for range rapid.IntRange(1, 25).Draw(r, "votes") {
			s, u := rapid.SampledFrom(subjects).Draw(r, "subject"),
				fmt.Sprint("u", rapid.IntRange(1, 5).Draw(r, "user"))
			v := float64(rapid.IntRange(-1, 1).Draw(r, "value"))
			votes[[2]string{s, u}] = v
			st := k.thumb(s, u, v)
			want, score := plainCount(votes, said, least)
			list := k.examples()
			switch {
			case want == nil && (len(list) > 0 || st.Exemplar != nil):
				r.Fatalf("there is %+v, and the votes are %v", list, votes)
			case want != nil && (len(list) != 1 || !want[list[0].Good] || list[0].Score != score):
				r.Fatalf("there is %+v, want one of %v with %v; the votes are %v", list, want, score, votes)
			}
		}
	})
}

// plainCount says which answers may be the exemplar, and its score; nil when there is none.
func plainCount(votes map[[2]string]float64, said map[string]string, least int) (map[string]bool, float64) {
	ups, downs := map[string]map[string]bool{}, map[string]map[string]bool{}
	for k, v := range votes {
		a := said[k[0]]
		if ups[a] == nil {
			ups[a], downs[a] = map[string]bool{}, map[string]bool{}
		}
		if v > 0 {
			ups[a][k[1]] = true
		}
		if v < 0 {
			downs[a][k[1]] = true
		}
	}
	most, best := 0, map[string]bool{}
	forIt, against := map[string]bool{}, map[string]bool{}
	for a := range ups {
		net := len(ups[a]) - len(downs[a])
		if net <= 0 {
			continue
		}
		for u := range ups[a] {
			forIt[u] = true
		}
		for u := range downs[a] {
			against[u] = true
		}
		if net > most {
			most, best = net, map[string]bool{}
		}
		if net == most {
			best[a] = true
		}
	}
	if score := len(forIt) - len(against); len(best) > 0 && score >= least {
		return best, float64(score)
	}
	return nil, 0
}

func TestEraseLeavesNoText(t *testing.T) {
	dbtest.FilesOnly(t, "it asks in SQLite's words")
	k := open(t, feedback.Settings{})
	const secret = "Marmaduke Throckmorton"
	s := k.log("What is photosynthesis, asks "+secret+"?", "Dear "+secret+", plants do it.")
	if _, err := k.Vote(ctx, feedback.Vote{SubjectID: s, UserID: secret, Kind: feedback.Rating, Value: 9,
		Text: "Thanks from " + secret, Channel: feedback.ChannelAPI}); err != nil {
		t.Fatal(err)
	}
	k.thumb(s, "bob", 1)
	if _, err := k.AddOutcome(ctx, feedback.Outcome{SubjectID: s, Satisfaction: 2,
		Issues: []string{secret + " was confused"}, By: secret, Channel: feedback.ChannelAPI}); err != nil {
		t.Fatal(err)
	}
	e := k.examples()[0]
	if _, err := k.Log(ctx, feedback.Observation{AgentID: tutor, AgentName: "Tutor", AgentType: "tutor", Query: "x",
		Response: "y", Examples: []string{e.ID}}); err != nil {
		t.Fatal(err)
	}
	var shown []string
	if err := k.db.Write(ctx, func(tx *db.Tx) (err error) {
		_, shown, err = k.EraseTx(tx, s)
		return err
	}); err != nil {
		t.Fatal(err)
	}
	if len(shown) != 1 || len(k.examples()) != 0 {
		t.Errorf("shown %v, examples %v", shown, k.examples())
	}
	for table, columns := range map[string]string{"observed": "query || response || user_id || metadata",
		"vote": "text || user_id", "vote_history": "text", "outcome": "issues || by_id", "outcome_history": "issues",
		"exemplar": "query || good || bad || why", "experience": "query || response",
		"audit_content": "content || actor_name"} {
		if n := k.count(`SELECT count(*) FROM ` + table + ` WHERE instr(` + columns + `, '` + secret + `') > 0`); n !=
			0 {
			t.Errorf("%s: %d rows hold the name", table, n)
		}
	}
	_, err := k.Vote(ctx, feedback.Vote{SubjectID: s, UserID: "cas", Kind: feedback.Thumbs, Value: 1,
		Channel: feedback.ChannelAPI})
	wantKind(t, err, fault.Conflict)
	if err := k.db.Write(ctx, func(tx *db.Tx) error {
		if n, _, err := k.EraseTx(tx, s); err != nil || n != 0 {
			t.Errorf("again: %d, %v", n, err)
		}
		return nil
	}); err != nil {
		t.Fatal(err)
	}
}

// What an agent that hands in guidance only reported under its name was released by nobody: votes make no example of
// it, and one that they made before is no longer given. A chat of another name that reports through it keeps its own.
func TestReportsOfAnAgentUnderReviewMakeNoExample(t *testing.T) {
	k := open(t, feedback.Settings{CacheTTL: -1})
	k.Hooks.Names = func(_ *db.Tx, _, name string) ([]string, error) {
		return map[string][]string{"tutor": {"tutor"}}[name], nil
	}
	first := k.log("What is photosynthesis?", "Photosynthesis is how plants turn light into sugar.")
	k.thumb(first, "ann", 1)
	if st := k.thumb(first, "bob", 1); !st.Promoted || len(k.examples()) != 1 {
		t.Fatalf("of an agent that nobody reviews: %+v, %+v", st, k.examples())
	}
	if _, err := k.db.Writer().Exec(`INSERT INTO interaction (id, agent_id, agent_name, origin, status, task, task_by,
		question, customer, guidance, guidance_hash, reasoning, model, drafter, knowledge_used, steps, metadata, created_at)
		VALUES ('i', $1, 'Tutor', 'api', 'waiting', '', 'agent', 'Q?', '{}', 'A.', '', '', '', '', '[]', '', '', 1)`,
		tutor); err != nil {
		t.Fatal(err)
	}
	if list := k.examples(); len(list) != 0 {
		t.Errorf("still given: %+v", list)
	}
	k.thumb(first, "eve", 1)
	if n := k.count(`SELECT count(*) FROM exemplar WHERE state = 'active'`); n != 0 {
		t.Error("still stands after the next vote")
	}
	second := k.log("Who was Napoleon?", "An emperor of the French.")
	k.thumb(second, "ann", 1)
	if st := k.thumb(second, "bob", 1); st.Promoted || len(k.examples()) != 0 {
		t.Errorf("%+v, %+v", st, k.examples())
	}
	chat, err := k.Log(ctx, feedback.Observation{AgentID: tutor, AgentName: "Tutor", AgentType: "chat",
		Query: "Who was Caesar?", Response: "A general of Rome."})
	if err != nil {
		t.Fatal(err)
	}
	k.thumb(chat, "ann", 1)
	if st := k.thumb(chat, "bob", 1); !st.Promoted {
		t.Errorf("of a chat: %+v", st)
	}
}
