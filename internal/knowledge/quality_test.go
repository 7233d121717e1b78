package knowledge_test

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"preceptor/internal/knowledge"
	"preceptor/internal/llm/embedded"
	"preceptor/internal/pack"
	"preceptor/internal/platform/db/dbtest"
	"preceptor/internal/search"
)

// labelled is one question of testdata/recall_queries.jsonl: our own words for what people ask, in their language, with
// the sections that answer it, the best of them in "best". domain.bin is fitted without the splits "test" and y8, and
// on all others. "w8", "x8" and "y8" are by three authors who saw the pages and nothing of ours; nobody has read y8's
// misses. "z9" has a file of its own: it was written after all this, and measured once (28 November 2026): nDCG@10
// .686, hit@1 .650, silent on 42 of 60; the advisor's draft cites a section that answers for 76 of 120 and says that
// there is none for 44 of 60.
//
// Of z9's 120, 78 have a right section first, 14 second or third, 14 fourth to eighth, 7 later and 2 not among sixty;
// the floor silences 5. Without it .715; an ideal order of the first eight would give .827 (.917 in the shop of
// testdata/shop.jsonl, 60 questions: 31 first, 14, 6 and 2, and 7 silenced). Tried and left out, nDCG@10 of z9 and of
// the shop without a floor, .715 and .746 before:
//   - scores without places: the same and .765, y8 .005 less; half the words everywhere: the same and .768, y8 .015
//     less. Elsewhere than in a known domain fewer words are in use: .774.
//   - the judge's head "answers" over the first eight, half as much as a place, on 60 of each: .025 less, .018 more.
//   - a linear move for any trade, fitted on testdata/trades: the shop .770 at best, .651 where it moves far.
//   - the encoder's two upper layers tuned for questions alone (low rank 8, 98 kB; on "tuned", testdata/trades and 800
//     of the judge's texts; two runs added up, at three quarters): .740 and .764; with all floors fitted anew .700 and
//     .714 against .686 and .681, y8 .799 against .795, z9 silent on 40. Too little for new lines everywhere: two tests
//     of the advisor failed.
//
// What the encoder took the place of (a thesaurus of pensions and Google's Universal Sentence Encoder Lite) had on
// the same day: held out nDCG@10 .754, hit@1 .721, silent on 59 of 66; y8 alone .779, .767 and 53 of 60; near misses
// 199 of 240. Its words had been written beside "test". Fitted without w8 and x8, too, the encoder had .765 and .770
// on the three strangers together, before the floor; the other .700 and .680.
type labelled struct {
	ID       string   `json:"id"`
	Split    string   `json:"split"`
	Query    string   `json:"query"`
	Relevant []string `json:"relevant"` // none: there is no answer in the folder
}

func readLabelled(t testing.TB, name string) (out []labelled) {
	f, err := os.Open("testdata/" + name + ".jsonl")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	for s := bufio.NewScanner(f); s.Scan(); {
		var l labelled
		if err := json.Unmarshal(s.Bytes(), &l); err != nil {
			t.Fatal(err)
		}
		out = append(out, l)
	}
	return out
}

func nearMisses(t testing.TB) []string { return lines(t, "testdata/near_misses.txt") }

// lines are those of a file that are no comment.
func lines(t testing.TB, name string) (out []string) {
	text, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(text)) {
		if line = strings.TrimSpace(line); line != "" && line[0] != '#' {
			out = append(out, line)
		}
	}
	return out
}

// measure is what a ranking is worth.
type measure struct{ ndcg3, ndcg10, hit1, recall5, silent float64 }

func (m *measure) add(ranked []string, relevant []string) {
	m.ndcg3 += ndcg(ranked, relevant, 3)
	m.ndcg10 += ndcg(ranked, relevant, 10)
	m.hit1 += ndcg(ranked, relevant, 1)
	found := 0
	for _, s := range ranked[:min(5, len(ranked))] {
		if contains(relevant, s) {
			found++
		}
	}
	m.recall5 += float64(found) / float64(min(5, len(relevant)))
}

func ndcg(ranked, relevant []string, n int) float64 {
	got, best := 0.0, 0.0
	for i := range n {
		gain := 1 / math.Log2(float64(i)+2)
		if i < len(ranked) && contains(relevant, ranked[i]) {
			got += gain
		}
		if i < len(relevant) {
			best += gain
		}
	}
	return got / best
}

func contains(list []string, s string) bool {
	for _, x := range list {
		if x == s {
			return true
		}
	}
	return false
}

// pages turns sections into their pages, each once.
func pages(sections []string) (out []string) {
	for _, s := range sections {
		p, _, _ := strings.Cut(s, "#")
		if !contains(out, p) {
			out = append(out, p)
		}
	}
	return out
}

