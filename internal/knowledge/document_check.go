package knowledge

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"time"

	"preceptor/internal/pack"
	"preceptor/internal/platform/db"
	"preceptor/internal/platform/lists"
	"preceptor/internal/platform/text"
	"preceptor/internal/platform/text/compare"
)

// nearDuplicate is the share of common word triples from which two sections say nearly the same, and minShingles how
// many triples the shorter must have for that to mean anything; minSame is enough of them for the same words.
const (
	nearDuplicate = 0.5
	minShingles   = 15
	minSame       = 8
)

// factFlags checks a section's figures and statements against the dated table of facts.
func factFlags(text string, now time.Time) []Flag {
	var flags []Flag
	seen := map[string]bool{}
	for _, f := range pack.Of(pack.Pension).WrongFacts(text, now) {
		if key := f.Of.Name + f.In(text); !seen[key] {
			seen[key] = true
			flags = append(flags, Flag{Code: "stale_" + f.Of.Name, Severity: f.Of.Severity, Quote: f.In(text),
				Why: f.Of.Why})
		}
	}
	// major before minor
	slices.SortStableFunc(flags, func(a, b Flag) int { return cmp.Compare(a.Severity, b.Severity) })
	return flags
}

// claim is a figure with the words around it: what a page says of something.
type claim struct {
	citation string
	text     string // the sentence
	figure   string // as it stands
	value    string // without the signs
	unit     string // "£", "%", or the word after it
	words    map[string]bool
}

// anyFigure is an amount, a share or a number with the word after it.
var anyFigure = regexp.MustCompile(`(£)?(\d[\d,]*(?:\.\d+)?)(%)?(?:[ -](?:(?:a|per|each|every) )?([A-Za-z]+))?`)

// sameClaim is the share of common words, of the shorter sentence's, from which two figures speak of the same thing,
// and minCommon how many there must be.
const (
	sameClaim = 0.7
	minCommon = 5
)

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
				key := pair[0].citation + "\x00" + pair[0].figure + "\x00" + pair[1].figure
				if done[key] {
					continue
				}
				done[key] = true
				flags[pair[0].citation] = append(flags[pair[0].citation],
					Flag{Code: "conflict", Severity: "minor", Quote: pair[0].figure,
						Why: fmt.Sprintf("It says %q where %s says %q.", pair[0].figure, pair[1].citation,
							pair[1].figure)})
			}
		}
	}
	return flags
}

func claimsOf(s citedSection) (out []claim) {
	for _, sentence := range asserted(s.text) {
		figures := anyFigure.FindAllStringSubmatch(sentence, 2)
		if len(figures) != 1 {
			continue // with two figures nothing tells which words belong to which
		}
		f := figures[0]
		unit, figure := unitOf(f)
		words := map[string]bool{}
		for _, w := range text.Words(strings.ReplaceAll(sentence, f[0], " ")) {
			if len(w) > 3 {
				words[w] = true
			}
		}
		if unit != "" && len(words) >= 4 {
			out = append(out, claim{s.citation, sentence, figure, strings.ReplaceAll(f[2], ",", ""), unit, words})
		}
	}
	return out
}

// asserted are the sentences of a section but for examples, which speak of a pot that nobody has.
func asserted(section string) []string {
	body, _, _ := strings.Cut(section, "\n\nExample")
	return slices.DeleteFunc(sentences(body), func(s string) bool {
		return strings.Contains(strings.ToLower(s), "for example") || strings.Contains(s, "e.g.")
	})
}

// unitOf is what a figure counts, and the figure as a person would quote it. Pounds a week and pounds a year are no
// contradiction.
func unitOf(f []string) (unit, figure string) {
	word := strings.ToLower(f[4])
	switch {
	case f[1] != "" && (word == "week" || word == "month" || word == "year"):
		return "£ " + word, f[1] + f[2]
	case f[1] != "" || f[3] != "":
		return f[1] + f[3], f[1] + f[2] + f[3]
	}
	return word, f[2] + " " + f[4]
}

func (a claim) contradicts(b claim) bool {
	if a.unit != b.unit || a.value == b.value {
		return false
	}
	common := text.Common(a.words, b.words)
	return common >= minCommon && float64(common) >= sameClaim*float64(min(len(a.words), len(b.words)))
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

// linkDuplicates finds the document cases in nearly the same words and links them, in place of earlier links; a person
// is to settle them. Those that say the same are given where one of them is of the import.
func (b *Base) linkDuplicates(ctx context.Context, imported func(Case) bool) ([]Pair, error) {
	var cases []Case
	err := b.db.Read(ctx, func(tx *db.Tx) (err error) {
		cases, err = casesTx(tx, `WHERE c.source = 'document' AND c.status = 'active'
			ORDER BY c.number`)
		return err
	})
	if err != nil {
		return nil, err
	}
	found := nearDuplicates(b.Compare, cases)
	err = b.db.Write(ctx, func(tx *db.Tx) error {
		if err := replaceLinks(tx, cases, found); err != nil || len(found) == 0 {
			return err
		}
		return b.opts.OnMany(tx)
	})
	if err != nil {
		return nil, err
	}
	found = slices.DeleteFunc(found, func(f likeness) bool {
		return f.against || !imported(cases[f.a]) && !imported(cases[f.b])
	})
	return lists.Map(found, func(f likeness) Pair {
		return Pair{A: cases[f.a].Citation, B: cases[f.b].Citation, Similarity: f.similarity}
	}), nil
}

type likeness struct {
	a, b       int // places in the list
	similarity float64
	against    bool // they say the opposite
}

// nearDuplicates compares only sections that share triples, through an inverted index.
func nearDuplicates(c compare.Func, cases []Case) (out []likeness) {
	sets := make([]map[string]bool, len(cases))
	holders := map[string][]int{}
	for i := range cases {
		sets[i] = shingles(cases[i].Guidance)
		common := map[int]int{}
		for s := range sets[i] {
			for _, j := range holders[s] {
				common[j]++
			}
			holders[s] = append(holders[s], i)
		}
		for j, n := range common {
			shorter := min(len(sets[i]), len(sets[j]))
			same := shorter >= minSame && cases[i].Guidance == cases[j].Guidance
			if share := float64(n) / float64(max(shorter, 1)); (same || shorter >= minShingles) &&
				share >= nearDuplicate && cases[i].AgentID == cases[j].AgentID {
				_, _, against := Against(c, cases[j], cases[i])
				out = append(out, likeness{j, i, share, against})
			}
		}
	}
	slices.SortFunc(out, func(x, y likeness) int { return cmp.Or(cmp.Compare(x.a, y.a), cmp.Compare(x.b, y.b)) })
	return out
}

// Against gives the sentences of two sections that contradict each other, those of invented examples aside.
func Against(c compare.Func, a, b Case) (x, y string, ok bool) {
	return c.Against(strings.Join(asserted(a.Guidance), "\n"), strings.Join(asserted(b.Guidance), "\n"))
}

func replaceLinks(tx *db.Tx, cases []Case, found []likeness) error {
	if err := db.Exec(tx, "knowledge: forget links", `DELETE FROM knowledge_duplicate`); err != nil {
		return err
	}
	for _, f := range found {
		_, err := tx.Exec(`INSERT INTO knowledge_duplicate (case_id, other_id, similarity, contradicts, created_at)
			VALUES ($1, $2, $3, $4, $5)`,
			cases[f.a].ID, cases[f.b].ID, f.similarity, f.against, tx.NowMs())
		if err != nil {
			return errors.Join(errors.New("knowledge: link duplicates"), err)
		}
	}
	tx.Touch("knowledge")
	return nil
}
