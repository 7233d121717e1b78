package main

import (
	"encoding/json"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"preceptor/internal/platform/fault"
)

// observers are the table of Krippendorff (2011), an item a line.
const observers = "A,B,C,D\n1,1,,1\n2,2,3,2\n3,3,3,3\n3,3,3,3\n2,2,2,2\n1,2,3,4\n4,4,4,4\n1,1,2,1\n2,2,2,2\n,5,5,5\n,,1,1\n,3,,\n"

type agreementAnswer struct {
	Items    int
	Raters   []string
	Ordered  bool
	Measures []measured
	PerLabel []struct {
		Label   string
		Results []measured
	} `json:"per_label"`
	PerPair []struct {
		A, B    string
		Items   int
		Results []measured
	} `json:"per_pair"`
	Notes []string
}

type measured struct {
	Measure  string
	Value    *float64
	Reason   string
	Interval *struct {
		Low, High float64
		Rounds    int
	}
	Items, Raters int
}

func agreementOf(t *testing.T, stdin string, args ...string) agreementAnswer {
	t.Helper()
	var a agreementAnswer
	r := must(t, stdin, append([]string{"agreement", "-", "--json"}, args...)...)
	if err := json.Unmarshal([]byte(r.out), &a); err != nil {
		t.Fatalf("not JSON: %v\n%s", err, r.out)
	}
	return a
}

func (a agreementAnswer) find(t *testing.T, name string) measured {
	t.Helper()
	for _, m := range a.Measures {
		if m.Measure == name {
			return m
		}
	}
	t.Fatalf("there is no %s", name)
	return measured{}
}

func TestAgreementPrintsPublishedValues(t *testing.T) {
	a := agreementOf(t, observers)
	if a.Items != 12 || len(a.Raters) != 4 || !a.Ordered || len(a.Measures) != 13 || len(a.PerLabel) != 5 ||
		len(a.PerPair) != 6 {
		t.Fatalf("%+v", a)
	}
	for name, want := range map[string]float64{
		"krippendorff_alpha_nominal": 0.743, "krippendorff_alpha_ordinal": 0.815, "krippendorff_alpha_interval": 0.849,
		"krippendorff_alpha_ratio": 0.797,
		"gwet_ac1":                 0.775, "fleiss_kappa": 0.761, "percent_agreement": 0.818,
	} {
		m := a.find(t, name)
		if m.Value == nil || math.Abs(*m.Value-want) > 0.0005 || m.Items != 11 || m.Raters != 4 || m.Interval == nil ||
			m.Interval.Rounds != 1000 || m.Interval.Low > *m.Value {
			t.Errorf("%s: %+v, want %v", name, m, want)
		}
	}
	if m := a.find(t, "cohen_kappa"); m.Value != nil || !strings.Contains(m.Reason, "pairs") {
		t.Errorf("Cohen's kappa of four raters: %+v", m)
	}
}

func TestAgreementTable(t *testing.T) {
	file := filepath.Join(t.TempDir(), "labels.csv")
	if err := os.WriteFile(file, []byte("\ufeffAnn,Bob\r\nyes,yes\r\nno,yes\r\nno,no\r\n\"yes\",\r\n"),
		0o600); err != nil {
		t.Fatal(err)
	}
	r := must(t, "", "agreement", file)
	lines := strings.Split(r.out, "\n")
	column := strings.Index(lines[0], "value")
	for _, line := range lines[1:14] {
		if len(line) <= column || line[column-1] != ' ' || line[column] == ' ' {
			t.Errorf("not under its column: %q", line)
		}
	}
	for _, want := range []string{"Percent agreement", "0.6667", "Cohen's kappa", "0.4000", "n/a",
		`"yes" is not a number`, "label against the rest", "Ann and Bob"} {
		if !strings.Contains(r.out, want) {
			t.Errorf("%q is not in\n%s", want, r.out)
		}
	}
	if again := must(t, "", "agreement", file); again.out != r.out {
		t.Error("the same file gave other figures")
	}
	if other := must(t, "", "agreement", file, "--rounds", "0"); strings.Contains(other.out, " to ") {
		t.Errorf("intervals without rounds:\n%s", other.out)
	}
}

