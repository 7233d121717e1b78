package reviews

import (
	"encoding/json"
	"html"
	"reflect"
	"strings"
	"testing"
	"time"

	"preceptor/internal/compliance"
	"preceptor/internal/compliance/borderline"
	"preceptor/internal/interaction"
	"preceptor/internal/pack"
	"preceptor/internal/review"
	"preceptor/views/ui"
)

var now = time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC)

func TestFlagNamesAreWordsOfTheTrade(t *testing.T) {
	for code, want := range map[string]string{"MISSING_DB_WARNING": "Missing DB warning",
		"FCA_BOUNDARY": "FCA boundary", "PERSONAL_RECOMMENDATION": "Personal recommendation",
		"borderline": "borderline", "DB pension": "DB pension", "2 more flags": "2 more flags", "": ""} {
		if got := FlagName(code); got != want {
			t.Errorf("%s: %q, want %q", code, got, want)
		}
	}
	if got := whys("MISSING_SIGNPOST, DB pension"); !reflect.DeepEqual(got,
		[]string{"Missing signpost", "DB pension"}) || whys("") != nil {
		t.Errorf("%q", got)
	}
}

func all(c interaction.Customer) []ui.Fact { return append(given(c), extras(c.Extra)...) }

func TestACustomerIsFactsAndNotJSON(t *testing.T) {
	age, value, no := 58, 310_000.4, false
	got := all(interaction.Customer{Age: &age, Literacy: "low", Vulnerable: &no,
		Pensions: []interaction.Pension{{Kind: "db", ValueGBP: &value, Features: []string{"spouse's pension"}},
			{Kind: "dc"}},
		Extra: map[string]any{"marital_status": "married", "dependants": json.Number("2"), "smokes": true,
			"nothing": nil, "debts": map[string]any{"card": json.Number("900")}, "jobs": []any{"nurse", "carer"}}})
	want := []ui.Fact{{Label: "Age", Value: "58"}, {Label: "DB pension", Value: "£310,000, spouse's pension"},
		{Label: "DC pension", Value: "value not given"}, {Label: "Literacy", Value: "low"},
		{Label: "Vulnerable", Value: "no"},
		{Label: "Debts", Value: "card 900"}, {Label: "Dependants", Value: "2"}, {Label: "Jobs", Value: "nurse, carer"},
		{Label: "Marital status", Value: "married"}, {Label: "Smokes", Value: "yes"}}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("%+v\nwant %+v", got, want)
	}
	if all(interaction.Customer{}) != nil {
		t.Error("somebody of whom nothing is known has facts")
	}
}

func TestAnAgeIsColouredByItsTarget(t *testing.T) {
	for age, want := range map[time.Duration]ui.Tone{0: ui.Neutral, 4*time.Hour - 1: ui.Neutral,
		4 * time.Hour: ui.Amber, 24*time.Hour - 1: ui.Amber, 24 * time.Hour: ui.Red} {
		if tone, icon, word := waited(DefaultTargets, age); tone != want ||
			(tone != ui.Neutral) != (icon != "" && word != "") {
			t.Errorf("%v: %q %q %q, want %q with a sign and a word unless it is quiet", age, tone, icon, word, want)
		}
	}
}

func TestOnlyWhatPassesCanBeApproved(t *testing.T) {
	for _, c := range []struct {
		a    review.Assessment
		want bool
	}{
		{review.Assessment{Label: "COMPLIANT_GUIDANCE", Passed: true}, true},
		{review.Assessment{Label: "COMPLIANT_GUIDANCE", Passed: true, Flags: []review.Flag{{Severity: review.Minor}}},
			true},
		{review.Assessment{Label: "BORDERLINE", Passed: true, Borderline: true}, false},
		{review.Assessment{Label: "NON_COMPLIANT", Blocked: true}, false},
		{review.Assessment{}, false},
		{review.Assessment{Label: review.NotJudged, Source: "RULE_BASED"}, true}, // a pack without judges
		{review.Assessment{Label: review.NotJudged, Source: "RULE_BASED", Borderline: true,
			Because: []string{"It doesn't read as English."}}, true},
	} {
		v := Case{Item: &review.Item{}, Assessment: c.a}
		if v.approvable() != c.want {
			t.Errorf("%+v: %v, want %v", c.a, v.approvable(), c.want)
		}
		if tone, icon, word := verdict(c.a); icon == "" || word == "" ||
			(tone == ui.Green) != (c.a.Passed && c.want && len(c.a.Flags) == 0) ||
			c.a.Label == review.NotJudged && word != "Not checked" {
			t.Errorf("%+v: %q %q %q", c.a, tone, icon, word)
		}
	}
}

