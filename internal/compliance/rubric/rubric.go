// Package rubric is what experts and judges of a pack rule by: its rubric, which says where the line is, and its
// taxonomy of issues that experts name.
//
// It owns the table rubric. Each pack has one version of each in force. A new one is proposed by one person and agreed
// to by another; what comes with the pack is in force where nobody has agreed on anything of their own. Judges read
// what is in force from a cache, at any time. Versions are numbered over all packs, so that the number in an answer
// names one text.
//
// It decided against a rubric that packs share: whatever it said, one trade would read the words of another.
package rubric

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"sync/atomic"
	"time"

	"preceptor/internal/audit"
	"preceptor/internal/compliance"
	"preceptor/internal/db"
	"preceptor/internal/fault"
	"preceptor/internal/pack"
	"preceptor/internal/person"
	"preceptor/internal/strict"
	"preceptor/internal/text"
)

// The most bytes that are kept.
const (
	maxText = 20_000
	maxWhy  = 2000
)

// Kinds of what experts rule by.
const (
	RubricKind   = "rubric"
	TaxonomyKind = "taxonomy"
)

// shipped is what comes with a pack of a kind.
func shipped(kind, packName string) string {
	if kind == TaxonomyKind {
		return pack.File(packName, "taxonomy.json")
	}
	return pack.File(packName, "rubric.md")
}

// States of a version.
const (
	Proposed = "proposed"
	InForce  = "in_force"
	Refused  = "refused"
)

// IssueKind is one entry of the taxonomy.
type IssueKind struct {
	Code  string `json:"code"`
	Label string `json:"label"`
	What  string `json:"what"`
}

// Taxonomy is the issues that experts name, in the order in which they are offered.
type Taxonomy struct {
	Version int
	Issues  []IssueKind
}

// Find is the entry of a code.
func (t Taxonomy) Find(code string) (IssueKind, bool) {
	for _, k := range t.Issues {
		if k.Code == code {
			return k, true
		}
	}
	return IssueKind{}, false
}

// Codes are those of its issues that a set can have: all but something else, which needs words.
func (t Taxonomy) Codes() (out []string) {
	for _, k := range t.Issues {
		if k.Code != compliance.Other {
			out = append(out, k.Code)
		}
	}
	return out
}

// Label is a code in words, as other pages say it where this version does not know it.
func (t Taxonomy) Label(code string) string {
	if k, ok := t.Find(code); ok {
		return k.Label
	}
	return pack.IssueName(code)
}

// Edition is one version of a pack's rubric or taxonomy.
type Edition struct {
	Kind     string
	Pack     string
	Version  int
	State    string
	Text     string // Markdown, or JSON
	Reason   string
	By       person.Person // no ID: it came with the program
	At       time.Time
	AgreedBy person.Person
	AgreedAt time.Time
}

// Guards say who may do what.
type Guards struct {
	MayPropose person.Guard
	MayAgree   person.Guard // to a version of somebody else's
}

// Store keeps the versions, and caches what is in force for judges that are asked outside any transaction.
type Store struct {
	db     *db.DB
	guards Guards
	cache  atomic.Pointer[map[string]standards] // by pack
}

// standards are what a pack's texts are ruled by.
type standards struct {
	rubric   compliance.Rubric
	taxonomy Taxonomy
}

// New makes a store; Sync reads what is in force.
func New(d *db.DB, g Guards) *Store { return &Store{db: d, guards: g} }

// of is what is in force for a pack; what came with it before Sync.
func (s *Store) of(packName string) (now standards) {
	if c := s.cache.Load(); c != nil {
		return (*c)[pack.Of(packName).Name]
	}
	now.rubric.Text = shipped(RubricKind, packName)
	now.taxonomy, _ = ReadTaxonomy(shipped(TaxonomyKind, packName))
	return now
}

// Rubric is the pack's that is in force. It may be called at any time, by any number of judges.
func (s *Store) Rubric(packName string) compliance.Rubric { return s.of(packName).rubric }

// Taxonomy is the pack's that is in force.
func (s *Store) Taxonomy(packName string) Taxonomy { return s.of(packName).taxonomy }

// Sync puts what came with each pack in force where nobody has agreed on anything of their own, and reads what is.
func (s *Store) Sync(ctx context.Context) error {
	// From the last by name: a new file's first versions are of pensions.
	for _, p := range slices.Backward(pack.All()) {
		for _, kind := range []string{RubricKind, TaxonomyKind} {
			text := shipped(kind, p.Name)
			e, err := db.Read(ctx, s.db, func(tx *db.Tx) (Edition, error) { return inForceOf(tx, kind, p.Name) })
			if err == nil && (e.Version == 0 || e.By.ID == "" && e.Text != text) {
				err = s.db.Write(ctx, func(tx *db.Tx) error { return ship(tx, kind, p.Name, text) })
			}
			if err != nil {
				return err
			}
		}
	}
	return s.load(ctx)
}

