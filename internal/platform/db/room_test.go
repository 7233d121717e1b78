package db_test

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"preceptor/internal/platform/db/dbtest"
)

func TestAFullDiskIsNoticed(t *testing.T) {
	clock := dbtest.NewClock()
	d := dbtest.NewAt(t, clock)
	later := func() { clock.Advance(5 * time.Second) }
	if err := d.HasRoom(); err != nil {
		t.Fatal(err)
	}
	later()
	if left, _ := filepath.Glob(d.Path() + ".room"); len(left) > 0 {
		t.Errorf("left behind: %v", left)
	}
	if err := os.Symlink("/dev/full", d.Path()+".room"); err != nil {
		t.Skip(err)
	}
	if err := d.HasRoom(); err == nil {
		t.Error("a full disk has room")
	}
	later()
	if err := d.HasRoom(); err != nil {
		t.Errorf("once there is room again: %v", err)
	}
	if err := os.Mkdir(d.Path()+".room", 0o700); err != nil { // nobody can write a file there
		t.Fatal(err)
	}
	later()
	if err := d.HasRoom(); err == nil {
		t.Error("a folder that can't be written has room")
	}
}

// Anybody may ask /readyz: asking again and again writes nothing, whatever the answer was, and a clock that is set back
// doesn't keep it.
func TestAskingForRoomAgainCostsNothing(t *testing.T) {
	clock := dbtest.NewClock()
	d := dbtest.NewAt(t, clock)
	folder := d.Path() + ".room" // where the file would be: trying fails while it is there
	ask := func(healthy bool) {
		t.Helper()
		for range 100 {
			if err := d.HasRoom(); (err == nil) != healthy {
				t.Fatalf("%v, want healthy = %v", err, healthy)
			}
		}
	}
	ask(true)
	if err := os.Mkdir(folder, 0o700); err != nil {
		t.Fatal(err)
	}
	clock.Advance(4 * time.Second)
	ask(true)
	clock.Advance(time.Second)
	ask(false)
	if err := os.Remove(folder); err != nil {
		t.Fatal(err)
	}
	ask(false)
	clock.Advance(-time.Hour)
	ask(true)
}
