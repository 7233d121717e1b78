package learning

import (
	"context"
	"strings"
	"testing"
	"time"

	"preceptor/internal/llm"
	"preceptor/internal/llm/llmtest"
	"preceptor/internal/platform/fault"
	"preceptor/internal/privacy"
	"preceptor/internal/rule"
)

var modelIsDown = fault.New(fault.Unavailable, "The model is down.")

// silent is a revision whose author said nothing, so that only a model could say what it teaches.
func silent() Source {
	s := unstated()
	s.Reason = ""
	return s
}

// What the path reflected on while the model was down is put to the model once it is back, as long as nobody decided.
func TestWhatTheModelMissedIsAskedOfItAgain(t *testing.T) {
	nothing := m{"nothing": true, "why": "It is a matter of style."}
	statement := func(l Lesson) bool { return sameStatement(l.Statement, warned()) && l.Guessed }
	for name, c := range map[string]struct {
		source Source
		then   []any                // the model's answers after it was down once
		person func(*bench, Lesson) // between the fall and the return
		runs   int
		want   func(Lesson) bool
		asked  int // reflections in all
	}{
		"it says what nobody had stated": {silent(), []any{filled()}, nil, 1,
			func(l Lesson) bool { return l.State == Waiting && statement(l) && !l.WithoutModel }, 2},
		"it is still down": {silent(), []any{modelIsDown, modelIsDown}, nil, 2,
			func(l Lesson) bool { return l.State == Unstated && l.WithoutModel && len(l.Steps) == 1 }, 3},
		"it is back at the second try": {silent(), []any{modelIsDown, filled()}, nil, 2,
			func(l Lesson) bool { return l.State == Waiting && statement(l) }, 3},
		"it finds nothing": {silent(), []any{nothing}, nil, 2,
			func(l Lesson) bool { return l.State == Nothing && strings.Contains(l.Outcome, "style") }, 2},
		"its answer can't be used": {silent(), []any{"PASS", filled()}, nil, 2,
			func(l Lesson) bool { return l.State == Unstated && !l.WithoutModel }, 2},
		"a person stated it meanwhile": {silent(), []any{filled()}, func(b *bench, l Lesson) {
			if err := b.State(b.t.Context(), l.ID, []rule.Statement{warned()}, l.Version, expert); err != nil {
				b.t.Fatal(err)
			}
			b.drain()
		}, 1, func(l Lesson) bool { return l.State == Waiting && !l.Guessed && !l.WithoutModel }, 1},
		"a person sent it back": {guessable(), []any{filled()}, func(b *bench, l Lesson) {
			if err := b.SendBack(b.t.Context(), l.ID, StageReflect, "Say it shorter.", l.Version, expert); err != nil {
				b.t.Fatal(err)
			}
		}, 1, func(l Lesson) bool { return l.State == Unstated && l.SentBack == 1 }, 1},
		"a person accepted the guess": {guessable(), []any{nothing}, func(b *bench, l Lesson) {
			if _, err := b.Accept(b.t.Context(), l.ID, &l.Statement, l.Version, expert); err != nil {
				b.t.Fatal(err)
			}
		}, 1, func(l Lesson) bool { return l.State == Accepted && l.RuleID != "" }, 1},
		"the guess falls where the model finds nothing": {guessable(), []any{nothing}, nil, 1,
			func(l Lesson) bool { return l.State == Nothing }, 2},
	} {
		t.Run(name, func(t *testing.T) {
			script := llmtest.New().On("lesson_reflect", append([]any{modelIsDown}, c.then...)...).
				On("lesson_judge", goodJudgement("ACCEPT")).On("lesson_validate", modelIsDown)
			b := open(t, NewPrompted(script, privacy.New()), Policy{})
			dec := b.decide(c.source)
			b.drain()
			l := b.lesson(dec)
			if !l.WithoutModel || !l.MayReflectAgain() {
				t.Fatalf("before: %s/%s %q, by %s", l.Stage, l.State, l.Outcome, l.Steps[0].AnsweredBy)
			}
			if c.person != nil {
				c.person(b, l)
			}
			for range c.runs {
				if err := b.AgainAll(t.Context()); err != nil {
					t.Fatal(err)
				}
				b.drain()
			}
			if l = b.lesson(dec); !c.want(l) {
				t.Errorf("%s/%s guessed %v without %v %d steps: %q", l.Stage, l.State, l.Guessed, l.WithoutModel, len(l.Steps),
					l.Outcome)
			}
			asked := 0
			for _, r := range script.Asked() {
				if r.SchemaName == "lesson_reflect" {
					asked++
				}
			}
			if asked != c.asked {
				t.Errorf("the model was asked %d times, want %d", asked, c.asked)
			}
			if active := len(b.rules("active")); (active == 1) != (l.State == Accepted) {
				t.Errorf("%d rules in use", active)
			}
		})
	}
}