func ship(tx *db.Tx, kind, packName, text string) error {
	return db.Exec(tx, "rubric: put the "+kind+" in force", `INSERT INTO rubric (kind, version, state, text, reason,
			by_id, by_name, at, agreed_name, agreed_at, pack)
		SELECT $1, coalesce(max(version), 0) + 1, 'in_force', $2, 'It comes with the program.', '', 'Preceptor', $3,
			'Preceptor', $3, $4 FROM rubric WHERE kind = $1`,
		kind, text, tx.NowMs(), packName)
}

// load reads what is in force into the cache.
func (s *Store) load(ctx context.Context) error {
	return s.db.Read(ctx, func(tx *db.Tx) error {
		now := map[string]standards{}
		for _, p := range pack.All() {
			r, t, err := InForceTx(tx, p.Name)
			if err != nil {
				return err
			}
			now[p.Name] = standards{r, t}
		}
		s.cache.Store(&now)
		return nil
	})
}

// InForceTx is what is in force for a pack now; what came with it, as version 0, before Sync.
func InForceTx(tx *db.Tx, packName string) (r compliance.Rubric, t Taxonomy, err error) {
	e, err := inForceOf(tx, RubricKind, packName)
	if err != nil {
		return r, t, err
	}
	r = compliance.Rubric{Version: e.Version, Text: e.Text}
	if e, err = inForceOf(tx, TaxonomyKind, packName); err != nil {
		return r, t, err
	}
	t, err = ReadTaxonomy(e.Text)
	t.Version = e.Version
	return r, t, err
}

const editionColumns = `kind, pack, version, state, text, reason, by_id, by_name, at, agreed_by, agreed_name, agreed_at`

func scanEdition(row db.Row) (e Edition, err error) {
	err = row.Scan(&e.Kind, &e.Pack, &e.Version, &e.State, &e.Text, &e.Reason, &e.By.ID, &e.By.Name, db.At(&e.At),
		&e.AgreedBy.ID, &e.AgreedBy.Name, db.At(&e.AgreedAt))
	return e, err
}

// inForceOf is a pack's newest edition in force; what came with it, as version 0, when there is none.
func inForceOf(tx *db.Tx, kind, packName string) (Edition, error) {
	name := pack.Of(packName).Name
	e, found, err := db.First(tx, "rubric: read the edition in force", scanEdition, `SELECT `+editionColumns+`
		FROM rubric WHERE kind = $1 AND pack = $2 AND state = 'in_force'
		ORDER BY version DESC LIMIT 1`, kind, name)
	if !found {
		e = Edition{Kind: kind, Pack: name, Text: shipped(kind, name)}
	}
	return e, err
}

// Editions are all versions of a kind, newest first: a pack's, or every pack's for "".
func (s *Store) Editions(ctx context.Context, kind, packName string) ([]Edition, error) {
	return db.Read(ctx, s.db, func(tx *db.Tx) ([]Edition, error) {
		return db.List(tx, fmt.Sprintf("rubric: read the versions of the %s", kind), scanEdition,
			`SELECT `+editionColumns+`
			FROM rubric WHERE kind = $1 AND ($2 = '' OR pack = $2) ORDER BY version DESC LIMIT 200`, kind, packName)
	})
}

// Propose stores a new version for a pack for somebody else to agree to. Invalid with the fields text and reason;
// Conflict while another proposal for it waits, or when base is not the version in force there.
func (s *Store) Propose(ctx context.Context, e Edition, base int) error {
	e.Text = text.Typed(e.Text)
	e.Reason = text.Typed(e.Reason)
	if err := e.check(); err != nil {
		return err
	}
	e.Pack = pack.Of(e.Pack).Name
	return s.db.Write(ctx, func(tx *db.Tx) error {
		if err := s.guards.MayPropose.May(tx, e.By.ID); err != nil {
			return err
		}
		now, err := inForceOf(tx, e.Kind, e.Pack)
		if err != nil {
			return err
		}
		var waiting bool
		if err := db.One(tx, "rubric: look for a proposal", `SELECT
			EXISTS (SELECT 1 FROM rubric WHERE kind = $1 AND pack = $2 AND state = 'proposed')`, e.Kind,
			e.Pack).Scan(&waiting); err != nil {
			return err
		}
		switch {
		case waiting:
			return fault.New(fault.Conflict,
				"A proposal is already waiting for agreement. Decide that one first; what you typed is still in "+
					"the form.")
		case now.Version != base:
			return fault.New(fault.Conflict,
				"A new version came into force while you were writing. Compare it with yours and propose again; what "+
					"you typed is still in the form.")
		case strings.TrimSpace(now.Text) == e.Text:
			return fault.Wrong("This is the same as the version in force.", "text", "Change something first.")
		}
		err = db.One(tx, "rubric: propose a "+e.Kind, `INSERT INTO rubric (kind, version, state, text, reason, by_id,
				by_name, at, pack)
			SELECT $1, max(version) + 1, 'proposed', $2, $3, $4, $5, $6, $7 FROM rubric
			WHERE kind = $1 RETURNING version`,
			e.Kind, e.Text, e.Reason, e.By.ID, e.By.Name, tx.NowMs(), e.Pack).Scan(&e.Version)
		if err != nil {
			return err
		}
		tx.Touch("borderline") // what its pages show follows
		return recordEdition(tx, e.By, "rubric.proposed", e)
	})
}

