// Package rubric is what experts and judges rule by: the rubric, which says where the line is, and the taxonomy of
// issues that experts name.
//
// It owns the table rubric. Each has one version in force. A new one is proposed by one person and agreed to by
// another; what comes with the program is in force where nobody has agreed on anything of their own. Judges read what
// is in force from a cache, at any time.
package rubric

import (
	"context"
	_ "embed" // the line that comes with the program
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

//go:embed line/rubric.md
var shippedRubric string

//go:embed line/taxonomy.json
var shippedTaxonomy string

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

// anyTrade are the codes of a taxonomy that hold in every domain.
var anyTrade = []string{compliance.Pressure, compliance.OffTopic, compliance.Other}

// Of is what texts of a pack are marked with: where the domain has no checks of its own, what a judge reads for in any
// trade.
func (t Taxonomy) Of(packName string) Taxonomy {
	if pack.Of(packName).Checks {
		return t
	}
	out := Taxonomy{Version: t.Version}
	for _, info := range compliance.Registry() {
		if info.Pack == pack.GeneralName {
			out.Issues = append(out.Issues, IssueKind{info.Code, info.Title, info.Description})
		}
	}
	for _, k := range t.Issues {
		if slices.Contains(anyTrade, k.Code) {
			out.Issues = append(out.Issues, k)
		}
	}
	return out
}

// Label is a code in words; the code itself where this version does not know it.
func (t Taxonomy) Label(code string) string {
	if k, ok := t.Find(code); ok {
		return k.Label
	}
	return code
}

// Edition is one version of the rubric or the taxonomy.
type Edition struct {
	Kind     string
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
	db       *db.DB
	guards   Guards
	rubric   atomic.Pointer[compliance.Rubric]
	taxonomy atomic.Pointer[Taxonomy]
}

// New makes a store; Sync reads what is in force.
func New(d *db.DB, g Guards) *Store { return &Store{db: d, guards: g} }

// Rubric is the one in force. It may be called at any time, by any number of judges.
func (s *Store) Rubric() compliance.Rubric {
	if r := s.rubric.Load(); r != nil {
		return *r
	}
	return compliance.Rubric{Text: shippedRubric}
}

// Taxonomy is the one in force.
func (s *Store) Taxonomy() Taxonomy {
	if t := s.taxonomy.Load(); t != nil {
		return *t
	}
	t, _ := ReadTaxonomy(shippedTaxonomy)
	return t
}

// Sync puts what came with the program in force where nobody has agreed on anything of their own, and reads what is.
func (s *Store) Sync(ctx context.Context) error {
	var stale []string
	for kind, text := range map[string]string{RubricKind: shippedRubric, TaxonomyKind: shippedTaxonomy} {
		var e Edition
		err := s.db.Read(ctx, func(tx *db.Tx) (err error) {
			e, err = inForceOf(tx, kind)
			return err
		})
		if err != nil {
			return err
		}
		if e.Version == 0 || e.By.ID == "" && e.Text != text {
			stale = append(stale, kind)
		}
	}
	if len(stale) > 0 {
		if err := s.db.Write(ctx, func(tx *db.Tx) error { return ship(tx, stale) }); err != nil {
			return err
		}
	}
	return s.load(ctx)
}

func ship(tx *db.Tx, kinds []string) error {
	for _, kind := range kinds {
		text := shippedRubric
		if kind == TaxonomyKind {
			text = shippedTaxonomy
		}
		err := db.Exec(tx, "rubric: put the "+kind+" in force", `INSERT INTO rubric (kind, version, state, text, reason,
				by_id, by_name, at, agreed_name, agreed_at)
			SELECT $1, coalesce(max(version), 0) + 1, 'in_force', $2, 'It comes with the program.', '', 'Preceptor', $3,
				'Preceptor', $3 FROM rubric WHERE kind = $1`,
			kind, text, tx.NowMs())
		if err != nil {
			return err
		}
	}
	return nil
}

// load reads what is in force into the cache.
func (s *Store) load(ctx context.Context) error {
	return s.db.Read(ctx, func(tx *db.Tx) error {
		r, t, err := InForceTx(tx)
		if err == nil {
			s.rubric.Store(&r)
			s.taxonomy.Store(&t)
		}
		return err
	})
}

// InForceTx is what is in force now; what came with the program, as version 0, before Sync.
func InForceTx(tx *db.Tx) (r compliance.Rubric, t Taxonomy, err error) {
	e, err := inForceOf(tx, RubricKind)
	if err != nil {
		return r, t, err
	}
	r = compliance.Rubric{Version: e.Version, Text: e.Text}
	if e.Version == 0 {
		r.Text = shippedRubric
	}
	if e, err = inForceOf(tx, TaxonomyKind); err != nil {
		return r, t, err
	}
	if e.Version == 0 {
		e.Text = shippedTaxonomy
	}
	t, err = ReadTaxonomy(e.Text)
	t.Version = e.Version
	return r, t, err
}

const editionColumns = `kind, version, state, text, reason, by_id, by_name, at, agreed_by, agreed_name, agreed_at`

func scanEdition(row db.Row) (e Edition, err error) {
	err = row.Scan(&e.Kind, &e.Version, &e.State, &e.Text, &e.Reason, &e.By.ID, &e.By.Name, db.At(&e.At),
		&e.AgreedBy.ID, &e.AgreedBy.Name, db.At(&e.AgreedAt))
	return e, err
}

// inForceOf is the newest edition in force; one of version 0 when there is none.
func inForceOf(tx *db.Tx, kind string) (Edition, error) {
	e, _, err := db.First(tx, "rubric: read the edition in force", scanEdition, `SELECT `+editionColumns+`
		FROM rubric WHERE kind = $1 AND state = 'in_force'
		ORDER BY version DESC LIMIT 1`, kind)
	e.Kind = kind
	return e, err
}

// Editions are all versions of a kind, newest first.
func (s *Store) Editions(ctx context.Context, kind string) ([]Edition, error) {
	return db.Read(ctx, s.db, func(tx *db.Tx) ([]Edition, error) {
		return db.List(tx, fmt.Sprintf("rubric: read the versions of the %s", kind), scanEdition,
			`SELECT `+editionColumns+`
			FROM rubric WHERE kind = $1 ORDER BY version DESC LIMIT 200`, kind)
	})
}

// Propose stores a new version for somebody else to agree to. Invalid with the fields text and reason; Conflict while
// another proposal waits, or when base is not the version in force.
func (s *Store) Propose(ctx context.Context, e Edition, base int) error {
	e.Text = text.Typed(e.Text)
	e.Reason = text.Typed(e.Reason)
	if err := e.check(); err != nil {
		return err
	}
	return s.db.Write(ctx, func(tx *db.Tx) error {
		if err := s.guards.MayPropose.May(tx, e.By.ID); err != nil {
			return err
		}
		now, err := inForceOf(tx, e.Kind)
		if err != nil {
			return err
		}
		var waiting bool
		if err := db.One(tx, "rubric: look for a proposal", `SELECT
			EXISTS (SELECT 1 FROM rubric WHERE kind = $1 AND state = 'proposed')`, e.Kind).Scan(&waiting); err != nil {
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
				by_name, at)
			SELECT $1, max(version) + 1, 'proposed', $2, $3, $4, $5, $6 FROM rubric WHERE kind = $1 RETURNING version`,
			e.Kind, e.Text, e.Reason, e.By.ID, e.By.Name, tx.NowMs()).Scan(&e.Version)
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
		map[string]any{"version": e.Version, "reason": e.Reason, "text": e.Text})
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
