package text

import "testing"

func TestDistance(t *testing.T) {
	for _, c := range []struct {
		a, b  string
		limit int
		want  int
	}{
		{"pension", "pension", 3, 0}, {"pension", "pensoin", 3, 1}, {"pension", "pensions", 3, 1},
		{"pension", "tension", 3, 1},
		{"should", "shuold", 3, 1}, {"cat", "transfer", 3, 3}, {"abc", "xyz", 2, 2}, {"", "ab", 3, 2},
	} {
		if got := Distance([]rune(c.a), []rune(c.b), c.limit); got != c.want {
			t.Errorf("%s to %s: got %d, want %d", c.a, c.b, got, c.want)
		}
	}
}

func TestJaccard(t *testing.T) {
	a, b := map[string]bool{"x": true, "y": true}, map[string]bool{"y": true, "z": true}
	if got := Jaccard(a, b); got != 1.0/3 {
		t.Errorf("got %v, want a third", got)
	}
	if got := Jaccard(nil, nil); got != 0 {
		t.Errorf("of nothing: %v", got)
	}
}
