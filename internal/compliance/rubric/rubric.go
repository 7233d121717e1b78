// Package rubric is what experts and judges of a pack rule by: its rubric, which says where the line is, and its
// taxonomy of issues that experts name.
//
// Their versions are rows of package approval, the pack its subject. Each pack has one of each in force. A new one is
// proposed by one person and agreed to by another; what comes with the pack is in force where nobody has agreed on
// anything of their own. Judges read what is in force from a cache, at any time. Versions are numbered over all packs,
// so that the number in an answer names one text.
//
// It decided against a rubric that packs share: whatever it said, one trade would read the words of another.
package rubric

import (
	"context"
	"fmt"
	"log/slog"
	"slices"
	"strings"
	"sync/atomic"

	"preceptor/internal/approval"
	"preceptor/internal/audit"
	"preceptor/internal/compliance"
	"preceptor/internal/pack"
	"preceptor/internal/person"
	"preceptor/internal/platform/db"
	"preceptor/internal/platform/fault"
	"preceptor/internal/platform/strict"
	"preceptor/internal/platform/text"
)

// maxText is the most bytes that are kept.
const maxText = 20_000

// Kinds of what experts rule by.
const (
	RubricKind   = "rubric"
	TaxonomyKind = "taxonomy"
)

// acts are what a new version of either is.
var acts = map[string]approval.Act{RubricKind: approval.Boundary, TaxonomyKind: approval.Issues}

// shipped is what comes with a pack of a kind.
func shipped(kind, packName string) string {
	if kind == TaxonomyKind {
		return pack.File(packName, "taxonomy.json")
	}
	return pack.File(packName, "rubric.md")
}

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

const topic = "borderline"

// Guards say who may do what.
type Guards struct {
	MayPropose person.Guard
	MayAgree   person.Guard // to a version of somebody else's
}

// Store keeps the versions, and caches what is in force for judges that are asked outside any transaction.
type Store struct {
	db      *db.DB
	changes *approval.Store
	cache   atomic.Pointer[map[string]standards] // by pack
	watch   *db.Watch
}

// standards are what a pack's texts are ruled by.
type standards struct {
	rubric   compliance.Rubric
	taxonomy Taxonomy
}

// New makes a store; Sync reads what is in force.
func New(d *db.DB, changes *approval.Store, g Guards, log *slog.Logger) *Store {
	s := &Store{db: d, changes: changes}
	s.watch = d.NewWatch(topic, log, s.load)
	for kind := range acts {
		changes.Handle(kind, approval.Handler{MayPropose: g.MayPropose, MayAgree: g.MayAgree, Topic: topic,
			After: s.load, Check: check, Follow: follow,
			Base: func(tx *db.Tx, c approval.Change) (int, error) {
				now, err := inForceOf(tx, c.Kind, c.Subject)
				return now.Version, err
			},
			Says: func(_ *db.Tx, c approval.Change) (approval.Says, error) {
				return approval.Says{Title: fmt.Sprintf("%s, version %d", pack.Title(c.Subject), c.Version),
					Href: "/compliance/rubric?kind=" + c.Kind + "&pack=" + c.Subject}, nil
			},
		})
	}
	return s
}

// of is what is in force for a pack; what came with it before Sync.
func (s *Store) of(packName string) (now standards) {
	s.watch.Look()
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
		for kind := range acts {
			text := shipped(kind, p.Name)
			newest, err := db.Read(ctx, s.db, func(tx *db.Tx) (approval.Change, error) {
				return newestOf(tx, kind, p.Name)
			})
			if err == nil && (newest.Version == 0 || newest.State == approval.Made && newest.Payload != text) {
				err = s.db.Write(ctx, func(tx *db.Tx) error { return approval.Ship(tx, kind, p.Name, text) })
			}
			if err != nil {
				return err
			}
		}
	}
	return s.load(ctx)
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
	line, err := inForceOf(tx, RubricKind, packName)
	if err != nil {
		return r, t, err
	}
	issues, err := inForceOf(tx, TaxonomyKind, packName)
	if err != nil {
		return r, t, err
	}
	t, err = ReadTaxonomy(issues.Payload)
	t.Version = issues.Version
	return compliance.Rubric{Version: line.Version, Text: line.Payload}, t, err
}

// newestOf is the newest version that two people agreed on, or else the newest that came with the program.
func newestOf(tx *db.Tx, kind, packName string) (c approval.Change, err error) {
	name := pack.Of(packName).Name
	c, ok, err := approval.NewestAgreed(tx, kind, name)
	if ok || err != nil {
		return c, err
	}
	list, err := approval.InForceOf(tx, kind, name, name)
	if len(list) > 0 {
		c = list[0]
	}
	return c, err
}

// inForceOf is a pack's newest version that two people agreed on, or what comes with it, whatever the file says came
// with it; of version 0 before Sync.
func inForceOf(tx *db.Tx, kind, packName string) (approval.Change, error) {
	c, err := newestOf(tx, kind, packName)
	if c.State != approval.Agreed {
		c.Payload = shipped(kind, packName)
	}
	return c, err
}

// Editions are all versions of a pack's rubric or taxonomy, newest first.
func (s *Store) Editions(ctx context.Context, kind, packName string) ([]approval.Change, error) {
	return db.Read(ctx, s.db, func(tx *db.Tx) ([]approval.Change, error) {
		return approval.Of(tx, kind, pack.Of(packName).Name)
	})
}

// Propose stores a new version for a pack for somebody else to agree to. Invalid with the fields text and reason;
// Conflict while another proposal for it waits, or when base is not the version in force there.
func (s *Store) Propose(ctx context.Context, kind, packName, written, reason string, base int,
	by audit.Actor) error {
	c := approval.Change{Kind: kind, Subject: pack.Of(packName).Name, Base: base, Payload: text.Typed(written),
		Reason: text.Typed(reason)}
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
	if c.State == "" && slices.ContainsFunc(open, func(o approval.Change) bool { return o.Subject == c.Subject }) {
		return fault.New(fault.Conflict,
			"A proposal is already waiting for agreement. Decide that one first; what you typed is still in the form.")
	}
	now, err := inForceOf(tx, c.Kind, c.Subject)
	if err == nil && strings.TrimSpace(now.Payload) == c.Payload {
		err = fault.Wrong("This is the same as the version in force.", "text", "Change something first.")
	}
	return err
}

// complete says field by field what is wrong with a version.
func complete(c approval.Change) error {
	_, err := text.Reason(c.Reason, "reason", "Say why it should change. The person who agrees reads it.")
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

// follow is what the record has of what happened to a version.
func follow(_ *db.Tx, c approval.Change, _ audit.Actor) (audit.Entry, error) {
	return audit.Entry{Action: "rubric." + c.State, ObjectKind: c.Kind, ObjectID: fmt.Sprint(c.Version),
		Content: map[string]any{"version": c.Version, "pack": c.Subject, "reason": c.Reason, "text": c.Payload,
			"answer": c.Answer}}, nil
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
