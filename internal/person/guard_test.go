package person_test

import (
	"testing"

	"preceptor/internal/person"
	"preceptor/internal/platform/db"
	"preceptor/internal/platform/fault"
)

// A guard that nobody set is closed.
func TestGuard(t *testing.T) {
	var absent person.Guard
	if err := absent.May(nil, "a1"); !fault.Is(err, fault.Denied) {
		t.Errorf("absent: %v", err)
	}
	if err := person.Guard(person.Anybody).May(nil, "a1"); err != nil {
		t.Errorf("anybody: %v", err)
	}
	told := ""
	g := person.Guard(func(_ *db.Tx, id string) error { told = id; return nil })
	if err := g.May(nil, "a1"); err != nil || told != "a1" {
		t.Errorf("asked about %q: %v", told, err)
	}
}