func (e Edition) check() error {
	var wrong []fault.Field
	bad := func(is bool, field, msg string) {
		if is {
			wrong = append(wrong, fault.Field{Name: field, Msg: msg})
		}
	}
	bad(e.Text == "", "text", "Write the new version.")
	long, longWhy := text.TooLong(e.Text, maxText), text.TooLong(e.Reason, maxWhy)
	bad(long != "", "text", long)
	bad(e.Reason == "", "reason", "Say why it should change. The person who agrees reads it.")
	bad(longWhy != "", "reason", longWhy)
	if e.Kind == TaxonomyKind && e.Text != "" {
		if _, err := ReadTaxonomy(e.Text); err != nil {
			bad(true, "text", fault.Message(err))
		}
	}
	if len(wrong) > 0 {
		return fault.WithFields("The proposal is not complete. Nothing you typed is lost.", wrong...)
	}
	return nil
}

// Settle agrees to a proposal, which is in force from then on, or refuses it. Its author may refuse, and not agree.
func (s *Store) Settle(ctx context.Context, kind string, version int, agree bool, by person.Person) error {
	err := s.db.Write(ctx, func(tx *db.Tx) error {
		if err := s.guards.MayAgree.May(tx, by.ID); err != nil {
			return err
		}
		e, err := scanEdition(db.One(tx, "rubric: read a proposal", `SELECT `+editionColumns+` FROM rubric
			WHERE kind = $1 AND version = $2 AND state = 'proposed'`, kind, version).
			Or(fault.New(fault.Conflict, "This proposal has already been decided. Reload to see what is in force.")))
		if err != nil {
			return err
		}
		if agree && e.By.ID == by.ID {
			return fault.New(fault.Denied, "You proposed this, so someone else has to agree to it.")
		}
		state, action := Refused, "rubric.refused"
		if agree {
			state, action = InForce, "rubric.agreed"
		}
		if err := db.Exec(tx, "rubric: settle a "+kind, `UPDATE rubric SET state = $1, agreed_by = $2, agreed_name = $3,
			agreed_at = $4
			WHERE kind = $5 AND version = $6`,
			state, by.ID, by.Name, tx.NowMs(), kind, version); err != nil {
			return err
		}
		tx.Touch("borderline") // what its pages show follows
		return recordEdition(tx, by, action, e)
	})
	if err != nil {
		return err
	}
	return s.load(ctx)
}

func recordEdition(tx *db.Tx, by person.Person, action string, e Edition) error {
	return audit.Note(tx, by.Actor(), action, e.Kind, fmt.Sprint(e.Version),
		map[string]any{"version": e.Version, "pack": e.Pack, "reason": e.Reason, "text": e.Text})
}

// ReadTaxonomy reads a taxonomy from its JSON, or says what is wrong with it.
func ReadTaxonomy(text string) (t Taxonomy, err error) {
	if err := strict.Into([]byte(text), &t.Issues); err != nil {
		return t, fault.New(fault.Invalid, "This is not a list of {\"code\", \"label\", \"what\"} in JSON.")
	}
	seen := map[string]bool{}
	for i, k := range t.Issues {
		switch {
		case k.Code == "" || strings.Trim(k.Code, "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_") != "":
			return t, fault.New(fault.Invalid, "The code of entry %d can only have capitals, digits and underscores.",
				i+1)
		case k.Label == "" || k.What == "":
			return t, fault.New(fault.Invalid, "%s needs a label and a sentence that says what it is.", k.Code)
		case seen[k.Code]:
			return t, fault.New(fault.Invalid, "%s is listed twice.", k.Code)
		}
		seen[k.Code] = true
	}
	if len(t.Issues) == 0 || len(t.Issues) > 60 {
		return t, fault.New(fault.Invalid, "Keep between 1 and 60 issues.")
	}
	return t, nil
}