// Who asks for it sees that the model is still down; without a model nobody can ask.
func TestAPersonAsksTheModelAgain(t *testing.T) {
	script := llmtest.New().On("lesson_reflect", modelIsDown, modelIsDown, filled()).On("lesson_judge",
		goodJudgement("ACCEPT"))
	b := open(t, NewPrompted(script, privacy.New()), Policy{})
	dec := b.decide(silent())
	b.drain()
	l := b.lesson(dec)
	nobody := expert
	nobody.Roles = []string{"supervisor"}
	if err := b.Again(t.Context(), l.ID, nobody); !fault.Is(err, fault.Denied) {
		t.Errorf("a supervisor: %v", err)
	}
	for i, want := range []string{Unstated, Waiting} {
		if err := b.Again(t.Context(), l.ID, expert); err != nil {
			t.Fatal(err)
		}
		b.drain()
		if l = b.lesson(dec); l.State != want || i == 0 && l.Steps[1].State != StepFailed {
			t.Fatalf("after %d: %s %q", i+1, l.State, l.Outcome)
		}
	}
	if err := b.Again(t.Context(), l.ID, expert); !fault.Is(err, fault.Conflict) || b.audited("lesson.reflected_again") != 2 {
		t.Errorf("once it answered: %v", err)
	}
}

// Lessons that always fail are stepped over, whatever it is that fails: those behind them get their turn, and where the
// model is down for all of them it is asked three times and no more.
func TestALessonThatAlwaysFailsIsSteppedOver(t *testing.T) {
	for name, c := range map[string]struct {
		why  any // what becomes of five of the seven
		runs int
		most int // questions in the first run
	}{
		"a text that is refused": {llm.StatusFault("m", 400, nil), 1, 7},
		"an empty answer":        {fault.Wrap(fault.Unavailable, llm.ErrContent, "The model gave an empty answer."), 1, 7},
		"a panic":                {"panic", 1, 7},
		"a server that fails":    {llm.StatusFault("m", 503, nil), 3, againFails},
	} {
		t.Run(name, func(t *testing.T) {
			down, asked := true, 0
			script := llmtest.New().On("lesson_judge", goodJudgement("ACCEPT")).On("lesson_validate", modelIsDown).
				On("lesson_reflect", func(r llm.Request) (string, error) {
					if asked++; down {
						return "", modelIsDown
					}
					if !strings.Contains(r.Prompt, "Poison") {
						return string(jsonOf(filled())), nil
					}
					if err, ok := c.why.(error); ok {
						return "", err
					}
					panic(c.why)
				})
			b := open(t, NewPrompted(script, privacy.New()), Policy{})
			var list []string
			for i := range 7 {
				s := silent()
				if i < 5 {
					s.AgentText, s.HumanText = s.AgentText+" Poison.", s.HumanText+" Poison."
				}
				list = append(list, b.decide(s))
				b.drain()
				b.clock.Advance(time.Minute)
			}
			down = false
			for i := range c.runs {
				before := asked
				if err := b.AgainAll(t.Context()); err != nil {
					t.Fatal(err)
				}
				if n := asked - before; i == 0 && n != c.most {
					t.Errorf("the first run asked %d times, want %d", n, c.most)
				}
				b.drain()
				b.clock.Advance(time.Hour)
			}
			for i, dec := range list {
				if l := b.lesson(dec); l.WithoutModel != (i < 5) {
					t.Errorf("lesson %d: %s without model %v, %q", i, l.State, l.WithoutModel, l.Outcome)
				}
			}
		})
	}
}

// saysNow is a reasoner whose model now reflects as given.
type saysNow struct {
	Reasoner
	now Reflection
}

func (s saysNow) Reflect(context.Context, Source) (Reflection, error) { return s.now, nil }

// An answer that says the same again begins no lessons of what it says beside that; one that says otherwise does.
func TestTheSameAnswerAgainBeginsNothing(t *testing.T) {
	further := warned()
	further.Do.Text = "Ask the scheme for a written estimate."
	for name, c := range map[string]struct {
		source Source
		first  func(Lesson) rule.Statement
		more   int // lessons of the cause
	}{
		"the same":      {guessable(), func(l Lesson) rule.Statement { return l.Statement }, 1},
		"another":       {guessable(), func(Lesson) rule.Statement { return warned() }, 2},
		"the first one": {silent(), func(Lesson) rule.Statement { return warned() }, 2},
	} {
		t.Run(name, func(t *testing.T) {
			b := open(t, NewPrompted(llmtest.New().On("lesson_reflect", modelIsDown).On("lesson_validate", modelIsDown).
				On("lesson_judge", goodJudgement("ACCEPT")), privacy.New()), Policy{})
			dec := b.decide(c.source)
			b.drain()
			was := b.lesson(dec)
			b.reasoner = saysNow{b.reasoner, Reflection{Statements: []rule.Statement{c.first(was), further}, Guessed: true,
				Domain: RiskDisclosure}}
			if err := b.AgainAll(t.Context()); err != nil {
				t.Fatal(err)
			}
			b.drain()
			l := b.lesson(dec)
			list, err := b.OfCause(t.Context(), CauseDecision, dec)
			if err != nil || len(list) != c.more || l.WithoutModel || !sameStatement(l.Statement, c.first(was)) {
				t.Errorf("%d lessons, without model %v, %q: %v", len(list), l.WithoutModel, l.RuleText, err)
			}
		})
	}
}
