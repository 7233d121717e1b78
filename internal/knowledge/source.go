package knowledge

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"slices"
	"time"

	"preceptor/internal/pack"
	"preceptor/internal/platform/db"
	"preceptor/internal/platform/fault"
	"preceptor/internal/platform/id"
)

// Source is where a document came from, and how it compares with what was made of it.
type Source struct {
	ID       string
	AgentID  string // "" shares it with the agents of Pack
	Pack     string
	Path     string // the file, or the address
	Folder   string // of the server, in which the file is read again; "" for an upload
	Hash     string
	ReadAt   time.Time // what is here was made of it then
	LookedAt time.Time // it was last compared then
	Every    int       // days after which it is read again; 0: on demand
	Failure  string    // why it couldn't be read again
	Seen     string    // the hash of what waits for a person; "": nothing does
	Sections int       // in use
	waiting  string
}

// Again reports whether it can be read again without a person who uploads it.
func (s Source) Again() bool { return s.Folder != "" || (CaseText{Path: s.Path}).Link() != "" }

// SectionChange is a section that its source has otherwise than we.
type SectionChange struct {
	Heading       string
	Case          *Case // nil: it is new
	Before, After string
	Gone          bool
}

// heldSection is a section as it waits.
type heldSection struct {
	Heading string   `json:"heading"`
	Parents []string `json:"parents,omitempty"`
	Text    string   `json:"text"`
	Level   int      `json:"level"`
	Place   string   `json:"place,omitempty"`
	Beside  bool     `json:"beside,omitempty"`
}

type heldDocument struct {
	Title    string        `json:"title"`
	Sections []heldSection `json:"sections"`
}

func (d *document) held() string {
	h := heldDocument{Title: d.title}
	for _, s := range d.sections {
		h.Sections = append(h.Sections, heldSection{s.heading, s.parents, s.text, s.level, s.place, s.beside})
	}
	b, err := json.Marshal(h)
	if err != nil {
		panic(err) // plain strings
	}
	return string(b)
}

func (s Source) document() (*document, error) {
	var h heldDocument
	if err := json.Unmarshal([]byte(s.waiting), &h); err != nil {
		return nil, fmt.Errorf("knowledge: read what waits of %s: %w", s.Path, err)
	}
	d := &document{path: s.Path, title: h.Title, hash: s.Seen}
	for _, k := range h.Sections {
		d.sections = append(d.sections, section{k.Heading, k.Parents, k.Text, k.Level, k.Place, k.Beside})
	}
	return d, nil
}

// fileHash is what people and programs call a file's SHA-256.
func fileHash(raw []byte) string {
	sum := sha256.Sum256(raw)
	return hex.EncodeToString(sum[:])
}

// keepSourceTx notes what the sections of a document were made of; nothing of it waits any more.
func keepSourceTx(tx *db.Tx, d *document, o ImportOptions) error {
	packName := ""
	if o.AgentID == "" {
		packName = pack.Of(o.Pack).Name
	}
	if err := db.Exec(tx, "knowledge: keep a source", `INSERT INTO knowledge_source (id, agent_id, pack, path, folder,
			hash, read_at, looked_at) VALUES ($1, $2, $3, $4, $5, $6, $7, $8)
		ON CONFLICT (agent_id, path) DO UPDATE SET pack = excluded.pack, folder = excluded.folder,
			hash = excluded.hash, read_at = excluded.read_at, looked_at = excluded.looked_at, failure = '',
			waiting = '', waiting_hash = ''`,
		id.New(), o.AgentID, packName, d.path, o.Folder, d.hash, tx.NowMs(), tx.NowMs()); err != nil {
		return err
	}
	return markSourceTx(tx, o.AgentID, d.path, nil)
}

// markSourceTx marks the sections of a source of which the source says something else, and no others.
func markSourceTx(tx *db.Tx, agentID, path string, changed []SectionChange) error {
	if err := db.Exec(tx, "knowledge: unmark a source", `UPDATE knowledge_case SET source_changed_at = 0
		WHERE agent_id = $1 AND source = 'document' AND origin >= $2 AND origin < $3 AND origin <> ''
			AND source_changed_at > 0`, agentID, path+"#", path+"$"); err != nil {
		return err
	}
	tx.Touch("knowledge")
	for _, c := range changed {
		if c.Case == nil {
			continue
		}
		if err := db.Exec(tx, "knowledge: mark a section", `UPDATE knowledge_case SET source_changed_at = $1
			WHERE id = $2`, tx.NowMs(), c.Case.ID); err != nil {
			return err
		}
	}
	return nil
}

