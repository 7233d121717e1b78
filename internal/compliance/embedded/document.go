package embedded

import (
	"math"
	"sort"

	"preceptor/internal/compliance"
	"preceptor/internal/phrase"
)

// Codes are the issues that the judges know, in the order of their models' rows: first those that a sentence says, as in Classes, then
// those of something that is missing.
var Codes = []string{compliance.PersonalRecommendation, compliance.DisguisedRecommendation, compliance.ProductNamed, compliance.GuaranteeOrPromise,
	compliance.Pressure, compliance.InaccurateFact,
	compliance.MissingDBWarning, compliance.MissingRiskDisclosure, compliance.MissingSignpost, compliance.ScamRiskUnflagged,
	compliance.UnderstandingNotChecked, compliance.JargonForLiteracy}

// firstDue is the first of Codes that is missing rather than said.
const firstDue = 6

// aspects are what is weighed apart: what the text says, and what it lacks.
var aspects = []string{Boundary, Completeness}

// Of are the codes of an aspect, as the places in Codes from and up to which they stand.
func Of(aspect string) (from, to int) {
	if aspect == Boundary {
		return 0, firstDue
	}
	return firstDue, len(Codes)
}

// Features are the names of what is weighed of a whole text, by aspect. All are of the worst sentences, of what is missing, or of the
// customer: a sentence more that says nothing, or another order of paragraphs, changes none.
var Features = map[string][]string{Boundary: saidNames(), Completeness: dueNames()}

var (
	disclosureClasses = []string{"loss", "no_return", "guarantee_word", "fall", "runout", "inflation", "dies_with", "tax", "mpaa", "fees", "locked", "benefits", "calm",
		"understanding", "scam_warn", "signpost", "decline", "your_choice", "protect", "scam_sign", "refer", "hedge", "explain", "check_with"}
	topicClasses = []string{"t_drawdown", "t_annuity", "t_cash", "t_transfer", "t_db", "t_gar", "t_combine", "t_mpaa", "t_tax", "t_state", "t_defer", "t_death", "t_scam",
		"t_debt", "t_divorce", "t_redundancy", "t_contrib", "t_invest", "t_health", "t_benefits", "t_abroad", "t_property", "t_early", "t_lost", "t_bank"}
	customerNames = []string{"low literacy", "vulnerable", "asks for a choice", "holds guarantees", "scam words asked"}
)

func saidNames() []string {
	var out []string
	for _, c := range Classes[1:] {
		out = append(out, "max "+c)
	}
	out = append(out, "max any", "second any", "hard over soft", "stopped by a check")
	for _, c := range Codes[:firstDue] {
		out = append(out, "check "+c)
	}
	return append(out, customerNames...)
}

func dueNames() []string {
	var out []string
	for _, a := range Acts[1:] {
		out = append(out, "act "+a)
	}
	for _, t := range topicClasses {
		out = append(out, "gap "+t)
	}
	out = append(out, "asked and no signpost", "holds and no warning", "frail and no check", "scam and no alarm", "moves and no warning", "hard words and low", "hardest sentences", "stopped by a check")
	for _, c := range Codes[firstDue:] {
		out = append(out, "check "+c)
	}
	for _, c := range disclosureClasses {
		out = append(out, "lacks "+c)
	}
	for _, t := range topicClasses {
		out = append(out, "asked "+t)
	}
	for _, t := range topicClasses {
		out = append(out, "told "+t)
	}
	return append(out, customerNames...)
}

// Document is the vector of a whole text as an aspect sees it.
func Document(aspect string, s Scores, e *Evidence) []Feature {
	if aspect == Boundary {
		return sparse(said(s.Steers, e))
	}
	return sparse(due(s.Acts, e))
}

func sparse(x []float64) (out []Feature) {
	for i, v := range x {
		if v != 0 {
			out = append(out, Feature{int32(i), float32(v)})
		}
	}
	return out
}

func said(steers [][]float64, e *Evidence) (x []float64) {
	for c := 1; c < len(Classes); c++ {
		top := 0.0
		for _, p := range steers {
			top = max(top, p[c])
		}
		x = append(x, logit(max(top, steerFrom/2)))
	}
	first, second, hard, soft := steerFrom, steerFrom, steerFrom/2, steerFrom/2
	for _, p := range steers {
		if v := 1 - p[0]; v > first {
			first, second = v, first
		} else {
			second = max(second, v)
		}
		hard, soft = max(hard, p[1]), max(soft, p[2])
	}
	x = append(x, logit(first), logit(second), logit(hard)-logit(soft), e.stopped[0])
	x = append(x, e.found[:firstDue]...)
	return append(x, e.customer...)
}

