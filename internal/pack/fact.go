package pack

import (
	"slices"
	"sort"
	"sync/atomic"
	"time"

	"preceptor/internal/phrase"
)

// Fact is one dated figure. From and To bound the days on which it holds, To exclusive; zero means open.
type Fact struct {
	Key    string // as "mpaa"
	Name   string // as "money purchase annual allowance"
	Value  float64
	Unit   string // "GBP", "GBP/week", "percent", "age", "years"
	From   time.Time
	To     time.Time
	Source string // statute, rule or GOV.UK page
}

// FactTable is the facts that hold on one day.
type FactTable struct {
	At    time.Time
	facts []Fact
}

// day is midnight UTC of a date.
func day(y int, m time.Month, d int) time.Time { return time.Date(y, m, d, 0, 0, 0, 0, time.UTC) }

// taxYear is the first day of the tax year that begins in y.
func taxYear(y int) time.Time { return day(y, time.April, 6) }

// newest is a day of the newest tax year that the table was checked for.
var newest = day(2026, time.November, 1)

const (
	govState   = "GOV.UK: Benefit and pension rates; Social Security Benefits Up-rating Order"
	govTax     = "GOV.UK: Income Tax rates and Personal Allowances; Income Tax Act 2007 Parts 2 and 3"
	govRelief  = "GOV.UK: Tax on your private pension contributions; Finance Act 2004 Part 4"
	govAuto    = "GOV.UK: Automatic enrolment thresholds; Pensions Act 2008"
	itepa      = "Income Tax (Earnings and Pensions) Act 2003 Part 9, as amended by Finance Act 2024"
	adviceRule = "Pension Schemes Act 2015 s48; SI 2015/742; COBS 19.1"
)

