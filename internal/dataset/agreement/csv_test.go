package agreement_test

import (
	"errors"
	"io"
	"strings"
	"testing"

	"preceptor/internal/dataset/agreement"
	"preceptor/internal/platform/fault"
)

func TestReadCSV(t *testing.T) {
	text := "\ufeffid, Ann ,\"Bob, the second\",\r\n1,yes,\"no\r\nway\",\r\n2, ,\"\"\"no\"\"\",x\r\n\r\n3,\"\",,\r\n"
	table, err := agreement.ReadCSV(strings.NewReader(text), []string{"id"}, nil)
	if err != nil {
		t.Fatal(err)
	}
	if got := strings.Join(table.Raters, "|"); got != "Ann|Bob, the second|column 4" {
		t.Errorf("raters %q", got)
	}
	if table.Items() != 3 {
		t.Errorf("%d items", table.Items())
	}
	for _, c := range []struct {
		item, rater int
		want        string
	}{{0, 0, "yes"}, {0, 1, "no\nway"}, {0, 2, ""}, {1, 0, ""}, {1, 1, `"no"`}, {1, 2, "x"}, {2, 0, ""}} {
		if got, ok := table.Label(c.item, c.rater); got != c.want || ok != (c.want != "") {
			t.Errorf("item %d, rater %d: %q, want %q", c.item, c.rater, got, c.want)
		}
	}
}

func TestReadCSVRefuses(t *testing.T) {
	for name, c := range map[string]struct {
		text          string
		ignore, order []string
		want          string
	}{
		"an empty file":        {"", nil, nil, "empty"},
		"a mark and no more":   {"\ufeff", nil, nil, "empty"},
		"a name that is twice": {"a,a\n1,2\n", nil, nil, "twice"},
		"too few cells":        {"a,b\n1,2\n1\n", nil, nil, "Line 3: it has 1 cell, and the first line 2"},
		"too many cells":       {"a,b\n\n1,2,3\n", nil, nil, "Line 3"},
		"an undoubled quote":   {"a,b\n1,\"x\"y\"\n", nil, nil, "Line 2"},
		"an open quote":        {"a,b\n1,2\n1,\"x\n", nil, nil, "not closed"},
		"too many columns":     {strings.Repeat(",", agreement.MaxRaters) + "\n", nil, nil, "columns"},
		"a row without end": {"a,b\n1,2\n\"" + strings.Repeat("x\n", 1<<20), nil, nil,
			"Line 3: a quotation mark is not closed"},
		"no such column":      {"a,b\n1,2\n", []string{"id"}, nil, `"id"`},
		"outside the order":   {"a,b\n1,2\n", nil, []string{"1", "3"}, `"2"`},
		"an order with twins": {"a,b\n1,2\n", nil, []string{"1", "2", "1.0"}, "twice"},
		"an order with none":  {"a,b\n1,2\n", nil, []string{"1", " ", "2"}, "empty"},
	} {
		_, err := agreement.ReadCSV(strings.NewReader(c.text), c.ignore, c.order)
		if !fault.Is(err, fault.Invalid) || !strings.Contains(fault.Message(err), c.want) {
			t.Errorf("%s: %v, want %q", name, err, c.want)
		}
	}
}

type broken struct{}

func (broken) Read([]byte) (int, error) { return 0, errors.New("the disk is gone") }

func TestAReadThatFailsIsNotTheFilesFault(t *testing.T) {
	_, err := agreement.ReadCSV(io.MultiReader(strings.NewReader("a,b\n1,2\n"), broken{}), nil, nil)
	if err == nil || fault.Is(err, fault.Invalid) {
		t.Errorf("%v", err)
	}
}

func TestBuilderKeepsWhatWasGood(t *testing.T) {
	b := agreement.NewBuilder([]string{"a", "b"})
	if err := b.Add("1", "2"); err != nil {
		t.Fatal(err)
	}
	if err := b.Add("1"); !fault.Is(err, fault.Invalid) {
		t.Errorf("one label for two raters: %v", err)
	}
	table, err := b.Table()
	if err != nil || table.Items() != 1 {
		t.Errorf("%d items, %v", table.Items(), err)
	}
}

func FuzzReadCSV(f *testing.F) {
	for _, s := range []string{"a,b\n1,2\n2,\n", "\ufeffa,b\r\n\"x\",\"y\"\"z\"\r\n", "a\n\"", "a,b\n1\n", ",\n,\n",
		"a,b\n1e308,-1e308\n0,nan\n", "\"a\nb\",c\n,", "a,b\n-1,0\n0,0"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		table, err := agreement.ReadCSV(strings.NewReader(text), nil, nil)
		if err != nil {
			if !fault.Is(err, fault.Invalid) || fault.Message(err) == "" {
				t.Fatalf("%v", err)
			}
			return
		}
		for i := range table.Items() {
			for j := range table.Raters {
				if label, ok := table.Label(i, j); ok == (strings.TrimSpace(label) == "") {
					t.Fatalf("item %d, rater %d: %q, %v", i, j, label, ok)
				}
			}
		}
		for _, r := range agreement.Over(table, agreement.Options{Rounds: 3}) {
			if r.Value != r.Value || r.Value > 1+1e-9 || r.Defined() != (r.Undefined == "") {
				t.Fatalf("%+v", r)
			}
			if _, err := r.MarshalJSON(); err != nil {
				t.Fatalf("%+v: %v", r, err)
			}
		}
	})
}

func TestLikeIDs(t *testing.T) {
	for text, want := range map[string]string{
		"id,A,B\nx1,y,n\nx2,y,y\nx3,n,n\nx4,n,n\nx5,y,y\n": "id",
		"n,A,B\n1,1,2\n2,1,1\n3,2,2\n4,3,3\n5,1,1\n":       "n",
		"n,A,B\n1,y,n\n2,y,y\n3,n,n\n4,n,n\n5,y,y\n":       "n",
		"A,B\n0.1,0.2\n0.5,0.4\n0.9,0.8\n0.3,0.3\n0,0\n":   "",
		"id,A\nx1,y\nx2,\n":                                "",
	} {
		table, err := agreement.ReadCSV(strings.NewReader(text), nil, nil)
		if err != nil || strings.Join(table.LikeIDs(), " ") != want {
			t.Errorf("%q: %q, %v, want %q", text, table.LikeIDs(), err, want)
		}
	}
}
