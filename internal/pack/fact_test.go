package pack

import (
	"strings"
	"testing"
	"time"
)

func TestFactsOfTheDay(t *testing.T) {
	for _, c := range []struct {
		key  string
		at   time.Time
		want float64
	}{
		{"mpaa", time.Time{}, 10000}, {"mpaa", day(2020, 1, 1), 4000}, {"mpaa", day(2023, 4, 5), 4000}, {"mpaa", day(2023, 4, 6), 10000},
		{"lump_sum_allowance", time.Time{}, 268275}, {"lump_sum_death_allowance", time.Time{}, 1073100},
		{"annual_allowance", time.Time{}, 60000}, {"minimum_pension_age", day(2028, 4, 5), 55}, {"minimum_pension_age", day(2028, 4, 6), 57},
		{"db_advice", time.Time{}, 30000}, {"state_pension_full", day(2025, 11, 1), 230.25}, {"state_pension_full", day(2026, 4, 6), 241.30},
		{"state_pension_full", day(2027, 6, 1), 241.30}, {"personal_allowance", time.Time{}, 12570}, {"higher_rate_threshold", time.Time{}, 50270},
		{"additional_rate_threshold", time.Time{}, 125140}, {"state_pension_age", day(2026, 11, 1), 66}, {"state_pension_age", day(2028, 5, 1), 67},
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
	got := FindFigures("At 58 you can take 25% of £80,000 by 5 April 2027; £1.5m or £4k, 7.5 per cent, in 2028. I'm 61.")
	want := []struct {
		kind string
		v    float64
	}{{"age", 58}, {"percent", 25}, {"money", 80000}, {"date", 5}, {"money", 1.5e6}, {"money", 4000}, {"percent", 7.5}, {"year", 2028}, {"age", 61}}
	if len(got) != len(want) {
		t.Fatalf("found %+v", got)
	}
	for i, w := range want {
		if got[i].Kind != w.kind || got[i].Value != w.v {
			t.Errorf("figure %d = %+v, want %v", i, got[i], w)
		}
	}
}

func TestPounds(t *testing.T) {
	for v, want := range map[float64]string{10000: "£10,000", 241.3: "£241.30", 268275: "£268,275", 950: "£950", 1073100: "£1,073,100"} {
		if got := Pounds(v); got != want {
			t.Errorf("Pounds(%v) = %s", v, got)
		}
	}
}

func TestCheck(t *testing.T) {
	at := day(2026, 11, 21)
	for _, c := range []struct {
		text string
		want string // "key/severity", comma separated
	}{
		{"You may have to pay tax on contributions over £4,000 a year (the money purchase annual allowance, MPAA).", "mpaa/major"},
		{"The money purchase annual allowance (MPAA) is £10,000.", ""},
		{"Once you trigger the MPAA your limit falls from £60,000 to £10,000.", ""},
		{"The annual allowance is £40,000.", "annual_allowance/major"},
		{"The annual allowance is £60,000 for most people.", ""},
		{"You could carry forward unused annual allowance of £40,000.", ""},
		{"Your standard lifetime allowance is £1,073,100.", "lifetime_allowance/major"},
		{"The lifetime allowance was abolished on 6 April 2024.", ""},
		{"The full new State Pension is £203.85 a week.", "state_pension_full/major"},
		{"The full new State Pension is £230.25 a week.", "state_pension_full/major"},
		{"The full new State Pension is £241.30 a week in 2026/27.", ""},
		{"The full basic State Pension is £141.85 per week.", "state_pension_basic/major"},
		{"You can take money from your pot from age 55.", "minimum_pension_age/minor"},
		{"You can take money from age 55, rising to 57 from 6 April 2028.", ""},
		{"The minimum pension age is 57.", "minimum_pension_age/major"},
		{"The standard Personal Allowance is £12,500.", "personal_allowance/major"},
		{"The standard Personal Allowance is £12,570.", ""},
		{"By law you must get advice if your defined benefit pension is worth more than £30,000.", ""},
		{"By law you must take regulated advice to transfer a final salary pension above £50,000.", "db_advice/major"},
		{"If you have a pot of £80,000 you can take £20,000 tax free.", ""},
		{"Usually 25% of your pot is tax free.", ""},
		{"Usually 30% of your pot is tax free.", "tax_free_share/major"},
		{"The other 75% is taxed, and 25% is tax free.", ""},
		{"You pay 45% additional rate tax above £150,000.", "additional_rate_threshold/major"},
		{"Speak to The Pensions Advisory Service.", "guidance_body/minor"},
		{"MoneyHelper replaced the Money Advice Service.", ""},
		{"Your State Pension age is 65.", "state_pension_age/major"},
		{"State Pension age is 66, rising to 67 by 2028.", ""},
		{"State Pension age was 65 for men and 60 for women until 2010.", ""},
		{"Small pots worth less than £10,000 can be taken as cash.", ""},
		{"You pay tax above the annual allowance. This is currently £40,000 a year.", "annual_allowance/major"},
		{"The amount you can pay in drops to a maximum of £4,000 a year once you start taking money from a pot.", "mpaa/major"},
		{"Full New State Pension per year | £9,339.20", "state_pension_full/major"},
		{"Pots above the lifetime allowance were taxed. This was £1,073,100 before 6 April 2023.", ""},
		{"You take out £4,000 each year from your pot.", ""},
		{"", ""},
	} {
		var got []string
		for _, i := range Check(c.text, at) {
			got = append(got, i.Key+"/"+i.Severity)
			if c.text[i.Start:i.End] != i.Quote || i.Why == "" || i.Source == "" {
				t.Errorf("%q: issue %+v", c.text, i)
			}
		}
		if g := strings.Join(got, ","); g != c.want {
			t.Errorf("Check(%q) = %s, want %s", c.text, g, c.want)
		}
	}
}
