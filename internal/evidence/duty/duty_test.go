package duty

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"preceptor/internal/feedback"
	"preceptor/internal/pack"
	"preceptor/internal/platform/estimate"
	"preceptor/internal/platform/fault"
	"preceptor/internal/review"
	"preceptor/internal/stats"
)

func london(t testing.TB) *time.Location {
	t.Helper()
	zone, err := time.LoadLocation("Europe/London")
	if err != nil {
		t.Skip("this machine knows no zones")
	}
	return zone
}

func TestOfferedPeriodsAreWholeAndOver(t *testing.T) {
	r := &Reporter{Zone: london(t)}
	now := time.Date(2026, time.March, 31, 23, 30, 0, 0, time.UTC) // the first of April in London
	var got []string
	for _, o := range r.Offered(now) {
		got = append(got, o.Name+" "+o.Subject())
		if !o.Last.Before(now) || o.Last.Before(o.First) {
			t.Errorf("%s is not over", o.Name)
		}
	}
	want := []string{"March 2026 2026-03-01/2026-03-31", "February 2026 2026-02-01/2026-02-28",
		"January 2026 2026-01-01/2026-01-31",
		"Quarter 1 of 2026 2026-01-01/2026-03-31", "Quarter 4 of 2025 2025-10-01/2025-12-31",
		"Quarter 3 of 2025 2025-07-01/2025-09-30",
		"Quarter 2 of 2025 2025-04-01/2025-06-30", "Twelve months 2025-04-01/2026-03-31"}
	if !slices.Equal(got, want) {
		t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}

func TestThePeriodNamesItself(t *testing.T) {
	day := time.Date(2026, time.October, 1, 0, 0, 0, 0, time.UTC)
	if got := (Period{day, day}).String(); got != "1 October 2026" {
		t.Error(got)
	}
	if got := (Period{day, day.AddDate(0, 0, 30)}).String(); got != "1 October 2026 to 31 October 2026" {
		t.Error(got)
	}
}

// The draw can be repeated, and adding what it did not draw changes nothing but by drawing that.
func TestTheDrawIsRepeatable(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		all := map[string]found{}
		for _, id := range rapid.SliceOfDistinct(rapid.StringMatching(`[a-z0-9]{6}`), rapid.ID).Draw(t, "ids") {
			all[id] = found{CaseID: id}
		}
		seed := rapid.StringMatching(`[0-9a-f]{8}`).Draw(t, "seed")
		n := rapid.IntRange(0, 30).Draw(t, "n")
		one, two := draw(seed, all, n), draw(seed, all, n)
		if !slices.Equal(one, two) || len(one) != min(n, len(all)) {
			t.Fatalf("%v, then %v", one, two)
		}
		seen := map[string]bool{}
		for _, f := range one {
			if _, there := all[f.CaseID]; !there || seen[f.CaseID] {
				t.Fatalf("%s was drawn twice, or is none", f.CaseID)
			}
			seen[f.CaseID] = true
		}
		for id := range all {
			if !seen[id] {
				delete(all, id)
				if !slices.Equal(draw(seed, all, n), one) {
					t.Fatal("leaving out what was not drawn changes the draw")
				}
				return
			}
		}
	})
}

func TestTheDrawIsFair(t *testing.T) {
	all := map[string]found{}
	for i := range 100 {
		all[fmt.Sprint(i)] = found{CaseID: fmt.Sprint(i)}
	}
	counts := map[string]int{}
	for seed := range 4000 {
		for _, f := range draw(fmt.Sprint(seed), all, 25) {
			counts[f.CaseID]++
		}
	}
	for id, n := range counts { // 1000 expected, 27 the standard deviation
		if n < 850 || n > 1150 {
			t.Errorf("%s was drawn %d times of 4000", id, n)
		}
	}
}

func TestDecisionsAreCountedByWhatBecameOfThem(t *testing.T) {
	rep, tl := &report{}, newCounter()
	at := time.Date(2026, time.October, 2, 9, 0, 0, 0, time.UTC)
	for i, s := range []review.Settled{
		{CaseID: "a", Kind: review.Approve, State: review.Released, By: "p", Second: "q"},
		{CaseID: "b", Kind: review.Revise, State: review.Released, By: "p",
			Codes: []string{"MISSING_DB_WARNING", "PRESSURE"}},
		{CaseID: "c", Kind: review.Reject, State: review.Escalated, By: "p", Codes: []string{"PRESSURE"}},
		{CaseID: "d", Kind: review.Approve, State: review.Undone, By: "p", SettledBy: "p"},
		{CaseID: "i", Kind: review.Approve, State: review.Undone, By: "p"}, // p was blocked
		{CaseID: "j", Kind: review.Revise, State: review.Undone, By: "p", Second: "q"},
		{CaseID: "e", Kind: review.Approve, State: review.Overruled, By: "p"},
		{CaseID: "f", Kind: review.Approve, State: review.Recalled, By: "p", SettledAt: at},
		{CaseID: "g", Kind: review.Sampled, State: review.Released},
		{CaseID: "h", Kind: review.Approve, State: review.Pending, By: "p"},
	} {
		s.ID, s.At = fmt.Sprint(i), at
		rep.decided(s, tl)
	}
	if rep.ByPeople != 3 || rep.Sampled != 1 || rep.TwoSigned != 1 || rep.Undone != 1 || rep.Lapsed != 2 ||
		rep.Overruled != 1 || len(rep.Corrected) != 1 {
		t.Errorf("%+v", rep)
	}
	if got := ranked(tl.codes, 9); len(got) != 2 || got[0] != (code{"PRESSURE", 2}) ||
		got[1] != (code{"MISSING_DB_WARNING", 1}) {
		t.Errorf("%v", got)
	}
	if len(tl.decided) != 5 { // a, b, c, f, g
		t.Errorf("%v", tl.decided)
	}
}

