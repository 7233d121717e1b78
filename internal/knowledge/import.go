package knowledge

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path"
	"slices"
	"strconv"
	"strings"
	"time"

	"preceptor/internal/audit"
	"preceptor/internal/pack"
	"preceptor/internal/platform/db"
	reader "preceptor/internal/platform/document"
	"preceptor/internal/platform/fault"
)

// importer is who writes what an import writes.
const importer = "import"

// ImportOptions of Import.
type ImportOptions struct {
	Source   string // the folder, or the name of the uploaded file
	Folder   string // of the server, in which files may be read again
	AgentID  string // "" shares the cases with all agents of the pack
	Pack     string // the domain of the documents; "" is pension
	By       audit.Actor
	Progress func(done, total int) // of documents; may be nil
	Left     []Skipped             // what can't be read of the files at all
}

// ImportReport says what became of every file.
type ImportReport struct {
	Files       int        `json:"files"` // that gave at least one case
	Imported    int        `json:"imported"`
	Updated     int        `json:"updated"`
	Unchanged   int        `json:"unchanged"`
	Retired     int        `json:"retired"`      // sections that are gone
	Restored    int        `json:"restored"`     // that were out of use, and are back
	StayRetired int        `json:"stay_retired"` // that a person retired, or that were erased
	Skipped     []Skipped  `json:"skipped"`
	Flagged     []Flagging `json:"flagged"`
	Duplicates  []Pair     `json:"near_duplicates"`

	before string // names the state that is kept at the first change; "" once it is, and for what keeps none
}

// The most that is kept of what a report names one by one; the figures count all.
const keptOfReport = 1000

// Kept is the report as it is kept.
func (r ImportReport) Kept() ImportReport {
	r.Skipped, r.Flagged, r.Duplicates = r.Skipped[:min(len(r.Skipped), keptOfReport)],
		r.Flagged[:min(len(r.Flagged), keptOfReport)], r.Duplicates[:min(len(r.Duplicates), keptOfReport)]
	return r
}

// Add adds what became of the same files for other agents.
func (r *ImportReport) Add(o ImportReport) {
	r.count(o)
	if len(r.Skipped) == 0 {
		r.Skipped = o.Skipped
	}
	r.Flagged, r.Duplicates = append(r.Flagged, o.Flagged...), append(r.Duplicates, o.Duplicates...)
}

func (r *ImportReport) count(o ImportReport) {
	r.Files, r.Imported, r.Updated = r.Files+o.Files, r.Imported+o.Imported, r.Updated+o.Updated
	r.Unchanged, r.Retired, r.Restored = r.Unchanged+o.Unchanged, r.Retired+o.Retired, r.Restored+o.Restored
	r.StayRetired += o.StayRetired
}

func (r *ImportReport) changed() int { return r.Imported + r.Updated + r.Retired + r.Restored }

// Skipped is a file or section that gave no case, or a remark on one that did.
type Skipped struct {
	File string `json:"file"`
	Line int    `json:"line,omitempty"` // 0: the whole file
	Why  string `json:"why"`
	Bad  bool   `json:"broken,omitempty"` // it was broken, rather than no guidance
	Note bool   `json:"note,omitempty"`   // it was imported all the same
}

// Flagging is a section that a person should look at.
type Flagging struct {
	Source string `json:"source"`
	Flags  []Flag `json:"flags"`
}

// Pair is two sections that say nearly the same.
type Pair struct {
	A          string  `json:"a"`
	B          string  `json:"b"`
	Similarity float64 `json:"similarity"`
}

// Import reads every file under root: a case for each section of a document, a reason for all else. It may be
// repeated: what changed gets a new version, what is gone from a file is retired, what a person retired stays so. A
// broken file does not stop it; neither does a deleted one retire anything, for two folders may be imported in turn.
// Each file is one transaction, so that an import that was cut short is finished by the next.
func (b *Base) Import(ctx context.Context, root fs.FS, o ImportOptions) (ImportReport, error) {
	r := ImportReport{Skipped: o.Left}
	files, err := listFiles(root)
	if err != nil {
		return r, fault.Wrap(fault.Invalid, err, "The folder can't be read. Check its name and that you may read it.")
	}
	r.before = beforeImport(o)
	docs, err := r.parse(ctx, root, files)
	if err != nil {
		return r, err
	}
	return r, b.importAll(ctx, docs, o, &r)
}

