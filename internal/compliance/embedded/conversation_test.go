package embedded

import (
	"bufio"
	"cmp"
	"encoding/json"
	"math"
	"os"
	"testing"

	"preceptor/internal/interaction"
	"preceptor/internal/pack"
)

// pair is a draft with two conversations: it is fine after one and a violation after the other.
type pair struct {
	Trade, Question, Draft string
	Customer               json.RawMessage
	Fine, Violation        json.RawMessage
}

func readPairs(t *testing.T, file string) (out []pair) {
	t.Helper()
	f, err := os.Open(file)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	for s := bufio.NewScanner(f); s.Scan(); {
		var p pair
		if err := json.Unmarshal(s.Bytes(), &p); err != nil {
			t.Fatal(err)
		}
		out = append(out, p)
	}
	return out
}

// read is what the judge reads after one of the conversations.
func (p pair) read(t *testing.T, before json.RawMessage) *reading {
	t.Helper()
	c := interaction.Consultation{Pack: "general", Question: p.Question, Messages: pack.MessagesLoosely(before)}
	c.Messages = append(c.Messages, interaction.Message{Role: "customer", Text: p.Question})
	if p.Trade == "" || p.Trade == "pension" {
		c.Pack = "pension"
		if len(p.Customer) > 0 {
			c.Customer = interaction.CustomerLoosely(p.Customer)
		}
	}
	m, s := loaded(), validator().Subject(p.Draft, c)
	about, text, sentences := shown(&s)
	r, err := m.reads(t.Context(), &s, about, text, sentences, m.headOf(c.Pack))
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// The same draft is fine after one conversation and a violation after another (card.md has the figures). These pairs
// chose how talk.bin's word is weighed, and it was never tuned on them; PRECEPTOR_PAIRS names another file to measure.
func TestTheSameDraftAfterTwoConversations(t *testing.T) {
	file := "../testdata/conversations/pairs_dev.jsonl"
	measured := os.Getenv("PRECEPTOR_PAIRS")
	list := readPairs(t, cmp.Or(measured, file))
	floor, least := 31, 0.72
	if testing.Short() {
		list, floor, least = list[:20], 15, 0.7
	}
	var all []scored
	right := 0
	for _, p := range list {
		fine, bad := loaded().inTalk(p.read(t, p.Fine)), loaded().inTalk(p.read(t, p.Violation))
		if bad > fine {
			right++
		}
		all = append(all, scored{fine, false}, scored{bad, true})
	}
	t.Logf("%d of %d in order, AUC %.3f", right, len(list), area(all))
	if measured == "" && (right < floor || area(all) < least) {
		t.Errorf("%d of %d in order, AUC %.3f", right, len(list), area(all))
	}
}

// What was said before moves the odds of a text and stops none by itself; where nothing was, nothing is moved.
func TestWhatWasSaidBeforeStopsNothingByItself(t *testing.T) {
	m := loaded()
	for _, label := range []float64{-8, 0, 3, 40} {
		r := &reading{label: label, span: -10}
		odds := m.odds(r)
		if m.inTalk(r) != odds {
			t.Errorf("without a conversation %.1f becomes %.1f", odds, m.inTalk(r))
		}
		for _, add := range []float64{-50, 50} {
			r.talk = add
			got := m.inTalk(r)
			stops := func(odds float64) bool { return chance(odds) >= m.Stops.Violation }
			if got == odds && !stops(odds) || add < 0 && got >= odds || stops(got) && !stops(odds) ||
				math.Abs(got-odds) > mostMoved {
				t.Errorf("%+.0f makes %.2f of %.2f", add, got, odds)
			}
		}
	}
}

// The adapter reads a draft after a conversation as what tuned it does (log odds of the float model).
func TestTalkReadsAsItWasTuned(t *testing.T) {
	p := pair{Question: "Yes, do that then.", Customer: json.RawMessage(`{"age":61}`), Draft: "We will move your whole " +
		"pot to the new plan this week. You can't change your mind afterwards."}
	for said, want := range map[string]float64{
		`[{"role":"user","text":"I want to leave it where it is."},
			{"role":"assistant","text":"Shall we leave it as it is?"}]`: 2.12,
		`[{"role":"user","text":"What would a transfer do?"},
			{"role":"assistant","text":"It depends on the plan. Shall we send you the form?"}]`: 3.24,
	} {
		if got := p.read(t, json.RawMessage(said)).talk / talkWeighs; math.Abs(got-want) > .25 {
			t.Errorf("after %s the log odds are %.2f, want %.2f", said, got, want)
		}
	}
}
