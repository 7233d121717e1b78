package main

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"preceptor/internal/audit"
	"preceptor/internal/platform/db"
	"preceptor/internal/platform/db/dbtest"
	"preceptor/internal/platform/fault"
)

// fresh is a file name for --db where nothing is yet.
func fresh(t *testing.T) string {
	t.Helper()
	return filepath.Join(t.TempDir(), "p.db")
}

// base is a file for --db that has a schema and no rows.
func base(t *testing.T) string {
	t.Helper()
	file := fresh(t)
	dbtest.Lay(t, file)
	return file
}

const password = "seven blue tin boats\n"

func addAda(t *testing.T, file string) result {
	t.Helper()
	return preceptor(t, password, "account", "add", "--db", file, "--email", "ada@example.org", "--name", "Ada",
		"--role", "admin,supervisor", "--password-stdin")
}

func TestAccountAdd(t *testing.T) {
	file := fresh(t)
	r := addAda(t, file)
	if r.code != 0 || len(strings.TrimSpace(r.out)) != 36 {
		t.Fatalf("adding a person to a file that was not there: %+v", r)
	}
	if again := addAda(t, file); again.code != fault.Conflict.ExitCode() && again.code != fault.Invalid.ExitCode() {
		t.Errorf("the same e-mail again: %+v", again)
	}
	for name, args := range map[string][]string{
		"an unknown role": {"--email", "b@example.org", "--name", "B", "--role", "owner", "--password-stdin"},
		"no name":         {"--email", "b@example.org", "--role", "admin", "--password-stdin"},
	} {
		if r := preceptor(t, password,
			append([]string{"account", "add", "--db", file}, args...)...); r.code != fault.Invalid.ExitCode() ||
			r.out != "" {
			t.Errorf("%s: %+v", name, r)
		}
	}
	if r := preceptor(t, "\n", "account", "add", "--db", file, "--email", "b@example.org", "--name", "B", "--role",
		"admin", "--password-stdin"); r.code != fault.Invalid.ExitCode() {
		t.Errorf("an empty password: %+v", r)
	}
	link := regexp.MustCompile(`^http://127\.0\.0\.1:8080/join/[\w-]{43}\n$`)
	if r := preceptor(t, "", "account", "add", "--db", file, "--email", "c@example.org", "--name", "C", "--role",
		"expert"); r.code != 0 || !link.MatchString(r.out) {
		t.Errorf("an invitation: %+v", r)
	}
	if r := preceptor(t, "", "account", "link", "--db", file, "--email", "ADA@example.org"); r.code != 0 ||
		!link.MatchString(r.out) {
		t.Errorf("a way back in: %+v", r)
	}
	if r := preceptor(t, "", "account", "link", "--db", file, "--email",
		"nobody@example.org"); r.code != fault.NotFound.ExitCode() || r.out != "" {
		t.Errorf("a way in for nobody: %+v", r)
	}
	if strings.Contains(r.out+r.err, "tin boats") {
		t.Error("the password was printed")
	}
}

func TestTokenCreatePrintsTheTokenAlone(t *testing.T) {
	file := base(t)
	r := must(t, "", "token", "create", "--db", file, "--agent", "pension-advisor", "--pack", "pension",
		"--scope", "submit,recall")
	if strings.Count(r.out, "\n") != 1 || strings.ContainsAny(strings.TrimSpace(r.out), " \t") || len(r.out) < 30 {
		t.Errorf("standard output is %q", r.out)
	}
	other := must(t, "", "token", "create", "--db", file, "--agent", "pension-advisor", "--scope", "submit")
	if other.out == r.out {
		t.Error("two tokens are the same")
	}
	if r := preceptor(t, "", "token", "create", "--db", file, "--agent", "x", "--scope",
		"everything"); r.code != fault.Invalid.ExitCode() || r.out != "" {
		t.Errorf("an unknown scope: %+v", r)
	}
}

