package encoder

import (
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"
)

func TestAnAdapterIsWholeOrRefused(t *testing.T) {
	packed, err := os.ReadFile("../embedded/lead.bin")
	if err != nil {
		t.Fatal(err)
	}
	file, err := Unpacked(packed)
	if err != nil {
		t.Fatal(err)
	}
	b, err := BGE().Adapted(file)
	if err != nil {
		t.Fatal(err)
	}
	for i, l := range BGE().layers {
		if same := slices.Equal(l.up.codes, b.layers[i].up.codes); same != (i < b.head.First) {
			t.Errorf("layer %d is the trunk's: %v", i, same)
		}
	}
	if before, err := Load(bgeFile(t)); err != nil || !slices.Equal(before.layers[11].up.codes, BGE().layers[11].up.codes) {
		t.Errorf("the trunk itself changed, %v", err)
	}
	for _, n := range []int{0, 10, 200, 5000, 60_000, len(file) / 2, len(file) - 2000} {
		if _, err := BGE().Adapted(slices.Clone(file[:n])); err == nil {
			t.Errorf("its first %d bytes are read", n)
		}
	}
	for old, new := range map[string]string{`"rank": 16`: `"rank": 99`, `"trunk": "bge`: `"trunk": "bgf`,
		`"kind": "adapter"`: `"kind": "branch "`} {
		if _, err := BGE().Adapted([]byte(strings.Replace(string(file), old, new, 1))); err == nil {
			t.Errorf("%s is read", new)
		}
	}
}

func bgeFile(t *testing.T) []byte {
	t.Helper()
	b, err := Unpacked(bge)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// What was said before comes before the question and loses its beginning; the question is whole, and marked.
func TestAfterKeepsTheQuestion(t *testing.T) {
	long := strings.Repeat("We spoke about the garden fence at length. ", 200)
	for _, c := range []struct {
		before, question string
		marks, asked     int
	}{
		{"", "When can I take it?", 2, 6}, {"Hello there.", "When can I take it?", 3, 6}, {long, "Why?", 3, 2},
		{long, strings.Repeat("why ", 500), 3, mostAsked}, {"", "", 2, 0},
	} {
		w := BGE().After(320, "Represent this: ", c.before, c.question)
		marks := 0
		for _, token := range w.Tokens {
			if token.Mark {
				marks++
			}
		}
		if marks != c.marks || w.asked != c.asked || len(w.Tokens) > 320 {
			t.Errorf("%.20q after %.20q: %d marks, %d asked, %d tokens", c.question, c.before, marks, w.asked, len(w.Tokens))
		}
		if c.before == long && len(w.Tokens) != 320 {
			t.Errorf("%d tokens", len(w.Tokens))
		}
	}
}

func TestEndsAreOfBoth(t *testing.T) {
	trunk := BGE()
	w := trunk.Ends("one two three four", "five six seven", 2, 2)
	var got []int
	for _, x := range w.Tokens {
		got = append(got, int(x.Segment))
	}
	second := trunk.vocabulary.split("three four", 0)
	if fmt.Sprint(got) != "[0 0 0 0 1 1 1]" || w.Tokens[1].ID != second[0].ID || w.Tokens[2].ID != second[1].ID {
		t.Errorf("%v of %v", got, w.Tokens)
	}
	if w := trunk.Ends("", "", 2, 2); len(w.Tokens) != 3 {
		t.Errorf("of nothing %v", w.Tokens)
	}
}