// history is every figure that the product knows with the time for which it holds. Older values stay, because that is
// how a stale figure in an old document is told from one that is merely different.
var history = []Fact{
	{"tax_free_share", "share of a pot that is usually tax free", 25, "percent", time.Time{}, time.Time{}, itepa},
	{"lump_sum_allowance", "lump sum allowance", 268275, "GBP", taxYear(2024), time.Time{}, itepa + " (s637P)"},
	{"lump_sum_death_allowance", "lump sum and death benefit allowance", 1073100, "GBP", taxYear(2024), time.Time{},
		itepa + " (s637R)"},
	{"lifetime_allowance", "lifetime allowance", 1073100, "GBP", taxYear(2020), taxYear(2024),
		"Finance Act 2004 s218; abolished by Finance Act 2024"},

	{"mpaa", "money purchase annual allowance", 10000, "GBP", taxYear(2015), taxYear(2017), "Finance Act 2004 s227B"},
	{"mpaa", "money purchase annual allowance", 4000, "GBP", taxYear(2017), taxYear(2023), "Finance Act 2004 s227ZA"},
	{"mpaa", "money purchase annual allowance", 10000, "GBP", taxYear(2023), time.Time{},
		"Finance Act 2004 s227ZA; GOV.UK: Tax on your private pension contributions"},
	{"annual_allowance", "annual allowance", 40000, "GBP", taxYear(2014), taxYear(2023), "Finance Act 2004 s228"},
	{"annual_allowance", "annual allowance", 60000, "GBP", taxYear(2023), time.Time{},
		"Finance Act 2004 s228; " + govRelief},
	{"tapered_threshold_income", "threshold income for the tapered annual allowance", 200000, "GBP", taxYear(2020),
		time.Time{}, "Finance Act 2004 s228ZA"},
	{"tapered_adjusted_income", "adjusted income for the tapered annual allowance", 240000, "GBP", taxYear(2020),
		taxYear(2023), "Finance Act 2004 s228ZA"},
	{"tapered_adjusted_income", "adjusted income for the tapered annual allowance", 260000, "GBP", taxYear(2023),
		time.Time{}, "Finance Act 2004 s228ZA"},
	{"relief_without_earnings_paid", "what people without earnings pay in for it, before tax relief", 2880, "GBP",
		taxYear(2006), time.Time{}, "Finance Act 2004 ss190, 192"},
	{"relief_without_earnings", "contribution with tax relief for people without earnings", 3600, "GBP", taxYear(2006),
		time.Time{}, "Finance Act 2004 s190"},
	{"small_pot", "small pot that may be taken as a lump sum, up to three personal pots", 10000, "GBP",
		day(2014, time.March, 27), time.Time{}, "SI 2009/1171; GOV.UK: Small pots"},
	{"unauthorised_tax", "highest tax on an unauthorised payment", 55, "percent", taxYear(2006), time.Time{},
		"Finance Act 2004 ss208 to 209; GOV.UK: Higher tax on unauthorised payments"},

	{"minimum_pension_age", "normal minimum pension age", 55, "age", taxYear(2010), taxYear(2028),
		"Finance Act 2004 s279"},
	{"minimum_pension_age", "normal minimum pension age", 57, "age", taxYear(2028), time.Time{},
		"Finance Act 2022 s10"},
	{"death_benefit_age", "age at death before which benefits are usually free of Income Tax", 75, "age", taxYear(2015),
		time.Time{}, "Taxation of Pensions Act 2014; GOV.UK: Tax on a private pension you inherit"},
	{"pension_wise_age", "age from which Pension Wise is free to use", 50, "age", time.Time{}, time.Time{},
		"MoneyHelper: Pension Wise"},
	{"db_advice", "value of safeguarded benefits above which advice is required before a transfer", 30000, "GBP",
		taxYear(2015), time.Time{}, adviceRule},

	{"state_pension_age", "State Pension age", 65, "age", time.Time{}, day(2018, time.December, 6),
		"Pensions Act 1995 Sch 4"},
	{"state_pension_age", "State Pension age", 66, "age", day(2020, time.October, 6), taxYear(2026),
		"Pensions Act 2011 s1"},
	// From 6 May 2026 the age is 66 and some months for people born from 6 April 1960, and 67 for those born from 6
	// March 1961.
	{"state_pension_age", "State Pension age, rising in steps from 66 to 67 by 2028", 66, "age", taxYear(2026),
		day(2028, time.March, 6), "Pensions Act 2014 s26"},
	{"state_pension_age", "State Pension age", 67, "age", day(2028, time.March, 6), time.Time{},
		"Pensions Act 2014 s26"},
	{"state_pension_full_years", "qualifying years for the full new State Pension", 35, "years", taxYear(2016),
		time.Time{}, "Pensions Act 2014 s2"},
	{"state_pension_least_years", "qualifying years for any new State Pension", 10, "years", taxYear(2016), time.Time{},
		"SI 2015/173 reg 13"},

	{"state_pension_deferral", "rise of the new State Pension for each full year that it is deferred", 5.8, "percent",
		taxYear(2016), time.Time{}, "SI 2015/173 reg 10: 1% for every nine weeks"},

	{"state_pension_full", "full new State Pension", 155.65, "GBP/week", taxYear(2016), taxYear(2017), govState},
	{"state_pension_full", "full new State Pension", 159.55, "GBP/week", taxYear(2017), taxYear(2018), govState},
	{"state_pension_full", "full new State Pension", 164.35, "GBP/week", taxYear(2018), taxYear(2019), govState},
	{"state_pension_full", "full new State Pension", 168.60, "GBP/week", taxYear(2019), taxYear(2020), govState},
	{"state_pension_full", "full new State Pension", 175.20, "GBP/week", taxYear(2020), taxYear(2021), govState},
	{"state_pension_full", "full new State Pension", 179.60, "GBP/week", taxYear(2021), taxYear(2022), govState},
	{"state_pension_full", "full new State Pension", 185.15, "GBP/week", taxYear(2022), taxYear(2023), govState},
	{"state_pension_full", "full new State Pension", 203.85, "GBP/week", taxYear(2023), taxYear(2024), govState},
	{"state_pension_full", "full new State Pension", 221.20, "GBP/week", taxYear(2024), taxYear(2025), govState},
	{"state_pension_full", "full new State Pension", 230.25, "GBP/week", taxYear(2025), taxYear(2026), govState},
	{"state_pension_full", "full new State Pension", 241.30, "GBP/week", taxYear(2026), taxYear(2027), govState},
	{"state_pension_basic", "full basic State Pension", 119.30, "GBP/week", taxYear(2016), taxYear(2017), govState},
	{"state_pension_basic", "full basic State Pension", 122.30, "GBP/week", taxYear(2017), taxYear(2018), govState},
	{"state_pension_basic", "full basic State Pension", 125.95, "GBP/week", taxYear(2018), taxYear(2019), govState},
	{"state_pension_basic", "full basic State Pension", 129.20, "GBP/week", taxYear(2019), taxYear(2020), govState},
	{"state_pension_basic", "full basic State Pension", 134.25, "GBP/week", taxYear(2020), taxYear(2021), govState},
	{"state_pension_basic", "full basic State Pension", 137.60, "GBP/week", taxYear(2021), taxYear(2022), govState},
	{"state_pension_basic", "full basic State Pension", 141.85, "GBP/week", taxYear(2022), taxYear(2023), govState},
	{"state_pension_basic", "full basic State Pension", 156.20, "GBP/week", taxYear(2023), taxYear(2024), govState},
	{"state_pension_basic", "full basic State Pension", 169.50, "GBP/week", taxYear(2024), taxYear(2025), govState},
	{"state_pension_basic", "full basic State Pension", 176.45, "GBP/week", taxYear(2025), taxYear(2026), govState},
	{"state_pension_basic", "full basic State Pension", 184.90, "GBP/week", taxYear(2026), taxYear(2027), govState},
	{"pension_credit_single", "Pension Credit standard minimum guarantee, single person", 218.15, "GBP/week",
		taxYear(2024), taxYear(2025), govState},
	{"pension_credit_single", "Pension Credit standard minimum guarantee, single person", 227.10, "GBP/week",
		taxYear(2025), taxYear(2026), govState},
	{"pension_credit_single", "Pension Credit standard minimum guarantee, single person", 238.00, "GBP/week",
		taxYear(2026), taxYear(2027), govState},
	{"pension_credit_couple", "Pension Credit standard minimum guarantee, couple", 332.95, "GBP/week", taxYear(2024),
		taxYear(2025), govState},
	{"pension_credit_couple", "Pension Credit standard minimum guarantee, couple", 346.60, "GBP/week", taxYear(2025),
		taxYear(2026), govState},
	{"pension_credit_couple", "Pension Credit standard minimum guarantee, couple", 363.25, "GBP/week", taxYear(2026),
		taxYear(2027), govState},

	{"personal_allowance", "Personal Allowance", 11000, "GBP", taxYear(2016), taxYear(2017), govTax},
	{"personal_allowance", "Personal Allowance", 11500, "GBP", taxYear(2017), taxYear(2018), govTax},
	{"personal_allowance", "Personal Allowance", 11850, "GBP", taxYear(2018), taxYear(2019), govTax},
	{"personal_allowance", "Personal Allowance", 12500, "GBP", taxYear(2019), taxYear(2021), govTax},
	{"personal_allowance", "Personal Allowance", 12570, "GBP", taxYear(2021), time.Time{},
		govTax + "; frozen until April 2031"},
	{"allowance_taper", "income above which the Personal Allowance shrinks", 100000, "GBP", taxYear(2010), time.Time{},
		govTax},
	{"basic_rate", "basic rate of Income Tax", 20, "percent", taxYear(2008), time.Time{}, govTax},
	{"higher_rate", "higher rate of Income Tax", 40, "percent", taxYear(2008), time.Time{}, govTax},
	{"additional_rate", "additional rate of Income Tax", 45, "percent", taxYear(2013), time.Time{}, govTax},
	{"higher_rate_threshold", "higher rate threshold (England, Wales and Northern Ireland)", 50000, "GBP",
		taxYear(2019), taxYear(2021), govTax},
	{"higher_rate_threshold", "higher rate threshold (England, Wales and Northern Ireland)", 50270, "GBP",
		taxYear(2021), time.Time{}, govTax},
	{"additional_rate_threshold", "additional rate threshold", 150000, "GBP", taxYear(2010), taxYear(2023), govTax},
	{"additional_rate_threshold", "additional rate threshold", 125140, "GBP", taxYear(2023), time.Time{}, govTax},

	{"auto_enrolment_trigger", "earnings from which an employee is enrolled automatically", 10000, "GBP", taxYear(2014),
		time.Time{}, govAuto},
	{"auto_enrolment_least", "least total contribution under automatic enrolment", 8, "percent", taxYear(2019),
		time.Time{}, govAuto},
	{"auto_enrolment_employer", "least employer contribution under automatic enrolment", 3, "percent", taxYear(2019),
		time.Time{}, govAuto},
	{"ppf_below",
		"share of their benefits that the Pension Protection Fund pays to those below the scheme's pension age", 90,
		"percent", day(2005, time.April, 6), time.Time{}, "Pensions Act 2004 Sch 7"},
	{"fscs_deposit", "FSCS limit for deposits", 85000, "GBP", day(2017, time.January, 30), day(2025, time.December, 1),
		"PRA Rulebook: Depositor Protection"},
	{"fscs_deposit", "FSCS limit for deposits", 120000, "GBP", day(2025, time.December, 1), time.Time{},
		"PRA Rulebook: Depositor Protection"},
	{"fscs_investment", "FSCS limit for investments and SIPP operators", 85000, "GBP", day(2019, time.April, 1),
		time.Time{}, "FCA Handbook COMP 10.2"},
}

