package db_test

import (
	"os"
	"path/filepath"
	"testing"

	"preceptor/internal/db/dbtest"
)

func TestAFullDiskIsNoticed(t *testing.T) {
	d := dbtest.New(t)
	if err := d.HasRoom(); err != nil {
		t.Fatal(err)
	}
	if left, _ := filepath.Glob(d.Path() + ".room"); len(left) > 0 {
		t.Errorf("left behind: %v", left)
	}
	if err := os.Symlink("/dev/full", d.Path()+".room"); err != nil {
		t.Skip(err)
	}
	if err := d.HasRoom(); err == nil {
		t.Error("a full disk has room")
	}
	if err := d.HasRoom(); err != nil {
		t.Errorf("once there is room again: %v", err)
	}
	if err := os.Mkdir(d.Path()+".room", 0o700); err != nil { // nobody can write a file there
		t.Fatal(err)
	}
	if err := d.HasRoom(); err == nil {
		t.Error("a folder that can't be written has room")
	}
}
