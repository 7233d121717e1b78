package privacy

import (
	"bufio"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"text/tabwriter"
	"unicode"

	"pgregory.net/rapid"
)

// labelled is one text with what is personal in it. Those texts are made up for this test: letters to and from pension
// schemes, chats and notes of calls, typos and odd spacing included, and a part with nothing personal that looks as if
// there were.
type labelled struct {
	ID    string `json:"id"`
	Genre string `json:"genre"`
	Text  string `json:"text"`
	Spans []span `json:"spans"`
}

type span struct {
	Kind  string `json:"kind"`
	Start int    `json:"start"` // in bytes
	End   int    `json:"end"`
}

func readLabelled(t *testing.T, half string) (list []labelled) {
	t.Helper()
	f, err := os.Open(filepath.Join("testdata", half+".jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	lines := bufio.NewScanner(f)
	for lines.Scan() {
		var l labelled
		if err := json.Unmarshal(lines.Bytes(), &l); err != nil {
			t.Fatal(err)
		}
		list = append(list, l)
	}
	return list
}

// score is how one kind fared. A labelled span is hidden when not one letter or digit of it is left; a hit is right
// when it is about something that is personal.
type score struct{ spans, hidden, sameKind, hits, right int }

func (s score) recall() float64    { return share(s.hidden, s.spans) }
func (s score) precision() float64 { return share(s.right, s.hits) }

func share(n, of int) float64 {
	if of == 0 {
		return 1
	}
	return float64(n) / float64(of)
}

// measure finds what is personal in each text as anybody's, with no known values to help.
func measure(list []labelled) (scores map[string]score, wrong []string) {
	scores = map[string]score{}
	for _, l := range list {
		hits := pick(findSeen(l.Text, nil))
		covered := make([]string, len(l.Text))
		for _, h := range hits {
			for i := h.start; i < h.end; i++ {
				covered[i] = h.kind
			}
		}
		for _, s := range l.Spans {
			sc := scores[s.Kind]
			sc.spans++
			left, same := "", true
			for i, r := range l.Text[s.Start:s.End] {
				if unicode.IsLetter(r) || unicode.IsDigit(r) {
					if covered[s.Start+i] == "" {
						left += string(r)
					}
					same = same && covered[s.Start+i] == s.Kind
				}
			}
			if left == "" {
				sc.hidden++
			} else {
				wrong = append(wrong, fmt.Sprintf("%s: %s %q is left as %q", l.ID, s.Kind, l.Text[s.Start:s.End], left))
			}
			if same {
				sc.sameKind++
			}
			scores[s.Kind] = sc
		}
		for _, h := range hits {
			sc := scores[h.kind]
			sc.hits++
			if touches(l.Spans, h) {
				sc.right++
			} else {
				wrong = append(wrong, fmt.Sprintf("%s: %s %q is nobody's", l.ID, h.kind, l.Text[h.start:h.end]))
			}
			scores[h.kind] = sc
		}
	}
	return scores, wrong
}

func touches(spans []span, h hit) bool {
	for _, s := range spans {
		if h.start < s.End && s.Start < h.end {
			return true
		}
	}
	return false
}

var kinds = []string{kindNI, kindEmail, kindPhone, kindPolicy, kindSort, kindAccount, kindBorn, kindPostcode,
	kindAddress, kindName}

// What the detectors hide, measured on texts that they were tuned on and on texts that nobody looked at while tuning.
// Run it with -v for the table.
func TestMeasured(t *testing.T) {
	// recall that has to hold, per kind; names and addresses are reported, with a floor against falling back.
	floor := map[string]float64{kindNI: 0.98, kindEmail: 0.98, kindPhone: 0.98, kindPolicy: 0.98}
	var table strings.Builder
	w := tabwriter.NewWriter(&table, 0, 4, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(w, "\tkind\tspans\thidden\trecall\tsame kind\thits\tprecision\t")
	texts, empty := 0, 0
	for _, half := range []string{"tuning", "heldout"} {
		list := readLabelled(t, half)
		texts += len(list)
		for _, l := range list {
			if len(l.Spans) == 0 {
				empty++
			}
		}
		scores, wrong := measure(list)
		var all score
		for _, kind := range kinds {
			s := scores[kind]
			fmt.Fprintf(w, "%s\t%s\t%d\t%d\t%.3f\t%d\t%d\t%.3f\t\n", half, kind, s.spans, s.hidden, s.recall(),
				s.sameKind, s.hits, s.precision())
			if s.recall() < floor[kind] {
				t.Errorf("%s: recall of %s is %.3f, wanted %.2f", half, kind, s.recall(), floor[kind])
			}
			all.spans, all.hidden, all.sameKind, all.hits, all.right = all.spans+s.spans, all.hidden+s.hidden,
				all.sameKind+s.sameKind, all.hits+s.hits, all.right+s.right
		}
		fmt.Fprintf(w, "%s\tall\t%d\t%d\t%.3f\t%d\t%d\t%.3f\t\n", half, all.spans, all.hidden, all.recall(),
			all.sameKind, all.hits, all.precision())
		if all.precision() < 0.97 {
			t.Errorf("%s: precision is %.3f, wanted 0.97", half, all.precision())
		}
		if half == "tuning" || os.Getenv("SHOW_HELDOUT") != "" {
			for _, line := range wrong {
				t.Log(line)
			}
		}
	}
	w.Flush()
	t.Log("\n" + table.String())
	if texts < 260 || empty < 60 {
		t.Errorf("%d texts, %d of them with nothing personal", texts, empty)
	}
}

// Nothing that a detector knows is overlooked because of what stands around it.
func TestNumbersAreFoundAnywhere(t *testing.T) {
	numbers := []string{"QQ 12 34 56 C", "qq123456c", "07700 900123", "+44 7700 900123", "ada@example.org", "20-11-43",
		"SW1A 1AA"}
	around := []string{"", " ", ", ", ". ", "\n", " and ", ";", "(", ") ", " - ", "my ", ": ", "/ "}
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.SampledFrom(numbers).Draw(t, "number")
		before, after := rapid.SampledFrom(around).Draw(t, "before"), rapid.SampledFrom(around).Draw(t, "after")
		text := "Hello" + before + " " + n + " " + after + " thanks"
		if strings.HasPrefix(after, ".") || strings.HasPrefix(after, ",") || strings.HasPrefix(after, ";") ||
			strings.HasPrefix(after, ")") {
			text = "Hello" + before + " " + n + after + " thanks" // what a sentence puts right behind it
		}
		safe, key := New().Pseudonymise(text)
		if strings.Contains(safe, n) {
			t.Fatalf("%q became %q", text, safe)
		}
		if back := key.Restore(safe); back != text {
			t.Fatalf("%q came back as %q", text, back)
		}
	})
}