// Facts is the table for the day of at; the newest known when at is zero. Weekly rates that are set year by year keep
// their last known value after it.
func Facts(at time.Time) FactTable {
	if at.IsZero() {
		at = newest
	}
	if t := lastTable.Load(); t != nil && t.At.Equal(at) {
		return *t
	}
	byKey := map[string]Fact{}
	for _, f := range history {
		open := f.To.IsZero() || at.Before(f.To) || (f.Unit == "GBP/week" && f.To.Equal(taxYear(2027)))
		if open && !at.Before(f.From) {
			byKey[f.Key] = f
		}
	}
	t := FactTable{At: at}
	for _, f := range byKey {
		t.facts = append(t.facts, f)
	}
	sort.Slice(t.facts, func(i, j int) bool { return t.facts[i].Key < t.facts[j].Key })
	lastTable.Store(&t)
	return t
}

// lastTable is the one asked for last: a day's texts all ask for the same.
var lastTable atomic.Pointer[FactTable]

// All lists the facts, by key.
func (t FactTable) All() []Fact { return t.facts }

// Get finds a fact by key.
func (t FactTable) Get(key string) (Fact, bool) {
	for _, f := range t.facts {
		if f.Key == key {
			return f, true
		}
	}
	return Fact{}, false
}

// Figure is the fact's value and what it was before, as rules compare figures (phrase.Figures).
func (t FactTable) Figure(key string) (now float64, before []float64, ok bool) {
	f, ok := t.Get(key)
	for _, old := range history {
		if old.Key == key && old.From.Before(f.From) {
			before = append(before, old.Value)
		}
	}
	return f.Value, before, ok || len(before) > 0
}

// wrongFact is the code of the rules that find figures and claims that are wrong.
const wrongFact = "INACCURATE_FACT"

// WrongFacts is what the pack's rules find wrong in the figures and claims of a text, on the day of at.
func (p *Pack) WrongFacts(text string, at time.Time) []phrase.Finding {
	l := p.Phrases()
	return slices.DeleteFunc(l.Findings(l.ReadText(text, Facts(at).Figure)), func(f phrase.Finding) bool {
		return f.Of.Code != wrongFact
	})
}