// beforeImport names the state to which a person may want to go back.
func beforeImport(o ImportOptions) string {
	return "Before the import of " + cmp.Or(o.Source, "documents")
}

// importAll stores the documents, one after the other.
func (b *Base) importAll(ctx context.Context, docs []*document, o ImportOptions, r *ImportReport) (err error) {
	conflicts := findConflicts(docs)
	for i, d := range docs {
		if err := ctx.Err(); err != nil {
			return err
		}
		if o.Progress != nil {
			o.Progress(i, len(docs))
		}
		if err := b.importDocument(ctx, d, conflicts, o, r); err != nil {
			return fmt.Errorf("knowledge: import %s: %w", d.path, err)
		}
	}
	paths := map[string]bool{}
	for _, d := range docs {
		paths[d.path] = true
	}
	if r.Duplicates, err = b.linkDuplicates(ctx, func(c Case) bool {
		return c.AgentID == o.AgentID && paths[c.Path]
	}); err != nil {
		return err
	}
	if o.Progress != nil {
		o.Progress(len(docs), len(docs))
	}
	return b.db.Write(ctx, func(tx *db.Tx) error {
		return record(tx, o.By, "knowledge.imported", "agent", o.AgentID,
			map[string]any{"files": r.Files, "imported": r.Imported,
				"updated": r.Updated, "unchanged": r.Unchanged, "retired": r.Retired,
				"restored": r.Restored, "skipped": len(r.Skipped),
				"flagged": len(r.Flagged)})
	})
}

// listFiles walks root, in order; folders and files whose name begins with a dot are not looked at.
func listFiles(root fs.FS) (files []string, err error) {
	err = fs.WalkDir(root, ".", func(p string, e fs.DirEntry, err error) error {
		switch {
		case err != nil && p == ".":
			return err
		case err != nil:
			files = append(files, p) // named in the report when it can't be opened
			return nil
		case p != "." && strings.HasPrefix(e.Name(), "."):
			if e.IsDir() {
				return fs.SkipDir
			}
			return nil
		case !e.IsDir():
			files = append(files, p)
		}
		return nil
	})
	slices.Sort(files)
	return files, err
}

// parse reads the documents among files and says of each other file why it is none.
func (r *ImportReport) parse(ctx context.Context, root fs.FS, files []string) (docs []*document, err error) {
	for _, f := range files {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		if why := noGuidance(f); why != "" {
			r.Skipped = append(r.Skipped, Skipped{File: f, Why: why})
			continue
		}
		raw, err := readFile(root, f)
		if err != nil {
			r.Skipped = append(r.Skipped, Skipped{File: f, Why: "the file can't be read", Bad: true})
			continue
		}
		if d := r.read(f, f, raw); d != nil {
			docs = append(docs, d) // an emptied page too: its old sections are to be retired
		}
	}
	return docs, nil
}

// read reads a document and notes what is odd about it; nil when it can't be read. Headings without text are dropped.
func (r *ImportReport) read(path, name string, raw []byte) *document {
	d, err := parseDocument(path, name, raw)
	if bad, ok := errors.AsType[*brokenDocument](err); ok {
		r.Skipped = append(r.Skipped, Skipped{File: path, Line: bad.line, Why: bad.why, Bad: true})
		return nil
	}
	r.Skipped = append(r.Skipped, d.notes...)
	d.sections = slices.DeleteFunc(d.sections, func(s section) bool { return s.text == "" })
	for _, heading := range d.cut() {
		r.Skipped = append(r.Skipped, Skipped{File: path, Bad: true, Why: fmt.Sprintf("“%s” was left out: "+
			"it has more than %d characters without a space, so it can't be cut into cases", heading, mostCase)})
	}
	if len(d.sections) > mostSections {
		r.Skipped = append(r.Skipped, Skipped{File: path, Bad: true,
			Why: fmt.Sprintf("it has %d sections, and at most %d are read; split it", len(d.sections), mostSections)})
		return nil
	}
	d.hash = fileHash([]byte(d.held())) // of what is read: pages carry tokens and times that nobody reads
	if len(d.sections) == 0 {
		r.Skipped = append(r.Skipped,
			Skipped{File: path, Why: "no text is read from it; headings, forms, buttons and pictures don't count"})
	}
	return d
}

