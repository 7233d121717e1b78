package embedded

import (
	"math"
	"sync"

	"preceptor/internal/compliance"
	"preceptor/internal/compliance/lexicon"
	"preceptor/internal/pack"
)

// DocumentFeatures are the names of what a judge weighs about a whole text.
var DocumentFeatures = documentNames()

var (
	disclosureClasses = []string{"loss", "no_return", "guarantee_word", "fall", "runout", "inflation", "dies_with", "tax", "mpaa", "fees", "locked", "benefits", "calm",
		"understanding", "scam_warn", "signpost", "decline", "your_choice", "protect", "scam_sign", "refer", "hedge", "explain", "check_with"}
	ruleCodes = []string{compliance.MissingDBWarning, compliance.PersonalRecommendation, compliance.DisguisedRecommendation, compliance.ProductNamed,
		compliance.MissingRiskDisclosure, compliance.MissingSignpost, compliance.GuaranteeOrPromise, compliance.ScamRiskUnflagged, compliance.Pressure,
		compliance.InaccurateFact, compliance.UnderstandingNotChecked, compliance.JargonForLiteracy}
)

var topicClasses = []string{"t_drawdown", "t_annuity", "t_cash", "t_transfer", "t_db", "t_gar", "t_combine", "t_mpaa", "t_tax", "t_state", "t_defer", "t_death", "t_scam",
	"t_debt", "t_divorce", "t_redundancy", "t_contrib", "t_invest", "t_health", "t_benefits", "t_abroad", "t_property", "t_early", "t_lost", "t_bank"}

func documentNames() []string {
	var out []string
	for _, c := range Classes[1:] {
		out = append(out, "max "+c)
	}
	out = append(out, "max any", "second any", "mean any", "hard over soft", "first half", "last quarter")
	for _, a := range Acts[1:] {
		out = append(out, "act "+a)
	}
	out = append(out, "risks told")
	for _, t := range topicClasses {
		out = append(out, "gap "+t)
	}
	out = append(out, "asked and no signpost", "holds and no warning", "frail and no check", "scam and no alarm", "moves and no warning", "hard words and low")
	for _, c := range ruleCodes {
		out = append(out, "check "+c)
	}
	for _, c := range disclosureClasses {
		out = append(out, "lacks "+c)
	}
	out = append(out, circumstanceNames...)
	for _, t := range topicClasses {
		out = append(out, "asked "+t)
	}
	for _, t := range topicClasses {
		out = append(out, "told "+t)
	}
	return out
}

var circumstanceNames = []string{"low literacy", "vulnerable", "asks for a choice", "holds guarantees", "critical", "sentences", "grade", "scam words asked", "steering words", "unasked signpost", "low and no check", "guarantees and no loss"}

// Document makes the vector of a whole text from the classes and acts of its sentences and the rest of what it shows.
func Document(steers, acts [][]float64, e *Evidence) []Feature {
	return new(desk).document(steers, disclosed(acts, e))
}

// disclosed is the part of a text's vector in which the judges agree.
func disclosed(acts [][]float64, e *Evidence) []float64 {
	return append(disclosures(make([]float64, 0, len(DocumentFeatures)), acts, e), e.rest...)
}

// desk is room for the vector of a whole text, used again.
type desk struct {
	x   []float64
	out []Feature
}

var desks = sync.Pool{New: func() any { return new(desk) }}

// document makes the vector, which holds until the desk is used again.
func (d *desk) document(steers [][]float64, disclosed []float64) []Feature {
	x := d.x[:0]
	add := func(v float64) { x = append(x, v) }
	for c := 1; c < len(Classes); c++ {
		top := 0.0
		for _, p := range steers {
			top = max(top, p[c])
		}
		add(logit(top))
	}
	first, second := 0.0, 0.0 // the strongest sentences
	sum, hard, soft, early, late := 0.0, 0.0, 0.0, 0.0, 0.0
	for i, p := range steers {
		if v := 1 - p[0]; v > first {
			first, second = v, first
		} else {
			second = max(second, v)
		}
		sum += 1 - p[0]
		hard, soft = max(hard, p[1]), max(soft, p[2])
		if 2*i < len(steers) {
			early = max(early, 1-p[0])
		}
		if 4*i >= 3*len(steers) {
			late = max(late, 1-p[0])
		}
	}
	add(logit(first))
	add(logit(second))
	add(sum / float64(max(len(steers), 1)) * 4)
	add(logit(hard) - logit(soft))
	add(logit(early))
	add(logit(late))
	x = append(x, disclosed...)
	if len(x) != len(DocumentFeatures) {
		panic("embedded: a document's vector has another length than its names")
	}
	out := d.out[:0]
	for i, v := range x {
		if v != 0 {
			out = append(out, Feature{int32(i), float32(v)})
		}
	}
	d.x, d.out = x, out
	return out
}

