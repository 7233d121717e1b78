package embedded

import (
	"bufio"
	"cmp"
	"encoding/json"
	"math"
	"os"
	"strconv"
	"testing"

	"preceptor/internal/compliance"
	"preceptor/internal/compliance/refit"
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
func (p pair) read(t *testing.T, before json.RawMessage) (compliance.Subject, *reading) {
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
	r, err := m.read(t.Context(), about, text, sentences, m.headOf(c.Pack))
	if err != nil {
		t.Fatal(err)
	}
	return s, r
}

func (p pair) odds(t *testing.T, before json.RawMessage) float64 {
	s, r := p.read(t, before)
	return loaded().inTalk(&s, r)
}

// The same draft is fine after one conversation and a violation after another (card.md has the figures). These pairs
// chose how talk.json is fitted, and were never fitted on; PRECEPTOR_PAIRS names another file to measure.
func TestTheSameDraftAfterTwoConversations(t *testing.T) {
	file := "../testdata/conversations/pairs_dev.jsonl"
	measured := os.Getenv("PRECEPTOR_PAIRS")
	list := readPairs(t, cmp.Or(measured, file))
	floor, least := 25, 0.58
	if testing.Short() {
		list, floor, least = list[:20], 13, 0.6
	}
	var all []scored
	right := 0
	for _, p := range list {
		fine, bad := p.odds(t, p.Fine), p.odds(t, p.Violation)
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
	m, asked := *loaded(), make([]float32, len(loaded().talk.Weights))
	asked[0] = 1
	var alone, talk compliance.Subject
	talk.Situation.Before = []pack.Message{{Role: pack.FromCustomer, Text: "Hello."}}
	for _, label := range []float64{-8, 0, 3, 40} {
		r := &reading{label: label, span: -10, asked: asked}
		for _, add := range []float64{-50, 50} {
			m.talk = refit.Head{Weights: make([]float32, len(asked)), Bias: add}
			got, odds := m.inTalk(&talk, r), m.odds(r)
			if m.inTalk(&alone, r) != odds {
				t.Errorf("without a conversation %.1f becomes %.1f", odds, m.inTalk(&alone, r))
			}
			stops := func(odds float64) bool { return chance(odds) >= m.Stops.Violation }
			if got == odds && !stops(odds) || add < 0 && got >= odds || stops(got) && !stops(odds) {
				t.Errorf("%+.0f makes %.2f of %.2f", add, got, odds)
			}
		}
	}
}

// TestFitTheTalk writes talk.json, with PRECEPTOR_FIT=1: a logistic regression on the vector of the question in its
// conversation by itself (beside the judge's odds, which say nothing of such pairs, it would learn to undo them), eight
// times, as it is held short. It adds as much to pairs as it takes away. Each author left out in turn, it logs the pairs
// in order without it and with it.
func TestFitTheTalk(t *testing.T) {
	if os.Getenv("PRECEPTOR_FIT") == "" {
		t.Skip("set PRECEPTOR_FIT=1 to write talk.json")
	}
	authors, of := []string{"a", "b", "c", "dev"}, map[string][]refit.Example{}
	for _, author := range authors {
		for i, p := range readPairs(t, "../testdata/conversations/pairs_"+author+".jsonl") {
			for side, before := range []json.RawMessage{p.Fine, p.Violation} {
				_, r := p.read(t, before)
				of[author] = append(of[author], refit.Example{X: unit(r.asked), Now: loaded().odds(r),
					Violation: side == 1, Keys: []string{author + strconv.Itoa(i)}})
			}
		}
	}
	fit := func(left string) refit.Head {
		var list []refit.Example
		for _, author := range authors[:3] {
			if author != left {
				list = append(list, of[author]...)
			}
		}
		h, sum := refit.Fit(list), 0.0
		for _, e := range list {
			sum += h.Add(e.X) / float64(len(list))
		}
		h.Bias -= sum
		for i := range h.Weights {
			h.Weights[i] *= 8
		}
		h.Bias *= 8
		return h
	}
	for _, author := range authors {
		h := fit(author)
		for _, by := range []float64{0, 0.5, 1} {
			var all []scored
			right, moves := 0, 0.0
			for i, e := range of[author] {
				all = append(all, scored{e.Now + by*h.Add(e.X), e.Violation})
				moves += math.Abs(h.Add(e.X)) / float64(len(of[author]))
				if i%2 == 1 && all[i].score > all[i-1].score {
					right++
				}
			}
			t.Logf("%s left out, %.1f of it: %d of %d in order, AUC %.3f; it moves the odds by %.2f", author, by, right,
				len(all)/2, area(all), by*moves)
		}
	}
	h := fit("")
	for i, w := range h.Weights {
		h.Weights[i] = float32(math.Round(float64(w)*1000) / 1000)
	}
	h.Bias = math.Round(h.Bias*1000) / 1000
	b, err := json.Marshal(h)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile("talk.json", append(b, '\n'), 0o644); err != nil {
		t.Fatal(err)
	}
}