func TestWhoMayDecide(t *testing.T) {
	claim := func(by string, left time.Duration) review.Claim {
		return review.Claim{By: review.Person{ID: by, Name: by}, Until: now.Add(left)}
	}
	for name, c := range map[string]struct {
		state                             string
		claim                             review.Claim
		decide, mine, free, ranOut, other bool
	}{
		"free":                 {"waiting", review.Claim{}, true, false, true, false, false},
		"mine":                 {"waiting", claim("me", time.Minute), true, true, false, false, false},
		"mine, ran out":        {"waiting", claim("me", -time.Minute), true, false, false, true, false},
		"another's":            {"waiting", claim("ben", time.Minute), false, false, false, false, true},
		"another's, ran out":   {"waiting", claim("ben", -time.Minute), true, false, true, false, false},
		"decided":              {"decided", review.Claim{}, false, false, false, false, false},
		"decided, once was me": {"decided", claim("me", -time.Minute), false, false, false, true, false},
	} {
		v := Case{Item: &review.Item{Row: review.Row{State: c.state, Claim: c.claim}}, Viewer: "me", Now: now}
		if v.mayDecide() != c.decide || v.Mine() != c.mine || v.free() != c.free || v.RanOut() != c.ranOut ||
			v.HeldByOther() != c.other {
			t.Errorf("%s: decide %v, mine %v, free %v, ran out %v, another's %v", name, v.mayDecide(), v.Mine(),
				v.free(), v.RanOut(), v.HeldByOther())
		}
	}
}

func TestMarksPointAtWordsAndNumberAllFlags(t *testing.T) {
	got := marks([]review.Flag{{Code: "A_B", Severity: review.Major},
		{Code: "C_D", Severity: review.Critical, Stops: true, Start: 3, End: 9}})
	if len(got) != 1 || got[0].Number != 2 || got[0].Href != "#flag-2" || got[0].Tone != ui.Red {
		t.Errorf("%+v", got)
	}
}

func TestAddressesKeepTheFilter(t *testing.T) {
	v := Case{Item: &review.Item{Row: review.Row{ID: "i"}}, Filter: "?agent=a+b"}
	for mode, want := range map[string]string{"": "/reviews/i?agent=a+b",
		"revise": "/reviews/i?agent=a+b&mode=revise"} {
		if got := v.mode(mode); got != want {
			t.Errorf("%q: %s, want %s", mode, got, want)
		}
	}
}

func TestReasonsHaveTheirDigits(t *testing.T) {
	options := Case{In: &interaction.Interaction{}}.reasonOptions()
	seen := map[string]bool{}
	for _, o := range options {
		if o.Label == "" || seen[o.Key] {
			t.Errorf("%+v", o)
		}
		seen[o.Key] = true
	}
	if options[0].Key != "1" || pack.ReasonOf("no_such").Label != "" ||
		!strings.Contains(pack.ReasonOf(options[0].Value).Label, options[0].Label) {
		t.Errorf("%+v", options[0])
	}
}

func TestTheRailUndoesTheNewestThatIsHeld(t *testing.T) {
	held := func(left time.Duration) RailItem {
		return RailItem{Decision: review.Decision{State: review.Held, HeldUntil: now.Add(left)}}
	}
	r := Rail{Now: now, Items: []RailItem{held(-time.Second), {Decision: review.Decision{State: review.Undone}},
		held(time.Second), held(2 * time.Second)}}
	if got := r.latest(); got != 2 {
		t.Errorf("u undoes %d, want 2", got)
	}
	r.Items = r.Items[:2]
	if got := r.latest(); got != 0 || r.Items[got].undoable(r) {
		t.Errorf("the toast tells of %d, want the newest, which u can't undo", got)
	}
	r.Now = now.Add(toastStays)
	if got := r.latest(); got != -1 {
		t.Errorf("the toast still tells of %d", got)
	}
	if got := (Rail{Now: now}).latest(); got != -1 {
		t.Errorf("an empty rail undoes %d", got)
	}
}