// disclosures are what the text does for its reader, and where what is due is missing.
func disclosures(x []float64, acts [][]float64, e *Evidence) []float64 {
	tops := make([]float64, len(Acts))
	told := 0.0
	for _, p := range acts {
		for a := range tops {
			tops[a] = max(tops[a], p[a])
		}
		told += p[1]
	}
	for _, p := range tops[1:] {
		x = append(x, logit(p))
	}
	x = append(x, min(told, 4)/4)
	for t := range topicClasses {
		described, risk := 0, 0.0
		for i, s := range e.topics {
			if !s.Has(e.classes[t]) {
				continue
			}
			described++
			for k := max(i-1, 0); k <= min(i+1, len(acts)-1); k++ {
				risk = max(risk, acts[k][1]+acts[k][2])
			}
		}
		gap := 0.0
		if described > 0 {
			gap = (1 - min(risk, 1)) * min(float64(described), 3) / 3
		}
		x = append(x, gap)
	}
	warn, sign, check, alarm := tops[2], tops[3], tops[4], tops[5]
	return append(x, e.asks*(1-sign), e.holds*(1-warn), e.frail*(1-check), e.scam*(1-alarm), e.moves*e.holds*(1-warn), e.low*e.grade)
}

// Rest is what a text shows beside its sentences: what the checks found, what it lacks, and for whom it is.
func Rest(s *compliance.Subject) []float64 {
	x := make([]float64, 0, len(DocumentFeatures))
	add := func(v float64) { x = append(x, v) }
	criticals := 0.0
	for _, code := range ruleCodes {
		v := 0.0
		for _, i := range s.Found {
			if i.Code == code {
				v = 1
				if i.Severity == compliance.Critical {
					criticals = 1
				}
			}
		}
		add(v)
	}
	x = append(x, lacks(s)...)
	x = append(x, circumstances(s, criticals)...)
	asked := lexicon.Pensions().ReadText(s.Situation.Question, []pack.Span{{End: len(s.Situation.Question)}}).Set
	for _, set := range []lexicon.Set{asked, s.Reading().Set} {
		for _, t := range named(topicClasses) {
			v := 0.0
			if set.Has(t) {
				v = 1
			}
			x = append(x, v)
		}
	}
	return x
}

// lacks tells, for each kind of disclosure, whether the text has nothing of it.
func lacks(s *compliance.Subject) []float64 {
	set := s.Reading().Set
	out := make([]float64, len(disclosureClasses))
	for i, class := range named(disclosureClasses) {
		if !set.Has(class) {
			out[i] = 1
		}
	}
	return out
}

var namedOnce sync.Map

// named looks up classes by their names, once for each list.
func named(names []string) []lexicon.Class {
	if v, ok := namedOnce.Load(&names[0]); ok {
		return v.([]lexicon.Class)
	}
	out := make([]lexicon.Class, len(names))
	for i, n := range names {
		out[i] = lexicon.Pensions().Find(n)
	}
	namedOnce.Store(&names[0], out)
	return out
}

var (
	steeringClasses = []string{"author", "like_you", "circ", "modal_hard", "eval_pos", "lean", "social", "certain_tone"}
	silentClasses   = []string{"signpost", "understanding", "loss"}
)

func circumstances(s *compliance.Subject, criticals float64) []float64 {
	yes := func(b bool) float64 {
		if b {
			return 1
		}
		return 0
	}
	set, silent := s.Reading().Set, named(silentClasses)
	low := s.Situation.Reads() == "low"
	fragile := s.Situation.Vulnerable
	safe := s.Situation.HoldsSafeguarded()
	steering := 0.0
	for _, c := range named(steeringClasses) {
		steering += yes(set.Has(c)) / 8
	}
	return []float64{yes(low), yes(fragile), yes(s.Situation.AsksForChoice()), yes(safe), criticals,
		float64(len(s.Reading().Sentences)) / 20, min(compliance.Grade(s.Reading()), 20) / 20, yes(s.Situation.ScamSigns()), steering,
		yes(!set.Has(silent[0]) && !s.Situation.AsksForChoice()), yes((low || fragile) && !set.Has(silent[1])), yes(safe && !set.Has(silent[2]))}
}

// logit of a probability, bounded and scaled to about 1.
func logit(p float64) float64 {
	p = min(max(p, 0.003), 0.997)
	return math.Log(p/(1-p)) / 3
}
