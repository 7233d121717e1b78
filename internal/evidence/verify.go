package evidence

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"
	"time"

	"preceptor/internal/audit"
	"preceptor/internal/platform/fault"
)

// MaxBytes is the size of the largest file that is taken for a pack.
const MaxBytes = 64 << 20

// Bad is the first thing that is not as it was sealed: what, and why it is not.
type Bad struct {
	What string `json:"what"`
	Why  string `json:"why"`
}

// Report is what checking a pack found. Bad is nil when everything agrees.
type Report struct {
	Kind    string     `json:"kind"`
	Subject string     `json:"subject"`
	Title   string     `json:"title"`
	MadeAt  time.Time  `json:"made_at"`
	MadeBy  string     `json:"made_by"`
	Parts   int        `json:"parts"`  // sections of the page
	Texts   int        `json:"texts"`  // that give the hash which a row recorded
	Rows    int        `json:"rows"`   // of the audit log that it is about
	Erased  int        `json:"erased"` // of them had their content erased
	Links   int        `json:"links"`  // rows of the chain that it shows
	Gaps    int        `json:"gaps"`   // places where links are left out: only the desk's log can close them
	Head    audit.Head `json:"head"`   // of the desk's log when it was made
	Seal    audit.Head `json:"seal"`   // the row that records the pack
	Log     *InLog     `json:"log,omitempty"`
	Bad     *Bad       `json:"bad,omitempty"`

	rows  []audit.Head
	known map[int64]string
}

func (rep *Report) fail(what, format string, args ...any) {
	if rep.Bad == nil {
		rep.Bad = &Bad{What: what, Why: fmt.Sprintf(format, args...)}
	}
}

// Verify checks a pack by itself: no database is needed. With an anchor, a head that was kept elsewhere, the chain must
// go through it. A pack that was changed is a Report with Bad; the error, Invalid, is for a file that is no pack at all
// and for an anchor that the pack says nothing about.
func Verify(file []byte, anchor *audit.Head) (Report, error) {
	var rep Report
	f, err := split(file)
	if err != nil {
		return rep, err
	}
	p, s, ok := rep.proof(f)
	if !ok {
		return rep, nil
	}
	man := rep.body(f, s)
	if rep.Bad == nil {
		rep.about(man)
		rep.chain(p, man)
	}
	if rep.Bad == nil {
		rep.texts(man)
	}
	if rep.Bad == nil && anchor != nil {
		return rep, rep.anchored(*anchor)
	}
	return rep, nil
}

// pieces are a file's.
type pieces struct{ body, manifest, proof string }

func noPack(why string) error {
	return fault.New(fault.Invalid, "This is not a report, or not a complete one: %s.", why)
}

// split finds the body and the proof, and the manifest within the body; "" when it has none.
func split(file []byte) (f pieces, err error) {
	switch {
	case len(file) > MaxBytes:
		return f, noPack("it is too large")
	case bytes.Count(file, []byte(proofOpen)) != 1:
		return f, noPack("it has no proof")
	}
	var rest string
	f.body, rest, _ = strings.Cut(string(file), proofOpen)
	var ends bool
	if f.proof, ends = strings.CutSuffix(rest, scriptClose+tail); !ends {
		return f, noPack("it does not end as one, after the proof")
	}
	if strings.Count(f.body, manifestOpen) == 1 {
		_, rest, _ = strings.Cut(f.body, manifestOpen)
		f.manifest, _ = strings.CutSuffix(rest, scriptClose)
	}
	return f, nil
}

// proof reads the proof and its seal. What is not written exactly as this program writes it was changed.
func (rep *Report) proof(f pieces) (p proof, s seal, ok bool) {
	if err := json.Unmarshal([]byte(f.proof), &p); err != nil {
		rep.fail("the proof", "it can't be read")
		return p, s, false
	}
	if again, err := json.Marshal(p); err != nil || string(again) != f.proof {
		rep.fail("the proof", "it is not written as it was")
		return p, s, false
	}
	rep.Seal = audit.Head{Seq: p.Seal.Seq, Hash: p.Seal.Hash}
	if why := p.Seal.Wrong(); why != "" {
		rep.fail("the seal", "%s", why)
		return p, s, false
	}
	if p.Seal.Action != ActionPacked || p.Seal.ErasedAt != 0 || json.Unmarshal(p.Seal.Content, &s) != nil ||
		s.SHA256 == "" {
		rep.fail("the seal", "row %d does not record a report", p.Seal.Seq)
		return p, s, false
	}
	return p, s, true
}

// body holds the body against the seal, and finds out what was changed when they disagree.
func (rep *Report) body(f pieces, s seal) (man Manifest) {
	err := json.Unmarshal([]byte(f.manifest), &man)
	if sum(f.body) == s.SHA256 {
		switch {
		case err != nil:
			rep.fail("the manifest", "it can't be read")
		case man.Format != format:
			rep.fail("the manifest", "its format is %d, and this program knows %d only", man.Format, format)
		}
		return man
	}
	if sum(f.manifest) == s.Manifest && err == nil {
		rep.changed(f.body, man.Parts)
		return man
	}
	for _, r := range man.Rows {
		if why := r.Wrong(); why != "" {
			rep.fail(fmt.Sprintf("row %d", r.Seq), "%s", why)
		}
	}
	for _, t := range man.Texts {
		if !t.Erased && sum(t.Text) != t.SHA256 {
			rep.fail("the text “"+t.Name+"”", "it does not give its hash: it was changed")
		}
	}
	rep.fail("the manifest", "it was changed")
	return man
}

