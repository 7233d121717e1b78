package pack

import (
	"testing"
	"time"
)

func TestFactsOfTheDay(t *testing.T) {
	for _, c := range []struct {
		key  string
		at   time.Time
		want float64
	}{
		{"mpaa", time.Time{}, 10000}, {"mpaa", day(2020, 1, 1), 4000}, {"mpaa", day(2023, 4, 5), 4000},
		{"mpaa", day(2023, 4, 6), 10000},
		{"lump_sum_allowance", time.Time{}, 268275}, {"lump_sum_death_allowance", time.Time{}, 1073100},
		{"annual_allowance", time.Time{}, 60000}, {"minimum_pension_age", day(2028, 4, 5), 55},
		{"minimum_pension_age", day(2028, 4, 6), 57},
		{"db_advice", time.Time{}, 30000}, {"state_pension_full", day(2025, 11, 1), 230.25},
		{"state_pension_full", day(2026, 4, 6), 241.30},
		{"state_pension_full", day(2027, 6, 1), 241.30}, {"personal_allowance", time.Time{}, 12570},
		{"higher_rate_threshold", time.Time{}, 50270},
		{"additional_rate_threshold", time.Time{}, 125140}, {"state_pension_age", day(2026, 11, 1), 66},
		{"state_pension_age", day(2028, 5, 1), 67},
		{"small_pot", time.Time{}, 10000}, {"tax_free_share", time.Time{}, 25},
	} {
		if f, ok := Facts(c.at).Get(c.key); !ok || f.Value != c.want || f.Source == "" {
			t.Errorf("%s on %s = %v, want %v", c.key, c.at.Format("2006-01-02"), f, c.want)
		}
	}
	if _, ok := Facts(day(2026, 11, 1)).Get("lifetime_allowance"); ok {
		t.Error("the lifetime allowance still holds")
	}
	keys := map[string]bool{}
	for _, f := range Facts(time.Time{}).All() {
		if keys[f.Key] {
			t.Errorf("%s stands twice on one day", f.Key)
		}
		keys[f.Key] = true
	}
}

func TestFindFigures(t *testing.T) {
	got := FindFigures(
		"At 58 you can take 25% of £80,000 by 5 April 2027; £1.5m or £4k, 7.5 per cent, in 2028. I'm 61.")
	want := []struct {
		kind string
		v    float64
	}{{"age", 58}, {"percent", 25}, {"money", 80000}, {"date", 5}, {"money", 1.5e6}, {"money", 4000}, {"percent", 7.5},
		{"year", 2028}, {"age", 61}}
	if len(got) != len(want) {
		t.Fatalf("found %+v", got)
	}
	for i, w := range want {
		if got[i].Kind != w.kind || got[i].Value != w.v {
			t.Errorf("figure %d = %+v, want %v", i, got[i], w)
		}
	}
}

func TestWrongFacts(t *testing.T) {
	at := day(2026, 11, 21)
	for _, c := range []struct {
		text  string
		wrong bool
	}{
		{"You may have to pay tax on contributions over £4,000 a year (the money purchase annual allowance, MPAA).",
			true},
		{"The money purchase annual allowance (MPAA) is £10,000.", false},
		{"Once you trigger the MPAA your limit falls from £60,000 to £10,000.", false},
		{"The annual allowance is £40,000.", true},
		{"The annual allowance is £60,000 for most people.", false},
		{"You could carry forward unused annual allowance of £40,000.", false},
		{"Your standard lifetime allowance is £1,073,100.", true},
		{"The lifetime allowance was abolished on 6 April 2024.", false},
		{"The full new State Pension is £203.85 a week.", true},
		{"The full new State Pension is £230.25 a week.", true},
		{"The full new State Pension is £241.30 a week in 2026/27.", false},
		{"The full basic State Pension is £141.85 per week.", true},
		{"You can take money from age 55, rising to 57 from 6 April 2028.", false},
		{"The minimum pension age is 57.", true},
		{"The standard Personal Allowance is £12,500.", true},
		{"The standard Personal Allowance is £12,570.", false},
		{"By law you must get advice if your defined benefit pension is worth more than £30,000.", false},
		{"By law you must take regulated advice to transfer a final salary pension above £50,000.", true},
		{"If you have a pot of £80,000 you can take £20,000 tax free.", false},
		{"Usually 25% of your pot is tax free.", false},
		{"Usually 30% of your pot is tax free.", true},
		{"The other 75% is taxed, and 25% is tax free.", false},
		{"You pay 45% additional rate tax above £150,000.", true},
		{"Speak to The Pensions Advisory Service.", true},
		{"MoneyHelper replaced the Money Advice Service.", false},
		{"Your State Pension age is 65.", true},
		{"State Pension age is 66, rising to 67 by 2028.", false},
		{"State Pension age was 65 for men and 60 for women until 2010.", false},
		{"Small pots worth less than £10,000 can be taken as cash.", false},
		{"You pay tax above the annual allowance. This is currently £40,000 a year.", true},
		{"The amount you can pay in drops to a maximum of £4,000 a year once you start taking money from a pot.", true},
		{"Pots above the lifetime allowance were taxed. This was £1,073,100 before 6 April 2023.", false},
		{"You take out £4,000 each year from your pot.", false},
		{"", false},
	} {
		if got := Of(Pension).WrongFacts(c.text, at); len(got) > 0 != c.wrong {
			t.Errorf("%q: %v, want %v", c.text, got, c.wrong)
		}
	}
}

func TestConfirms(t *testing.T) {
	table := Facts(day(2026, 11, 21))
	for sentence, want := range map[string]bool{
		"The full new State Pension is £241.30 a week.":                                 true,
		"People without earnings can still pay in £2,880 a year, which becomes £3,600.": true,
		"The full new State Pension is £230.25 a week.":                                 false,
		"You can pay in £2,880, or £4,000 in a good year.":                              false,
		"The minimum age stays at 55.":                                                  false,
		"The amount is £25.":                                                            false,
		"From age 43 you can pay in £2,880.":                                            false,
		"A quarter is tax free.":                                                        false,
	} {
		if got := table.Confirms(sentence); got != want {
			t.Errorf("%q: %t", sentence, got)
		}
	}
}
