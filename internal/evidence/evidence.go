// Package evidence makes packs: files that show what happened and can be checked by whoever holds them, years later and
// far from the desk. It owns no table.
//
// A pack is one HTML file. It opens offline, prints, runs nothing and fetches nothing. From its first byte to the proof
// it is the body: the page with its parts, each a section, and the manifest, the same for programs, with the audit rows
// concerned. Then comes the proof:
//
//	body ── SHA-256 ──> the seal, a row of the audit log ── chain ──> the rows concerned, back to the first
//
// The seal is the record that the pack left the house ("evidence.packed"). Its content names the body's hash, so the
// chain that guards the log guards the file too: no key has to be kept. The proof holds the seal whole and the links
// between the rows.
//
// What it promises.
//   - Changing any byte of a pack is found by Verify, which needs nothing but the file and names what was changed: the
//     part, the text, the row, the manifest, the proof.
//   - Each text that somebody signed stands in the manifest beside the rows that recorded its hash, and Verify compares
//     them: a text that was changed in the database before the pack was made does not pass.
//   - What was erased is absent and says so. An erasure after the making can't reach a file that left the house; the
//     log knows who made it, and Verify against the log says so.
//
// What it can't promise. Who can write the whole log can make a whole other one, and packs that fit it. That is found
// by comparing with the desk's log (Against), or with a head that was kept elsewhere (an anchor). The chain is linear,
// so showing that a row of last year and the seal belong to one chain takes every link between them. At most maxLinks
// are shown, the shortest gaps first; where links are left out the report counts a gap, and only the log can close it.
// A link names actions and opaque ids of other matters, no words and no names.
//
// What it decided against: a signature (the key would lie beside the file, and a new one would be needed for as long as
// packs are kept); a tree over the log, whose proofs are short (the log is a chain since its first row, and a desk's is
// small); keeping packs (they would have to be erased too, and can be made again); a ZIP of files (what has to be
// unpacked is not read); PDF (a browser prints one, and HTML can be searched, read aloud and checked by anyone).
package evidence

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"html/template"
	"strings"
	"time"

	"preceptor/internal/audit"
	"preceptor/internal/platform/db"
)

// The kinds of packs.
const (
	Interaction = "interaction" // all that is known of one piece of guidance
	Period      = "period"      // the outcomes of a period, for a governing body
)

// ActionPacked is the seal's action.
const ActionPacked = "evidence.packed"

// format of packs that are made now. Verify reads no other.
const format = 1

// Part is a section of a pack. ID is its anchor on the page: letters and dashes.
type Part struct {
	ID, Title string
	HTML      template.HTML
}

// Write is a part: what the template of its id makes of data, under its title.
func Write(pages *template.Template, id, title string, data any) (Part, error) {
	var b strings.Builder
	b.WriteString("<h2>" + template.HTMLEscapeString(title) + "</h2>\n")
	if err := pages.ExecuteTemplate(&b, id, data); err != nil {
		return Part{}, fmt.Errorf("evidence: write the part %s: %w", id, err)
	}
	return Part{ID: id, Title: title, HTML: template.HTML(b.String())}, nil
}

// Text is a text that is on record: the content of the row Row has it, or its hash, under Field. Row 0 is for a text
// that no row tells of. Erased: there is no text any more.
type Text struct {
	Name   string `json:"name"`
	Text   string `json:"text"`
	SHA256 string `json:"sha256"`
	Row    int64  `json:"row,omitempty"`
	Field  string `json:"field,omitempty"`
	Erased bool   `json:"erased,omitempty"`
}

// Content is what a pack is made of.
type Content struct {
	Kind    string
	Name    string // of such a pack, above its title
	Subject string // an interaction's id, or a period as 2026-10-01/2026-10-31
	Title   string
	Lead    string // under the title
	File    string // its name, without an ending
	Parts   []Part
	Facts   any // the parts for programs; becomes JSON
	Texts   []Text
	Rows    []audit.Exported // concerned, oldest first
	Notes   map[string]any   // what the audit row says beside the hashes; no customer's words
}

// Pack is a finished pack.
type Pack struct {
	Name  string // of the file
	Bytes []byte
	Seal  audit.Head
}

