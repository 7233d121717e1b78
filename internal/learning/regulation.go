package learning

import (
	_ "embed"
	"encoding/json"
	"slices"
	"sort"
	"strings"
	"time"

	"preceptor/internal/pack"
)

// Regulation is one entry of the library of rules that bear on guidance: what the law or the FCA's Handbook asks, in
// our words, with where it stands and from when to when it holds. It is a summary to judge by and to look up, and no
// substitute for its source.
type Regulation struct {
	ID        string `json:"id"`
	Reference string `json:"reference"` // as "COBS 19.1"
	Title     string `json:"title"`
	Summary   string `json:"summary"`
	From      string `json:"from,omitempty"` // a date as 2006-01-02; empty: for long
	To        string `json:"to,omitempty"`   // the day on which it ended; empty: in force
	Domain    string `json:"domain"`
	Cited     bool   `json:"cited,omitempty"` // the judgement rests on it
	Ended     bool   `json:"ended,omitempty"` // on the day of the judgement

	Words string   `json:"words,omitempty"`
	Names []string `json:"names,omitempty"` // under which a rule would speak of what has ended
}

// mostRegulation is how many entries a judgement is given.
const mostRegulation = 3

//go:embed regulation/rules.json
var regulationFile []byte

// regulation is the library; its stems are made once.
var regulation, regulationStems = readRegulation()

func readRegulation() (list []Regulation, stems []map[string]bool) {
	if err := json.Unmarshal(regulationFile, &list); err != nil {
		panic("learning: regulation/rules.json: " + err.Error()) // it is part of the program
	}
	for _, r := range list {
		stems = append(stems, pack.ContentStems(r.Title+" "+r.Words))
	}
	return list, stems
}

// RelevantRegulation picks what bears on a rule, nearest first: by the telling words they share, each counted by how
// few entries have it, and by the rule's domain. What has ended comes only where the rule names it, and then first.
func RelevantRegulation(packName, rule, domain string, at time.Time) []Regulation {
	if !pack.Of(packName).Checks {
		return nil
	}
	day, text := at.UTC().Format(time.DateOnly), strings.ToLower(rule)
	mine := pack.ContentStems(rule)
	type hit struct {
		at    int
		score float64
	}
	var hits []hit
	for i, r := range regulation {
		switch ended := r.To != "" && r.To <= day; {
		case ended && slices.ContainsFunc(r.Names, func(n string) bool { return strings.Contains(text, n) }):
			hits = append(hits, hit{i, 1000})
		case ended || r.From > day:
			continue
		default:
			if s := regulationScore(mine, i, domain); s >= 0.9 {
				hits = append(hits, hit{i, s})
			}
		}
	}
	sort.SliceStable(hits, func(a, b int) bool { return hits[a].score > hits[b].score })
	var out []Regulation
	for _, h := range hits[:min(len(hits), mostRegulation)] {
		r := regulation[h.at]
		r.Ended = r.To != "" && r.To <= day
		r.Words, r.Names = "", nil
		out = append(out, r)
	}
	return out
}

func regulationScore(mine map[string]bool, i int, domain string) float64 {
	score := 0.0
	for w := range mine {
		if !regulationStems[i][w] {
			continue
		}
		n := 0
		for _, other := range regulationStems {
			if other[w] {
				n++
			}
		}
		score += 1 / float64(1+n/2)
	}
	if score > 0 && regulation[i].Domain == domain {
		score += 0.5
	}
	return score
}

// cite marks the entries that a judgement rests on; without any, the nearest one in force.
func cite(list []Regulation, ids []string) []Regulation {
	out := slices.Clone(list)
	any := false
	for i := range out {
		out[i].Cited = slices.Contains(ids, out[i].ID) || out[i].Ended
		any = any || out[i].Cited
	}
	if !any && len(out) > 0 {
		out[0].Cited = true
	}
	return out
}
