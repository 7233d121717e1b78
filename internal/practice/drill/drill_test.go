package drill

import (
	"encoding/json"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"preceptor/internal/compliance"
	"preceptor/internal/interaction"
	"preceptor/internal/pack"
	"preceptor/internal/review"
)

// checks find what the shipped checks find on a day of the tax year for which the cases are written.
func checks() Find {
	c := compliance.NewChecker(func() time.Time { return time.Date(2026, 11, 20, 9, 0, 0, 0, time.UTC) })
	return func(text string, asked interaction.Consultation) (codes []string) {
		for _, i := range c.Check(text, asked.Situation()).Issues {
			codes = append(codes, i.Code)
		}
		return codes
	}
}

func all(t *testing.T) (list []Case) {
	t.Helper()
	for name, least := range map[string]int{pack.Pension: 20, pack.GeneralName: 10} {
		cases := Cases(name)
		if len(cases) < least {
			t.Fatalf("%s has %d cases, want %d", name, len(cases), least)
		}
		list = append(list, cases...)
	}
	return list
}

// codesOf are the codes of a pack's issues: everybody's, and those of form where a pack has no checks of its own.
func codesOf(packName string) (codes []string) {
	for _, c := range compliance.Registry() {
		codes = append(codes, c.Code)
	}
	if !pack.Of(packName).Checks {
		codes = append(codes, compliance.PersonalData, compliance.TextTooLong)
	}
	return codes
}

func TestCasesAreWhole(t *testing.T) {
	find, ids := checks(), map[string]bool{}
	for _, c := range all(t) {
		if ids[c.Pack+c.ID] || c.Question == "" || c.Task == "" || c.Customer.Check() != nil {
			t.Errorf("%s %s: its id, question, task or customer is wrong: %v", c.Pack, c.ID, c.Customer.Check())
		}
		ids[c.Pack+c.ID] = true
		if n := len(strings.Fields(c.Draft)); n < 20 || n > 200 {
			t.Errorf("%s has %d words", c.ID, n)
		}
		found := find(c.Draft, c.Consultation())
		if len(c.Faults) == 0 && (c.Fine == "" || c.Source == "" || len(found) > 0) {
			t.Errorf("%s has no fault, and no reason why, or the check finds %v", c.ID, found)
		}
		for _, f := range c.Faults {
			if strings.Count(c.Draft, f.Words) != 1 || f.Words == "" || f.Why == "" || f.Source == "" ||
				f.Better == "" {
				t.Errorf("%s: %s lacks a part, or its words stand in the draft not once", c.ID, f.Code)
			}
			if !slices.Contains(codesOf(c.Pack), f.Code) {
				t.Errorf("%s: %s is no code of %s", c.ID, f.Code, c.Pack)
			}
			if f.Check && !slices.Contains(found, f.Code) {
				t.Errorf("%s: the check is to see that %s is gone, and doesn't find it: %v", c.ID, f.Code, found)
			}
		}
	}
}

func TestEveryCodeIsPractised(t *testing.T) {
	had, clean := map[string]bool{}, 0
	for _, c := range Cases(pack.Pension) {
		for _, f := range c.Faults {
			had[f.Code] = true
		}
		if len(c.Faults) == 0 {
			clean++
		}
	}
	for _, info := range compliance.Registry() {
		if info.Pack == "" && !had[info.Code] {
			t.Errorf("no case has %s", info.Code)
		}
	}
	if clean != 5 {
		t.Errorf("%d cases are without a fault", clean)
	}
}

// TestEveryFaultCanBeCaught mends each draft as the case itself proposes, and leaves each fault in once.
func TestEveryFaultCanBeCaught(t *testing.T) {
	find := checks()
	for _, c := range all(t) {
		if outcome, left := c.mark(review.Input{Kind: review.Approve}, find); len(c.Faults) > 0 &&
			(outcome != Missed || len(left) != len(c.Faults)) || len(c.Faults) == 0 && outcome != Passed {
			t.Errorf("%s approved: %s %v", c.ID, outcome, left)
		}
		for _, kind := range []string{review.Reject, review.Return} {
			in := review.Input{Kind: kind}
			for _, r := range pack.Of(c.Pack).Reasons {
				if len(c.Faults) > 0 && slices.Contains(r.Issues, c.Faults[0].Code) {
					in.ReasonCode = r.Code
				}
			}
			if outcome, _ := c.mark(in, find); len(c.Faults) > 0 && outcome != Caught ||
				len(c.Faults) == 0 && outcome != OverCorrected {
				t.Errorf("%s, %s for %q: %s", c.ID, kind, in.ReasonCode, outcome)
			}
		}
		mended := func(but int) (text string) {
			text = c.Draft
			for i, f := range c.Faults {
				switch {
				case i == but:
				case f.Code == compliance.OffTopic || f.Code == compliance.JargonForLiteracy && f.Check:
					text = f.Better
				case f.Check || len(f.Says) > 0:
					text = text + "\n\n" + f.Better
				default:
					text = strings.Replace(text, f.Words, f.Better, 1)
				}
			}
			return text
		}
		if outcome, left := c.mark(review.Input{Kind: review.Revise, Text: mended(-1)}, find); len(c.Faults) > 0 &&
			outcome != Caught {
			t.Errorf("%s mended: %s %v, the check finds %v", c.ID, outcome, left, find(mended(-1), c.Consultation()))
		}
		for i := range c.Faults {
			text := mended(i) + " Thank you."
			if outcome, left := c.mark(review.Input{Kind: review.Revise, Text: text}, find); outcome != Missed ||
				!slices.Equal(left, []int{i}) {
				t.Errorf("%s with fault %d left in: %s %v", c.ID, i, outcome, left)
			}
		}
	}
}

func TestOtherReason(t *testing.T) {
	c := Cases(pack.Pension)[0]
	if got, _ := c.mark(review.Input{Kind: review.Reject, ReasonCode: "scam_risk"}, checks()); got != OtherReason {
		t.Errorf("a wrong fact rejected as a scam: %s", got)
	}
	if c.Faults[0].gone("He said: \u201cyou get  a FRESH 25% tax-free every tax year, so anything you leave now can "+
		"be had again after 5 April.\u201d", false) {
		t.Error("the words count as gone, and only their shape changed")
	}
	for _, c := range all(t) {
		for _, f := range c.Faults {
			if !slices.ContainsFunc(pack.Of(c.Pack).Reasons, func(r pack.Reason) bool {
				return slices.Contains(r.Issues, f.Code)
			}) {
				t.Errorf("%s: no reason of its pack names %s", c.ID, f.Code)
			}
		}
	}
}

// TestCasesAreNobodysElse keeps what people practise on apart from what they meet: no text of the demo, of the seeded
// checks or of the packs.
func TestCasesAreNobodysElse(t *testing.T) {
	var others strings.Builder
	for _, file := range []string{"../../review/planted/library.json", "../../demo/consultations.json",
		"../../demo/gold.jsonl", "../../demo/helpdesk.go", "../../pack/data/pension/practice/wordings.jsonl"} {
		b, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		others.Write(b)
	}
	theirs := plain(others.String())
	for _, c := range all(t) {
		for what, text := range map[string]string{"question": c.Question, "draft": c.Draft} {
			quoted, _ := json.Marshal(text)
			if strings.Contains(theirs, plain(strings.Trim(string(quoted), `"`))) ||
				strings.Contains(theirs, plain(text)) {
				t.Errorf("%s: its %s is a text of the demo's, a seeded check's or a practice customer's", c.ID, what)
			}
		}
	}
}
