package feedback_test

import (
	"errors"
	"fmt"
	"math"
	"strings"
	"sync"
	"testing"
	"time"

	"preceptor/internal/feedback"
	"preceptor/internal/interaction"
	"preceptor/internal/platform/db"
	"preceptor/internal/platform/db/dbtest"
	"preceptor/internal/platform/fault"
)

func TestNorm(t *testing.T) {
	for _, c := range []struct {
		kind  string
		value float64
		want  float64
		ok    bool
	}{
		{feedback.Thumbs, -1, 0, true}, {feedback.Thumbs, 0, 0.5, true}, {feedback.Thumbs, 1, 1, true},
		{feedback.Thumbs, 0.5, 0, false}, {feedback.Thumbs, 2, 0, false}, {feedback.Thumbs, math.NaN(), 0, false},
		{feedback.Rating, 0, 0, true}, {feedback.Rating, 5, 0.5, true}, {feedback.Rating, 7.5, 0.75, true},
		{feedback.Rating, 10, 1, true},
		{feedback.Rating, -1, 0, false}, {feedback.Rating, 10.01, 0, false}, {feedback.Rating, math.Inf(1), 0, false},
		{feedback.Rating, math.NaN(), 0, false},
		{"stars", 3, 0, false}, {"", 1, 0, false},
	} {
		got, ok := feedback.Norm(c.kind, c.value)
		if ok != c.ok || ok && got != c.want {
			t.Errorf("%s %v: %v, %v", c.kind, c.value, got, ok)
		}
	}
}

func FuzzNorm(f *testing.F) {
	f.Add(true, 1.0)
	f.Add(false, 9.5)
	f.Fuzz(func(t *testing.T, thumbs bool, value float64) {
		kind := feedback.Rating
		if thumbs {
			kind = feedback.Thumbs
		}
		if norm, ok := feedback.Norm(kind, value); ok && !(norm >= 0 && norm <= 1) {
			t.Errorf("%s %v became %v", kind, value, norm)
		}
	})
}

func TestAVoteReplacesTheUsersEarlierOneAndKeepsIt(t *testing.T) {
	k := open(t, feedback.Settings{})
	s := k.log("What is photosynthesis?", "Plants turn light into sugar.")
	type change struct{ old, now float64 }
	var seen []change
	k.OnVote = func(_ *db.Tx, old *feedback.Vote, now feedback.Vote, _ feedback.Subject) error {
		c := change{-1, now.Norm}
		if old != nil {
			c.old = old.Norm
		}
		seen = append(seen, c)
		return nil
	}
	first := k.thumb(s, "ann", 1)
	k.clock.Advance(time.Hour)
	again := k.thumb(s, "ann", 1)
	second := k.thumb(s, "ann", -1)
	back := k.thumb(s, "ann", 0)
	k.thumb(s, "bob", 1)
	if first.Replaced || !again.Same || !second.Replaced || back.Vote.Version != 3 || back.Vote.Norm != 0.5 {
		t.Errorf("first %+v, again %+v, second %+v, back %+v", first, again, second, back)
	}
	if want := []change{{-1, 1}, {1, 0}, {0, 0.5}, {-1, 1}}; len(seen) != 4 || seen[0] != want[0] ||
		seen[1] != want[1] || seen[2] != want[2] || seen[3] != want[3] {
		t.Errorf("the hook saw %v, want %v", seen, want)
	}
	h, err := k.History(ctx, first.Vote.ID)
	if err != nil || len(h) != 3 || h[0].Norm != 1 || h[1].Norm != 0 || h[2].Norm != 0.5 {
		t.Errorf("history %+v, %v", h, err)
	}
	votes, err := k.VotesOf(ctx, s, 10)
	if err != nil || len(votes) != 1 || votes[0].UserID != "bob" {
		t.Errorf("votes %+v, %v; what was taken back is none", votes, err)
	}
	if n := k.count(`SELECT count(*) FROM audit WHERE object_id = $1 AND action LIKE 'feedback.vote%'`, s); n != 4 {
		t.Errorf("%d audit rows, want 4", n)
	}
	f, err := k.Figures(ctx, tutor, "Tutor-Agent", "tutor", 1)
	if err != nil || f.Positive != 1 || f.Negative+f.Neutral != 0 {
		t.Errorf("%+v, %v", f, err)
	}
	k.thumb(s, "cas", 0)
	if f, err = k.Figures(ctx, tutor, "Tutor-Agent", "tutor", 1); err != nil || f.Neutral != 1 {
		t.Errorf("thumbs 0 first: %+v, %v", f, err)
	}
}

