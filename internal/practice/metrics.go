package practice

import (
	"cmp"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"

	"preceptor/internal/platform/estimate"
)

// Figure is a mean with its 95 % interval.
type Figure struct {
	Of   float64 `json:"of"`
	Low  float64 `json:"low"`
	High float64 `json:"high"`
	N    int     `json:"n"`
}

// Metrics are seed 000's VirtualMetrics. Intervals are Wilson's.
type Metrics struct {
	RiskAssessmentAccuracy  Figure `json:"risk_assessment_accuracy"`
	GuidanceAppropriateness Figure `json:"guidance_appropriateness"`
	ComplianceRate          Figure `json:"compliance_rate"`
	Satisfaction            Figure `json:"satisfaction"` // 0 to 10
	Comprehension           Figure `json:"comprehension"`
	GoalAlignment           Figure `json:"goal_alignment"`
	UnderstandingVerified   Figure `json:"understanding_verification_rate"`
	SignpostingRate         Figure `json:"signposting_rate"`
	DBWarningRate           Figure `json:"db_warning_rate"`
	NeedsMet                Figure `json:"needs_met"` // beyond the seed's: share of needs
	OverallQuality          Figure `json:"overall_quality"`
	InBase                  Figure `json:"in_base"` // beyond the seed's: quality for those whose answer the base has
	// Failed counts those that weren't successful, by why; nil for runs from before it was kept.
	Failed map[string]int `json:"failed,omitempty"`
	Found  map[string]int `json:"found,omitempty"` // the answers in which a check found something, by its code
}

// Measure sums sessions up.
func Measure(list []Session) Metrics {
	failed, found := map[string]int{}, map[string]int{}
	for _, s := range list {
		for _, code := range s.Issues {
			found[code]++
		}
		if s.Why != "" {
			failed[s.Why]++
		}
	}
	return Metrics{Failed: failed, Found: found,
		InBase: rate(list, func(s *Session) *bool {
			if !s.InBase {
				return nil
			}
			return &s.Successful
		}),
		RiskAssessmentAccuracy:  mean(list, 1, func(s *Session) float64 { return s.RisksIdentified }),
		GuidanceAppropriateness: rate(list, func(s *Session) *bool { return &s.GuidanceAppropriate }),
		ComplianceRate:          rate(list, func(s *Session) *bool { return &s.FCACompliant }),
		Satisfaction:            mean(list, 10, func(s *Session) float64 { return s.Satisfaction }),
		Comprehension:           mean(list, 10, func(s *Session) float64 { return s.Comprehension }),
		GoalAlignment:           mean(list, 10, func(s *Session) float64 { return s.GoalAlignment }),
		UnderstandingVerified:   rate(list, func(s *Session) *bool { return s.UnderstandingChecked }),
		SignpostingRate:         rate(list, func(s *Session) *bool { return s.Signposted }),
		DBWarningRate:           rate(list, func(s *Session) *bool { return s.DBWarningGiven }),
		NeedsMet:                mean(list, 1, needsMet),
		OverallQuality:          rate(list, func(s *Session) *bool { return &s.Successful }),
	}
}

// NotCompliant is how many answers the checks would stop.
func (m Metrics) NotCompliant() int {
	return int(math.Round((1 - m.ComplianceRate.Of) * float64(m.ComplianceRate.N)))
}

func needsMet(s *Session) float64 {
	return share(float64(len(s.Met)), float64(len(s.Met)+len(s.Missed)))
}

func mean(list []Session, most float64, of func(*Session) float64) (f Figure) {
	sum, squares := 0.0, 0.0
	for i := range list {
		x := of(&list[i])
		sum, squares = sum+x, squares+x*x
	}
	f.N = len(list)
	f.Of, f.Low, f.High = estimate.Mean(f.N, sum, squares, 0, most)
	return f
}

// rate is the share of those that were asked for which it was true.
func rate(list []Session, of func(*Session) *bool) (f Figure) {
	n := 0
	for i := range list {
		if b := of(&list[i]); b != nil {
			f.N++
			if *b {
				n++
			}
		}
	}
	if f.N > 0 {
		f.Of = float64(n) / float64(f.N)
		f.Low, f.High = estimate.Wilson(n, f.N, estimate.Z95)
	}
	return f
}

const resamples = 2000

// gain is by how much a measure is higher in one list of sessions than in another with the same people, with the 95 %
// interval of a paired bootstrap over situations: two wordings of one situation, or two seeds, are no two witnesses
// (Efron and Tibshirani 1993, ch. 13).
func gain(with, without []Session, of func(*Session) float64) Figure {
	sums := map[string][2]float64{}
	for i := range with {
		life, _, _ := strings.Cut(with[i].Person, "/")
		x := sums[life]
		sums[life] = [2]float64{x[0] + of(&with[i]) - of(&without[i]), x[1] + 1}
	}
	lives := make([]string, 0, len(sums))
	for life := range sums {
		lives = append(lives, life)
	}
	slices.Sort(lives)
	at := func(pick func(i int) string) float64 {
		sum, n := 0.0, 0.0
		for i := range lives {
			x := sums[pick(i)]
			sum, n = sum+x[0], n+x[1]
		}
		return share(sum, n)
	}
	f := Figure{N: len(with)}
	if len(lives) == 0 {
		return f
	}
	f.Of = at(func(i int) string { return lives[i] })
	r := rand.New(rand.NewPCG(1, uint64(len(lives)))) //nolint:gosec // the same again
	drawn := make([]float64, resamples)
	for i := range drawn {
		drawn[i] = at(func(int) string { return lives[r.IntN(len(lives))] })
	}
	slices.SortFunc(drawn, cmp.Compare)
	f.Low, f.High = estimate.Quantile(drawn, 0.025), estimate.Quantile(drawn, 0.975)
	return f
}

func quality(s *Session) float64 {
	if s.Successful {
		return 1
	}
	return 0
}

func satisfaction(s *Session) float64 { return s.Satisfaction }

// Row is a measure as it is shown.
type Row struct {
	Name   string
	Score  bool // 0 to 10, else a share
	Figure Figure
}

// Text is a value of the measure in words.
func (r Row) Text(v float64) string {
	if r.Score {
		return fmt.Sprintf("%.1f", v)
	}
	return fmt.Sprintf("%.0f%%", v*100)
}

// Rows are the measures in the seed's order.
func (m Metrics) Rows() []Row {
	return []Row{{"Risks identified", false, m.RiskAssessmentAccuracy},
		{"Guidance appropriate", false, m.GuidanceAppropriateness}, {"Compliant", false, m.ComplianceRate},
		{"Satisfaction", true, m.Satisfaction}, {"Comprehension", true, m.Comprehension},
		{"Goal alignment", true, m.GoalAlignment},
		{"Understanding checked", false, m.UnderstandingVerified}, {"Signposted when needed", false, m.SignpostingRate},
		{"DB warning given", false, m.DBWarningRate},
		{"Needs met", false, m.NeedsMet}, {"Successful", false, m.OverallQuality},
		{"Successful where the base has the answer", false, m.InBase}}
}
