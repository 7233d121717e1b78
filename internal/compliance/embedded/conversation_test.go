package embedded

import (
	"bufio"
	"cmp"
	"encoding/json"
	"os"
	"testing"

	"preceptor/internal/interaction"
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

// odds are the judge's of a violation, after one of the conversations.
func (p pair) odds(t *testing.T, before json.RawMessage) float64 {
	t.Helper()
	c := interaction.Consultation{Pack: "general", Question: p.Question, Messages: interaction.MessagesLoosely(before)}
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
	return m.odds(r)
}

// The same draft is fine after one conversation and a violation after another (card.md has the figures). These pairs
// chose how the fourth step was tuned, and were never tuned on; PRECEPTOR_PAIRS names another file to measure.
func TestTheSameDraftAfterTwoConversations(t *testing.T) {
	file := "../testdata/conversations/pairs_dev.jsonl"
	measured := os.Getenv("PRECEPTOR_PAIRS")
	list := readPairs(t, cmp.Or(measured, file))
	if testing.Short() {
		list = list[:20]
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
	if measured == "" && !testing.Short() && (right < 25 || area(all) < 0.58) {
		t.Errorf("%d of %d in order, AUC %.3f", right, len(list), area(all))
	}
}
