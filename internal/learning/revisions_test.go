package learning

import (
	"bufio"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"sort"
	"strings"
	"testing"
	"time"

	"preceptor/internal/compliance"
	"preceptor/internal/pension"
)

// revision is one real edit of public guidance.
type revision struct {
	ID      string `json:"id"`
	Page    string `json:"page"`
	Subject string `json:"commit_subject"`
	Body    string `json:"commit_body"`
	Kind    string `json:"kind"`
	Date    string `json:"date"`
	Before  string `json:"before"`
	After   string `json:"after"`
}

func readRevisions(t *testing.T) []revision {
	t.Helper()
	f, err := os.Open(filepath.Join("..", "..", "..", "shared", "data", "pensionwise_revisions", "revisions.jsonl"))
	if err != nil {
		t.Skip("the set of real edits is not on this machine: ", err)
	}
	defer f.Close()
	var out []revision
	sc := bufio.NewScanner(f)
	sc.Buffer(nil, 1<<20)
	for sc.Scan() {
		var r revision
		if err := json.Unmarshal(sc.Bytes(), &r); err != nil {
			t.Fatal(err)
		}
		out = append(out, r)
	}
	if err := sc.Err(); err != nil {
		t.Fatal(err)
	}
	return out
}

func (r revision) source() Source {
	q := strings.ReplaceAll(r.Page, "_", " ")
	at, _ := time.Parse("2006-01-02", r.Date)
	task := pension.Classify(q + ". " + r.Before)
	return Source{
		Kind: Revise, DecisionID: r.ID, Task: task, Question: q, AgentText: r.Before, HumanText: r.After, Reason: r.Subject + ". " + r.Body,
		Situation: pension.Situation{Question: q, Task: task, HasDC: true, At: at}, At: at,
	}
}

// walk takes a source down the reasoner's four questions without a database.
func walk(t *testing.T, e *Embedded, s Source, known []Known) (name string, r Reflection, rule string, j Judgement) {
	t.Helper()
	ctx := t.Context()
	r, err := e.Reflect(ctx, s)
	if err != nil {
		t.Fatalf("%s: reflect: %v", s.DecisionID, err)
	}
	if r.Nothing {
		if r.Why == "" {
			t.Errorf("%s: nothing, without a word why", s.DecisionID)
		}
		return "nothing", r, "", j
	}
	if err := r.check(); err != nil {
		t.Fatalf("%s: %v: %+v", s.DecisionID, err, r)
	}
	f, err := e.Validate(ctx, Trial{Principle: r.Principle, Domain: r.Domain, Kind: TestOrigin, Situation: s.Situation, Approved: s.HumanText, Negative: s.AgentText})
	if err != nil {
		t.Fatalf("%s: validate: %v", s.DecisionID, err)
	}
	if f.Verdict == Hurt {
		return "not valid", r, r.Principle, j
	}
	text, err := e.Refine(ctx, r)
	if err != nil {
		t.Fatalf("%s: refine: %v", s.DecisionID, err)
	}
	rule, err = threeParts(text)
	if err != nil {
		t.Fatalf("%s: refine gave %q: %v", s.DecisionID, text, err)
	}
	j, err = e.Judge(ctx, Candidate{Rule: rule, Domain: r.Domain, Known: known})
	if err != nil {
		t.Fatalf("%s: judge: %v", s.DecisionID, err)
	}
	if err := j.check(); err != nil {
		t.Fatalf("%s: %v", s.DecisionID, err)
	}
	switch {
	case j.SameAs != "":
		return "same as another", r, rule, j
	case !j.Accept:
		return "rejected by the judge", r, rule, j
	}
	return "rule", r, rule, j
}

// TestRealEditsEndAsNamedOutcomes replays 974 real edits. Set LEARNING_DUMP=1 to read every one.
func TestRealEditsEndAsNamedOutcomes(t *testing.T) {
	e := NewEmbedded(compliance.NewChecker(time.Now))
	count := map[string]int{}
	var known []Known
	for _, rev := range readRevisions(t) {
		name, r, rule, j := walk(t, e, rev.source(), known)
		count[name]++
		if name == "rule" {
			known = append(known, Known{ID: rev.ID, Number: len(known) + 1, Text: rule, Domain: r.Domain})
		}
		if letters(rev.Before) == letters(rev.After) && name != "nothing" && !strings.HasPrefix(r.Why, "The reviewer asked") {
			t.Errorf("%s: a cosmetic edit became %q", rev.ID, rule)
		}
		if os.Getenv("LEARNING_DUMP") != "" {
			fmt.Printf("%s %s | %s | %s\n   - %s\n   + %s\n   = %s: %s %s\n", rev.ID, rev.Kind, rev.Subject, strings.ReplaceAll(clip(rev.Body, 150), "\n", " "), clip(rev.Before, 300), clip(rev.After, 300), name, firstText(rule, r.Why), j.Why)
		}
	}
	var names []string
	total := 0
	for n, c := range count {
		names, total = append(names, n), total+c
	}
	sort.Strings(names)
	for _, n := range names {
		t.Logf("%4d %s", count[n], n)
	}
	if total == 0 || count["nothing"] == total {
		t.Errorf("%d edits taught nothing at all", total)
	}
}
