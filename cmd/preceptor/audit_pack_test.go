package main

import (
	"encoding/json"
	"html/template"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"preceptor/internal/audit"
	"preceptor/internal/evidence"
	"preceptor/internal/platform/db"
	"preceptor/internal/platform/fault"
)

// packOf makes a small pack of the desk in file.
func packOf(t *testing.T, file string) string {
	t.Helper()
	d, err := db.Open(t.Context(), file, db.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer d.Close()
	by := audit.Actor{Kind: audit.Person, ID: "a", Name: "Ada"}
	p, err := evidence.New(d).Make(t.Context(),
		evidence.Content{Kind: evidence.Interaction, Subject: "i1", Title: "Guidance i1", File: "evidence-i1",
			Parts: []evidence.Part{{ID: "draft", Title: "The draft",
				HTML: template.HTML("<p>Take a quarter of it.</p>")}}},
		by)
	if err != nil {
		t.Fatal(err)
	}
	name := filepath.Join(t.TempDir(), p.Name)
	if err := os.WriteFile(name, p.Bytes, 0o600); err != nil {
		t.Fatal(err)
	}
	return name
}

func TestAuditVerifyPack(t *testing.T) {
	file := base(t)
	addAda(t, file)
	before := must(t, "", "audit", "verify", "--db", file, "--json")
	pack := packOf(t, file)

	r := must(t, "", "audit", "verify", "--pack", pack)
	for _, line := range []string{"kind interaction\n", "subject i1\n", "parts 1\n", "gaps 0\n", "seal "} {
		if !strings.Contains(r.out, line) {
			t.Errorf("it does not print %q: %s", line, r.out)
		}
	}
	if strings.Contains(r.out, "log ") || !strings.Contains(r.err, "--db FILE") {
		t.Errorf("without --db: %+v", r)
	}
	text, err := os.ReadFile(pack)
	if err != nil {
		t.Fatal(err)
	}
	var rep evidence.Report
	if err := json.Unmarshal([]byte(must(t, string(text), "audit", "verify", "--pack", "-", "--json").out),
		&rep); err != nil || rep.Subject != "i1" || rep.Seal.Seq == 0 {
		t.Errorf("as JSON from standard input: %+v, %v", rep, err)
	}
	if r := must(t, "", "audit", "verify", "--pack", pack, "--db", file); !strings.Contains(r.out, "\nlog ") ||
		!strings.Contains(r.out, "erased_since 0") {
		t.Errorf("with --db: %+v", r)
	}
	anchor := filepath.Join(t.TempDir(), "head.json")
	if err := os.WriteFile(anchor, []byte(before.out), 0o600); err != nil {
		t.Fatal(err)
	}
	must(t, "", "audit", "verify", "--pack", pack, "--anchor", anchor)

	bad := preceptor(t, strings.Replace(string(text), "Take a quarter", "Take a third", 1), "audit", "verify", "--pack",
		"-")
	if bad.code != fault.Internal.ExitCode() || !strings.Contains(bad.err, "The draft") ||
		strings.Contains(bad.err, "unexpected") {
		t.Errorf("a pack that was changed: %+v", bad)
	}
	other := base(t)
	addAda(t, other)
	if bad := preceptor(t, "", "audit", "verify", "--pack", pack, "--db",
		other); bad.code != fault.Internal.ExitCode() || !strings.Contains(bad.err, "no such row") {
		t.Errorf("another desk: %+v", bad)
	}
	for name, r := range map[string]result{
		"no pack": preceptor(t, "<p>Hello.</p>", "audit", "verify", "--pack", "-"),
		"no file": preceptor(t, "", "audit", "verify", "--pack", filepath.Join(t.TempDir(), "mistyped.html")),
	} {
		if r.code != fault.Invalid.ExitCode() || r.out != "" {
			t.Errorf("%s: %+v", name, r)
		}
	}
	if r := preceptor(t, "", "audit", "verify", "--pack", pack, "--db",
		filepath.Join(t.TempDir(), "mistyped.db")); r.code != fault.NotFound.ExitCode() || r.out != "" {
		t.Errorf("a desk that is not there: %+v", r)
	}
}
