package guest

import (
	"fmt"
	"testing"
)

// Nobody takes the streams of everybody: neither from one address, nor with one conversation.
func TestStreamsAreFewForEach(t *testing.T) {
	for name, keys := range map[string]func(int) [2]string{
		"an address":     func(i int) [2]string { return [2]string{"from a", fmt.Sprint("of ", i)} },
		"a conversation": func(i int) [2]string { return [2]string{fmt.Sprint("from ", i), "of t"} },
	} {
		var s streams
		var leave func()
		for i := range mostOfOne {
			k, ok := keys(i), false
			if leave, ok = s.take(k[0], k[1]); !ok {
				t.Fatalf("%s: refused the stream %d", name, i)
			}
		}
		k := keys(mostOfOne)
		if _, ok := s.take(k[0], k[1]); ok {
			t.Errorf("%s took one more", name)
		}
		if _, ok := s.take("from z", "of z"); !ok {
			t.Errorf("%s: others have none left", name)
		}
		leave()
		if _, ok := s.take(k[0], k[1]); !ok {
			t.Errorf("%s: what was left isn't free", name)
		}
	}
	var s streams
	var leaves []func()
	for i := range mostStreams {
		leave, ok := s.take(fmt.Sprint("from ", i))
		if !ok {
			t.Fatalf("refused the stream %d", i)
		}
		leaves = append(leaves, leave)
	}
	if _, ok := s.take("from z"); ok {
		t.Error("there is one more than all")
	}
	for _, leave := range leaves {
		leave()
	}
	if s.all != 0 || len(s.taken) != 0 {
		t.Errorf("all went, and %d and %v are kept", s.all, s.taken)
	}
}
