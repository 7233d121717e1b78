package policy

import (
	"encoding/json"
	"testing"
)

// What two people agreed to before there was a choice puts nothing first; the default does.
func TestAnOldPolicyPutsNothingFirst(t *testing.T) {
	p, err := decode(`{"share":100,"words_per_minute":230}`)
	if err != nil || len(p.First) != 0 {
		t.Errorf("%v, %v", p.First, err)
	}
	if p, err = decode(encoded(t, Default())); err != nil || len(p.First) != len(Hurrying) {
		t.Errorf("%v, %v", p.First, err)
	}
}

func encoded(t *testing.T, p Policy) string {
	t.Helper()
	b, err := json.Marshal(p.content())
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}
