package tuned

import (
	"bufio"
	"encoding/json"
	"os"
	"testing"
)

// What people ask most often is understood, whichever way it is read: alone, again, and by the head's own scale.
func TestQuestionsAreUnderstood(t *testing.T) {
	for q, kind := range map[string]string{"Should I take my tax-free cash or leave it?": Choice,
		"How does drawdown work?": Explain, "What are my options?": Options,
		"Can I take money out before 55?": YesNo, "How do I change my beneficiary?": HowTo,
		"Please move my pot to Aviva.":                DoIt,
		"You sent my statement to the wrong address.": Complaint, "I can't go on like this.": Crisis,
		"Thanks a lot, that's all": Chat} {
		first := Ask(q)
		sum := 0.0
		for _, p := range first.Kinds {
			sum += p
		}
		if first.Kind != kind || !first.Is(kind) || Ask(q).Kinds[kind] != first.Kinds[kind] || sum < 0.999 ||
			sum > 1.001 {
			t.Errorf("%q: %+v, want %s", q, first, kind)
		}
	}
}

// Of the questions that another author wrote, which the head was fitted with at the end, most are of the kind that the
// author says.
func TestKindsOfManyQuestions(t *testing.T) {
	f, err := os.Open("../../compliance/testdata/questions/z.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	n, right, choices, wrong := 0, 0, 0, 0
	for lines := bufio.NewScanner(f); lines.Scan(); n++ {
		var r struct{ Question, Kind string }
		if err := json.Unmarshal(lines.Bytes(), &r); err != nil {
			t.Fatal(err)
		}
		q := Ask(r.Question)
		if q.Kind == r.Kind {
			right++
		}
		if r.Kind != Choice && q.Is(Choice) {
			wrong++
		} else if r.Kind == Choice && !q.Is(Choice) {
			choices++
		}
	}
	if n != 200 || right < 150 || choices > 6 || wrong > 8 {
		t.Errorf("%d of %d right; %d choices missed, %d others taken for one", right, n, choices, wrong)
	}
}
