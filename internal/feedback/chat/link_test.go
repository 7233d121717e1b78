package chat

import (
	"testing"

	"preceptor/internal/platform/db"
	"preceptor/internal/platform/db/dbtest"
)

// An erasure looks at the link of its own conversation, and at no other.
func TestAnErasureTakesItsOwnLink(t *testing.T) {
	d := dbtest.New(t)
	erase := func(thread string, want int) {
		t.Helper()
		if err := d.Write(t.Context(), func(tx *db.Tx) error {
			n, err := (&Room{}).EraseTx(tx, thread)
			if n != want {
				t.Errorf("%q: %d links, want %d", thread, n, want)
			}
			return err
		}); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := d.Writer().Exec(`INSERT INTO chat_link (thread, agent_id, secret_hash, public, until)
		VALUES ('a', 'x', 'h1', 1, 9), ('b', 'x', 'h2', 1, 9)`); err != nil {
		t.Fatal(err)
	}
	erase("", 0)
	erase("c", 0)
	erase("a", 1)
	erase("a", 0)
	erase("b", 1)
}