// readFile reads no more than a document may be long, and one byte more to tell. A pipe or a device is refused before
// it is opened: opening one waits for a writer that may never come.
func readFile(root fs.FS, name string) ([]byte, error) {
	switch info, err := fs.Stat(root, name); {
	case err != nil:
		return nil, err
	case !info.Mode().IsRegular():
		return nil, fmt.Errorf("%s is a %v", name, info.Mode().Type())
	}
	f, err := root.Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return io.ReadAll(io.LimitReader(f, int64(max(maxDocument, reader.Most(name)))+1))
}

// Importable reports whether a file of this name may be a document of guidance.
func Importable(name string) bool { return noGuidance(name) == "" }

// noGuidance says why a file is no guidance document, by its name; "" when it may be one.
func noGuidance(f string) string {
	base := strings.ToLower(path.Base(f))
	stem, _, _ := strings.Cut(base, ".")
	switch stem {
	case "readme", "source", "license", "licence", "changelog", "contributing", "authors", "notice":
		return "it describes the folder and is not guidance"
	}
	switch ext := path.Ext(base); {
	case reader.Reads(base), slices.Contains([]string{".md", ".markdown", ".mdown", ".govspeak"}, ext):
		return ""
	case slices.Contains([]string{".yml", ".yaml", ".json", ".toml"}, ext):
		return "it holds settings or strings of a website (" + ext + "), not a guidance page"
	case slices.Contains([]string{".doc", ".rtf", ".odt", ".pages"}, ext):
		return "documents of this kind (" + ext + ") aren't read; save it as .docx or PDF"
	}
	return "only PDF, Word (.docx), HTML, Markdown (.md) and text (.txt) are read"
}

// importDocument stores the sections of one file and retires those that are gone from it.
func (b *Base) importDocument(ctx context.Context, d *document, conflicts map[string][]Flag, o ImportOptions,
	r *ImportReport) error {
	cases := d.cases(o, conflicts, b.db.Now())
	if err := b.prepareAll(ctx, cases); err != nil {
		return err
	}
	var n ImportReport // counted only once the transaction holds
	err := b.db.Write(ctx, func(tx *db.Tx) error {
		n = ImportReport{}
		keep := map[string]bool{}
		seq, err := lastSeq(tx)
		if err != nil {
			return err
		}
		anew := o.Folder == ""
		if anew { // a person names it, though it was withdrawn
			there, err := besideTx(tx, Case{AgentID: o.AgentID, CaseText: CaseText{Path: d.path}})
			if err != nil {
				return err
			}
			anew = len(there) == 0
		}
		for _, c := range cases {
			keep[c.Origin] = true
			if err := b.importCase(tx, c, anew, &n); err != nil {
				return err
			}
		}
		if err := b.retireGone(tx, o.AgentID, d.path, keep, Change{By: audit.System(importer),
			Reason: "The section is gone from " + d.path + "."}, &n); err != nil {
			return err
		}
		if r.before != "" && n.changed() > 0 {
			if _, err := b.stateAtTx(tx, r.before, seq, o.By); err != nil {
				return err
			}
		}
		if len(cases)+n.Retired == n.StayRetired {
			return nil // it is in the report, and there is no document
		}
		if err := keepSourceTx(tx, d, o); err != nil || n.changed() == n.Retired {
			return err
		}
		// Here and not at the end alone: an import that is cut short has changed what agents are given.
		return record(tx, o.By, "knowledge.document_imported", "document", d.path,
			map[string]any{"agent": o.AgentID, "imported": n.Imported, "updated": n.Updated, "restored": n.Restored})
	})
	if err != nil {
		return err
	}
	if n.changed() > 0 {
		r.before = ""
	}
	if len(cases) > 0 {
		r.Files++
	}
	r.count(n)
	for _, c := range cases {
		if len(c.Flags) > 0 {
			r.Flagged = append(r.Flagged, Flagging{Source: c.Citation, Flags: c.Flags})
		}
	}
	return nil
}

// importCase stores a section. One that a person retired stays so, unless its document is imported anew.
func (b *Base) importCase(tx *db.Tx, c Case, anew bool, n *ImportReport) error {
	old, err := b.CaseOfOriginTx(tx, c.AgentID, c.Source, c.Origin)
	if err != nil {
		return err
	}
	if old != nil && old.Status == Retired && (!anew && old.By.ID != importer || !old.ErasedAt.IsZero()) {
		n.StayRetired++
		return nil
	}
	_, what, err := b.putCaseTx(tx, c)
	switch {
	case what == added:
		n.Imported++
	case what == updated && old.Status != Active:
		n.Restored++
	case what == updated:
		n.Updated++
	default:
		n.Unchanged++
	}
	return err
}

