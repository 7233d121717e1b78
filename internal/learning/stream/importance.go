package stream

import (
	"math"
	"time"

	"preceptor/internal/compliance"
	"preceptor/internal/learning"
)

// ReflectionThreshold is seed 000's, "Reflection Frequency": the summed importance of 24 hours at which an agent
// reflects.
const ReflectionThreshold = 150

// window is the seed's recent(hours=24).
const window = 24 * time.Hour

// TriggersReflection is seed 000's trigger_reflection ("Reflection Frequency").
func TriggersReflection(total, threshold int) bool { return total >= threshold }

// embeddedName is who weighed a memory by the table below.
const embeddedName = "embedded scorer"

// weights are what the embedded scorer gives: seed 000 asks for a number from 1 (mundane) to 10 (poignant). A
// correction teaches more than an approval, and what crosses the FCA's line more than what reads badly.
var weights = map[string]map[string]int{
	Decision: {learning.Approve: 2, learning.Revise: 5, learning.Reject: 7},
	Ruling:   {string(compliance.Compliant): 5, string(compliance.Borderline): 7, string(compliance.NonCompliant): 9},
	Verdict: {string(compliance.Clarify): 4, string(compliance.Ambiguous): 3, string(compliance.ExemplarOffer): 1,
		string(compliance.NegativeExample): 6},
}

// Importance is the embedded scorer: the table's weight, more for a critical finding, a customer with much to lose and
// several findings at once; of an outcome, how far its lowest score is from ten.
func Importance(e Event) int {
	w := weights[e.Kind][e.What]
	if e.Kind == Outcome && e.Scores != nil {
		w = int(math.Round(10 - min(e.Scores.Satisfaction, e.Scores.Comprehension, e.Scores.GoalAlignment)))
	}
	if e.Critical {
		w += 3
	}
	if w > 2 && (e.Situation.Vulnerable || e.Situation.HasDB) {
		w++
	}
	if len(e.Codes) > 2 {
		w++
	}
	return max(1, min(10, w))
}

// recencyPerHour is the decay per hour of the memory stream that seed 000 refers to ("Reflection Frequency",
// Simulacra).
const recencyPerHour = 0.995

// Recency is 1 for what happens now and falls by half a percent an hour: .89 after a day, .43 after a week, .03 after a
// month.
func Recency(age time.Duration) float64 { return math.Pow(recencyPerHour, max(0, age.Hours())) }

// Weight is a memory's importance on a scale up to 1.
func Weight(importance int) float64 { return float64(importance) / 10 }

// Relevance is the cosine of two vectors of length 1, from low on, which texts with nothing in common have.
func Relevance(a, b []float32, low float64) float64 {
	if len(a) != len(b) {
		return 0
	}
	sum := 0.0
	for i := range a {
		sum += float64(a[i]) * float64(b[i])
	}
	return max(0, min(1, (sum-low)/(1-low)))
}

// Score is recency × importance × relevance, each from 0 to 1: how memories are retrieved (seed 000, memory stream).
func Score(recency, weight, relevance float64) float64 { return recency * weight * relevance }