func TestAgreementLevelsAndOrder(t *testing.T) {
	words := "id,A,B\n1,low,low\n2,mid,high\n3,high,high\n4,low,mid\n"
	for level, want := range map[string]int{"nominal": 6, "ordinal": 11, "interval": 12, "ratio": 13, "all": 13} {
		if a := agreementOf(t, words, "--ignore", "id", "--level", level, "--rounds", "20"); len(a.Measures) != want {
			t.Errorf("%s: %d measures, want %d", level, len(a.Measures), want)
		}
	}
	if m := agreementOf(t, words, "--ignore", "id").find(t, "cohen_kappa_linear"); m.Value != nil ||
		!strings.Contains(m.Reason, "order") {
		t.Errorf("words without an order: %+v", m)
	}
	// Half the scale apart on two of four items, 1/4 in the mean; by chance (2·(1/2+2) + 1·(1/2+1) + 1·(1+1/2))/16 =
	// 1/2.
	if m := agreementOf(t, words, "--ignore", "id", "--order", "low,mid,high").find(t,
		"cohen_kappa_linear"); m.Value == nil || math.Abs(*m.Value-0.5) > 1e-12 {
		t.Errorf("words with an order: %+v", m)
	}
}

func TestAgreementNamesAColumnOfIDs(t *testing.T) {
	if r := must(t, "id,A,B\n1,x,x\n2,x,y\n3,y,y\n4,x,x\n5,y,y\n", "agreement", "-", "--rounds",
		"10"); !strings.Contains(r.err, `--ignore "id"`) {
		t.Errorf("%+v", r)
	}
}

func TestAgreementUndefinedIsNoFailure(t *testing.T) {
	for name, text := range map[string]string{"one label": "a,b\n1,1\n1,1\n", "one rater": "a\n1\n2\n",
		"no items": "a,b\n", "no pairs": "a,b\n1,\n,2\n", "one column without a name": "\"\"\nx\n"} {
		for _, m := range agreementOf(t, text).Measures {
			if (m.Value == nil) != (m.Reason != "") {
				t.Errorf("%s: %+v", name, m)
			}
		}
		if r := must(t, text, "agreement", "-"); !strings.Contains(r.out, "n/a") {
			t.Errorf("%s:\n%s", name, r.out)
		}
	}
}

func TestAgreementRefuses(t *testing.T) {
	for name, c := range map[string]struct {
		stdin string
		args  []string
		want  string
	}{
		"an empty file":  {"", []string{"-"}, "empty"},
		"a ragged row":   {"a,b\n1,2\n1\n", []string{"-"}, "Line 3"},
		"no such file":   {"", []string{filepath.Join("no", "such", "file.csv")}, "can't be read"},
		"a folder":       {"", []string{"."}, ""},
		"a wrong level":  {observers, []string{"-", "--level", "cosmic"}, "level"},
		"too many":       {observers, []string{"-", "--rounds", "100001"}, "rounds"},
		"less than none": {observers, []string{"-", "--rounds=-1"}, "rounds"},
		"no file at all": {observers, nil, "file"},
	} {
		r := preceptor(t, c.stdin, append([]string{"agreement"}, c.args...)...)
		if r.code == 0 || r.out != "" || !strings.Contains(r.err, c.want) {
			t.Errorf("%s: %+v", name, r)
		}
		if name != "a folder" && r.code != fault.Invalid.ExitCode() {
			t.Errorf("%s ended with %d", name, r.code)
		}
	}
}

// A label must not reach the terminal as an escape sequence, nor break the table.
func TestAgreementPrintsNoControlCharacters(t *testing.T) {
	r := must(t, "a,\"b\x1b[31m\"\n\"x\x1b]0;\ny\t\",z\nz,z\n", "agreement", "-", "--rounds", "10")
	if strings.ContainsAny(r.out, "\x1b\t") {
		t.Errorf("%q", r.out)
	}
}

func TestAgreementOfManyRows(t *testing.T) {
	var b strings.Builder
	b.WriteString("a,b,c\n")
	for i := range 100_000 {
		fmt.Fprintf(&b, "%d,%d,%s\n", i%3, (i+i/7%2)%3, []string{"", "0", "1", "2"}[i%4])
	}
	a := agreementOf(t, b.String())
	if m := a.find(t, "krippendorff_alpha_nominal"); a.Items != 100_000 || m.Value == nil || m.Interval == nil ||
		m.Interval.High-m.Interval.Low > 0.02 {
		t.Errorf("%d items, %+v", a.Items, m)
	}
}