// changed names the part of the page that is not what its hash says.
func (rep *Report) changed(body string, parts []Hashed) {
	at := make([]int, len(parts)+1)
	for i, p := range parts {
		at[i] = strings.Index(body, partOpen+p.ID+`">`)
	}
	at[len(parts)] = strings.LastIndex(body, mainClose)
	for i, p := range parts {
		if at[i] < 0 || i > 0 && at[i] < at[i-1] {
			rep.fail("the part “"+p.Title+"”", "it does not begin where it did")
			return
		}
	}
	for i, p := range parts {
		if at[i+1] < at[i] || sum(body[at[i]:at[i+1]]) != p.SHA256 {
			rep.fail("the part “"+p.Title+"”", "its words are not what was sealed")
			return
		}
	}
	rep.fail("the page around the parts", "its head, its foot or the space between them was changed")
}

func (rep *Report) about(man Manifest) {
	rep.Kind, rep.Subject, rep.Title, rep.MadeAt, rep.MadeBy, rep.Head = man.Kind, man.Subject, man.Title, man.MadeAt,
		man.MadeBy, man.Head
	rep.Parts, rep.Rows = len(man.Parts), len(man.Rows)
	for _, r := range man.Rows {
		rep.rows = append(rep.rows, audit.Head{Seq: r.Seq, Hash: r.Hash})
		if r.ErasedAt != 0 {
			rep.Erased++
		}
	}
}

// chain goes from link to link, and looks for every row and for the head on the way.
func (rep *Report) chain(p proof, man Manifest) {
	rep.known = map[int64]string{}
	var last audit.Head
	for i, s := range p.Stretches {
		switch {
		case len(s.Links) == 0 || s.After.Seq < last.Seq || s.After.Seq == 0 && s.After.Hash != "":
			rep.fail("the proof", "its stretches of the chain do not follow each other")
			return
		case i > 0 && s.After.Seq == last.Seq && s.After.Hash != last.Hash:
			rep.fail("the proof", "row %d has two hashes", last.Seq)
			return
		case i > 0 && s.After.Seq > last.Seq:
			rep.Gaps++
		}
		last = s.After
		rep.known[last.Seq] = last.Hash
		for _, l := range s.Links {
			l.Seq = last.Seq + 1
			last = audit.Head{Seq: l.Seq, Hash: l.Hash(last.Hash)}
			rep.known[last.Seq] = last.Hash
			rep.Links++
		}
	}
	if last != rep.Seal {
		rep.fail("the proof", "its links do not lead to the seal: one of them was changed")
		return
	}
	for _, r := range man.Rows {
		if why := r.Wrong(); why != "" {
			rep.fail(fmt.Sprintf("row %d", r.Seq), "%s", why)
		} else if rep.known[r.Seq] != r.Hash {
			rep.fail(fmt.Sprintf("row %d", r.Seq), "it is not in the chain that leads to the seal")
		}
	}
	if man.Head.Seq > 0 && (man.Head.Seq >= rep.Seal.Seq || rep.known[man.Head.Seq] != man.Head.Hash) {
		rep.fail("the head of the log", "row %d is not in the chain that leads to the seal", man.Head.Seq)
	}
}

// texts holds each text against the row that recorded its hash.
func (rep *Report) texts(man Manifest) {
	byRow := map[int64]audit.Exported{}
	for _, r := range man.Rows {
		byRow[r.Seq] = r
	}
	for _, t := range man.Texts {
		if t.Erased {
			continue
		}
		name := "the text “" + t.Name + "”"
		if sum(t.Text) != t.SHA256 {
			rep.fail(name, "it does not give its hash")
			return
		}
		row, found := byRow[t.Row]
		if t.Row == 0 || found && row.ErasedAt != 0 {
			continue
		}
		var content map[string]any
		if !found || json.Unmarshal(row.Content, &content) != nil ||
			content[t.Field] != t.SHA256 && content[t.Field] != t.Text {
			rep.fail(name,
				"it is not what row %d recorded: it was changed in the server’s database before the report was made",
				t.Row)
			return
		}
		rep.Texts++
	}
}

func (rep *Report) anchored(a audit.Head) error {
	hash, shown := rep.known[a.Seq]
	switch {
	case a.Seq > rep.Seal.Seq:
		return fault.New(fault.Invalid,
			"The anchor, row %d, is later than the report, which ends at row %d. Use --db to check both against the "+
				"server’s log.", a.Seq, rep.Seal.Seq)
	case !shown:
		return fault.New(fault.Invalid,
			"The report does not show row %d, which the anchor is about. Use --db to check both against the "+
				"server’s log.", a.Seq)
	case hash != a.Hash:
		rep.fail(fmt.Sprintf("row %d", a.Seq), "its hash is not the anchor’s: the chain was rewritten")
	}
	return nil
}