func TestAFailingHookUndoesTheVote(t *testing.T) {
	k := open(t, feedback.Settings{})
	s := k.log("q", "r")
	k.OnVote = func(*db.Tx, *feedback.Vote, feedback.Vote, feedback.Subject) error { return errors.New("no") }
	if _, err := k.Vote(ctx, feedback.Vote{SubjectID: s, UserID: "ann", Kind: feedback.Thumbs, Value: 1,
		Channel: feedback.ChannelAPI}); err == nil {
		t.Fatal("the vote stood")
	}
	if n := k.count(`SELECT count(*) FROM vote`) + k.count(`SELECT count(*) FROM vote_history`); n != 0 {
		t.Errorf("%d rows stay", n)
	}
}

func TestVotesThatAreRefused(t *testing.T) {
	k := open(t, feedback.Settings{})
	s := k.log("q", "r")
	good := feedback.Vote{SubjectID: s, UserID: "ann", Kind: feedback.Thumbs, Value: 1, Channel: feedback.ChannelAPI,
		AgentID: tutor}
	for name, c := range map[string]struct {
		change func(*feedback.Vote)
		kind   fault.Kind
		field  string
	}{
		"no subject":   {func(v *feedback.Vote) { v.SubjectID = "" }, fault.Invalid, "/interaction_id"},
		"half a thumb": {func(v *feedback.Vote) { v.Value = 0.5 }, fault.Invalid, "/feedback_value"},
		"eleven": {func(v *feedback.Vote) {
			v.Kind, v.Value = feedback.Rating, 11
		}, fault.Invalid, "/feedback_value"},
		"no number": {func(v *feedback.Vote) {
			v.Kind, v.Value = feedback.Rating, math.NaN()
		}, fault.Invalid, "/feedback_value"},
		"another kind": {func(v *feedback.Vote) { v.Kind = "stars" }, fault.Invalid, "/feedback_type"},
		"a novel": {func(v *feedback.Vote) {
			v.Text = strings.Repeat("a", feedback.MaxText+1)
		}, fault.Invalid, "/feedback_text"},
		"no text at all":   {func(v *feedback.Vote) { v.Text = "a\x00b" }, fault.Invalid, "/feedback_text"},
		"unknown":          {func(v *feedback.Vote) { v.SubjectID = "nowhere" }, fault.NotFound, ""},
		"another agent's":  {func(v *feedback.Vote) { v.AgentID = "other" }, fault.NotFound, ""},
		"a longer user id": {func(v *feedback.Vote) { v.UserID = strings.Repeat("u", 201) }, fault.Invalid, "/user_id"},
	} {
		v := good
		c.change(&v)
		_, err := k.Vote(ctx, v)
		if !fault.Is(err, c.kind) || c.field != "" &&
			(len(fault.Fields(err)) != 1 || fault.Fields(err)[0].Name != c.field) {
			t.Errorf("%s: %v %v", name, err, fault.Fields(err))
		}
	}
	if n := k.count(`SELECT count(*) FROM vote`); n != 0 {
		t.Errorf("%d votes stand", n)
	}
}

func TestAFloodOfChangesIsStopped(t *testing.T) {
	k := open(t, feedback.Settings{})
	s := k.log("q", "r")
	for i := range feedback.MaxVersions {
		k.thumb(s, "ann", float64(1-2*(i%2)))
	}
	_, err := k.Vote(ctx, feedback.Vote{SubjectID: s, UserID: "ann", Kind: feedback.Thumbs, Value: 1,
		Channel: feedback.ChannelAPI})
	wantKind(t, err, fault.Limited)
	k.thumb(s, "bob", 1)
}