func TestRecallQuality(t *testing.T) {
	if testing.Short() {
		t.Skip("asks 300 questions; make check runs it")
	}
	d := dbtest.New(t)
	index, emb := search.New(d), embedded.New()
	b := knowledge.New(d, index, emb, knowledge.Options{})
	if _, err := b.Import(ctx, pensionwise(t), knowledge.ImportOptions{}); err != nil {
		t.Fatal(err)
	}
	if err := b.Reembed(ctx); err != nil {
		t.Fatal(err)
	}
	cases, _, err := b.Cases(ctx, knowledge.Filter{Limit: 500})
	if err != nil {
		t.Fatal(err)
	}
	citation := map[string]string{}
	for _, c := range cases {
		citation[c.ID] = c.Citation
	}
	legs := map[string]func(string) []string{
		"words": func(q string) (out []string) {
			hits, err := index.Lexical(ctx, q, search.Filter{Kind: search.KindCase, AgentID: search.AnyAgent}, 10)
			if err != nil {
				t.Fatal(err)
			}
			for _, h := range hits {
				out = append(out, citation[h.ID])
			}
			return out
		},
		"meaning": func(q string) (out []string) {
			v, err := emb.Ask(ctx, q)
			if err != nil {
				t.Fatal(err)
			}
			_, floor := emb.Unlike()
			hits, err := index.Nearest(ctx, emb.Name(), v,
				search.Filter{Kind: search.KindCase, AgentID: search.AnyAgent}, 10)
			if err != nil {
				t.Fatal(err)
			}
			if len(hits) == 0 || hits[0].Score < floor {
				return nil
			}
			for _, h := range hits {
				out = append(out, citation[h.ID])
			}
			return out
		},
		"fused": func(q string) (out []string) {
			items, err := b.Search(ctx, knowledge.Query{Text: q}, 10)
			if err != nil {
				t.Fatal(err)
			}
			for _, it := range items {
				out = append(out, it.Source)
			}
			return out
		},
	}
	halves := map[string][]string{"tuned": {"dev", "final", "fresh", "tune7", "probe7", "blind", "blind7", "w8", "x8"},
		"held out": {"test", "y8"}, "blind": {"y8"}, "z9": {"z9"},
		"strangers": {"w8", "x8", "y8"}}
	verbose := os.Getenv("RECALL_MISSES") != ""
	results, each := map[string]*measure{}, map[string][]measure{}
	for _, split := range []string{"tuned", "held out", "blind", "strangers", "z9"} {
		for _, leg := range []string{"words", "meaning", "fused"} {
			bySection, byPage := &measure{}, &measure{}
			n, empty := 0.0, 0.0
			for _, l := range append(readLabelled(t, "recall_queries"), readLabelled(t, "recall_z9")...) {
				if !contains(halves[split], l.Split) {
					continue
				}
				ranked := legs[leg](l.Query)
				if len(l.Relevant) == 0 {
					empty++
					if len(ranked) == 0 {
						bySection.silent++
					} else if verbose && leg == "fused" && split == "tuned" {
						fmt.Printf("NOISE %q -> %v\n", l.Query, ranked[0])
					}
					continue
				}
				n++
				bySection.add(ranked, l.Relevant)
				var one measure
				one.add(ranked, l.Relevant)
				each[split+" "+leg] = append(each[split+" "+leg], one)
				byPage.add(pages(ranked), pages(l.Relevant))
				if verbose && leg == "fused" && split == "tuned" && ndcg(ranked, l.Relevant, 3) < 0.5 {
					fmt.Printf("MISS %s %q\n   got %v\n   want %v\n", l.ID, l.Query, ranked[:min(4, len(ranked))],
						l.Relevant)
				}
			}
			for _, m := range []*measure{bySection, byPage} {
				m.ndcg3, m.ndcg10, m.hit1, m.recall5 = m.ndcg3/n, m.ndcg10/n, m.hit1/n, m.recall5/n
			}
			t.Logf("%-8s %-8s sections: nDCG@3 %.3f nDCG@10 %.3f hit@1 %.3f recall@5 %.3f | pages: nDCG@10 %.3f "+
				"hit@1 %.3f | silent on %.0f of %.0f without an answer",
				split, leg, bySection.ndcg3, bySection.ndcg10, bySection.hit1, bySection.recall5, byPage.ndcg10,
				byPage.hit1, bySection.silent, empty)
			results[split+" "+leg] = bySection
		}
	}
	near, silent := 0, 0
	for _, q := range nearMisses(t) {
		if near++; len(legs["fused"](q)) == 0 {
			silent++
		}
	}
	if t.Logf("near misses: silent on %d of %d", silent, near); silent < 200 {
		t.Errorf("recall answers more questions that have no answer: silent on %d of %d near misses, 206 were "+
			"measured, which the floor was fitted to", silent, near)
	}
	for _, split := range []string{"tuned", "held out", "blind", "strangers", "z9"} {
		for name, of := range map[string]func(measure) float64{"nDCG@3": func(m measure) float64 {
			return m.ndcg3
		}, "nDCG@10": func(m measure) float64 { return m.ndcg10 },
			"hit@1": func(m measure) float64 { return m.hit1 }, "recall@5": func(m measure) float64 {
				return m.recall5
			}} {
			for _, leg := range []string{"words", "meaning"} {
				low, high := gain(each[split+" fused"], each[split+" "+leg], of)
				t.Logf("%-8s fused less %-7s %-8s 95 %% interval %+.3f to %+.3f", split, leg, name, low, high)
				if leg == "words" && low <= 0 && split != "blind" && split != "z9" && split != "strangers" {
					t.Errorf("%s: the vectors do not earn their place in %s", split, name)
				}
			}
		}
	}
	// a little below what was measured
	floors := map[string][3]float64{"tuned": {0.88, 0.95, 70}, "held out": {0.76, 0.80, 54}, "blind": {0.79, 0.81, 48},
		"strangers": {0.87, 0.93, 65}, "z9": {0.72, 0.69, 40}}
	for split, floor := range floors {
		fused := results[split+" fused"]
		if fused.ndcg10 < floor[0] || fused.hit1 < floor[1] || fused.silent < floor[2] {
			t.Errorf("%s: recall is worse than it was: nDCG@10 %.3f, hit@1 %.3f, silent on %.0f; floors %v", split,
				fused.ndcg10, fused.hit1, fused.silent, floor)
		}
	}
}

