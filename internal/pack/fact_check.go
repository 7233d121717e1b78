package pack

import (
	"fmt"
	"math"
	"strings"
	"time"
)

// FactIssue is a figure or statement that the table contradicts.
type FactIssue struct {
	Key        string // of the fact
	Quote      string
	Start, End int
	Severity   string // "major" or "minor"
	Why        string // a sentence for a person
	Source     string
}

// figureCheck looks for a figure of one kind in sentences that speak of one fact.
type figureCheck struct {
	key     string
	kind    string
	context *Pattern // the sentence speaks of the fact
	not     *Pattern // and not of this; nil when there is nothing to exclude
	near    *Pattern // words between context and figure, or around it; nil when any figure of the kind is meant
	yearly  bool     // the figure is for a year, the fact for a week
	known   bool     // only values that the fact once had are wrong; others may be examples
}

var figureChecks = []figureCheck{
	{key: "mpaa", kind: "money", context: ci(`money purchase annual allowance|\bmpaa\b`), not: ci(`trigger|tax[- ]free|£10,?000|small pot|ufpls|leeway|sets? (?:it )?off`), near: ci(`allowance|mpaa|limit|over|above|exceed|more than|reduced|falls|drops|up to`)},
	{key: "annual_allowance", kind: "money", context: ci(`annual allowance`), not: ci(`money purchase|\bmpaa\b|taper|unused|carry|adjusted income`), known: true},
	{key: "personal_allowance", kind: "money", context: ci(`personal allowance`), not: ci(`marriage|blind`), known: true},
	{key: "lump_sum_allowance", kind: "money", context: ci(`lump sum allowance`), not: ci(`death|protect|example`), near: ci(`allowance is|standard|most people|up to|limit|capped`)},
	{key: "lump_sum_death_allowance", kind: "money", context: ci(`lump sum and death benefit allowance|\blsdba\b`), not: ci(`protect|example`), near: ci(`allowance|lsdba`)},
	{key: "state_pension_full", kind: "money", context: ci(`state pension`), not: ci(`basic|pension credit|a year|per year`), known: true},
	{key: "state_pension_full", kind: "money", context: ci(`state pension`), not: ci(`basic|pension credit`), yearly: true, known: true},
	{key: "state_pension_basic", kind: "money", context: ci(`basic state pension`), known: true},
	{key: "mpaa", kind: "money", context: ci(`(?:pay in|pay into|paying in|contribut|save).{0,160}(?:drop|fall|reduc|lower|maximum|most|limit)|(?:drop|fall|reduc|lower|maximum|most|limit).{0,160}(?:pay in|pay into|paying in|contribut)`), not: ci(`example|tax free|lump sum of`), known: true},
	{key: "higher_rate_threshold", kind: "money", context: ci(`higher[- ]rate|40 ?%`), known: true},
	{key: "additional_rate_threshold", kind: "money", context: ci(`additional[- ]rate|45 ?%`), known: true},
	{key: "small_pot", kind: "money", context: ci(`small (?:pot|pension)s?`), not: ci(`trivial|in total|example`), near: ci(`worth|less|under|up to|below|each`)},
	{key: "db_advice", kind: "money", context: ci(`(?:defined[- ]benefit|final[- ]salary|career[- ]average|safeguarded|\bdb\b).{0,160}(?:advice|adviser)|(?:advice|adviser).{0,160}(?:defined[- ]benefit|final[- ]salary|career[- ]average|safeguarded|\bdb\b)`), near: ci(`must|law|require|need`), not: ci(`example|allowance|yours|(?:cetv|value) of £|your (?:pension|benefits|transfer value|scheme) (?:is|are|at)|you have|is worth £|(?:for|with|on|of) an? £|with £`)},
	{key: "tapered_adjusted_income", kind: "money", context: ci(`adjusted income`), known: true},
	{key: "fscs_deposit", kind: "money", context: ci(`\bfscs\b|compensation scheme`), not: ci(`invest|sipp|pension provider|annuit|insurer|advice`), known: true},
	{key: "pension_credit_single", kind: "money", context: ci(`pension credit`), known: true},
	{key: "pension_credit_couple", kind: "money", context: ci(`pension credit`), known: true},
	{key: "tax_free_share", kind: "percent", context: ci(`\d+ ?(?:%|per ?cent) (?:of (?:your|the|each|my) (?:\w+ )?(?:pot|pension|payment|sum|withdrawal) )?(?:is |can be (?:taken |paid )?|as an? |as )?tax[- ]?free|tax[- ]?free (?:lump sum|cash|amount) (?:of|is) (?:up to )?\d+ ?(?:%|per ?cent)`), not: ci(`75|protect|scheme-specific|relief`)},
	{key: "state_pension_age", kind: "age", context: ci(`state pension age (?:is|of|at)|(?:get|claim|receive) (?:your |the |a )?state pension (?:at|from|when you (?:are|turn|reach))`), not: ci(`women|men |born|2010|before|used to|was `)},
}

