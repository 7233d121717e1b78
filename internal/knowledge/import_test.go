package knowledge_test

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"preceptor/internal/audit"
	"preceptor/internal/knowledge"
	"preceptor/internal/platform/db"
)

var ctx = context.Background()

// pensionwise is the folder of real pages, or a skip.
func pensionwise(t testing.TB) fs.FS {
	t.Helper()
	dir := filepath.Join("..", "..", "..", "shared", "data", "pensionwise")
	if _, err := os.Stat(filepath.Join(dir, "tax.en.md")); err != nil {
		t.Skip("../shared/data/pensionwise is not here, so there are no real pages to import")
	}
	return os.DirFS(dir)
}

func folder(files map[string]string) fstest.MapFS {
	m := fstest.MapFS{}
	for name, body := range files {
		m[name] = &fstest.MapFile{Data: []byte(body)}
	}
	return m
}

func (b bench) importAll(root fs.FS) knowledge.ImportReport {
	b.t.Helper()
	r, err := b.Import(ctx, root, knowledge.ImportOptions{By: by})
	if err != nil {
		b.t.Fatal(err)
	}
	return r
}

func (b bench) section(citation string) *knowledge.Case {
	b.t.Helper()
	c, err := b.ofOrigin("", knowledge.FromDocument, citation)
	if err != nil || c == nil {
		b.t.Fatalf("%s: %v", citation, err)
	}
	return c
}

func (b bench) ofOrigin(agentID, source, origin string) (*knowledge.Case, error) {
	return db.Read(ctx, b.d, func(tx *db.Tx) (*knowledge.Case, error) {
		return b.CaseOfOriginTx(tx, agentID, source, origin)
	})
}

func TestEveryRealPageIsImportedOrNamed(t *testing.T) {
	if testing.Short() {
		t.Skip("imports 125 pages; make check runs it")
	}
	b := setUp(t, knowledge.Options{})
	root := pensionwise(t)
	r := b.importAll(root)
	named := map[string]bool{}
	for _, s := range r.Skipped {
		named[s.File] = true
		if s.Why == "" || s.Bad {
			t.Errorf("%+v", s)
		}
	}
	cases, _, err := b.Cases(ctx, knowledge.Filter{Limit: 500})
	if err != nil || len(cases) != r.Imported {
		t.Fatalf("%d cases, %d imported, %v", len(cases), r.Imported, err)
	}
	for _, c := range cases {
		named[c.Path] = true
		for _, mark := range []string{"{:", "{::", "<", "](", "$E", "s1.", "##", "&amp;", "**"} {
			if strings.Contains(c.Guidance, mark) || strings.Contains(c.Title, mark) {
				t.Errorf("%s still holds %q: %.200q", c.Citation, mark, c.Guidance)
			}
		}
		if c.Citation != c.Path+"#"+c.Heading && !strings.HasPrefix(c.Citation, c.Path+"#") || c.Situation == "" ||
			c.Task == "" || c.Approved {
			t.Errorf("%+v", c)
		}
	}
	if err := fs.WalkDir(root, ".", func(p string, e fs.DirEntry, err error) error {
		if !e.IsDir() && !named[p] {
			t.Errorf("%s was neither imported nor named", p)
		}
		return err
	}); err != nil {
		t.Fatal(err)
	}
	again := b.importAll(root)
	if again.Imported+again.Updated+again.Retired != 0 || again.Unchanged != r.Imported {
		t.Errorf("the second import: %+v", again)
	}
	flagged, err := b.FlaggedDocuments(ctx)
	if err != nil || len(flagged) != len(r.Flagged) {
		t.Errorf("%d flagged, %d reported, %v", len(flagged), len(r.Flagged), err)
	}
	stale := false
	for _, f := range flagged {
		stale = stale || f.Path == "state_pension.en.md" &&
			slices.ContainsFunc(f.Flags, func(one knowledge.Flag) bool { return one.Code == "stale_old-figures" })
	}
	if !stale {
		t.Error("the State Pension of 2021 is not flagged")
	}
	twins, err := b.Duplicates(ctx, b.section("tax.en.md#How your tax is paid").ID)
	if err != nil || len(twins) == 0 || twins[0].Path != "pension_summary/how_my_pension_is_taxed.en.md" {
		t.Errorf("%+v, %v", twins, err)
	}
	if report, err := b.index.Check(ctx); err != nil || len(report.Problems) > 0 || report.Missing > 0 {
		t.Errorf("%+v, %v", report, err)
	}
}

