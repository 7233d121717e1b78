package compliance

import (
	"bufio"
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"preceptor/internal/interaction"
	"preceptor/internal/pack"
)

// factSaid tells whether the check finds a wrong fact in a text by itself.
func factSaid(text string) []finding {
	return checkFact(read(text), told{Situation: pack.Situation{At: at()}})
}

type factScore struct{ found, wrong, alarms, right int }

// The corpus of facts, by author: true and false sentences. FACTS=a,b shows what is missed and what is alarmed there.
func TestFactsOfTheCorpus(t *testing.T) {
	files, err := filepath.Glob("testdata/sentences/*.tsv")
	if err != nil {
		t.Fatal(err)
	}
	show := strings.Split(os.Getenv("FACTS"), ",")
	total := map[string]*factScore{}
	for _, file := range append(files, "testdata/facts.tsv") {
		for n, line := range factLines(t, file) {
			cols := strings.Split(line, "\t")
			name := strings.TrimSuffix(filepath.Base(file), ".tsv")
			if name == "facts" {
				name += []string{"-even", "-odd"}[n/2%2]
			}
			score(t, total, name, cols[0] == "F", cols[len(cols)-1], slices.Contains(show, name))
		}
	}
	all := factScore{}
	for name, s := range total {
		t.Logf("%-12s finds %3d of %3d wrong, alarms on %2d of %3d right", name, s.found, s.wrong, s.alarms, s.right)
		all.found, all.wrong, all.alarms, all.right = all.found+s.found, all.wrong+s.wrong, all.alarms+s.alarms, all.right+s.right
	}
	t.Logf("%-12s finds %3d of %3d wrong, alarms on %2d of %3d right", "all", all.found, all.wrong, all.alarms, all.right)
	if all.found*2 < all.wrong || all.alarms*200 > all.right {
		t.Errorf("the check of facts finds %d of %d and alarms on %d of %d", all.found, all.wrong, all.alarms, all.right)
	}
}

func score(t *testing.T, total map[string]*factScore, name string, wrong bool, text string, show bool) {
	s := total[name]
	if s == nil {
		s = &factScore{}
		total[name] = s
	}
	got := factSaid(text)
	switch {
	case wrong:
		s.wrong++
		if len(got) > 0 {
			s.found++
		} else if show {
			t.Logf("MISS %s: %s", name, text)
		}
	default:
		s.right++
		if len(got) > 0 {
			s.alarms++
			if show {
				t.Logf("ALARM %s: %s -- %s", name, text, got[0].why)
			}
		}
	}
}

func factLines(t testing.TB, file string) []string {
	f, err := os.Open(file)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	var out []string
	in := bufio.NewScanner(f)
	in.Buffer(nil, 1<<22)
	for in.Scan() {
		if in.Text() != "" {
			out = append(out, in.Text())
		}
	}
	return out
}

// The labelled texts, by author: wrong ones are those with the code INACCURATE_FACT.
func TestFactsOfTheTexts(t *testing.T) {
	files, err := filepath.Glob("testdata/texts/*.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	show := strings.Split(os.Getenv("FACTS"), ",")
	total := map[string]*factScore{}
	for _, file := range files {
		name := strings.TrimSuffix(filepath.Base(file), ".jsonl")
		for _, line := range factLines(t, file) {
			var item struct {
				ID, Question, Guidance string
				Customer               json.RawMessage
				Codes                  []string
			}
			if err := json.Unmarshal([]byte(line), &item); err != nil {
				t.Fatal(err)
			}
			s := total[name]
			if s == nil {
				s = &factScore{}
				total[name] = s
			}
			who := interaction.Consultation{Question: item.Question, Customer: interaction.CustomerLoosely(item.Customer)}.Situation()
			who.At = at()
			got := checkFact(read(item.Guidance), told{Situation: who, words: lowerASCII(who.Question + "\n" + who.Goal + "\n" + who.Text + "\n" + strings.Join(who.Features, "\n"))})
			wrong, found := slices.Contains(item.Codes, InaccurateFact), len(got) > 0
			switch {
			case wrong && found:
				s.found, s.wrong = s.found+1, s.wrong+1
			case wrong:
				s.wrong++
			case found:
				s.alarms, s.right = s.alarms+1, s.right+1
			default:
				s.right++
			}
			if wrong != found && slices.Contains(show, name) {
				said := ""
				if found {
					said = item.Guidance[got[0].start:got[0].end] + " -- " + got[0].why
				}
				t.Logf("TEXT %s found %v: %s", item.ID, found, said)
			}
		}
	}
	for name, s := range total {
		t.Logf("%-6s finds %3d of %3d wrong, alarms on %2d of %3d right", name, s.found, s.wrong, s.alarms, s.right)
	}
}

func BenchmarkCheckFact(b *testing.B) {
	var texts []draft
	for _, line := range factLines(b, "testdata/texts/train.jsonl") {
		var item struct{ Guidance string }
		if err := json.Unmarshal([]byte(line), &item); err != nil {
			b.Fatal(err)
		}
		texts = append(texts, read(item.Guidance))
	}
	s := told{Situation: pack.Situation{At: at()}}
	for i := 0; b.Loop(); i++ {
		checkFact(texts[i%len(texts)], s)
	}
}

// Only rules whose rarest words stand in a sentence are tried; every rule that it breaks, whole or in one of its parts, is among them.
func TestEveryBrokenRuleIsTried(t *testing.T) {
	table, facts, before, broken := pack.Facts(at()), factTopics(), "", 0
	for _, line := range factLines(t, "testdata/facts.tsv") {
		text := lowerASCII(line[strings.LastIndexByte(line, '\t')+1:])
		for _, one := range []string{text, strings.TrimSuffix(before, ".") + "; " + text} {
			s := plainSentence(plainly(one))
			tried := facts.need.Possible(nil, s.text)
			for k := range facts.rules {
				if !facts.rules[k].wrongIn(&s, table) {
					continue
				}
				if broken++; !slices.Contains(tried, k) {
					t.Errorf("%q breaks %q, which is not tried", s.text, facts.rules[k].why)
				}
			}
		}
		before = text
	}
	if broken < 100 {
		t.Errorf("only %d rules were broken", broken)
	}
}
