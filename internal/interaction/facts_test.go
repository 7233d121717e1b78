package interaction_test

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"preceptor/internal/interaction"
)

// What an agent knows a customer by is no part of their situation; what is known about them is.
func TestAnIDIsNoPartOfTheSituation(t *testing.T) {
	var c interaction.Customer
	const sent = `{"age": 58, "customer_id": "smith-j", "case_ref": "PT-88", "memberNo": 123456, "client": "c-7",
		"userID": "u-9", "member": "yes", "customer": {"id": "c-3", "likes": "letters"}, "ids": ["a"],
		"person": "prefers to be called", "dependants_no": 2, "account_type": "ISA", "customer_ids": [{"ref": "x-1"}],
		"policy": "with-profits, guaranteed annuity rate", "references": {"order_no": "44192"}}`
	if err := json.Unmarshal([]byte(sent), &c); err != nil {
		t.Fatal(err)
	}
	in := interaction.Interaction{ID: "i1", Consultation: interaction.Consultation{Customer: c}}
	s := in.Consultation.Situation()
	for _, id := range []string{"smith-j", "PT-88", "123456", "c-7", "u-9", "c-3", "x-1", "44192"} {
		if strings.Contains(s.Text, id) || slices.Contains(s.Fields["client"], id) {
			t.Errorf("%s is in %q", id, s.Text)
		}
	}
	for _, fact := range []string{"member: yes", "likes letters", "prefers to be called", "dependants no: 2",
		"account type: ISA", "guaranteed annuity rate"} {
		if !strings.Contains(s.Text, fact) {
			t.Errorf("%s is not in %q", fact, s.Text)
		}
	}
	if _, kept := s.Fields["customer_id"]; kept || s.Fields["account_type"] == nil {
		t.Errorf("fields: %v", s.Fields)
	}
	for _, id := range []string{"smith-j", "pt-88", "123456"} { // who asks is still found by it
		if !slices.Contains(in.Subjects(), interaction.SubjectOf(interaction.ByReference, id)) {
			t.Errorf("%s doesn't find its customer: %v", id, in.Subjects())
		}
	}
	if !strings.Contains(c.Words(), "smith-j") || len(c.Extra) != 14 {
		t.Errorf("what was sent changed: %v", c.Extra)
	}
}
