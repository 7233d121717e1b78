package learning

import (
	"bufio"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"preceptor/internal/db"
)

func readRevisions(t *testing.T) []Edit {
	t.Helper()
	f, err := os.Open(filepath.Join("..", "..", "..", "shared", "data", "pensionwise_revisions", "revisions.jsonl"))
	if err != nil {
		t.Skip("the set of real edits is not on this machine: ", err)
	}
	defer f.Close()
	var out []Edit
	sc := bufio.NewScanner(f)
	sc.Buffer(nil, 1<<20)
	for sc.Scan() {
		var r Edit
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

// TestRealEditsEndAsNamedOutcomes takes 974 real edits of public guidance down the real path, case and all. LEARNING_DUMP names a
// file to write every one to.
func TestRealEditsEndAsNamedOutcomes(t *testing.T) {
	if testing.Short() {
		t.Skip("the real edits are left out of short runs")
	}
	b := open(t, nil, Policy{})
	list, share := readRevisions(t), 1
	if os.Getenv("LEARNING_DUMP") == "" {
		share = 5 // `preceptor learn replay` takes them all
		list = slices.DeleteFunc(list, func(e Edit) bool { return e.ID[len(e.ID)-1]%5 != 1 })
	}
	for batch := range slices.Chunk(list, 50) {
		b.write(func(tx *db.Tx) error {
			for _, e := range batch {
				s := e.Source()
				s.AgentID = "agent-1"
				if err := b.ReplayTx(tx, s); err != nil {
					return err
				}
			}
			return nil
		})
		b.drain()
	}
	count, figures, rules := map[string]int{}, 0, 0
	var dump strings.Builder
	for _, e := range list {
		l := b.lesson("replay-" + e.ID)
		end := Ending(l)
		count[end]++
		cosmetic := letters(e.Before) == letters(e.After)
		switch {
		case end == EndUnfinished || end == EndFailed || l.Outcome == "":
			t.Errorf("%s: %s: %s %q", e.ID, end, l.Summary(), l.Outcome)
		case cosmetic && end != "nothing: cosmetic" && end != "nothing: link" && !strings.Contains(end, "figure"):
			t.Errorf("%s: a cosmetic edit ended as %s: %s", e.ID, end, l.RuleText)
		case e.Kind == "fact_change" && strings.Contains(end, "figure"):
			figures++
		case end == EndRule:
			rules++
			if yearRE.MatchString(l.RuleText) || strings.Contains(l.RuleText, "£") {
				t.Errorf("%s: a figure became a rule: %s", e.ID, l.RuleText)
			}
		}
		if l.CaseState != CaseKept {
			t.Errorf("%s: its case is %q", e.ID, l.CaseState)
		}
		fmt.Fprintf(&dump, "%s %s | %s | %s\n   - %s\n   + %s\n   = %s %d/%d R-%d: %s %s\n", e.ID, e.Kind, e.CommitSubject, strings.ReplaceAll(clip(e.CommitBody, 150), "\n", " "),
			clip(e.Before, 300), clip(e.After, 300), end, l.Helpful, l.Tried, l.RuleNumber, l.RuleText, l.Outcome)
	}
	for _, n := range slices.Sorted(maps.Keys(count)) {
		t.Logf("%4d %s", count[n], n)
	}
	if file := os.Getenv("LEARNING_DUMP"); file != "" {
		if err := os.WriteFile(file, []byte(dump.String()), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if figures < 190/share || rules < 12/share || rules > 60/share {
		t.Errorf("%d changes of figures were named as such, and there are %d rules", figures, rules)
	}
}