const sourceColumns = `SELECT s.id, s.agent_id, s.pack, s.path, s.folder, s.hash, s.read_at, s.looked_at, s.every,
	s.failure, s.waiting_hash, s.waiting, (SELECT count(*) FROM knowledge_case c WHERE c.agent_id = s.agent_id
		AND c.source = 'document' AND c.origin >= s.path || '#' AND c.origin < s.path || '$' AND c.origin <> ''
		AND c.status = 'active') FROM knowledge_source s `

func sourcesTx(tx *db.Tx, where string, args ...any) ([]Source, error) {
	return db.Rows(tx, "knowledge: list sources", func(s *Source) []any {
		return []any{&s.ID, &s.AgentID, &s.Pack, &s.Path, &s.Folder, &s.Hash, db.At(&s.ReadAt), db.At(&s.LookedAt),
			&s.Every, &s.Failure, &s.Seen, &s.waiting, &s.Sections}
	}, sourceColumns+where, args...)
}

// Sources lists where documents came from: those first of which something waits, then by path.
func (b *Base) Sources(ctx context.Context) ([]Source, error) {
	return db.Read(ctx, b.db, func(tx *db.Tx) ([]Source, error) {
		return sourcesTx(tx, `ORDER BY CASE WHEN s.waiting_hash <> '' OR s.failure <> '' THEN 0 ELSE 1 END, s.path, s.id
			LIMIT 1000`)
	})
}

// CountChangedSources counts the documents of which something waits for a person.
func (b *Base) CountChangedSources(ctx context.Context) (int, error) {
	return db.Read(ctx, b.db, func(tx *db.Tx) (int, error) {
		return db.Value[int](tx, "knowledge: count changed sources",
			`SELECT count(*) FROM knowledge_source WHERE waiting_hash <> ''`)
	})
}

func (b *Base) sourceTx(tx *db.Tx, sourceID string) (Source, error) {
	list, err := sourcesTx(tx, `WHERE s.id = $1`, sourceID)
	if err == nil && len(list) == 0 {
		err = fault.New(fault.NotFound, "There is no such document. It may have been moved; look at the list.")
	}
	if err != nil {
		return Source{}, err
	}
	return list[0], nil
}

// Source is one, with what its source has otherwise.
func (b *Base) Source(ctx context.Context, sourceID string) (s Source, changes []SectionChange, err error) {
	err = b.db.Read(ctx, func(tx *db.Tx) (err error) {
		if s, err = b.sourceTx(tx, sourceID); err != nil || s.Seen == "" {
			return err
		}
		d, err := s.document()
		if err == nil {
			changes, err = s.differenceTx(tx, d)
		}
		return err
	})
	return s, changes, err
}

// SectionsOf lists the sections in use of a document.
func (b *Base) SectionsOf(ctx context.Context, s Source) ([]Case, error) {
	return db.Read(ctx, b.db, func(tx *db.Tx) ([]Case, error) {
		return besideTx(tx, Case{AgentID: s.AgentID, CaseText: CaseText{Path: s.Path}})
	})
}

// differenceTx compares a document as it is at its source with the sections in use.
func (s Source) differenceTx(tx *db.Tx, d *document) (list []SectionChange, err error) {
	cases, err := besideTx(tx, Case{AgentID: s.AgentID, CaseText: CaseText{Path: s.Path}})
	if err != nil {
		return nil, err
	}
	there := map[string]bool{}
	for _, now := range d.cited() {
		there[now.citation] = true
		i := slices.IndexFunc(cases, func(c Case) bool { return c.Origin == now.citation })
		switch {
		case i < 0:
			old, _, err := db.First(tx, "knowledge: read a case", scanCase, `SELECT `+caseColumns+caseFrom+caseOfOrigin,
				s.AgentID, FromDocument, now.citation)
			if err != nil {
				return nil, err
			}
			if old == nil || old.By.ID == importer { // else a person retired it
				list = append(list, SectionChange{Heading: now.heading, After: now.text})
			}
		case cases[i].Guidance != now.text:
			list = append(list, SectionChange{Heading: now.heading, Case: &cases[i], Before: cases[i].Guidance,
				After: now.text})
		}
	}
	for i, c := range cases {
		if !there[c.Origin] {
			list = append(list, SectionChange{Heading: c.Heading, Case: &cases[i], Before: c.Guidance, Gone: true})
		}
	}
	return list, nil
}

