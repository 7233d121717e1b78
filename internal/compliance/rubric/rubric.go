// Package rubric is what experts and judges rule by: the rubric, which says where the line is, and the taxonomy of
// issues that experts name.
//
// Their versions are rows of package approval. Each has one in force. A new one is proposed by one person and agreed to
// by another; what comes with the program is in force where nobody has agreed on anything of their own. Judges read
// what is in force from a cache, at any time.
package rubric

import (
	"context"
	_ "embed" // the line that comes with the program
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync/atomic"

	"preceptor/internal/approval"
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

// maxText is the most bytes that are kept.
const maxText = 20_000

// Kinds of what experts rule by.
const (
	RubricKind   = "rubric"
	TaxonomyKind = "taxonomy"
)

var shipped = map[string]string{RubricKind: shippedRubric, TaxonomyKind: shippedTaxonomy}

// acts are what a new version of either is.
var acts = map[string]approval.Act{RubricKind: approval.Boundary, TaxonomyKind: approval.Issues}

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

// Guards say who may do what.
type Guards struct {
	MayPropose person.Guard
	MayAgree   person.Guard // to a version of somebody else's
}

// Store keeps the versions, and caches what is in force for judges that are asked outside any transaction.
type Store struct {
	db       *db.DB
	changes  *approval.Store
	rubric   atomic.Pointer[compliance.Rubric]
	taxonomy atomic.Pointer[Taxonomy]
}

// New makes a store; Sync reads what is in force.
func New(d *db.DB, changes *approval.Store, g Guards) *Store {
	s := &Store{db: d, changes: changes}
	for kind := range acts {
		changes.Handle(kind, approval.Handler{MayPropose: g.MayPropose, MayAgree: g.MayAgree, Topic: "borderline",
			After: s.load, Check: check, Follow: follow,
			Base: func(tx *db.Tx, c approval.Change) (int, error) {
				now, err := inForceOf(tx, c.Kind)
				return now.Version, err
			},
			Says: func(_ *db.Tx, c approval.Change) (approval.Says, error) {
				return approval.Says{Title: fmt.Sprintf("Version %d", c.Version),
					Href: "/compliance/rubric?kind=" + c.Kind}, nil
			},
		})
	}
	return s
}

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
	err := s.db.Read(ctx, func(tx *db.Tx) error {
		for kind, text := range shipped {
			newest, err := newestOf(tx, kind)
			if err != nil {
				return err
			}
			if newest.Version == 0 || newest.State == approval.Made && newest.Payload != text {
				stale = append(stale, kind)
			}
		}
		return nil
	})
	if err == nil && len(stale) > 0 {
		err = s.db.Write(ctx, func(tx *db.Tx) (err error) {
			for _, kind := range stale {
				err = errors.Join(err, approval.Ship(tx, kind, shipped[kind]))
			}
			return err
		})
	}
	if err != nil {
		return err
	}
	return s.load(ctx)
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
	line, err := inForceOf(tx, RubricKind)
	if err != nil {
		return r, t, err
	}
	issues, err := inForceOf(tx, TaxonomyKind)
	if err != nil {
		return r, t, err
	}
	t, err = ReadTaxonomy(issues.Payload)
	t.Version = issues.Version
	return compliance.Rubric{Version: line.Version, Text: line.Payload}, t, err
}

func newestOf(tx *db.Tx, kind string) (c approval.Change, err error) {
	list, err := approval.InForce(tx, kind)
	if len(list) > 0 {
		c = list[0]
	}
	return c, err
}

// inForceOf is the newest version that two people agreed on, or what comes with this program, whatever the file says
// came with one; of version 0 before Sync.
func inForceOf(tx *db.Tx, kind string) (approval.Change, error) {
	c, err := newestOf(tx, kind)
	if c.State != approval.Agreed {
		c.Payload = shipped[kind]
	}
	return c, err
}

// Editions are all versions of a kind, newest first.
func (s *Store) Editions(ctx context.Context, kind string) ([]approval.Change, error) {
	return db.Read(ctx, s.db, func(tx *db.Tx) ([]approval.Change, error) { return approval.Of(tx, kind, "") })
}

// Propose stores a new version for somebody else to agree to. Invalid with the fields text and reason; Conflict while
// another proposal waits, or when base is not the version in force.
func (s *Store) Propose(ctx context.Context, kind, text, reason string, base int, by audit.Actor) error {
	c := approval.Change{Kind: kind, Base: base,
		Payload: strings.TrimSpace(strings.ReplaceAll(strings.ToValidUTF8(text, "\uFFFD"), "\r\n", "\n")),
		Reason:  strings.TrimSpace(strings.ToValidUTF8(reason, "\uFFFD"))}
	if err := complete(c); err != nil {
		return err
	}
	_, err := s.changes.Propose(ctx, acts[kind], c, by)
	return err
}

func check(tx *db.Tx, c approval.Change) error {
	if err := complete(c); err != nil {
		return approval.Unreadable(err)
	}
	open, err := approval.OpenOf(tx, c.Kind)
	if err != nil {
		return err
	}
	if c.State == "" && len(open) > 0 {
		return fault.New(fault.Conflict,
			"A proposal is already waiting for agreement. Decide that one first; what you typed is still in the form.")
	}
	now, err := inForceOf(tx, c.Kind)
	if err == nil && strings.TrimSpace(now.Payload) == c.Payload {
		err = fault.Wrong("This is the same as the version in force.", "text", "Change something first.")
	}
	return err
}

// complete says field by field what is wrong with a version.
func complete(c approval.Change) error {
	_, err := approval.Reason(c.Reason, "reason", "Say why it should change. The person who agrees reads it.")
	wrong := fault.Fields(err)
	msg := text.TooLong(c.Payload, maxText)
	if c.Payload == "" {
		msg = "Write the new version."
	} else if c.Kind == TaxonomyKind && msg == "" {
		if _, err := ReadTaxonomy(c.Payload); err != nil {
			msg = fault.Message(err)
		}
	}
	if msg != "" {
		wrong = append(wrong, fault.Field{Name: "text", Msg: msg})
	}
	if len(wrong) > 0 {
		return fault.WithFields("The proposal is not complete. Nothing you typed is lost.", wrong...)
	}
	return nil
}

// follow puts what happened to a version on record.
func follow(tx *db.Tx, c approval.Change, by audit.Actor) error {
	return audit.Note(tx, by, "rubric."+c.State, c.Kind, fmt.Sprint(c.Version),
		map[string]any{"version": c.Version, "reason": c.Reason, "text": c.Payload})
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