func TestGroupsCountVotesOutcomesAndDecisions(t *testing.T) {
	yes, no := true, false
	tl := newCounter()
	tl.votes["a"], tl.votes["b"] = [2]int{3, 1}, [2]int{0, 1}
	tl.outcomes["a"] = []feedback.Outcome{{Satisfaction: 8, Comprehension: 6, GoalAlignment: 7, GoalsMet: &yes},
		{Satisfaction: 4, Comprehension: 6, GoalAlignment: 9, GoalsMet: &no, Signposted: &yes}}
	tl.kinds["b"] = [4]int{2, 1, 1, 0}
	var c counted
	c.add("a", tl)
	c.add("b", tl)
	g := c.group("Others")
	by := map[string]stats.Figure{}
	for _, f := range g.Figures {
		by[f.Key] = f
	}
	if f := by["duty.satisfaction"]; f.N != 2 || f.Value != 6 || f.Low >= 6 || f.High <= 6 {
		t.Errorf("satisfaction %+v", f)
	}
	if f := by["duty.comprehension"]; f.Value != 6 || f.Low < 0 || f.High > 10 {
		t.Errorf("comprehension %+v", f)
	}
	if f := by["duty.goals_met"]; f.Part != 1 || f.N != 2 {
		t.Errorf("goals met %+v", f)
	}
	if f := by["duty.signposted"]; f.Part != 1 || f.N != 1 {
		t.Errorf("signposted %+v", f)
	}
	if f := by["duty.warned"]; f.Known {
		t.Errorf("nobody said whether a warning was given, and it is %+v", f)
	}
	if f := by["duty.votes"]; f.Part != 3 || f.N != 5 {
		t.Errorf("votes %+v", f)
	}
	if f := by["duty.approved"]; f.Part != 1 || f.N != 2 {
		t.Errorf("approved %+v", f)
	}
	if len(g.Figures) != len(groupKeys) || g.Customers != 2 {
		t.Errorf("%d figures of %d", len(g.Figures), g.Customers)
	}
	for i, f := range g.Figures {
		if f.Key != groupKeys[i] {
			t.Errorf("figure %d is %s, want %s", i, f.Key, groupKeys[i])
		}
	}
}

func TestFiguresAreShownAsTheyAreKnown(t *testing.T) {
	before := stats.ShareOf("k", 90, 100)
	f := stats.ShareOf("k", 10, 100)
	f.Before = &before
	if got := rowOf("X", f); got != (shown{"X", "10.0%", "5.5% to 17.4%", "10 of 100",
		"90.0%, significantly different"}) {
		t.Errorf("%+v", got)
	}
	few := stats.ShareOf("k", 11, 12)
	f.Before = &few
	if got := rowOf("X", f); got.Before != "too few to compare (12)" {
		t.Errorf("%+v", got)
	}
	if got := rowOf("X", stats.Figure{Unit: stats.Ratio, Before: &before}); got != (shown{Name: "X", Value: "no data"}) {
		t.Errorf("%+v", got)
	}
	if got := rowOf("X", stats.Figure{Unit: stats.Count, Known: true, Value: 12, N: 12, Low: 12, High: 12}); got != (shown{Name: "X", Value: "12"}) {
		t.Errorf("%+v", got)
	}
	scores := stats.MeanOf("k", stats.Score10, 2, 18, 164) // 8 and 10
	if got := rowOf("X", scores); got.Interval != "5.8 to 9.8" || got.N != "2" {
		t.Errorf("%+v", got)
	}
	if got := rowOf("X", stats.MeanOf("k", stats.Ratio, 3, 1.1, 1.01)); got.Interval != "7.3% to 81.0%" ||
		got.N != "3" {
		// .1, 0 and 1
		t.Errorf("%+v", got)
	}
	if got := rowOf("X", stats.MeanOf("k", stats.Score10, 1, 8, 64)); got.Interval != "" || got.N != "1" {
		t.Errorf("%+v", got)
	}
	for d, want := range map[float64]string{42: "42 s", 61: "1 min 1 s", 7_260: "2 h 1 min", 266_400: "3 days 2 h"} {
		if got := valueOf(stats.Seconds, d); got != want {
			t.Errorf("%v is %s, want %s", d, got, want)
		}
	}
}