// Reread compares a document with its source. What changed there waits for a person, and is marked until then.
func (b *Base) Reread(ctx context.Context, sourceID string) error {
	s, _, err := b.Source(ctx, sourceID)
	if err != nil {
		return err
	}
	if !s.Again() {
		return fault.New(fault.Conflict, "%s was uploaded. Upload it again to compare.", s.Path)
	}
	d, failure := b.readAgain(ctx, s)
	return b.db.Write(ctx, func(tx *db.Tx) error {
		now, err := b.sourceTx(tx, s.ID)
		if err != nil || now.Hash != s.Hash || now.Seen != s.Seen {
			return err // imported or reviewed meanwhile
		}
		seen, waiting := s.Seen, s.waiting
		if failure == "" {
			seen, waiting = "", ""
			var changes []SectionChange
			if d.hash != s.Hash {
				if changes, err = s.differenceTx(tx, d); err != nil {
					return err
				}
				if len(changes) > 0 {
					seen, waiting = d.hash, d.held()
				}
			}
			if err := markSourceTx(tx, s.AgentID, s.Path, changes); err != nil {
				return err
			}
		}
		return db.Exec(tx, "knowledge: compare a source", `UPDATE knowledge_source SET looked_at = $1, failure = $2,
			waiting = $3, waiting_hash = $4 WHERE id = $5`, tx.NowMs(), failure, waiting, seen, s.ID)
	})
}

// readAgain reads a document where it came from, or says why it can't. One that is gone from its folder is empty.
func (b *Base) readAgain(ctx context.Context, s Source) (*document, string) {
	var r ImportReport
	var d *document
	if s.Folder == "" {
		d = b.readAddress(ctx, s.Path, &r)
	} else {
		root, err := os.OpenRoot(s.Folder)
		if err != nil {
			return nil, "The folder can't be read."
		}
		defer root.Close()
		raw, err := readFile(root.FS(), s.Path)
		switch {
		case errors.Is(err, fs.ErrNotExist):
			return &document{path: s.Path, hash: fileHash([]byte((&document{}).held()))}, ""
		case err != nil:
			return nil, "The file can't be read."
		}
		d = r.read(s.Path, s.Path, raw)
	}
	if d == nil {
		return nil, r.Skipped[len(r.Skipped)-1].Why
	}
	return d, ""
}

// RereadDue compares the documents whose time has come; one that can't be read holds up no other.
func (b *Base) RereadDue(ctx context.Context) (err error) {
	list, err := db.Read(ctx, b.db, func(tx *db.Tx) ([]Source, error) {
		return sourcesTx(tx, `WHERE s.every > 0 AND s.looked_at + s.every * 86400000 <= $1
			ORDER BY s.looked_at, s.id LIMIT 500`, tx.NowMs())
	})
	for _, s := range list {
		if ctx.Err() != nil {
			return ctx.Err()
		}
		err = errors.Join(err, b.Reread(ctx, s.ID))
	}
	return err
}

// ReviewSource takes over what a source says now, or leaves what is here as it is until the source changes again. seen
// is the hash of what was on the screen. What went is retired with the rules that rest on it alone.
func (b *Base) ReviewSource(ctx context.Context, sourceID, seen string, take bool, by Person) error {
	if err := by.May("review what changed in a document"); err != nil {
		return err
	}
	s, _, err := b.Source(ctx, sourceID)
	if err != nil {
		return err
	}
	if s.Seen == "" || s.Seen != seen {
		return fault.New(fault.Conflict,
			"This document changed again, or was reviewed by another person. Look at it again.")
	}
	if !take {
		return b.db.Write(ctx, func(tx *db.Tx) error {
			if err := db.Exec(tx, "knowledge: leave a source", `UPDATE knowledge_source SET hash = waiting_hash,
				waiting = '', waiting_hash = '' WHERE id = $1 AND waiting_hash = $2`, s.ID, seen); err != nil {
				return err
			}
			if err := markSourceTx(tx, s.AgentID, s.Path, nil); err != nil {
				return err
			}
			return record(tx, by.Actor(), "knowledge.source_left", "document", s.Path, map[string]any{"hash": seen})
		})
	}
	d, err := s.document()
	if err != nil {
		return err
	}
	var r ImportReport
	return b.importDocument(ctx, d, findConflicts([]*document{d}), ImportOptions{AgentID: s.AgentID, Pack: s.Pack,
		Folder: s.Folder, By: by.Actor()}, &r)
}
