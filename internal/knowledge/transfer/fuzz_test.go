package transfer

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"
)

const goodLine = `{"kind":"rule","id":"01900000-0000-7000-8000-000000000001","number":1,"versions":[{"version":1,"status":"active","domain":"risk_disclosure",` +
	`"at":"2026-01-01T00:00:00Z","by":{"kind":"person","id":"p"},"rule":{"title":"t","principle":"When x, y because z","situation":"","action":"","because":"","confidence":0.5,"fca_compliant":true}}]}`

// Whatever is taken for a line is written as one that is taken again, and says the same.
func FuzzLine(f *testing.F) {
	for _, s := range []string{goodLine, "", "{}", "null", "[]", `{"kind":"case"}`,
		strings.Replace(goodLine, `"number":1`, `"number":1,"number":2`, 1),
		strings.Replace(goodLine, "rule", "case", 1), goodLine[:90], strings.Repeat("[", 20_000), `{"versions":[null]}`,
		strings.Replace(goodLine, "2026", "0001", 1)} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		l, err := parseLine(b)
		if err != nil {
			if strings.TrimSpace(err.Error()) == "" {
				t.Error("no reason is given")
			}
			return
		}
		once, err := json.Marshal(l)
		if err != nil {
			t.Fatalf("it can't be written: %v", err)
		}
		again, err := parseLine(once)
		if err != nil {
			t.Fatalf("%s is not taken again: %v", once, err)
		}
		twice, err := json.Marshal(again)
		if err != nil || !bytes.Equal(once, twice) {
			t.Errorf("%s became %s, %v", once, twice, err)
		}
	})
}

// A file is read to its end or named bad, and the report says where.
func FuzzFile(f *testing.F) {
	head := `{"format":"preceptor.knowledge","version":1,"cases":0,"case_versions":0,"rules":1,"rule_versions":1,"sha256":"` + strings.Repeat("0", 64) + `"}`
	for _, s := range []string{"", "\n", head, head + "\n" + goodLine, head + "\n" + goodLine + "\n", head + "\n\n\n",
		"{}\n{}", goodLine} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		var rep Report
		if _, err := check(bytes.NewReader(b), &rep); err != nil {
			t.Fatal(err)
		}
		for _, p := range rep.Problems {
			if p.Line < 1 || p.Line > bytes.Count(b, []byte("\n"))+1 || p.Why == "" {
				t.Errorf("%+v", p)
			}
		}
		if rep.Bad == 0 && rep.Header.Rules != 0 {
			t.Error("nobody can know this hash")
		}
	})
}
