package advisor

import (
	"bufio"
	"encoding/json"
	"io/fs"
	"os"
	"slices"
	"strings"
	"testing"

	"preceptor/internal/knowledge"
	"preceptor/internal/llm/embedded"
	"preceptor/internal/pack"
	"preceptor/internal/platform/db/dbtest"
	"preceptor/internal/search"
)

// corpus is a folder of real guidance, which is not on every machine.
const corpus = "../../../shared/data/pensionwise"

func pensionwise(t testing.TB) fs.FS {
	t.Helper()
	if _, err := os.Stat(corpus); err != nil {
		t.Skip("../shared/data/pensionwise is not here, so there are no real pages to draft from")
	}
	return os.DirFS(corpus)
}

// TestDraftsAnswerTheQuestion drafts for labelled questions over the corpus: how often the draft cites a section that
// answers, and how often it says that there is no guidance where there is none.
func TestDraftsAnswerTheQuestion(t *testing.T) {
	if testing.Short() {
		t.Skip("drafts answers to every question of a set; make check runs it")
	}
	d := dbtest.New(t)
	kb := knowledge.New(d, search.New(d), embedded.New(), knowledge.Options{})
	if _, err := kb.Import(ctx, pensionwise(t), knowledge.ImportOptions{}); err != nil {
		t.Fatal(err)
	}
	if err := kb.Reembed(ctx); err != nil {
		t.Fatal(err)
	}
	f, err := os.Open("../knowledge/testdata/recall_queries.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	s := &Service{d: d, knowledge: kb}
	type counts struct{ asked, answered, right, first, empty, silent int }
	all := map[string]*counts{}
	verbose := os.Getenv("DRAFT_MISSES") != ""
	for lines := bufio.NewScanner(f); lines.Scan(); {
		var q struct {
			Split, Query string
			Relevant     []string
		}
		if err := json.Unmarshal(lines.Bytes(), &q); err != nil {
			t.Fatal(err)
		}
		if all[q.Split] == nil {
			all[q.Split] = &counts{}
		}
		n := all[q.Split]
		situation := pack.Situation{Question: q.Query, At: today}
		r, err := s.recall(ctx, "", situation, "", nil, knowledge.Withhold{})
		if err != nil {
			t.Fatal(err)
		}
		req := Request{Situation: situation, Recall: r}
		if err := s.needs(ctx, "", &req, knowledge.Withhold{}); err != nil {
			t.Fatal(err)
		}
		dr := draft(t, req)
		var cited []string
		for _, line := range strings.Split(dr.Reasoning, "\n") {
			for _, it := range r.Cases {
				if strings.HasPrefix(line, "Took ") && strings.Contains(line, it.Label+" ") {
					cited = append(cited, it.Source)
				}
			}
		}
		if len(q.Relevant) == 0 {
			n.empty++
			if len(cited) == 0 {
				n.silent++
			} else if verbose {
				t.Logf("NOISE %q\n%s", q.Query, dr.Text)
			}
			continue
		}
		n.asked++
		if len(cited) > 0 {
			n.answered++
			if slices.Contains(q.Relevant, cited[0]) {
				n.first++
			}
		} else if verbose {
			t.Logf("SILENT %q", q.Query)
		}
		if slices.ContainsFunc(cited, func(c string) bool { return slices.Contains(q.Relevant, c) }) {
			n.right++
		}
	}
	var sum counts
	for split, n := range all {
		t.Logf("%-8s asked %d answered %d right %d first %d | unanswerable %d silent %d", split, n.asked, n.answered,
			n.right, n.first, n.empty, n.silent)
		sum = counts{sum.asked + n.asked, sum.answered + n.answered, sum.right + n.right, sum.first + n.first,
			sum.empty + n.empty, sum.silent + n.silent}
	}
	t.Logf("all: %+v", sum)
	if sum.asked != 727 || sum.answered < 685 || sum.right < 647 || sum.first < 637 || sum.silent < 137 {
		t.Errorf("drafts got worse: %+v", sum)
	}
}