// An empty report is written without a figure that was not measured.
func TestAnEmptyReportHasNoFigures(t *testing.T) {
	rep := &report{Groups: []group{(&counted{}).group("Vulnerable customers"), (&counted{}).group("Others")}}
	parts, err := rep.parts()
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range parts {
		if strings.Contains(string(p.HTML), "%</td>") || strings.Contains(string(p.HTML), "NaN") {
			t.Errorf("%s has figures: %s", p.ID, p.HTML)
		}
	}
}

func TestForeignTextIsInert(t *testing.T) {
	evil := `<script>alert(1)</script>`
	rep := &report{Groups: []group{(&counted{}).group("a"), (&counted{}).group("b")}, Caught: []code{{evil, 1}},
		Satisfaction: stats.SatisfactionPage{Topics: []stats.Slice{{Key: evil, Name: evil}}},
		Changes: stats.ChangesPage{
			Changes: []stats.Change{{Kind: "rule", Name: evil, Title: evil, Why: evil, What: "in"}}},
		Index: []found{{CaseID: "i", Agent: evil, Task: evil}}}
	parts, err := rep.parts()
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range parts {
		if strings.Contains(strings.ToLower(string(p.HTML)), "<script") {
			t.Errorf("%s runs a script", p.ID)
		}
	}
}

func TestPeriodsThatCantBe(t *testing.T) {
	r := &Reporter{Zone: time.UTC}
	for _, c := range [][2]string{{"", ""}, {"2026-02-30", "2026-03-01"}, {"1 October", "2026-03-01"}} {
		if _, err := r.ParsePeriod(c[0], c[1]); !fault.Is(err, fault.Invalid) {
			t.Errorf("%v: %v", c, err)
		}
	}
}

// Names of topics and codes may begin with any letter.
func TestNamesBeginWithAnyLetter(t *testing.T) {
	if got := pack.IssueName("ÉTAT_CIVIL") + name(stats.Slice{Key: "ökonomie"}); got != "État civilÖkonomie" {
		t.Errorf("%q", got)
	}
}

// An outcome's issues are a customer's words: they are counted, and so is how many have one.
func TestIssuesAreCountedAndNotQuoted(t *testing.T) {
	rep := &report{Groups: []group{(&counted{}).group("a"), (&counted{}).group("b")},
		Issues: stats.ShareOf("duty.issues", 1, 4), Satisfaction: stats.SatisfactionPage{}}
	parts, err := rep.parts()
	if err != nil || !strings.Contains(string(parts[1].HTML), "Outcomes that name an issue: 25.0%, 1 of 4") {
		t.Errorf("%s, %v", parts[1].HTML, err)
	}
}

// A fall is held against days that the report may not cover, so it says which.
func TestAFallNamesTheDaysItIsComparedWith(t *testing.T) {
	on := func(month time.Month, day int) time.Time { return time.Date(2026, month, day, 0, 0, 0, 0, time.UTC) }
	for days, rep := range map[string]report{
		"from 25 October 2026 to 28 November 2026": {From: on(11, 20), Fall: &stats.Fall{ChangesPage: stats.ChangesPage{
			Filter: stats.Filter{Range: stats.Range{From: on(10, 25), To: on(11, 29)}},
			Around: stats.Range{From: on(11, 24), To: on(11, 27)}}}},
		"from 31 December 2025 to 31 January 2026": {From: on(1, 1), Fall: &stats.Fall{ChangesPage: stats.ChangesPage{
			Filter: stats.Filter{Range: stats.Range{From: on(0, 31), To: on(2, 1)}},
			Around: stats.Range{From: on(1, 1), To: on(1, 3)}}}},
	} {
		if got := rep.FallSays(); !strings.Contains(got, "on the other days "+days+", which is significant") {
			t.Errorf("%q doesn't say %q", got, days)
		}
	}
}

// The votes on a rule that a fall names are on the fall's topic.
func TestAFallSaysOnWhatARulesVotesAre(t *testing.T) {
	rep := report{Fall: &stats.Fall{ChangesPage: stats.ChangesPage{Changes: []stats.Change{{Kind: "rule", Name: "R-1",
		What: "in", Topic: "tax_free_cash", Suspect: true, With: estimate.Of(3, 36), Without: estimate.Of(30, 40)}}}}}
	if got := rep.FallSays(); !strings.Contains(got,
		"Users liked answers on tax-free cash made with it significantly less: 8.3% of 36 votes") {
		t.Error(got)
	}
}