func TestTheQuestionOfTheAcceptance(t *testing.T) {
	if testing.Short() {
		t.Skip("imports 125 pages; make check runs it")
	}
	b := setUp(t, knowledge.Options{})
	b.importAll(pensionwise(t))
	items, err := b.Search(ctx, knowledge.Query{Text: "can i get all my money out at once and what tax do i pay"}, 10)
	if err != nil {
		t.Fatal(err)
	}
	var sources []string
	for _, it := range items {
		sources = append(sources, it.Source)
	}
	all := strings.Join(sources, " ")
	if !strings.Contains(all, "take_whole") || !strings.Contains(all, "tax") {
		t.Errorf("found %v", sources)
	}
}

const govspeak = `---
label: What you can do
tags:
  - option
---
{::options parse_block_html="true" /}

# Your options

Before the first heading of its own. You pay 25% on this, and 40% on that.

##Take it in chunks
^You can take 25% tax free.^

%Think before you move it.%

s1. [Ask](/en/ask) your provider.
s2. Compare **quotes**.

{::calculator id="x" locale="en" /}
[Book now](/en/book){: .button #id target="_blank"}
[Read more]({::money_helper_url path="a/b" locale="en"/}){: target="_parent"}

$E
**Example**
### A heading in an example
What you have | Amount
- | -
Pot | £10,000
$E

## How it is taxed
<table><thead><tr><th></th><th>Option</th><th>Tax free</th><th>Taxed</th></tr></thead>
<tr><td><span class="x"></span></td><th scope="row"><a href="/x">Annuity</a></th><td>25%</td><td>the rest &amp; more</td></tr></table>
<script>alert(1)</script><form><p>Your name</p></form>

## Nothing under this one

## Questions

Ask one.

## Questions

Ask two.
`

func TestGovspeak(t *testing.T) {
	b := setUp(t, knowledge.Options{})
	r := b.importAll(folder(map[string]string{"dir/page.en.md": govspeak}))
	if r.Imported != 5 || r.Files != 1 || len(r.Skipped) != 0 {
		t.Fatalf("%+v", r)
	}
	for citation, want := range map[string]string{
		"dir/page.en.md#Your options": "Before the first heading of its own. You pay 25% on this, and 40% " +
			"on that.",
		"dir/page.en.md#Take it in chunks": "You can take 25% tax free.\n\nWarning: Think before you move it.\n\n1. " +
			"Ask your provider.\n2. Compare quotes.\n\nRead more\n\nExample\n\nA heading in an example\n\n- What you " +
			"have: Pot; Amount: £10,000",
		"dir/page.en.md#How it is taxed": "- Option: Annuity; Tax free: 25%; Taxed: the rest & more",
		"dir/page.en.md#Questions":       "Ask one.",
		"dir/page.en.md#Questions (2)":   "Ask two.",
	} {
		c := b.section(citation)
		if strings.Join(strings.Fields(c.Guidance), " ") != strings.Join(strings.Fields(want), " ") {
			t.Errorf("%s:\n%s\nwant\n%s", citation, c.Guidance, want)
		}
		if c.Page != "Your options" {
			t.Errorf("%s is of the page %q", citation, c.Page)
		}
	}
}

func TestReimportUpdatesRetiresAndRespectsPeople(t *testing.T) {
	b := setUp(t, knowledge.Options{})
	page := func(body string) fstest.MapFS { return folder(map[string]string{"a.md": body}) }
	b.importAll(page("# Annuities\n\nOne text.\n\n## Tax\n\nTaxed.\n\n## Risks\n\nNone."))
	risks := b.section("a.md#Risks")
	b.write(func(tx *db.Tx) error {
		return b.RetireCaseTx(tx, risks.ID, knowledge.Change{By: by, Reason: "not ours"})
	})
	r := b.importAll(page("# Annuities\n\nAnother text.\n\n## Risks\n\nNone."))
	if r.Updated != 1 || r.Retired != 1 || r.Imported != 0 || r.Unchanged != 0 || r.StayRetired != 1 {
		t.Errorf("%+v", r)
	}
	if c := b.section("a.md#Annuities"); c.Version != 2 || c.Guidance != "Another text." {
		t.Errorf("%+v", c)
	}
	if c := b.section("a.md#Tax"); c.Status != knowledge.Retired {
		t.Errorf("the section that is gone is %s", c.Status)
	}
	if c := b.section("a.md#Risks"); c.Status != knowledge.Retired {
		t.Error("the import revived what a person had retired")
	}
	if r = b.importAll(page("# Annuities\n\nAnother text.\n\n## Tax\n\nTaxed.")); r.Restored != 1 || r.Updated != 0 {
		t.Errorf("a section that came back: %+v", r)
	}
	if c := b.section("a.md#Tax"); c.Status != knowledge.Active || c.Version != 3 {
		t.Errorf("%+v", c)
	}
	b.importAll(page(""))
	if c := b.section("a.md#Annuities"); c.Status != knowledge.Retired {
		t.Error("an emptied page keeps its sections")
	}
}