// Check compares the figures in text with the facts of a day: what was true once and no longer is (major), and what is true
// but says less than a reader needs (minor).
func Check(text string, at time.Time) []FactIssue {
	return CheckSentences(text, SentenceSpans(text), at)
}

// CheckSentences is Check for a text whose sentences are known.
func CheckSentences(text string, spans []Span, at time.Time) []FactIssue {
	table := Facts(at)
	var out []FactIssue
	for i, sp := range spans {
		sentence := sp.In(text)
		meant := sentence // what its figures may be about: "This is currently £40,000" speaks of the sentence before
		if i > 0 && pointsBackFactRE.MatchString(sentence) {
			meant = spans[i-1].In(text) + " " + sentence
		}
		for _, f := range figuresOfFacts(sentence, meant) {
			if issue, bad := checkFigure(table, meant, f); bad {
				issue.Start, issue.End = issue.Start+sp.Start, issue.End+sp.Start
				out = append(out, issue)
			}
		}
		if statesRE.MatchString(sentence) {
			out = append(out, checkStatements(table, text, sentence+" "+after(text, spans, i), len(sentence), sp.Start)...)
		}
	}
	return out
}

// statesRE is what a sentence must speak of to be looked at for statements.
var statesRE = ci(`lifetime allowance|\blta\b|55|57|pensions advisory service|\btpas\b|money advice service|single financial guidance`)

// figuresOfFacts are the figures of a sentence, where what it means speaks of a fact with a figure at all.
func figuresOfFacts(sentence, meant string) []Figure {
	if !strings.ContainsAny(sentence, "0123456789") || !speaksOfFact(meant) {
		return nil
	}
	return FindFigures(sentence)
}

// speaksOfFact tells whether a sentence speaks of a fact with a figure at all.
func speaksOfFact(s string) bool {
	for _, c := range figureChecks {
		if c.context.MatchString(s) {
			return true
		}
	}
	return false
}

func checkFigure(table FactTable, sentence string, f Figure) (FactIssue, bool) {
	for _, c := range figureChecks {
		if f.Kind != c.kind || !c.context.MatchString(sentence) || c.not != nil && c.not.MatchString(sentence) {
			continue
		}
		if c.near != nil && !c.near.MatchString(sentence) {
			continue
		}
		fact, ok := table.Get(c.key)
		if !ok || f.Value == fact.Value || holdsElsewhere(table, c, sentence, f.Value) {
			continue
		}
		value := f.Value
		if c.yearly {
			value = math.Round(f.Value/52*100) / 100
		}
		was, past := table.past(c.key, value)
		if !past && (c.known || !plausible(f.Value, fact.Value)) {
			continue
		}
		why := fmt.Sprintf("The %s is %s, not %s.", fact.Name, spell(fact), f.Text)
		if past {
			why = fmt.Sprintf("%s was the %s until %s; it is %s now.", f.Text, was.Name+perYear(c.yearly), was.To.AddDate(0, 0, -1).Format("2 January 2006"), spell(fact))
		}
		return FactIssue{Key: c.key, Quote: f.Text, Start: f.Start, End: f.End, Severity: "major", Why: why, Source: fact.Source}, true
	}
	return FactIssue{}, false
}

