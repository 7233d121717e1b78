package learned_test

import (
	"bufio"
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"preceptor/internal/signal/learned"
)

// TestTextsForTheReader writes what reader.bin is tuned on, a line of JSON each, to the file that PRECEPTOR_FIT names;
// tools/encoder/reader.py reads it. Each file of testdata is an author.
func TestTextsForTheReader(t *testing.T) {
	name := os.Getenv("PRECEPTOR_FIT")
	if name == "" {
		t.Skip("set PRECEPTOR_FIT=FILE to write the texts")
	}
	paths, err := filepath.Glob("testdata/*.jsonl")
	check(t, err)
	var all []*message
	for _, p := range paths {
		all = append(all, load(t, p)...)
	}
	for _, p := range []string{"testdata/questions.txt", "../../llm/embedded/testdata/intents.txt",
		"testdata/languages.txt", "testdata/nothing.txt"} {
		all = append(all, lines(t, p)...)
	}
	for _, m := range lines(t, "testdata/reactions.txt") {
		heard, said, _ := strings.Cut(m.Message, "|")
		all = append(all, &message{Message: said, Author: m.Author, Heard: slices.Index(learned.Heard, heard)})
	}
	f, err := os.Create(name)
	check(t, err)
	defer f.Close()
	for _, m := range all {
		m.cut()
		check(t, json.NewEncoder(f).Encode(m))
	}
}

func check(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// message is a line of testdata.
type message struct {
	Message   string
	Learnings []struct {
		Category, Span string
		Once           *bool
	} `json:",omitempty"`
	Author, Kind, Category string
	Heard                  int // of a reaction, its place in learned.Heard; otherwise -1
	Units                  []unit
}

// unit is a part of a message, in bytes, and of which class it is: that of the learning whose span it shares half with.
type unit struct {
	From, To, Class int
	Once            *bool
}

func load(t *testing.T, path string) (out []*message) {
	f, err := os.Open(path)
	check(t, err)
	defer f.Close()
	rows := bufio.NewScanner(f)
	for rows.Scan() {
		m := &message{}
		check(t, json.Unmarshal(rows.Bytes(), m))
		m.Author, m.Heard = filepath.Base(path), -1
		out = append(out, m)
	}
	check(t, rows.Err())
	return out
}

// lines are those of a file, but for headings and comments.
func lines(t *testing.T, path string) (out []*message) {
	b, err := os.ReadFile(path)
	check(t, err)
	for l := range strings.Lines(string(b)) {
		if l = strings.TrimSpace(l); l != "" && !strings.ContainsAny(l[:1], "#=") {
			out = append(out, &message{Message: l, Author: filepath.Base(path), Heard: -1})
		}
	}
	return out
}

func (m *message) cut() {
	own, units := learned.Units(m.Message)
	for _, span := range units {
		u := unit{From: span.Start, To: span.End}
		for _, l := range m.Learnings {
			from := strings.Index(m.Message, l.Span)
			to := from + len(l.Span)
			common := min(to, u.To) - max(from, u.From)
			if 2*common > u.To-u.From || 2*common > to-from {
				u.Class, u.Once = slices.Index(learned.Categories, l.Category)+1, l.Once
			}
		}
		m.Units = append(m.Units, u)
	}
	m.Message = own
}
