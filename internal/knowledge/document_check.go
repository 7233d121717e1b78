package knowledge

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"preceptor/internal/db"
	"preceptor/internal/pension"
)

// nearDuplicate is the share of common word triples from which two sections say nearly the same, and minShingles how
// many triples the shorter must have for that to mean anything.
const (
	nearDuplicate = 0.5
	minShingles   = 15
)

// factFlags checks a section's figures and statements against the dated table of facts.
func factFlags(text string, now time.Time) []Flag {
	var flags []Flag
	seen := map[string]bool{}
	for _, i := range pension.Check(text, now) {
		if key := i.Key + i.Quote; !seen[key] {
			seen[key] = true
			flags = append(flags, Flag{Code: "stale_" + i.Key, Severity: i.Severity, Quote: i.Quote, Why: i.Why})
		}
	}
	slices.SortStableFunc(flags, func(a, b Flag) int { return cmp.Compare(a.Severity, b.Severity) }) // major before minor
	return flags
}

// claim is a figure with the words around it: what a page says of something.
type claim struct {
	citation string
	text     string // the sentence
	figure   pension.Figure
	words    map[string]bool
}

// sameClaim is the share of common words from which two figures speak of the same thing.
const sameClaim = 0.7

// findConflicts flags sections that give different figures for the same thing: the pages of one site contradict each
// other, and both are then for a person to look at. Examples speak of invented pots and are left out by their wording.
func findConflicts(docs []*document) map[string][]Flag {
	var claims []claim
	for _, d := range docs {
		for _, s := range d.cited() {
			claims = append(claims, claimsOf(s)...)
		}
	}
	flags := map[string][]Flag{}
	done := map[string]bool{}
	for i, a := range claims {
		for _, b := range claims[i+1:] {
			if a.citation == b.citation || !a.contradicts(b) {
				continue
			}
			for _, pair := range [][2]claim{{a, b}, {b, a}} {
				key := pair[0].citation + "\x00" + pair[0].figure.Text + "\x00" + pair[1].figure.Text
				if done[key] {
					continue
				}
				done[key] = true
				flags[pair[0].citation] = append(flags[pair[0].citation], Flag{Code: "conflict", Severity: "minor", Quote: pair[0].figure.Text,
					Why: fmt.Sprintf("It says %q where %s says %q.", pair[0].figure.Text, pair[1].citation, pair[1].figure.Text)})
			}
		}
	}
	return flags
}

func claimsOf(s citedSection) (out []claim) {
	for _, sentence := range sentences(s.text) {
		lower := strings.ToLower(sentence)
		if strings.Contains(lower, "your pot is") || strings.Contains(lower, "example") || strings.HasPrefix(lower, "you’re ") {
			continue
		}
		figures := pension.FindFigures(sentence)
		if len(figures) != 1 {
			continue // with two figures nothing tells which words belong to which
		}
		words := map[string]bool{}
		for _, w := range plainWords(strings.ReplaceAll(sentence, figures[0].Text, " ")) {
			if len(w) > 3 {
				words[w] = true
			}
		}
		if len(words) >= 4 {
			out = append(out, claim{s.citation, sentence, figures[0], words})
		}
	}
	return out
}

func (a claim) contradicts(b claim) bool {
	if a.figure.Kind != b.figure.Kind || a.figure.Value == b.figure.Value {
		return false
	}
	common := 0
	for w := range a.words {
		if b.words[w] {
			common++
		}
	}
	return float64(common) >= sameClaim*float64(max(len(a.words), len(b.words)))
}

// sentences cuts plain text roughly; a figure's decimal point does not end one.
func sentences(text string) []string {
	var out []string
	for line := range strings.SplitSeq(text, "\n") {
		for s := range strings.SplitSeq(strings.ReplaceAll(line, "? ", ". "), ". ") {
			if s = strings.TrimSpace(s); s != "" {
				out = append(out, s)
			}
		}
	}
	return out
}

// linkDuplicates finds the document cases that say nearly the same and links them, in place of earlier links.
func (b *Base) linkDuplicates(ctx context.Context) ([]Pair, error) {
	var cases []Case
	err := b.db.Read(ctx, func(tx *db.Tx) (err error) {
		cases, err = queryCases(tx, `SELECT `+caseColumns+caseFrom+`WHERE c.source = 'document' AND c.status = 'active' ORDER BY c.number`)
		return err
	})
	if err != nil {
		return nil, err
	}
	found := nearDuplicates(cases)
	err = b.db.Write(ctx, func(tx *db.Tx) error { return replaceLinks(tx, cases, found) })
	if err != nil {
		return nil, err
	}
	pairs := make([]Pair, 0, len(found))
	for _, f := range found {
		pairs = append(pairs, Pair{A: cases[f.a].Citation, B: cases[f.b].Citation, Similarity: f.similarity})
	}
	return pairs, nil
}

type likeness struct {
	a, b       int // places in the list
	similarity float64
}

// nearDuplicates compares only sections that share triples, through an inverted index.
func nearDuplicates(cases []Case) (out []likeness) {
	sets := make([]map[string]bool, len(cases))
	holders := map[string][]int{}
	for i, c := range cases {
		sets[i] = shingles(c.Guidance)
		common := map[int]int{}
		for s := range sets[i] {
			for _, j := range holders[s] {
				common[j]++
			}
			holders[s] = append(holders[s], i)
		}
		for j, n := range common {
			shorter := min(len(sets[i]), len(sets[j]))
			if share := float64(n) / float64(max(shorter, 1)); shorter >= minShingles && share >= nearDuplicate && cases[i].AgentID == cases[j].AgentID {
				out = append(out, likeness{j, i, share})
			}
		}
	}
	slices.SortFunc(out, func(x, y likeness) int { return cmp.Or(cmp.Compare(x.a, y.a), cmp.Compare(x.b, y.b)) })
	return out
}

func replaceLinks(tx *db.Tx, cases []Case, found []likeness) error {
	if _, err := tx.Exec(`DELETE FROM knowledge_duplicate`); err != nil {
		return fmt.Errorf("knowledge: forget links: %w", err)
	}
	for _, f := range found {
		_, err := tx.Exec(`INSERT INTO knowledge_duplicate (case_id, other_id, similarity, created_at) VALUES ($1, $2, $3, $4)`,
			cases[f.a].ID, cases[f.b].ID, f.similarity, tx.NowMs())
		if err != nil {
			return errors.Join(errors.New("knowledge: link duplicates"), err)
		}
	}
	tx.Touch("knowledge")
	return nil
}