func TestRuleMarksStayWithUnchangedWords(t *testing.T) {
	const first, second = "It’s yours to keep.", "Ask MoneyHelper first."
	in := &interaction.Interaction{Guidance: first + " " + second,
		Provenance: interaction.Provenance{Marks: []interaction.Mark{
			{End: len(first), Kind: interaction.MarkRule, Label: "R-1"},
			{Start: len(first) + 1, End: len(first + " " + second), Kind: interaction.MarkRule, Label: "R-2"},
			{Start: 0, End: 4, Kind: interaction.MarkSource, Label: "Case #001"},
			{Start: 9, End: 900, Kind: interaction.MarkRule, Label: "R-3"}}}}
	known := []Known{{Label: "R-1 v3", Href: "/knowledge/rules/a", Text: "When asked, say so"}}
	for text, want := range map[string]string{
		in.Guidance: "R-1 It’s yours to keep. /knowledge/rules/a|R-2 Ask MoneyHelper " +
			"first. /search?q=R-2",
		"Good morning. " +
			in.Guidance: "R-1 It’s yours to keep. /knowledge/rules/a|R-2 Ask MoneyHelper first. /search?q=R-2",
		first + " Ask a regulated adviser.":   "R-1 It’s yours to keep. /knowledge/rules/a",
		"Nothing of it is left as it was. No": "",
	} {
		var got []string
		for _, m := range (Case{In: in, Knowledge: known, Item: &review.Item{Text: text}}).ruleMarks() {
			got = append(got, m.Name+" "+string([]rune(text)[m.Start:m.End])+" "+m.Href)
		}
		if s := strings.Join(got, "|"); s != want {
			t.Errorf("%q:\ngot  %s\nwant %s", text, s, want)
		}
	}
}

// Why a person must look is always there, and stands before what judges said of a text that they can't read.
func TestWhyAPersonMustLookIsShown(t *testing.T) {
	foreign := review.Assessment{Label: review.NotJudged, Source: "RULE_BASED", Borderline: true,
		Because: []string{"It doesn't read as English: the checks know no other language.", "Judge x gave no answer."}}
	shop := review.Assessment{Label: review.NotJudged, Source: "RULE_BASED",
		Because: []string{"No judge reads texts of this domain."}}
	for name, c := range map[string]struct {
		a           review.Assessment
		word, lists string
	}{
		"foreign": {foreign, "It doesn't read as English: the checks know no other language",
			"Judge x gave no answer."},
		"a shop": {shop, "Not checked", "No judge reads texts of this domain."},
	} {
		var b strings.Builder
		if err := verdictLine(Case{Item: &review.Item{}, Assessment: c.a}).Render(t.Context(), &b); err != nil {
			t.Fatal(err)
		}
		page := html.UnescapeString(b.String())
		if !strings.Contains(page, "<strong>"+c.word+"</strong>") || !strings.Contains(page, "<li>"+c.lists+"</li>") {
			t.Errorf("%s: %s", name, page)
		}
	}
}

// Beside a customer whose profile lists other pensions, a DB pension that only words tell of is said to be no part of it.
func TestADBPensionThatTheProfileLacks(t *testing.T) {
	for kind, want := range map[string]string{"": "DB pension", "db": "DB pension",
		"dc": "DB pension, not in the profile"} {
		var c interaction.Consultation
		if kind != "" {
			c.Customer.Pensions = []interaction.Pension{{Kind: kind}}
		}
		if got := care(c, []string{pack.DBPension}); len(got) != 1 || got[0] != want {
			t.Errorf("%q: %q, want %q", kind, got, want)
		}
	}
}