// holdsElsewhere tells whether a figure that this fact contradicts is the right figure of another fact that the same
// sentence may mean.
func holdsElsewhere(table FactTable, c figureCheck, sentence string, v float64) bool {
	if c.key == "state_pension_age" && v == 67 {
		return true // the age is rising to 67
	}
	for _, other := range figureChecks {
		if other.key != c.key && other.kind == c.kind && other.context.MatchString(sentence) && table.value(other.key) == v {
			return true
		}
	}
	return false
}

// plausible tells whether v may be meant as the fact's value: within a factor of four.
func plausible(v, want float64) bool { return v > want/4 && v < want*4 }

func perYear(yearly bool) string {
	if yearly {
		return " for a year"
	}
	return ""
}

func spell(f Fact) string {
	switch f.Unit {
	case "GBP":
		return Pounds(f.Value)
	case "GBP/week":
		return Pounds(f.Value) + " a week"
	case "percent":
		return fmt.Sprintf("%g%%", f.Value)
	}
	return fmt.Sprintf("%g", f.Value)
}

var (
	pointsBackFactRE = ci(`^(?:this|it|that|which|these)\b`)
	lifetimeRE       = ci(`lifetime allowance|\blta\b`)
	abolishedRE      = ci(`abolish|replaced|removed|this was|won'?t be subject|scrapped|no longer|used to|ended|was |were |previous|former|no lifetime|allowance protection|registered|not a lifetime|until (?:5 |6 )?april 2024|before (?:5 |6 )?april 2024|gone`)
	access55RE       = ci(`\b(?:age |at |from |until |before |over |turn |reach |when you(?:'re| are) )(55)\b`)
	accessRE         = ci(`take|access|draw|withdraw|release|get|cash|start|option|minimum`)
	minimum57RE      = ci(`\b57\b`)
	already57RE      = ci(`minimum (?:pension )?age (?:is|of) (57)\b`)
	oldBodiesRE      = ci(`the pensions advisory service|\btpas\b|money advice service|single financial guidance body`)
	mergedRE         = ci(`moneyhelper|replaced|merged|formerly|former|now part|used to`)
)

// checkStatements looks at one sentence, the first size bytes of window; the rest of window is the sentence after it, which may
// put it right.
func checkStatements(table FactTable, text, window string, size, base int) []FactIssue {
	sentence := window[:size]
	var out []FactIssue
	add := func(key, severity, why, source string, m []int) {
		out = append(out, FactIssue{Key: key, Quote: sentence[m[0]:m[1]], Start: base + m[0], End: base + m[1], Severity: severity, Why: why, Source: source})
	}
	if m := lifetimeRE.FindStringIndex(sentence); m != nil && !table.At.Before(taxYear(2024)) && !abolishedRE.MatchString(window) {
		add("lifetime_allowance", "major", "The lifetime allowance was abolished on 6 April 2024; the lump sum allowance and the lump sum and death benefit allowance took its place.", "Finance Act 2024 s14 and Sch 9", m)
	}
	if table.value("minimum_pension_age") == 55 {
		if m := access55RE.FindStringSubmatchIndex(sentence); m != nil && accessRE.MatchString(sentence) && !minimum57RE.MatchString(text) {
			add("minimum_pension_age", "minor", "The minimum age rises from 55 to 57 on 6 April 2028; the text does not say so.", "Finance Act 2022 s10", m[2:4])
		}
		if m := already57RE.FindStringSubmatchIndex(sentence); m != nil && !strings.Contains(sentence, "2028") {
			add("minimum_pension_age", "major", "The minimum age is 55 until 5 April 2028, and 57 from then on.", "Finance Act 2022 s10", m[2:4])
		}
	} else if m := access55RE.FindStringSubmatchIndex(sentence); m != nil && accessRE.MatchString(sentence) && !minimum57RE.MatchString(sentence) {
		add("minimum_pension_age", "major", "The minimum age is 57 since 6 April 2028.", "Finance Act 2022 s10", m[2:4])
	}
	if m := oldBodiesRE.FindStringIndex(sentence); m != nil && !mergedRE.MatchString(sentence) {
		add("guidance_body", "minor", "This service is part of MoneyHelper since 2021.", "Financial Guidance and Claims Act 2018; MoneyHelper", m)
	}
	return out
}

func after(text string, spans []Span, i int) string {
	if i+1 < len(spans) {
		return spans[i+1].In(text)
	}
	return ""
}