// retireGone retires the sections of an agent's file that are not in keep.
func (b *Base) retireGone(tx *db.Tx, agentID, file string, keep map[string]bool, why Change, n *ImportReport) error {
	var gone []string
	err := db.Each(tx, "list sections", func(row db.Row) error {
		var id, origin string
		err := row.Scan(&id, &origin)
		if !keep[origin] {
			gone = append(gone, id)
		}
		return err
	}, `SELECT id, origin FROM knowledge_case
		WHERE agent_id = $1 AND source = $2 AND status = $3 AND origin >= $4 AND origin < $5 AND origin <> ''`,
		agentID, FromDocument, Active, file+"#", file+"$") // $ is the sign after #
	if err != nil {
		return err
	}
	for _, id := range gone {
		if _, err := b.retireTx(tx, id, why); err != nil {
			return err
		}
		n.Retired++
	}
	return b.wentTx(tx, gone, why.Reason)
}

// prepareAll embeds the cases, a batch a call.
func (b *Base) prepareAll(ctx context.Context, cases []Case) error {
	for batch := range slices.Chunk(cases, embedBatch) {
		texts := make([]string, len(batch))
		for i := range batch {
			texts[i] = batch[i].entry().Text()
		}
		vectors, err := b.embedder.Embed(ctx, texts)
		if err != nil {
			return fmt.Errorf("embed: %w", err)
		}
		if len(vectors) != len(batch) {
			return fmt.Errorf("%s gave %d vectors for %d texts", b.embedder.Name(), len(vectors), len(batch))
		}
		for i := range batch {
			batch[i].vector, batch[i].model = vectors[i], b.embedder.Name()
		}
	}
	return nil
}

// sectionTask is what a section's headings say it is about, and only when they say nothing, what its text does: a text
// on one thing mentions many others.
func sectionTask(in *pack.Pack, page, title, text string) pack.Task {
	for _, words := range []string{title, page + ". " + title} {
		if t := in.TopicOf(words); t != pack.General {
			return t
		}
	}
	return in.TopicOf(title + ". " + text)
}

// cases makes a case of each section (seed 000, "Knowledge Learning"). Unlike the seed it calls none verified.
func (d *document) cases(o ImportOptions, conflicts map[string][]Flag, now time.Time) []Case {
	var out []Case
	for i, s := range d.cited() {
		title := d.sections[i].heading
		if len(s.parents) > 0 {
			title = s.parents[len(s.parents)-1] + ": " + title
		}
		page := d.title
		if s.beside {
			page = "" // a heading beside it says nothing of this one
		}
		c := Case{Source: FromDocument, Origin: s.citation, AgentID: o.AgentID, By: audit.System(importer),
			Reason: "Imported.",
			Task:   sectionTask(pack.Of(o.Pack), d.title, title, s.text)}
		c.CaseText = CaseText{Title: title, Situation: situationOf(d.title, title), Guidance: s.text,
			Citation: s.citation, Path: d.path, Place: s.place,
			Heading: s.heading, Page: page, Outcome: "Published guidance (" + s.citation +
				"), not checked by a person"}
		if o.AgentID == "" {
			c.CaseText.Pack = pack.Of(o.Pack).Name
		}
		if pack.Of(o.Pack).Checks { // dated facts are the pack's
			c.Flags = append(factFlags(title+"\n"+s.text, now), conflicts[s.citation]...)
		}
		out = append(out, c)
	}
	return out
}

func situationOf(page, title string) string {
	if page == title {
		return "Somebody asks about this: " + page
	}
	return "Somebody asks about this: " + page + " – " + title
}

type citedSection struct {
	section
	citation string
}

// cited gives each section its citation, dir/file.md#heading; a heading that comes again is told apart by its parent,
// or by a number.
func (d *document) cited() []citedSection {
	var out []citedSection
	seen := map[string]bool{}
	for _, s := range d.sections {
		name := d.path + "#" + s.heading
		if seen[name] && len(s.parents) > 0 {
			name = d.path + "#" + s.parents[len(s.parents)-1] + ": " + s.heading
		}
		for n, base := 2, name; seen[name]; n++ {
			name = base + " (" + strconv.Itoa(n) + ")"
		}
		seen[name] = true
		out = append(out, citedSection{s, name})
	}
	return out
}