// A line that says that every judge passed a text is no warning; all others are.
func TestJudgesWhoAgreeWarnOfNothing(t *testing.T) {
	for line, want := range map[string]ui.Tone{
		"3 of 3 judges passed it, 90% sure": ui.Neutral, "Judges split 2–1: guarantee": ui.Amber,
		"3 of 3 judges passed it, a check flagged it: guarantee": ui.Amber,
		"2 of 2 judges passed it, 80% sure; qwen gave no answer": ui.Amber, "It doesn't read as English.": ui.Amber,
	} {
		if tone, icon := panelSign(line); tone != want || (icon == "warn") != (want == ui.Amber) {
			t.Errorf("%q is marked %s, %s", line, tone, icon)
		}
	}
}

// What one judge passed without being sure of it has no flags; what it flagged says so.
func TestOneUnsureJudgeFlagsNothing(t *testing.T) {
	a := review.Assessment{Label: string(compliance.Compliant), Passed: true, Borderline: true, Confidence: 0.65,
		Source: compliance.Embedded, Because: []string{compliance.BecauseUnsure}}
	if _, _, word := verdict(a); word != "No flags, the judge is unsure" || panelLine(borderline.Standing{}, a) != "" {
		t.Errorf("%q, %q", word, panelLine(borderline.Standing{}, a))
	}
	if _, _, word, _ := (Queue{}).reason(review.Row{Assessment: a}); word != "No flags, the judge is unsure" {
		t.Errorf("in the queue: %q", word)
	}
	if _, _, word, more := (Queue{}).reason(review.Row{Assessment: a, Why: "vulnerable customer"}); len(more) != 1 ||
		word != "vulnerable customer" {
		t.Errorf("in the queue, of a vulnerable customer: %q and %q", word, more)
	}
	var b strings.Builder
	if err := Because(a.Because, noFlagsUnsure).Render(t.Context(), &b); err != nil || b.Len() > 0 {
		t.Errorf("said twice: %q %v", &b, err)
	}
	a.Because = []string{"The judges disagree: 2-1 passed."}
	if _, _, word := verdict(a); word != "Judges unsure" || panelLine(borderline.Standing{}, a) == "" {
		t.Errorf("of judges who disagree: %q", word)
	}
	a.Passed, a.Label, a.Because = false, string(compliance.Borderline), []string{compliance.BecauseUnsure}
	const nothing = "The encoder is 65% for a violation but names nothing: read the whole"
	for _, x := range []borderline.Standing{{}, {Line: nothing}, {Line: "No flags, but the encoder isn't sure"}} {
		if _, _, word, _ := (Case{}).heading(x, a); word != nothing {
			t.Errorf("of the encoder alone, which names nothing: %q", word)
		}
	}
	a.Passed, a.Label, a.Because = false, string(compliance.NonCompliant), []string{compliance.BecauseUnsure}
	if line := panelLine(borderline.Standing{}, a); line != nothing {
		t.Errorf("without a flag: %q", line)
	}
	a.Flags = []review.Flag{{Code: "GUARANTEE", Severity: review.Major}}
	if line := panelLine(borderline.Standing{}, a); line != "The encoder flagged it (65% sure)" {
		t.Errorf("flagged: %q", line)
	}
	// Who found what is told as it was.
	for want, f := range map[string]review.Flag{
		"The encoder flagged it (65% sure): guarantee and 1 more":                      {By: compliance.ByJudges},
		"The encoder is 65% for a violation; a check flagged it: guarantee and 1 more": {By: review.ByCheck},
	} {
		f.Code = "GUARANTEE_OR_PROMISE"
		other := f
		other.Code = "MISSING_SIGNPOST"
		a.Flags = []review.Flag{f, other}
		for _, x := range []borderline.Standing{{}, {Line: "The encoder flagged it (65% sure): guarantee"}} {
			if line := panelLine(x, a); line+more(line, a.Flags) != want {
				t.Errorf("%q%s, want %q", line, more(line, a.Flags), want)
			}
		}
		r := review.Row{Assessment: a}
		if _, _, word, _ := (Queue{}).reason(r); !strings.HasPrefix(want, word) {
			t.Errorf("in the queue: %q", word)
		}
	}
	a.Flags = []review.Flag{{Code: "A", By: review.ByCheck, Severity: review.Major}, {Code: "B", By: compliance.ByJudges}}
	line := panelLine(borderline.Standing{}, a)
	if more(line, a.Flags) != "" || !strings.HasPrefix(line, "The encoder flagged it") {
		t.Errorf("a check's isn't counted as the encoder's: %q%s", line, more(line, a.Flags))
	}
}

