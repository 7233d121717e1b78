package pack

import "testing"

// A code means the same in every pack, and what was chosen before packs had reasons is still one.
func TestReasonsHaveOneLabelPerCode(t *testing.T) {
	labels := map[string]string{}
	for _, p := range All() {
		seen := map[string]bool{}
		for _, r := range p.Reasons {
			if r.Label == "" || r.Help == "" || seen[r.Code] {
				t.Errorf("%s: %+v", p.Name, r)
			}
			if was, ok := labels[r.Code]; ok && was != r.Label {
				t.Errorf("%s is %q and %q", r.Code, was, r.Label)
			}
			seen[r.Code], labels[r.Code] = true, r.Label
		}
		if !seen[ReasonOther] || len(p.Reasons) > 10 {
			t.Errorf("%s has no %s, or more reasons than digits", p.Name, ReasonOther)
		}
	}
	for _, code := range []string{"personal_recommendation", "wrong_facts", "missing_warning", "does_not_answer",
		"not_understandable", "vulnerable_customer", "out_of_scope", "scam_risk", "other"} {
		if ReasonOf(code).Label == "" {
			t.Errorf("decisions have the code %s", code)
		}
	}
	if ReasonOf("").Code != "" {
		t.Error("no code is a reason")
	}
	shop := Of(GeneralName)
	if list := shop.ReasonsWith("scam_risk"); len(list) != len(shop.Reasons)+1 || len(shop.ReasonsWith("rude")) !=
		len(shop.Reasons) {
		t.Errorf("what was chosen before is offered once: %+v", list)
	}
}
