package counter

import "testing"

// A draft is called right, or wrong, only where people said so.
func TestWhatPeopleMadeOfADraft(t *testing.T) {
	by := func(kind, code string) []decision {
		return []decision{{kind: kind, code: code, state: "released", at: 5}}
	}
	recalled := by("approve", "")
	recalled[0].state, recalled[0].settled = "recalled", 6
	ruled := func(label string) []ruling { return []ruling{{label: label, at: 7}} }
	const flagged = "NON_COMPLIANT"
	for name, c := range map[string]struct {
		kase
		kind, what string
	}{
		"approved":              {kase{label: Compliant, decisions: by("approve", "")}, Missed, Passed},
		"rejected for a breach": {kase{label: Compliant, decisions: by("reject", "wrong_facts")}, Missed, Missed},
		"recalled":              {kase{label: Compliant, decisions: recalled}, Missed, Missed},
		"rejected, another way": {kase{label: Compliant, decisions: by("reject", "other")}, Otherwise, Changed},
		"sent back":             {kase{label: Compliant, decisions: by("return", "")}, Otherwise, Changed},
		"revised":               {kase{label: Compliant, decisions: by("revise", "")}, Otherwise, Changed},
		"revised, ruled fine": {kase{label: Compliant, decisions: by("revise", ""),
			rulings: ruled(Compliant)}, Missed, Passed},
		"ruled a breach":    {kase{label: Compliant, rulings: ruled(flagged)}, Missed, Missed},
		"ruled borderline":  {kase{label: Compliant, rulings: ruled("BORDERLINE")}, "", ""},
		"flagged, approved": {kase{label: flagged, decisions: by("approve", "")}, FalseAlarm, FalseAlarm},
		"flagged, a breach": {kase{label: flagged, decisions: by("reject", "scam_risk")}, FalseAlarm, Flagged},
		"flagged, revised":  {kase{label: flagged, decisions: by("revise", "")}, FalseAlarm, Changed},
		"judged fine with a flag, approved": {kase{label: Compliant, flags: true, decisions: by("approve", "")},
			FalseAlarm, FalseAlarm},
		"judged fine with a flag, a breach": {kase{label: Compliant, flags: true,
			decisions: by("reject", "wrong_facts")}, FalseAlarm, Flagged},
		"judged fine with a flag, ruled fine": {kase{label: Compliant, flags: true,
			rulings: ruled(Compliant)}, "", ""},
		"unsure, approved":        {kase{label: "BORDERLINE", unsure: true, decisions: by("approve", "")}, "", ""},
		"flagged, nobody decided": {kase{label: flagged, rulings: ruled(flagged)}, "", ""},
	} {
		if kind, what, _ := c.against(); kind != c.kind || what != c.what {
			t.Errorf("%s: %q %q", name, kind, what)
		}
	}
}