// due is what the text does for its reader, and where what is called for is missing.
func due(acts [][]float64, e *Evidence) (x []float64) {
	tops := make([]float64, len(Acts))
	for _, p := range acts {
		for a := range tops {
			tops[a] = max(tops[a], p[a])
		}
	}
	for _, p := range tops[1:] {
		x = append(x, logit(p))
	}
	x = append(x, gaps(acts, e)...)
	warn, sign, check, alarm := tops[2], tops[3], tops[4], tops[5]
	x = append(x, e.asks*(1-sign), e.holds*(1-warn), e.frail*(1-check), e.scam*(1-alarm), e.moves*e.holds*(1-warn), e.low*e.grade, e.grade, e.stopped[1])
	x = append(x, e.found[firstDue:]...)
	x = append(x, e.rest...)
	return append(x, e.customer...)
}

// gaps tell for each topic how far its risks are from being told in the paragraphs that are about it.
func gaps(acts [][]float64, e *Evidence) []float64 {
	risk := make([]float64, len(acts)+1) // by paragraph
	for i, p := range acts {
		at := e.paragraph[i]
		risk[at] = max(risk[at], p[1]+p[2])
	}
	out := make([]float64, len(topicClasses))
	for t := range topicClasses {
		described, told := 0, 0.0
		for i, s := range e.topics {
			if s.Has(e.classes[t]) {
				described++
				told = max(told, risk[e.paragraph[i]])
			}
		}
		if described > 0 {
			out[t] = (1 - min(told, 1)) * min(float64(described), 3) / 3
		}
	}
	return out
}

// rest is what a text lacks of each kind of disclosure, what was asked and what is told.
func rest(s *compliance.Subject) []float64 {
	x := make([]float64, 0, len(disclosureClasses)+2*len(topicClasses))
	set := s.Reading().Set
	asked := s.Situation.Words().Set
	for _, class := range named(disclosureClasses) {
		x = append(x, number(!set.Has(class)))
	}
	for _, of := range []phrase.Set{asked, set} {
		for _, t := range named(topicClasses) {
			x = append(x, number(of.Has(t)))
		}
	}
	return x
}

func number(yes bool) float64 {
	if yes {
		return 1
	}
	return 0
}

// hardest is the Flesch-Kincaid grade of the three hardest sentences of a text, at most 20, as a share of 20: easy ones beside them help
// nobody over those.
func hardest(r *phrase.Reading) float64 {
	var grades []float64
	for i := range r.Sentences {
		if len(r.Sentences[i].Tokens) > 3 {
			grades = append(grades, compliance.Grade(&phrase.Reading{Text: r.Text, Sentences: r.Sentences[i : i+1]}))
		}
	}
	sort.Float64s(grades)
	if len(grades) > 3 {
		grades = grades[len(grades)-3:]
	}
	sum := 0.0
	for _, g := range grades {
		sum += min(max(g, 0), 20)
	}
	return sum / 20 / float64(max(len(grades), 1))
}

// WeighedFeatures are the names of what an aspect's label is weighed by: how likely each of its issues is, and the worst of them.
var WeighedFeatures = map[string][]string{Boundary: weighedNames(Boundary), Completeness: weighedNames(Completeness)}

func weighedNames(aspect string) []string {
	var out []string
	from, to := Of(aspect)
	for _, c := range Codes[from:to] {
		out = append(out, "likely "+c)
	}
	return append(out, "any issue", "likeliest", "second likeliest", "stopped by a check", "found by checks", "hard over soft", "strongest sentence", "second sentence")
}

// Weigh makes the vector of an aspect's label from the probabilities of its issues and from the document's vector.
func Weigh(aspect string, codes []float64, document []Feature) []Feature {
	names := places[aspect]
	at := func(name string) float64 {
		place, ok := names[name]
		i := sort.Search(len(document), func(i int) bool { return document[i].At >= place })
		if !ok || i == len(document) || document[i].At != place {
			return 0
		}
		return float64(document[i].Value)
	}
	var x []float64
	none, first, second, found := 1.0, 0.0, 0.0, 0.0
	from, to := Of(aspect)
	for i, p := range codes {
		if p > first {
			first, second = p, first
		} else {
			second = max(second, p)
		}
		x = append(x, logit(p))
		none *= 1 - min(p, 0.99)
		found += at("check " + Codes[from:to][i])
	}
	return sparse(append(x, logit(1-none), logit(first), logit(second), at("stopped by a check"), min(found, 3)/3, at("hard over soft"), at("max any"), at("second any")))
}

var places = func() map[string]map[string]int32 {
	out := map[string]map[string]int32{}
	for aspect, names := range Features {
		out[aspect] = map[string]int32{}
		for i, n := range names {
			out[aspect][n] = int32(i)
		}
	}
	return out
}()

// steerFrom is the probability below which a sentence says nothing: what is less likely to steer than a common one tells texts no
// further apart, and a neutral sentence more must change nothing.
const steerFrom = 0.1

// logit of a probability, bounded and scaled to about 1.
func logit(p float64) float64 {
	p = min(max(p, 0.003), 0.997)
	return math.Log(p/(1-p)) / 3
}