func TestLogOnce(t *testing.T) {
	k := open(t, feedback.Settings{})
	o := feedback.Observation{AgentID: tutor, AgentName: "Tutor", AgentType: "tutor", Query: "q", Response: "r",
		Metadata: ` {"any":["thing",{}]} `}
	key := &interaction.Idempotency{Owner: "token", Key: "1", BodyHash: "a"}
	first, replayed, err := k.LogOnce(ctx, o, key)
	if err != nil || replayed {
		t.Fatal(replayed, err)
	}
	second, replayed, err := k.LogOnce(ctx, o, key)
	if err != nil || !replayed || second != first {
		t.Errorf("%s %v %v", second, replayed, err)
	}
	_, _, err = k.LogOnce(ctx, o, &interaction.Idempotency{Owner: "token", Key: "1", BodyHash: "b"})
	wantKind(t, err, fault.Invalid)
	third, _, err := k.LogOnce(ctx, o, &interaction.Idempotency{Owner: "another token", Key: "1", BodyHash: "b"})
	if err != nil || third == first {
		t.Errorf("%s %v", third, err)
	}
	k.clock.Advance(49 * time.Hour)
	if err := k.Prune(ctx); err != nil || k.count(`SELECT count(*) FROM observed_key`) != 0 {
		t.Errorf("keys stay: %v", err)
	}
	for name, change := range map[string]func(*feedback.Observation){
		"no type": func(o *feedback.Observation) { o.AgentType = "" }, "no query": func(o *feedback.Observation) {
			o.Query = " \n"
		}, "no response": func(o *feedback.Observation) { o.Response = "" },
		"a list as metadata": func(o *feedback.Observation) {
			o.Metadata = "[]"
		}, "too long": func(o *feedback.Observation) { o.Response = strings.Repeat("a", feedback.MaxAnswer+1) },
		"back in time": func(o *feedback.Observation) {
			o.ResponseMs = -1
		}, "too many examples": func(o *feedback.Observation) { o.Examples = make([]string, 21) },
	} {
		bad := o
		change(&bad)
		_, err := k.Log(ctx, bad)
		if !fault.Is(err, fault.Invalid) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// A customer who sends the form twice at once has said once how it went.
func TestTheFirstOutcomeCounts(t *testing.T) {
	k := open(t, feedback.Settings{})
	s := k.log("q", "r")
	var wg sync.WaitGroup
	for n := range 8 {
		wg.Go(func() {
			if err := k.AddFirstOutcome(ctx, feedback.Outcome{SubjectID: s, Satisfaction: float64(1 + n), Comprehension: 7,
				GoalAlignment: 8, Channel: feedback.ChannelDesk, By: "acc", ByName: "Sam"}); err != nil {
				t.Error(err)
			}
		})
	}
	wg.Wait()
	if list, err := k.Outcomes(ctx, s); err != nil || len(list) != 1 || list[0].Version != 1 {
		t.Errorf("%+v %v", list, err)
	}
}

func TestOutcomes(t *testing.T) {
	k := open(t, feedback.Settings{})
	s := k.log("q", "r")
	yes, no := true, false
	var seen []feedback.Outcome
	k.OnOutcome = func(_ *db.Tx, _ *feedback.Outcome, o feedback.Outcome, _ feedback.Subject) error {
		seen = append(seen, o)
		return nil
	}
	well := feedback.Outcome{SubjectID: s, Satisfaction: 9, Comprehension: 7, GoalAlignment: 8, GoalsMet: &yes,
		Channel: feedback.ChannelAPI, AgentID: tutor}
	if _, err := k.AddOutcome(ctx, well); err != nil {
		t.Fatal(err)
	}
	badly := feedback.Outcome{SubjectID: s, Satisfaction: 3, Comprehension: 7, GoalAlignment: 8,
		Issues: []string{" too long "}, Signposted: &no, Channel: feedback.ChannelDesk, By: "acc", ByName: "Sam"}
	if _, err := k.AddOutcome(ctx, badly); err != nil {
		t.Fatal(err)
	}
	list, err := k.Outcomes(ctx, s)
	if err != nil || len(list) != 2 || !list[0].Successful() || list[1].Successful() ||
		list[1].Issues[0] != "too long" || list[0].Signposted != nil || *list[1].Signposted {
		t.Errorf("%+v %v", list, err)
	}
	if len(seen) != 2 || seen[0].ID == "" {
		t.Errorf("the hook saw %+v", seen)
	}
	for name, o := range map[string]feedback.Outcome{
		"eleven":         {SubjectID: s, Satisfaction: 11, Channel: feedback.ChannelAPI},
		"no number":      {SubjectID: s, Comprehension: math.NaN(), Channel: feedback.ChannelAPI},
		"an empty issue": {SubjectID: s, Issues: []string{" "}, Channel: feedback.ChannelAPI},
	} {
		if _, err := k.AddOutcome(ctx, o); !fault.Is(err, fault.Invalid) {
			t.Errorf("%s: %v", name, err)
		}
	}
	well.AgentID = "other"
	_, err = k.AddOutcome(ctx, well)
	wantKind(t, err, fault.NotFound)
	for _, c := range []struct {
		o    feedback.Outcome
		want bool
	}{
		// as a vote of 6 is for an answer, and one of 5 neither
		{feedback.Outcome{Satisfaction: 6, Comprehension: 6, GoalAlignment: 6}, true},
		{feedback.Outcome{Satisfaction: 5, Comprehension: 9, GoalAlignment: 9}, false},
		{feedback.Outcome{Satisfaction: 9, Comprehension: 9, GoalAlignment: 9, Issues: []string{"x"}}, false},
		{feedback.Outcome{Satisfaction: 9, Comprehension: 9, GoalAlignment: 9, DBWarningGiven: &no}, false},
		{feedback.Outcome{Satisfaction: 9, Comprehension: 9, GoalAlignment: 9, DBWarningGiven: &yes}, true},
	} {
		if got := c.o.Successful(); got != c.want {
			t.Errorf("%+v: %v", c.o, got)
		}
	}
}

// A person has one outcome of an interaction by each way in; what they say later replaces it, and every version is
// kept.
func TestAnOutcomeReplacesThePersonsEarlierOneAndKeepsIt(t *testing.T) {
	dbtest.FilesOnly(t, "it asks in SQLite's words")
	k := open(t, feedback.Settings{})
	s := k.log("q", "r")
	var seen []string
	k.OnOutcome = func(_ *db.Tx, old *feedback.Outcome, now feedback.Outcome, _ feedback.Subject) error {
		was := "-"
		if old != nil {
			was = fmt.Sprintf("%v", old.Satisfaction)
		}
		seen = append(seen, fmt.Sprintf("%s>%v", was, now.Satisfaction))
		return nil
	}
	say := func(user, channel string, score float64, issues ...string) string {
		t.Helper()
		id, err := k.AddOutcome(ctx, feedback.Outcome{SubjectID: s, By: user, Channel: channel, Satisfaction: score,
			Comprehension: 8, GoalAlignment: 8, Issues: issues})
		if err != nil {
			t.Fatal(err)
		}
		return id
	}
	first := say("ann", feedback.ChannelAPI, 10)
	for range 29 {
		if again := say("ann", feedback.ChannelAPI, 10); again != first {
			t.Fatalf("the same again is %s, want %s", again, first)
		}
	}
	k.clock.Advance(time.Hour)
	if changed := say("ann", feedback.ChannelAPI, 3, "It was too hard."); changed != first {
		t.Errorf("changed, it is %s", changed)
	}
	others := []string{say("bob", feedback.ChannelAPI, 9), say("ann", feedback.ChannelDesk, 8),
		say("", feedback.ChannelAPI, 7)}
	if say("", feedback.ChannelAPI, 7) != others[2] {
		t.Error("whoever is not named is many")
	}
	list, err := k.Outcomes(ctx, s)
	if err != nil || len(list) != 4 {
		t.Fatalf("%+v, %v", list, err)
	}
	if want := "->10 10>3 ->9 ->8 ->7"; strings.Join(seen, " ") != want {
		t.Errorf("the hook saw %v, want %s", seen, want)
	}
	if n := k.count(`SELECT count(*) FROM outcome WHERE id = $1 AND satisfaction = 3 AND version = 2`, first); n != 1 {
		t.Error("the last one does not stand")
	}
	if n := k.count(`SELECT count(*) FROM outcome_history WHERE outcome_id = $1`, first); n != 2 {
		t.Errorf("%d versions are kept, want 2", n)
	}
	if n := k.count(`SELECT count(*) FROM audit
		WHERE object_id = $1 AND action IN ('feedback.outcome', 'feedback.outcome_changed')`, s); n != 5 {
		t.Errorf("%d audit rows, want 5", n)
	}
	// Who was erased is nobody any more, and least of all the one who is not named.
	if err := k.db.Write(ctx, func(tx *db.Tx) error {
		_, _, err := k.EraseOfUserTx(tx, feedback.UserOutcome, first)
		return err
	}); err != nil {
		t.Fatal(err)
	}
	if n := k.count(`SELECT count(*) FROM outcome_history WHERE instr(issues, 'hard') > 0`); n != 0 {
		t.Error("an erasure leaves their words in the history")
	}
	if back := say("ann", feedback.ChannelAPI, 6); back == first {
		t.Error("what was erased is theirs again")
	}
}