func TestBrokenFilesAreNamedAndTheRestIsImported(t *testing.T) {
	b := setUp(t, knowledge.Options{})
	r := b.importAll(folder(map[string]string{
		"good.md": "# Good\n\nText.", "yaml.md": "---\nlabel: ok\ntags: [unclosed\n---\n# X\n\nText.",
		"open.md":  "---\nlabel: x\n\n# X\n\nText.",
		"latin.md": "# X\n\nfine\ncaf\xe9", "null.md": "# X\n\x00", "big.md": strings.Repeat("word ", 500_000),
		"marks.md": "# Marks\n\n$E\n\nText.",
		"list.yml": "a: b", "picture.png": "x", "README.md": "# Read me\n\nText.", "empty.md": "",
		"headings.md": "# One\n\n## Two\n", ".hidden.md": "# H\n\nText.",
	}))
	if r.Imported != 3 || r.Files != 3 { // one of them is Latin-1
		t.Errorf("%+v", r)
	}
	lines := map[string]int{}
	bad := map[string]bool{}
	for _, s := range r.Skipped {
		lines[s.File], bad[s.File] = s.Line, s.Bad
		if s.Why == "" {
			t.Errorf("%s: no reason", s.File)
		}
	}
	for file, want := range map[string]struct {
		line int
		bad  bool
	}{"null.md": {1, true}, "open.md": {1, true}, "big.md": {1, true}, "marks.md": {3, false},
		"list.yml": {0, false}, "picture.png": {0, false}, "README.md": {0, false}, "empty.md": {0, false},
		"headings.md": {0, false}} {
		if lines[file] != want.line || bad[file] != want.bad {
			t.Errorf("%s: line %d, broken %v", file, lines[file], bad[file])
		}
	}
	if !bad["yaml.md"] || lines["yaml.md"] < 2 {
		t.Errorf("yaml.md: line %d, broken %v", lines["yaml.md"], bad["yaml.md"])
	}
	if _, seen := lines[".hidden.md"]; seen {
		t.Error("a hidden file was looked at")
	}
	if _, err := b.Import(ctx, os.DirFS(filepath.Join(t.TempDir(), "nowhere")), knowledge.ImportOptions{}); err == nil {
		t.Error("a folder that is not there was imported")
	}
}

func TestAPipeIsNamedAndNotWaitedFor(t *testing.T) {
	dir := t.TempDir()
	if err := exec.Command("mkfifo", filepath.Join(dir, "pipe.md")).Run(); err != nil {
		t.Skip("no pipes here:", err)
	}
	if err := errors.Join(os.Symlink("pipe.md", filepath.Join(dir, "link.md")),
		os.WriteFile(filepath.Join(dir, "good.md"), []byte("# Good\n\nText."), 0o600)); err != nil {
		t.Fatal(err)
	}
	r := setUp(t, knowledge.Options{}).importAll(os.DirFS(dir))
	if r.Imported != 1 || len(r.Skipped) != 2 || !r.Skipped[0].Bad || !r.Skipped[1].Bad {
		t.Errorf("%+v", r)
	}
}

