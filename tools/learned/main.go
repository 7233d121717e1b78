// Command learned fits the classifier of internal/signal/learned from its testdata and measures it on authors whom it never met:
//
//	go run ./tools/learned [-bank train.csv] [-show] [-write]
//
// Each file of testdata is an author. -bank names a CSV of ordinary questions, of which none should be captured (PolyAI's banking77 was
// used: CC-BY 4.0, read for measurement alone and not part of the program).
package main

import (
	"bufio"
	"cmp"
	"context"
	"encoding/csv"
	"encoding/json"
	"flag"
	"fmt"
	"log"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"preceptor/internal/llm/sentence"
	"preceptor/internal/signal/learned"
)

const dir = "internal/signal/learned"

var (
	bank  = flag.String("bank", "", "a CSV of questions, in its first column, that teach nothing")
	show  = flag.Bool("show", false, "print every message with what was found")
	write = flag.Bool("write", false, "write weights.bin, fitted on all authors")
)

// message is a line of testdata.
type message struct {
	Message   string
	Learnings []struct{ Category, Span string }
	author    string
	units     []learned.Unit
	class     []int // of each unit
}

func main() {
	log.SetFlags(0)
	flag.Parse()
	paths, err := filepath.Glob(dir + "/testdata/*.jsonl")
	check(err)
	var all []*message
	for _, p := range paths {
		all = append(all, load(p)...)
	}
	negatives := append(lines(dir+"/testdata/questions.txt"), lines("internal/llm/sentence/testdata/intents.txt")...)
	questions := bankQuestions()
	of := func(in bool, author string) (out []*message) {
		for _, m := range all {
			if (m.author == author) == in {
				out = append(out, m)
			}
		}
		return out
	}
	var met []found
	for _, p := range paths {
		w := fit(append(of(false, p), negatives...))
		author := judged(w, of(true, p))
		report(filepath.Base(p), author, judged(w, questions))
		met = append(met, author...)
	}
	w := fit(append(all, negatives...))
	report("authors left out in turn", met, judged(w, questions))
	if *write {
		check(os.WriteFile(dir+"/weights.bin", w.Pack(), 0o644))
	}
}

func check(err error) {
	if err != nil {
		log.Fatal(err)
	}
}

func load(path string) (out []*message) {
	f, err := os.Open(path)
	check(err)
	defer f.Close()
	rows := bufio.NewScanner(f)
	for rows.Scan() {
		m := &message{author: path}
		check(json.Unmarshal(rows.Bytes(), m))
		m.read()
		out = append(out, m)
	}
	check(rows.Err())
	return out
}

// lines are ordinary questions, one a line, but for headings and comments.
func lines(path string) (out []*message) {
	b, err := os.ReadFile(path)
	check(err)
	for l := range strings.Lines(string(b)) {
		if l = strings.TrimSpace(l); l != "" && !strings.ContainsAny(l[:1], "#=") {
			m := &message{Message: l}
			m.read()
			out = append(out, m)
		}
	}
	return out
}

func bankQuestions() (out []*message) {
	if *bank == "" {
		return nil
	}
	f, err := os.Open(*bank)
	check(err)
	defer f.Close()
	rows, err := csv.NewReader(f).ReadAll()
	check(err)
	for _, row := range rows[1:] {
		m := &message{Message: row[0]}
		m.read()
		out = append(out, m)
	}
	return out
}

var sentences = sentence.New(0)

// read cuts a message into units, each of the class of the learning whose span it shares half with.
func (m *message) read() {
	var err error
	m.units, err = learned.Units(context.Background(), sentences, m.Message)
	check(err)
	m.class = make([]int, len(m.units))
	for _, l := range m.Learnings {
		from := strings.Index(m.Message, l.Span)
		to := from + len(l.Span)
		for i, u := range m.units {
			common := min(to, u.Span.End) - max(from, u.Span.Start)
			if 2*common > u.Span.End-u.Span.Start || 2*common > to-from {
				m.class[i] = slices.Index(learned.Categories, l.Category) + 1
			}
		}
	}
}

func (m *message) teaches(class int) bool {
	return slices.ContainsFunc(m.Learnings, func(l struct{ Category, Span string }) bool { return l.Category == learned.Categories[class-1] })
}

// found is a message with the likeliest category.
type found struct {
	*message
	class int
	p     float64
}

func judged(w *learned.Weights, list []*message) (out []found) {
	for _, m := range list {
		f := found{message: m}
		for _, u := range m.units {
			for c, p := range w.Probabilities(u.Features) {
				if c > 0 && p > f.p {
					f.class, f.p = c, p
				}
			}
		}
		out = append(out, f)
	}
	return out
}

// report prints by floor which share of what teaches is found, rightly and wrongly, and of what teaches nothing is found.
func report(name string, list, questions []found) {
	fmt.Println(name)
	for _, floor := range []float64{0.4, 0.5, 0.6, 0.65, 0.7, 0.8, 0.9} {
		var right, wrong, teach, caught, nothing, asked int
		var confusion [learned.Classes][learned.Classes]int
		for _, f := range list {
			truth, got := 0, 0
			if f.p >= floor {
				got = f.class
			}
			switch {
			case len(f.Learnings) == 0:
				nothing++
				if got > 0 {
					caught++
				}
			default:
				teach++
				truth = slices.Index(learned.Categories, f.Learnings[0].Category) + 1
				if got > 0 && f.teaches(got) {
					right++
					truth = got
				} else if got > 0 {
					wrong++
				}
			}
			confusion[truth][got]++
		}
		for _, q := range questions {
			if q.p >= floor {
				asked++
			}
		}
		fmt.Printf("  floor %.2f  right %.3f  wrong %.3f  of %d; of nothing %.3f of %d; of questions %.4f of %d  %v\n", floor, float64(right)/float64(max(1, teach)), float64(wrong)/float64(max(1, teach)), teach,
			float64(caught)/float64(max(1, nothing)), nothing, float64(asked)/float64(max(1, len(questions))), len(questions), confusion)
	}
	if *show {
		list = slices.SortedFunc(slices.Values(append(slices.Clone(list), questions...)), func(a, b found) int { return cmp.Compare(b.p, a.p) })
		for _, f := range list {
			fmt.Printf("%.3f %d %v %s\n", f.p, f.class, f.Learnings, f.Message)
		}
	}
}
