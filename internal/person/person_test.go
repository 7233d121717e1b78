package person_test

import (
	"testing"

	"preceptor/internal/audit"
	"preceptor/internal/person"
)

func TestActor(t *testing.T) {
	if got := (person.Person{ID: "a1", Name: "Ann"}).Actor(); got != (audit.Actor{Kind: audit.Person, ID: "a1", Name: "Ann"}) {
		t.Errorf("%+v", got)
	}
	if got := person.Operator.Actor(); got != audit.System("command line") {
		t.Errorf("the command line is %+v", got)
	}
}