func TestContradictionsAreFlaggedOnBothSides(t *testing.T) {
	b := setUp(t, knowledge.Options{})
	r := b.importAll(folder(map[string]string{
		"a.md": "# Booking\n\nYour guidance appointment with our specialist will usually last around 45 minutes.",
		"b.md": "# Meeting\n\nYour guidance appointment with our specialist will usually last around 60 minutes.",
		"c.md": "# Other\n\nSomething else takes 10 minutes of your afternoon and nobody minds.",
	}))
	if len(r.Flagged) != 2 || r.Flagged[0].Source != "a.md#Booking" || r.Flagged[1].Source != "b.md#Meeting" ||
		r.Flagged[0].Flags[0].Code != "conflict" || !strings.Contains(r.Flagged[0].Flags[0].Why, "b.md#Meeting") {
		t.Errorf("%+v", r.Flagged)
	}
}

func TestProgressAndAudit(t *testing.T) {
	b := setUp(t, knowledge.Options{})
	var seen []int
	_, err := b.Import(ctx, folder(map[string]string{"a.md": "# A\n\nText.", "b.md": "# B\n\nText."}),
		knowledge.ImportOptions{By: by,
			Progress: func(done, total int) { seen = append(seen, done*10+total) }})
	if err != nil || len(seen) != 3 || seen[2] != 22 {
		t.Errorf("%v, %v", seen, err)
	}
	page, err := audit.List(ctx, b.d, audit.Filter{})
	if err != nil || len(page.Rows) == 0 || page.Rows[0].Action != "knowledge.imported" {
		t.Errorf("%+v, %v", page, err)
	}
}

// An import that is cut short leaves what it did up to then, and says so.
func TestAnImportCutShortLeavesItsRecord(t *testing.T) {
	b := setUp(t, knowledge.Options{})
	cut, cancel := context.WithCancel(ctx)
	_, err := b.Import(cut, folder(map[string]string{"a.md": "# A\n\nText.", "b.md": "# B\n\nText."}),
		knowledge.ImportOptions{By: by,
			Progress: func(done, _ int) {
				if done == 1 {
					cancel()
				}
			}})
	if err == nil {
		t.Fatal("it was not cut short")
	}
	page, err := audit.List(ctx, b.d, audit.Filter{Action: "knowledge.document_imported"})
	if err != nil || len(page.Rows) != 1 || page.Rows[0].ObjectID != "a.md" || page.Rows[0].Actor.ID != by.ID {
		t.Errorf("%+v, %v", page, err)
	}
}

// The state that is kept before an import says what was imported, also where the importer names no source.
func TestTheStateBeforeAnImportIsNamed(t *testing.T) {
	for source, want := range map[string]string{"": "Before the import of documents",
		"guidance": "Before the import of guidance"} {
		b := setUp(t, knowledge.Options{})
		files := fstest.MapFS{"a.md": {Data: []byte("# A\n\nWords.")}}
		if _, err := b.Import(t.Context(), files,
			knowledge.ImportOptions{Source: source, By: audit.System("test")}); err != nil {
			t.Fatal(err)
		}
		files["a.md"] = &fstest.MapFile{Data: []byte("# A\n\nOther words.")}
		if _, err := b.Import(t.Context(), files,
			knowledge.ImportOptions{Source: source, By: audit.System("test")}); err != nil {
			t.Fatal(err)
		}
		// What changes nothing keeps no state.
		for _, same := range []fstest.MapFS{files, {"x.txt": {}}} {
			if _, err := b.Import(t.Context(), same,
				knowledge.ImportOptions{Source: source, By: audit.System("test")}); err != nil {
				t.Fatal(err)
			}
		}
		states, _, err := b.States(t.Context(), "", 5)
		if err != nil || len(states) != 2 || states[0].Seq <= states[1].Seq {
			t.Fatal(states, err)
		}
		for _, s := range states {
			if s.Name != want {
				t.Errorf("%q, want %q", s.Name, want)
			}
		}
	}
}

// An import counts the pairs that it is part of, not those of the whole base; short sections in the same words count.
func TestAnImportCountsItsOwnNearDuplicates(t *testing.T) {
	b := setUp(t, knowledge.Options{})
	const short = "# Help\n\nCall our team on weekdays between nine and five and ask for help."
	for _, one := range []struct {
		file, text string
		want       int
	}{
		{"a.md", short, 0}, {"b.md", short, 1}, {"c.md", short, 2},
		{"d.md", "# Annuities\n\nAn annuity pays an income for life.", 0}, {"c.md", short, 2},
	} {
		if r := b.importAll(folder(map[string]string{one.file: one.text})); len(r.Duplicates) != one.want {
			t.Errorf("%s: %+v, want %d pairs", one.file, r.Duplicates, one.want)
		}
	}
}
