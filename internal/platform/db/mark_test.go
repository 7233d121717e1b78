package db

import (
	"context"
	"os"
	"path/filepath"
	"testing"

	"preceptor/internal/platform/fault"
)

const testMark = 0x50524344

func TestRemoveMarkedTakesOnlyItsOwn(t *testing.T) {
	ctx := context.Background()
	dir := t.TempDir()
	marked, plain, text := filepath.Join(dir, "marked.db"), filepath.Join(dir, "plain.db"),
		filepath.Join(dir, "notes.txt")
	for _, name := range []string{marked, plain} {
		d, err := Open(ctx, name, Options{})
		if err != nil {
			t.Fatal(err)
		}
		if name == marked {
			if err := d.SetMark(ctx, testMark); err != nil {
				t.Fatal(err)
			}
			if err := RemoveMarked(t.Context(), name, testMark); !fault.Is(err, fault.Conflict) {
				t.Errorf("a file in use gave %v", err)
			}
			if m, err := readMark(name); err != nil || m != testMark {
				t.Errorf("while the file is open its mark reads %x, %v", m, err)
			}
		}
		if err := d.Close(); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.WriteFile(text, []byte("mine"), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{plain, text} {
		before, _ := os.ReadFile(name)
		if err := RemoveMarked(t.Context(), name, testMark); !fault.Is(err, fault.Conflict) {
			t.Errorf("%s gave %v", name, err)
		}
		if after, err := os.ReadFile(name); err != nil || string(after) != string(before) {
			t.Errorf("%s was touched: %v", name, err)
		}
	}
	if err := RemoveMarked(t.Context(), marked, testMark); err != nil {
		t.Errorf("the marked file: %v", err)
	}
	if _, err := os.Stat(marked); !os.IsNotExist(err) {
		t.Error("the marked file is still there")
	}
	if err := RemoveMarked(t.Context(), filepath.Join(dir, "absent.db"), testMark); err != nil {
		t.Errorf("an absent file gave %v", err)
	}
}
