package embedded

import (
	"math"
	"slices"
	"sort"

	"preceptor/internal/compliance"
)

// WeighedFeatures are the names of what a judge weighs for its label: how likely it finds each issue, and the strongest
// sentences.
var WeighedFeatures = weighedNames()

func weighedNames() []string {
	var out []string
	for _, c := range Codes {
		out = append(out, "likely "+c)
	}
	return append(out, "any issue", "likeliest", "second likeliest", "hard over soft", "strongest sentence", "second sentence", "all sentences", "stopped by a check", "issues found by checks")
}

// Weigh makes the vector of a judge's label from the probabilities of the issues and from the document's vector.
func Weigh(codes []float64, document []Feature) []Feature {
	at := func(place int) float64 {
		i := sort.Search(len(document), func(i int) bool { return int(document[i].At) >= place })
		if i == len(document) || int(document[i].At) != place {
			return 0
		}
		return float64(document[i].Value)
	}
	x := make([]float64, 0, len(WeighedFeatures))
	none, first, second := 1.0, 0.0, 0.0
	for _, p := range codes {
		if p > first {
			first, second = p, first
		} else {
			second = max(second, p)
		}
		x = append(x, logit(p))
		none *= 1 - min(p, 0.99)
	}
	found := 0.0
	for _, i := range checkPlaces {
		found += at(i)
	}
	x = append(x, logit(1-none), logit(first), logit(second), at(strongest[0]), at(strongest[1]), at(strongest[2]), at(strongest[3]), at(strongest[4]),
		math.Min(found, 3)/3)
	out := make([]Feature, len(x))
	for i, v := range x {
		out[i] = Feature{int32(i), float32(v)}
	}
	return out
}

var placeOf = func() map[string]int {
	out := map[string]int{}
	for i, n := range DocumentFeatures {
		out[n] = i
	}
	return out
}()

// strongest are where a document's vector says how the strongest sentences are, and whether a check stops it.
var strongest = [...]int{placeOf["hard over soft"], placeOf["max any"], placeOf["second any"], placeOf["mean any"], placeOf["critical"]}

// checkPlaces are where a document's vector says what the checks found.
var checkPlaces = func() (out []int) {
	for _, c := range Codes {
		out = append(out, placeOf["check "+c])
	}
	return out
}()

// Penalty is how dear a feature is to a judge's label, beside 1: what lies in its view is believed sooner. The last is the
// constant's.
func Penalty(judge string) []float64 {
	out := make([]float64, len(WeighedFeatures)+1)
	for i := range out {
		out[i] = 1
		if i < len(Codes) && !slices.Contains(views[judge], Codes[i]) {
			out[i] = outOfView
		}
	}
	return out
}

const outOfView = 3

// views are the issues that a judge looks for first.
var views = map[string][]string{
	Boundary:      {compliance.PersonalRecommendation, compliance.DisguisedRecommendation, compliance.ProductNamed, compliance.Pressure},
	Risk:          {compliance.MissingDBWarning, compliance.MissingRiskDisclosure, compliance.GuaranteeOrPromise, compliance.InaccurateFact, compliance.ScamRiskUnflagged},
	Understanding: {compliance.UnderstandingNotChecked, compliance.JargonForLiteracy, compliance.MissingSignpost, compliance.Pressure, compliance.DisguisedRecommendation},
}