// A furniture shop's questions (testdata/shop.jsonl, by an author who saw the pages and nothing of ours) measure recall
// where no domain is known; nothing is fitted to them.
func TestRecallOfAnotherTrade(t *testing.T) {
	d := dbtest.New(t)
	b := knowledge.New(d, search.New(d), embedded.New(), knowledge.Options{})
	type line struct{ File, Page, Title, Text string }
	files, questions := fstest.MapFS{}, []labelled{}
	for _, l := range lines(t, "testdata/shop.jsonl") {
		var s line
		var q labelled
		if err := errors.Join(json.Unmarshal([]byte(l), &s), json.Unmarshal([]byte(l), &q)); err != nil {
			t.Fatal(err)
		}
		if q.Query != "" {
			questions = append(questions, q)
			continue
		}
		if files[s.File] == nil {
			files[s.File] = &fstest.MapFile{Data: []byte("# " + s.Page + "\n")}
		}
		files[s.File].Data = append(files[s.File].Data, "\n## "+s.Title+"\n\n"+s.Text+"\n"...)
	}
	if _, err := b.Import(ctx, files, knowledge.ImportOptions{Pack: pack.GeneralName}); err != nil {
		t.Fatal(err)
	}
	if err := b.Reembed(ctx); err != nil {
		t.Fatal(err)
	}
	var m measure
	n, empty := 0.0, 0
	for _, q := range questions {
		asked := knowledge.Query{AgentID: "shop", Text: q.Query, Situation: pack.Situation{Pack: pack.GeneralName}}
		items, err := b.Search(ctx, asked, 10)
		if err != nil {
			t.Fatal(err)
		}
		var ranked []string
		for _, it := range items {
			ranked = append(ranked, it.Source)
		}
		switch {
		case len(q.Relevant) > 0:
			n++
			m.add(ranked, q.Relevant)
		case len(ranked) == 0:
			m.silent++
			fallthrough
		default:
			empty++
		}
	}
	t.Logf("nDCG@10 %.3f hit@1 %.3f of %.0f, silent on %.0f of %d without an answer", m.ndcg10/n, m.hit1/n, n, m.silent,
		empty)
	if m.ndcg10/n < .70 || m.hit1/n < .57 || m.silent < 7 {
		t.Error("recall of another trade is worse than it was")
	}
}

// gain is the 95 % interval of the mean difference over the same questions, by 2,000 bootstrap draws.
func gain(a, b []measure, of func(measure) float64) (low, high float64) {
	r := rand.New(rand.NewPCG(11, 12))
	means := make([]float64, 2000)
	for i := range means {
		for range a {
			j := r.IntN(len(a))
			means[i] += (of(a[j]) - of(b[j])) / float64(len(a))
		}
	}
	slices.Sort(means)
	return means[50], means[1949]
}