func TestPackOfAnAgent(t *testing.T) {
	file, dir := base(t), guidance(t)
	pack := func(agent string) string {
		t.Helper()
		r := must(t, "", "token", "create", "--db", file, "--agent", agent, "--scope", "submit")
		_, rest, _ := strings.Cut(r.err, "(pack ")
		name, _, _ := strings.Cut(rest, ")")
		return name
	}
	must(t, "", "token", "create", "--db", file, "--agent", "helpdesk", "--pack", "general", "--scope", "recall")
	must(t, "", "token", "create", "--db", file, "--agent", "advisor", "--pack", "pension", "--scope", "recall")
	if err := os.Remove(filepath.Join(dir, "broken.md")); err != nil {
		t.Fatal(err)
	}
	must(t, "", "import", "documents", dir, "--db", file, "--agent", "imported", "--pack", "pension")
	must(t, "", "import", "documents", dir, "--db", file, "--agent", "bank", "--pack", "general")
	must(t, "", "import", "documents", dir, "--db", file, "--agent", "helpdesk")
	must(t, "", "recall", "--db", file, "--agent", "helpdesk", "--query", "tax on a pot")
	for agent, want := range map[string]string{"helpdesk": "general", "advisor": "pension", "imported": "pension",
		"bank": "general"} {
		if got := pack(agent); got != want {
			t.Errorf("%s has pack %q, want %q", agent, got, want)
		}
	}
	for name, args := range map[string][]string{
		"an unknown pack": {"token", "create", "--agent", "x", "--pack", "banking", "--scope", "submit"},
		"another pack": {"token", "create", "--agent", "helpdesk", "--pack", "pension", "--scope",
			"submit"},
		"no pack where two are at work": {"token", "create", "--agent", "x", "--scope", "submit"},
		"no pack of an import there":    {"import", "documents", dir},
		"another pack of an import":     {"import", "documents", dir, "--agent", "helpdesk", "--pack", "pension"},
		"an unknown one of an import":   {"import", "documents", dir, "--pack", "banking"},
	} {
		if r := preceptor(t, "", append(args, "--db", file)...); r.code != fault.Invalid.ExitCode() || r.out != "" ||
			!strings.Contains(r.err, "general") {
			t.Errorf("%s: %+v", name, r)
		}
	}
}

func TestCheckTakesAPack(t *testing.T) {
	const line = `{"id":1,"question":"Which one?","guidance":"You should transfer your final salary pension to us now. It is the right choice for you."}` + "\n"
	if r := must(t, line, "check"); !strings.Contains(r.out, "PERSONAL_RECOMMENDATION") {
		t.Errorf("pension is not the default: %s", r.out)
	}
	if r := must(t, line, "check", "--pack", "general"); !strings.Contains(r.out, `"judge":"encoder"`) ||
		strings.Contains(r.out, "PERSONAL_RECOMMENDATION") {
		t.Errorf("general: %s", r.out)
	}
	if r := preceptor(t, line, "check", "--pack", "banking"); r.code != fault.Invalid.ExitCode() ||
		!strings.Contains(r.err, "general, pension") {
		t.Errorf("an unknown pack: %+v", r)
	}
	if r := must(t, "", "judges", "list", "--pack", "general", "--json"); strings.Count(r.out, `"name"`) != 1 ||
		!strings.Contains(r.out, `"encoder"`) {
		t.Errorf("the judges of general are %s", r.out)
	}
}

