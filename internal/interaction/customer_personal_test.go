package interaction_test

import (
	"slices"
	"testing"

	"preceptor/internal/interaction"
)

func TestPersonal(t *testing.T) {
	c := interaction.Customer{Name: "Ann Smith", Goal: "retire early", Extra: map[string]any{
		"partner_name": "Bo Smith", "Home Address": "1 High Street", "NI_number": "QQ123456C", "policyRef": "P-1",
		"hobby": "sailing", "phone_count": 2.0, "nickname": "Ann Smith", "email": " ",
		"partner": "Yes", "policy_type": "with profits", "account": "isa", "spouse_name": "山田太郎",
	}}
	want := []string{"1 High Street", "Ann Smith", "Bo Smith", "P-1", "QQ123456C", "山田太郎"}
	if got := c.Personal(); !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
	if got := (interaction.Customer{}).Personal(); len(got) != 0 {
		t.Errorf("nobody: %q", got)
	}
}

// What says who somebody is often stands deeper: an agent's record of a customer is rarely flat.
func TestPersonalBelow(t *testing.T) {
	var c interaction.Customer
	if err := c.UnmarshalJSON(
		[]byte(`{"contact": {"details": {"full_name": "Aisha Khan", "mobile_phone": "none"}, "preferred": "Post"},
		"spouse": {"first": "Bilal", "age": 61, "alive": true, "pension_value": 120000}, "children": ["Cyra", "yes"], "policies": [{"policy_number": 482913, "reference": {"system": "CRM"}, "kind": "With profits"}],
		"accounts": 2, "account_balance": "£42,000", "birth_year": 1961, "dependants": "Two", "partner_income": 3200000, "notes": {"mood": "Worried"}}`)); err != nil {
		t.Fatal(err)
	}
	want := []string{"482913", "Aisha Khan", "Bilal", "Cyra"}
	if got := c.Personal(); !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}