// Manifest is a pack for programs.
type Manifest struct {
	Format  int              `json:"format"`
	Kind    string           `json:"kind"`
	Subject string           `json:"subject"`
	Title   string           `json:"title"`
	MadeAt  time.Time        `json:"made_at"`
	MadeBy  string           `json:"made_by"`
	Head    audit.Head       `json:"head"` // of the desk's log when the pack was made
	Parts   []Hashed         `json:"parts"`
	Texts   []Text           `json:"texts"`
	Rows    []audit.Exported `json:"rows"`
	Facts   json.RawMessage  `json:"facts"`
}

// Hashed is a part of the page: the SHA-256 of its bytes, from its <section to where the next one begins.
type Hashed struct {
	ID     string `json:"id"`
	Title  string `json:"title"`
	SHA256 string `json:"sha256"`
}

// seal is the content of the audit row of a pack.
type seal struct {
	Kind     string         `json:"kind"`
	Subject  string         `json:"subject"`
	File     string         `json:"file"`
	SHA256   string         `json:"sha256"` // of the body
	Manifest string         `json:"manifest_sha256"`
	Bytes    int            `json:"bytes"` // of the body
	Notes    map[string]any `json:"notes,omitempty"`
}

// Maker makes packs.
type Maker struct {
	db   *db.DB
	most int64 // links
}

// New seals packs in the log of d.
func New(d *db.DB) *Maker { return &Maker{db: d, most: maxLinks} }

// Make puts a pack together and seals it. That it was made is on record from then on, whether or not anybody takes it.
func (m *Maker) Make(ctx context.Context, c Content, by audit.Actor) (*Pack, error) {
	head, err := audit.HeadOf(ctx, m.db)
	if err != nil {
		return nil, err
	}
	man := Manifest{Format: format, Kind: c.Kind, Subject: c.Subject, Title: c.Title, MadeAt: m.db.Now().UTC(),
		MadeBy: by.Name, Head: head,
		Parts: []Hashed{}, Texts: append([]Text{}, c.Texts...), Rows: append([]audit.Exported{}, c.Rows...)}
	if man.Facts, err = json.Marshal(c.Facts); err != nil {
		return nil, fmt.Errorf("evidence: write the facts: %w", err)
	}
	body, manifestHash, err := page(c, man)
	if err != nil {
		return nil, err
	}
	s := seal{Kind: c.Kind, Subject: c.Subject, File: c.File + ".html", SHA256: sum(body), Manifest: manifestHash,
		Bytes: len(body), Notes: c.Notes}
	var sealed audit.Exported
	err = m.db.Write(ctx, func(tx *db.Tx) error {
		if err := audit.Note(tx, by, ActionPacked, c.Kind, c.Subject, s); err != nil {
			return err
		}
		sealed, err = audit.NewestTx(tx)
		return err
	})
	if err != nil {
		return nil, err
	}
	p, err := m.prove(ctx, man, sealed)
	if err != nil {
		return nil, err
	}
	return &Pack{Name: s.File, Bytes: []byte(body + proofOpen + string(p) + scriptClose + tail),
		Seal: audit.Head{Seq: sealed.Seq, Hash: sealed.Hash}}, nil
}

// page is the body: the HTML up to the proof.
func page(c Content, man Manifest) (body, manifestHash string, err error) {
	var sections []string
	for _, p := range c.Parts {
		s := partOpen + template.HTMLEscapeString(p.ID) + `">` + "\n" + strings.TrimSpace(string(p.HTML)) +
			"\n</section>\n"
		sections = append(sections, s)
		man.Parts = append(man.Parts, Hashed{p.ID, p.Title, sum(s)})
	}
	var b strings.Builder
	if err := frame.ExecuteTemplate(&b, "top", frameOf(c, man)); err != nil {
		return "", "", fmt.Errorf("evidence: write the page: %w", err)
	}
	for _, s := range sections {
		b.WriteString(s)
	}
	if err := frame.ExecuteTemplate(&b, "foot", frameOf(c, man)); err != nil {
		return "", "", fmt.Errorf("evidence: write the page: %w", err)
	}
	text, err := json.Marshal(man) // escapes <, > and &: nothing in it ends the script
	if err != nil {
		return "", "", fmt.Errorf("evidence: write the manifest: %w", err)
	}
	b.WriteString(manifestOpen + string(text) + scriptClose)
	return b.String(), sum(string(text)), nil
}

func sum(s string) string {
	h := sha256.Sum256([]byte(s))
	return hex.EncodeToString(h[:])
}