// guidance writes a folder with two good documents and a broken one.
func guidance(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	for name, text := range map[string]string{
		"tax.md": "# Tax\n\n## Tax on cashing in a pot\n\nA quarter of a pension pot is usually free of tax when it " +
			"is taken. " +
			"The rest of the money is added to the income of the year and taxed with it, so taking a whole pot at " +
			"once can lead to a higher rate.\n",
		"sub/scams.md": "# Scams\n\n## Signs of a scam\n\nCold calls about pensions are illegal. Promises of high " +
			"returns and pressure to sign quickly are signs of a scam, " +
			"and a real firm does not mind waiting while its name is checked on the register.\n",
		"broken.md": "---\nlabel: [unclosed\n---\n\n# Broken\n\nText.\n",
	} {
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

type importReport struct {
	Imported  int
	Unchanged int
	Skipped   []struct{ File, Why string }
}

func importInto(t *testing.T, file, dir string) importReport {
	t.Helper()
	var report importReport
	r := preceptor(t, "", "import", "documents", dir, "--db", file, "--pack", "pension", "--json")
	if broken := strings.Contains(r.out, `"broken": true`); (r.code == fault.Invalid.ExitCode()) != broken ||
		!broken && r.code != 0 {
		t.Fatalf("it ends with %d: %s", r.code, r.err)
	}
	if err := json.Unmarshal([]byte(r.out), &report); err != nil {
		t.Fatalf("the report is not JSON: %v\n%s", err, r.out)
	}
	return report
}

func TestImportNamesWhatIsBrokenAndNeverDoubles(t *testing.T) {
	file, dir := base(t), guidance(t)
	first := importInto(t, file, dir)
	if first.Imported < 2 || len(first.Skipped) != 1 || first.Skipped[0].File != "broken.md" {
		t.Fatalf("first import: %+v", first)
	}
	second := importInto(t, file, dir)
	if second.Imported != 0 || second.Unchanged != first.Imported {
		t.Errorf("second import: %+v", second)
	}
	text := preceptor(t, "", "import", "documents", dir, "--db", file, "--pack", "pension")
	if !strings.Contains(text.out, "broken.md") || strings.Contains(text.err, "Importing") {
		t.Errorf("the report for people: %+v", text)
	}
	if r := preceptor(t, "", "import", "documents", filepath.Join(dir, "absent"), "--db",
		file); r.code != fault.Invalid.ExitCode() {
		t.Errorf("an absent folder: %+v", r)
	}
}

type recalled struct {
	ID    json.RawMessage
	Error string
	Items []struct {
		Kind, ID, Source, Text string
		Score                  float64
	}
}

func TestRecallFindsTheSection(t *testing.T) {
	file := base(t)
	importInto(t, file, guidance(t))
	r := must(t, "", "recall", "--db", file, "--agent", "pension-advisor", "--pack", "pension", "--query",
		"what tax do i pay if i take all my money out", "--json")
	var got recalled
	if err := json.Unmarshal([]byte(r.out), &got); err != nil {
		t.Fatalf("%v\n%s", err, r.out)
	}
	if len(got.Items) == 0 || !strings.HasPrefix(got.Items[0].Source, "tax.md#") || got.Items[0].Kind != "case" ||
		got.Items[0].Text == "" {
		t.Errorf("found %+v", got.Items)
	}
	if text := must(t, "", "recall", "--db", file, "--agent", "pension-advisor", "--query",
		"is this call a scam"); !strings.Contains(text.out, "sub/scams.md#") {
		t.Errorf("for people:\n%s", text.out)
	}
	if shared := must(t, "", "recall", "--db", file, "--query", "is this call a scam"); !strings.Contains(shared.out,
		"sub/scams.md#") {
		t.Errorf("without an agent what is shared is not found: %q", shared.out)
	}
	nothing := fresh(t)
	if r := preceptor(t, "", "recall", "--db", nothing, "--query", "anything"); r.code != fault.NotFound.ExitCode() ||
		!strings.Contains(r.err, "There is no file") {
		t.Errorf("a file that is not there: %+v", r)
	}
	must(t, "", "token", "create", "--db", nothing, "--agent", "new", "--pack", "general", "--scope", "recall")
	if empty := must(t, "", "recall", "--db", nothing, "--agent", "new", "--query", "anything",
		"--json"); !strings.Contains(empty.out, `"items": []`) {
		t.Errorf("an empty base answers %s", empty.out)
	}
}

// A bad line is reported by number and answered with its error; the others are answered in order.
func TestRecallLines(t *testing.T) {
	file := base(t)
	importInto(t, file, guidance(t))
	in := strings.Join([]string{
		`{"id": "a", "query": "signs of a scam"}`,
		`{"id": 2, "query": }`,
		``,
		`{"id": 4}`,
		`{"id": "e", "query": "` + strings.Repeat("x", maxQueryLine) + `"}`,
		`{"id": "f", "query": "is this cold call about my pension pot a scam", "task_type": "scams"}`,
		`{"id": {"n": 7}, "query": "what tax do i pay if i take my whole pension pot"}`,
	}, "\n")
	r := preceptor(t, in, "recall", "--db", file, "--agent", "pension-advisor", "--pack", "pension", "--jsonl")
	if r.code != fault.Invalid.ExitCode() {
		t.Errorf("bad lines end with %d", r.code)
	}
	for _, want := range []string{"line 2:", "line 4:", "line 5:"} {
		if !strings.Contains(r.err, want) {
			t.Errorf("standard error does not say %q:\n%s", want, r.err)
		}
	}
	var got []recalled
	for line := range strings.Lines(r.out) {
		var a recalled
		if err := json.Unmarshal([]byte(line), &a); err != nil {
			t.Fatalf("%v: %s", err, line)
		}
		got = append(got, a)
	}
	if len(got) != 6 {
		t.Fatalf("%d answers:\n%s", len(got), r.out)
	}
	if string(got[0].ID) != `"a"` || len(got[0].Items) == 0 || got[1].Error == "" || got[2].Error == "" ||
		string(got[2].ID) != "4" || got[3].Error == "" {
		t.Errorf("answers are %+v", got)
	}
	if len(got[4].Items) != 1 || !strings.HasPrefix(got[4].Items[0].Source, "sub/scams.md#") {
		t.Errorf("a task filters: %+v", got[4].Items)
	}
	if string(got[5].ID) != `{"n":7}` || len(got[5].Items) == 0 {
		t.Errorf("the last answer is %+v", got[5])
	}
	if ok := must(t, `{"id":1,"query":"scam"}`, "recall", "--db", file, "--agent", "pension-advisor",
		"--jsonl"); strings.Count(ok.out, "\n") != 1 {
		t.Errorf("one line without its end: %q", ok.out)
	}
}

func TestRecallWantsOneWayOfAsking(t *testing.T) {
	for _, args := range [][]string{{}, {"--query", "x", "--jsonl"}, {"--jsonl", "--task", "tax"}, {"--query", "  "}} {
		r := preceptor(t, "", append([]string{"recall", "--db", base(t), "--agent", "a"}, args...)...)
		if r.code != fault.Invalid.ExitCode() || r.out != "" {
			t.Errorf("%v: %+v", args, r)
		}
	}
}

func TestAuditVerify(t *testing.T) {
	file := base(t)
	addAda(t, file)
	r := must(t, "", "audit", "verify", "--db", file, "--json")
	anchor := filepath.Join(t.TempDir(), "head.json")
	if err := os.WriteFile(anchor, []byte(r.out), 0o600); err != nil {
		t.Fatal(err)
	}
	must(t, "", "token", "create", "--db", file, "--agent", "a", "--pack", "general", "--scope", "submit")
	if again := must(t, "", "audit", "verify", "--db", file, "--anchor", anchor); !strings.Contains(again.out,
		"head ") {
		t.Errorf("verify prints %q", again.out)
	}
	other := base(t)
	must(t, "", "token", "create", "--db", other, "--agent", "a", "--pack", "general", "--scope", "submit")
	bad := preceptor(t, "", "audit", "verify", "--db", other, "--anchor", anchor)
	if bad.code != fault.Internal.ExitCode() || !strings.Contains(bad.err, "row ") ||
		strings.Contains(bad.err, "unexpected") {
		t.Errorf("another chain against the anchor: %+v", bad)
	}
	if err := os.WriteFile(anchor, []byte(`{"seq": "x"}`), 0o600); err != nil {
		t.Fatal(err)
	}
	if r := preceptor(t, "", "audit", "verify", "--db", file, "--anchor", anchor); r.code != fault.Invalid.ExitCode() {
		t.Errorf("a broken anchor: %+v", r)
	}
	if r := preceptor(t, "", "audit", "verify", "--db",
		filepath.Join(t.TempDir(), "mistyped.db")); r.code != fault.NotFound.ExitCode() || r.out != "" {
		t.Errorf("a file that is not there has a whole record: %+v", r)
	}
}

func TestBackupRestoreDoctor(t *testing.T) {
	file, dir := base(t), t.TempDir()
	importInto(t, file, guidance(t))
	copied, again := filepath.Join(dir, "copy.db"), filepath.Join(dir, "again.db")
	must(t, "", "backup", "--db", file, copied)
	if r := preceptor(t, "", "backup", "--db", file, copied); r.code != fault.Conflict.ExitCode() {
		t.Errorf("a backup over a backup: %+v", r)
	}
	if r := must(t, "", "restore", copied, "--db", again); !strings.Contains(r.err, "revoked") ||
		strings.Contains(r.out, "revoked") {
		t.Errorf("nothing warns of what a backup can't know: %+v", r)
	}
	d, err := db.Open(t.Context(), again, db.Options{})
	if err != nil {
		t.Fatal(err)
	}
	sum, err := os.ReadFile(copied + ".sha256")
	if err != nil {
		t.Fatal(err)
	}
	if page, err := audit.List(t.Context(), d, audit.Filter{Action: "restore.done"}); err != nil ||
		len(page.Rows) != 1 || !strings.Contains(string(page.Rows[0].Content), strings.Fields(string(sum))[0]) {
		t.Errorf("nobody can tell which copy was restored: %+v, %v", page, err)
	}
	var exported bytes.Buffer
	if err := audit.Export(t.Context(), d, audit.Filter{}, audit.JSONLines, &exported); err != nil {
		t.Fatal(err)
	}
	if r := must(t, exported.String(), "audit", "verify", "--export", "-"); !strings.Contains(r.out, "gaps 0") {
		t.Errorf("the export: %+v", r)
	}
	if r := preceptor(t, strings.Replace(exported.String(), "restore.done", "restore.lost", 1), "audit", "verify",
		"--export", "-"); r.code == 0 || !strings.Contains(r.err, "doesn't match what was recorded") {
		t.Errorf("an export that was changed: %+v", r)
	}
	if err := d.Close(); err != nil {
		t.Fatal(err)
	}
	if made, failed := backups(t, file); len(made) != 1 || made[0] != strings.Fields(string(sum))[0] ||
		len(failed) != 1 || !strings.Contains(failed[0], "already exists") {
		t.Errorf("on record of copies: made %q, failed %q", made, failed)
	}
	if r := preceptor(t, "", "restore", copied, "--db", again); r.code != fault.Conflict.ExitCode() {
		t.Errorf("a restore over a file: %+v", r)
	}
	if r := must(t, "", "recall", "--db", again, "--agent", "a", "--pack", "pension", "--query", "scam", "--json"); !strings.Contains(r.out,
		"scams.md") {
		t.Errorf("the restored file knows nothing: %s", r.out)
	}
	for _, args := range [][]string{{}, {"--rebuild"}} {
		r := must(t, "", append([]string{"doctor", "--db", again, "--json"}, args...)...)
		var report struct {
			OK     bool
			Checks []db.Check
		}
		if err := json.Unmarshal([]byte(r.out), &report); err != nil || !report.OK || len(report.Checks) < 5 {
			t.Errorf("doctor %v: %v, %s", args, err, r.out)
		}
	}
	for _, args := range [][]string{{"doctor"}, {"backup", filepath.Join(dir, "x.db")}} {
		absent := filepath.Join(dir, "absent.db")
		if r := preceptor(t, "", append(args, "--db", absent)...); r.code != fault.NotFound.ExitCode() {
			t.Errorf("%v of an absent file: %+v", args, r)
		}
		if _, err := os.Stat(absent); err == nil {
			t.Errorf("%v made the file", args)
		}
	}
}

// A file that a server holds is not touched, and the refusal says where the server does the same.
func TestLockedFile(t *testing.T) {
	file := base(t)
	d, err := db.Open(t.Context(), file, db.Options{Holder: "serve on 127.0.0.1:8080"})
	if err != nil {
		t.Fatal(err)
	}
	defer d.Close()
	for place, args := range map[string][]string{
		"/admin/people": {"account", "add", "--email", "a@example.org", "--name", "A", "--role", "admin",
			"--password-stdin"},
		"/admin/agents": {"token", "create", "--agent", "a", "--scope", "submit"},
		"/admin/import": {"import", "documents", t.TempDir()},
		"/api/recall":   {"recall", "--agent", "a", "--query", "q"},
		"/admin/audit":  {"audit", "verify"},
		"/admin/backup": {"backup", filepath.Join(t.TempDir(), "x.db")},
		"/readyz":       {"doctor"},
	} {
		r := preceptor(t, password, append(args, "--db", file)...)
		if r.code != fault.Conflict.ExitCode() || !strings.Contains(r.err, place) ||
			!strings.Contains(r.err, "serve on 127.0.0.1:8080") || r.out != "" {
			t.Errorf("%s: %+v", args[0], r)
		}
	}
}

func TestDemoRefusesAFileThatIsNotItsOwn(t *testing.T) {
	file := base(t)
	addAda(t, file)
	before, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if r := preceptor(t, "", "demo", "--db", file); r.code != fault.Conflict.ExitCode() {
		t.Errorf("demo on somebody's file: %+v", r)
	}
	if after, err := os.ReadFile(file); err != nil || string(after) != string(before) {
		t.Errorf("the file was touched: %v", err)
	}
	if r := preceptor(t, "", "demo", "--db", fresh(t), "--addr", "0.0.0.0:0"); r.code != fault.Invalid.ExitCode() ||
		!strings.Contains(r.err, "this machine only") {
		t.Errorf("demo on the network: %+v", r)
	}
}
