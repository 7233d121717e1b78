package db

import (
	"context"
	"fmt"
	"path/filepath"
	"testing"
)

// A request that has ended loses no text, and texts without end keep none from being prepared.
func TestWhatIsMetTwiceIsPreparedInTheEnd(t *testing.T) {
	d, err := Open(t.Context(), filepath.Join(t.TempDir(), "a.db"), Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer d.Close()
	p := newPrepared(d.reader)
	for i := range 3 * mostMet {
		p.get(fmt.Sprintf("SELECT %d", i))
	}
	const text = "SELECT 'again'"
	p.get(text)
	p.get(text)
	over, cancel := context.WithCancel(t.Context())
	cancel()
	p.prepare(over)
	if p.get(text) != nil {
		t.Error("prepared for a request that has ended")
	}
	p.prepare(t.Context())
	st := p.get(text)
	if st == nil || len(p.met) > mostMet {
		t.Fatalf("not prepared; %d texts are counted", len(p.met))
	}
	st.Close()
}
