package rubric_test

import (
	"testing"

	"preceptor/internal/compliance/rubric"
	"preceptor/internal/pack"
)

// A text of a pack without checks is offered what judges read it for, and a mark of either list is known.
func TestIssuesOfferedAreThePacks(t *testing.T) {
	shipped := new(rubric.Store).Taxonomy()
	for name, want := range map[string]map[string]bool{
		pack.Pension:     {"PRESSURE": true, "OTHER": true, "MISSING_DB_WARNING": true, "RUDE": false},
		pack.GeneralName: {"PRESSURE": true, "OTHER": true, "MISSING_DB_WARNING": false, "RUDE": true},
	} {
		offered := map[string]bool{}
		for _, k := range shipped.Of(name).Issues {
			if offered[k.Code] || k.Label == "" || k.What == "" {
				t.Errorf("%s: %+v", name, k)
			}
			offered[k.Code] = true
		}
		for code, is := range want {
			if offered[code] != is {
				t.Errorf("%s is offered for %s: %v", code, name, offered[code])
			}
			if _, ok := shipped.Find(code); !ok {
				t.Errorf("a mark with %s is not known", code)
			}
		}
	}
}
