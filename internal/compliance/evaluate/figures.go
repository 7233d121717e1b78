package evaluate

import (
	"slices"
	"strings"

	"preceptor/internal/compliance/measure"
	"preceptor/internal/platform/estimate"
	"preceptor/internal/platform/lists"
)

// Figures are what was measured.
type Figures struct {
	Items  int            `json:"items"`
	Truths map[string]int `json:"truths"` // label -> items
	Who    []Figure       `json:"who"`    // the panel, the checks, then each judge
	Votes  measure.Votes  `json:"independent_votes"`
	// Alike are the correlations of the judges' probabilities of a violation, by pair.
	Alike     []Alike      `json:"correlations,omitempty"`
	Escalated measure.Rate `json:"escalated"`        // by the panel, to a person
	Steady    []Change     `json:"steady,omitempty"` // of a file: what changes a label without saying anything else
	// Agreement is that with experts beside that among experts; nil where a set has no labels of several people.
	Agreement []measure.Beside `json:"agreement,omitempty"`
}

// Figure is what was measured of one of them.
type Figure struct {
	Who      string `json:"who"`
	Name     string `json:"name"`     // for people
	Identity string `json:"identity"` // what answers for it; "" for the checks and the panel
	measure.Report
	Tokens       int     `json:"tokens"` // all together
	LatencyMs    float64 `json:"latency_ms_p50"`
	LatencyP95Ms float64 `json:"latency_ms_p95"`
}

// TokensPerItem is the mean of tokens.
func (f Figure) TokensPerItem() float64 {
	if f.Items == 0 {
		return 0
	}
	return float64(f.Tokens) / float64(f.Items)
}

// Of is the figure of who; nil when there is none.
func (f *Figures) Of(who string) *Figure {
	for i := range f.Who {
		if f.Who[i].Who == who {
			return &f.Who[i]
		}
	}
	return nil
}

// JudgeName is the judge's name behind a who; false for the checks and the panel.
func JudgeName(who string) (string, bool) { return strings.CutPrefix(who, judgePrefix) }

// Alike is the correlation (Pearson) of two judges' probabilities of a violation over the items that both answered.
type Alike struct {
	A     string         `json:"a"`
	B     string         `json:"b"`
	Value measure.Figure `json:"value"`
}

// alike compares each judge with those before it.
func alike(answered []Answered, members []Member) (out []Alike) {
	for i, m := range members {
		for _, before := range members[:i] {
			var x, y []float64
			for _, a := range answered {
				p, q := violation(a, judgePrefix+before.Name), violation(a, judgePrefix+m.Name)
				if p >= 0 && q >= 0 {
					x, y = append(x, p), append(y, q)
				}
			}
			out = append(out, Alike{before.Name, m.Name, measure.Correlation(x, y)})
		}
	}
	return out
}

// violation is who's probability; below 0 where there is none.
func violation(a Answered, who string) float64 {
	for _, s := range a.Said {
		if s.Who == who && s.Label != "" {
			return s.Violation
		}
	}
	return -1
}

// Measure makes figures of answers. members gives each judge its identity.
func Measure(answered []Answered, members []Member) (Figures, error) {
	f := Figures{Items: len(answered), Truths: map[string]int{}}
	by := map[string][]measure.Answer{}
	tokens := map[string]int{}
	latency := map[string][]float64{}
	for _, a := range answered {
		f.Truths[a.Truth]++
		for _, s := range a.Said {
			by[s.Who] = append(by[s.Who],
				measure.Answer{Truth: a.Truth, Said: s.Label, Abstained: s.Label == "", Review: s.Review,
					Scored: s.Violation >= 0, Score: s.Violation, TruthCodes: a.Codes, SaidCodes: s.Codes})
			tokens[s.Who] += s.Tokens
			latency[s.Who] = append(latency[s.Who], float64(s.DurationMs))
		}
	}
	order := []Figure{{Who: WholePanel, Name: "The panel"}, {Who: Checks, Name: "The checks"}}
	for _, m := range members {
		order = append(order, Figure{Who: judgePrefix + m.Name, Name: m.Name, Identity: m.Identity})
	}
	for _, o := range order {
		if len(by[o.Who]) == 0 {
			continue
		}
		var err error
		if o.Report, err = measure.Evaluate(by[o.Who]); err != nil {
			return f, err
		}
		slices.Sort(latency[o.Who])
		o.Tokens, o.LatencyMs, o.LatencyP95Ms = tokens[o.Who], estimate.Quantile(latency[o.Who], 0.5),
			estimate.Quantile(latency[o.Who], 0.95)
		f.Who = append(f.Who, o)
	}
	f.Votes, f.Alike = measure.EffectiveVotes(errorsOf(answered, members)), alike(answered, members)
	escalated, n := 0, 0
	for _, a := range answered {
		for _, s := range a.Said {
			if s.Who == WholePanel {
				n++
				if s.Review {
					escalated++
				}
			}
		}
	}
	f.Escalated = measure.NewRate(escalated, n)
	return f, nil
}

// errorsOf has a row per judge: where it passed what is a violation, or failed what is compliant.
func errorsOf(answered []Answered, members []Member) [][]measure.Error {
	rows := make([][]measure.Error, len(members))
	for i, m := range members {
		rows[i] = lists.Map(answered, func(a Answered) measure.Error { return errorOf(a, judgePrefix+m.Name) })
	}
	return rows
}

func errorOf(a Answered, who string) measure.Error {
	if a.Truth == measure.Borderline {
		return measure.Abstained
	}
	for _, s := range a.Said {
		if s.Who != who || s.Label == "" {
			continue
		}
		if (s.Label == measure.Compliant) != (a.Truth == measure.Compliant) {
			return measure.Wrong
		}
		return measure.Right
	}
	return measure.Abstained
}