// Outside the domain it was tuned on, the encoder's silence is no praise, and the page says what it is worth.
func TestNoFlagsOfAnotherTradeSaysWhoJudged(t *testing.T) {
	a := review.Assessment{Label: string(compliance.Compliant), Passed: true, Source: compliance.Embedded}
	for name, c := range map[string]struct {
		source, trade string
		tone          ui.Tone
		hint          bool
	}{"a shop": {compliance.Embedded, pack.GeneralName, ui.Neutral, true},
		"pensions":            {compliance.Embedded, "pension", ui.Green, false},
		"a shop with a model": {compliance.Consensus, pack.GeneralName, ui.Green, false}} {
		a.Source = c.source
		v := Case{In: &interaction.Interaction{Consultation: interaction.Consultation{Pack: c.trade}}}
		if tone, _, word, hint := v.verdict(a); word != "No flags" || tone != c.tone || (hint != "") != c.hint {
			t.Errorf("%s: %s, %q, %q", name, tone, word, hint)
		} else if c.hint && (!strings.Contains(hint, compliance.NotCompared) || strings.ContainsAny(hint, "0123456789")) {
			t.Errorf("%s: no figure holds for every shop, and people check facts: %q", name, hint)
		}
	}
}

// Before a decision the bar says what it does here, and no number of seconds: how long it can be undone is counted down
// once it is made.
func TestTheBarSaysNoSecondsBeforeADecision(t *testing.T) {
	for _, mode := range []string{"", ModeRevise, ModeReject, ModeReturn, ModeSkip} {
		for _, row := range []review.Row{{}, {NeedsTwo: true}, {Correcting: true}} {
			v := Case{Item: &review.Item{Row: row}, Mode: mode}
			if line := v.holdLine(); strings.ContainsAny(line, "0123456789") &&
				!strings.HasPrefix(line, "Needs 2 approvals") || strings.Contains(line, "after") {
				t.Errorf("%s %+v: %q", mode, row, line)
			}
		}
	}
}

// A heading that names one flag says how many more there are, and a ruling takes none away.
func TestTheHeadingKeepsTheFlags(t *testing.T) {
	flags := []review.Flag{{Code: "READABILITY", Severity: review.Minor},
		{Code: "MISSING_DB_WARNING", Severity: review.Major}, {Code: "MISSING_SIGNPOST", Severity: review.Major}}
	for word, want := range map[string]string{"Judges unsure": "", "A check flagged it: the DB warning": " and 2 more",
		"The encoder flagged it (58% sure): the DB warning": " and 2 more"} {
		if got := more(word, flags); got != want {
			t.Errorf("%s%s, want %q", word, got, want)
		}
	}
	if got := more("A check flagged it: the DB warning", flags[1:2]); got != "" {
		t.Errorf("one flag%s", got)
	}
	if got := flagged(flags); got != " · Missing DB warning and 2 more" || flagged(flags[:1]) != "" {
		t.Errorf("%q", got)
	}
}

// Where judges name nothing, the sentence that weighs most is shown; where they do, the flags are.
func TestWhatWeighsMostIsShownWhereNothingIsNamed(t *testing.T) {
	a := review.Assessment{Label: string(compliance.Borderline), Borderline: true, Confidence: .69,
		Source: compliance.Embedded, Because: []string{compliance.BecauseUnsure},
		Weighs: &review.Flag{Quote: "You would get 5.8%.", End: 19}}
	for _, flags := range [][]review.Flag{nil, {{Code: "GUARANTEE"}}} {
		a.Flags = flags
		var b strings.Builder
		if err := weighs(a).Render(t.Context(), &b); err != nil {
			t.Fatal(err)
		}
		if strings.Contains(b.String(), "5.8%") != (flags == nil) {
			t.Errorf("%v: %q", flags, b.String())
		}
	}
	var b strings.Builder
	a.Flags, a.Weighs = nil, nil
	if err := weighs(a).Render(t.Context(), &b); err != nil || !strings.Contains(b.String(), "No sentence stands out.") {
		t.Errorf("%q %v", &b, err)
	}
}
