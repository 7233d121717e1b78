package audit

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"preceptor/internal/platform/db"
	"preceptor/internal/platform/db/keyset"
)

// Row is one record as it is shown.
type Row struct {
	Seq        int64
	At         time.Time
	Actor      Actor // once erased, Name is how they are called now
	Action     string
	ObjectKind string
	ObjectID   string
	Content    json.RawMessage // nil once erased
	ErasedAt   time.Time       // zero unless erased
	Hash       string
}

// Filter picks records; the zero value is the newest of all.
type Filter struct {
	ActorID    string // "" is anybody
	Who        string // the actor's id, or a part of their name
	Words      string // a part of a value of the content, in any case of letters
	Action     string // exactly, or everything below it when it ends in a dot: "review."
	ObjectKind string
	ObjectID   string
	From, To   time.Time // recorded at From or later and before To; zero is open
	Before     int64     // records older than this number; 0 is the first page
	Limit      int       // 50 when 0
}

// Page is one page of records, newest first. Next is the Before of the following page, 0 on the last.
type Page struct {
	Rows []Row
	Next int64
	// Until is set when looking for words stopped at this row to keep others from waiting: Next goes on below it.
	Until int64
}

// calledSQL is the actor's name: as it was recorded or, once that was erased with the content, as the kept id says.
const calledSQL = `CASE WHEN c.erased_at = 0 THEN c.actor_name ELSE coalesce((SELECT name FROM account
	WHERE id = a.actor_id), (SELECT name FROM agent WHERE id = a.actor_id), a.actor_id) END`

// stretch is how many rows one page looks through for words, which no index finds.
const stretch = 20_000

// List returns a page of records, newest first.
func List(ctx context.Context, d *db.DB, f Filter) (Page, error) {
	if f.Limit <= 0 {
		f.Limit = 50
	}
	var p Page
	err := d.Read(ctx, func(tx *db.Tx) error {
		floor, err := f.floor(tx)
		if err != nil {
			return err
		}
		w := f.where(floor)
		w.Add(" ORDER BY a.seq DESC")
		if f.Words == "" {
			w.Add(" LIMIT ?", f.Limit+1)
		}
		err = db.Each(tx, "audit: list", func(row db.Row) error {
			var r Row
			var content string
			if err := row.Scan(&r.Seq, db.At(&r.At), &r.Actor.Kind, &r.Actor.ID, &r.Action, &r.ObjectKind, &r.ObjectID,
				&r.Hash,
				&r.Actor.Name, &content, db.At(&r.ErasedAt)); err != nil {
				return err
			}
			if content != "" {
				r.Content = json.RawMessage(content)
			}
			if !f.says(r.Content) {
				return nil
			}
			if p.Rows = append(p.Rows, r); len(p.Rows) > f.Limit {
				return db.ErrEnough
			}
			return nil
		}, `
			SELECT a.seq, a.at, a.actor_kind, a.actor_id, a.action, a.object_kind, a.object_id, a.hash, `+calledSQL+`,
				c.content, c.erased_at
			FROM audit a JOIN audit_content c ON c.seq = a.seq
			WHERE 1 = 1`+w.SQL, w.Args...)
		if err != nil {
			return err
		}
		if floor > 1 && len(p.Rows) <= f.Limit {
			p.Next, p.Until = floor, floor
		}
		return nil
	})
	if err != nil {
		return Page{}, fmt.Errorf("audit: list: %w", err)
	}
	if len(p.Rows) > f.Limit {
		p.Rows = p.Rows[:f.Limit]
		p.Next = p.Rows[f.Limit-1].Seq
	}
	return p, nil
}

// says reports whether the words are in the values of a content: the names of its fields are the program's.
func (f Filter) says(content json.RawMessage) bool {
	if f.Words == "" {
		return true
	}
	v, err := decode(content)
	return err == nil && within(v, strings.ToLower(f.Words))
}

// decode reads JSON and leaves numbers as they are written.
func decode(b []byte) (v any, err error) {
	d := json.NewDecoder(bytes.NewReader(b))
	d.UseNumber()
	err = d.Decode(&v)
	return v, err
}

func within(v any, words string) bool {
	among := func(v any) bool { return within(v, words) }
	switch v := v.(type) {
	case map[string]any:
		return slices.ContainsFunc(slices.Collect(maps.Values(v)), among)
	case []any:
		isObject := func(v any) bool { _, ok := v.(map[string]any); return ok }
		if slices.ContainsFunc(v, among) || slices.ContainsFunc(v, isObject) {
			return slices.ContainsFunc(v, among)
		}
	}
	return strings.Contains(strings.ToLower(Plain(v)), words)
}

// Plain is a value of a content as pages show it: a list with commas, the fields of an object by their names, and a
// text that is JSON likewise.
func Plain(v any) string {
	switch v := v.(type) {
	case nil:
		return ""
	case string:
		if inner, err := decode([]byte(v)); err == nil && strings.HasPrefix(v, "{") {
			return Plain(inner)
		}
		return v
	case []any:
		by := ", "
		var parts []string
		for _, one := range v {
			if _, ok := one.(map[string]any); ok {
				by = "; "
			}
			parts = append(parts, Plain(one))
		}
		return strings.Join(parts, by)
	case map[string]any:
		var parts []string
		for _, key := range slices.Sorted(maps.Keys(v)) {
			if s := Plain(v[key]); s != "" {
				parts = append(parts, strings.ReplaceAll(key, "_", " ")+": "+s)
			}
		}
		return strings.Join(parts, ", ")
	}
	return fmt.Sprint(v)
}

// floor is the lowest row that a page looks at; 0 when an index finds what is asked for.
func (f Filter) floor(tx *db.Tx) (int64, error) {
	if f.Words == "" && f.Who == "" {
		return 0, nil
	}
	from := f.Before
	if from == 0 {
		last, err := head(tx)
		if err != nil {
			return 0, err
		}
		from = last.Seq + 1
	}
	return max(0, from-stretch), nil
}

func (f Filter) where(floor int64) (w keyset.Where) {
	w.Is("a.actor_id", f.ActorID)
	w.If(f.Who != "", `(a.actor_id = ? OR lower(`+calledSQL+`) LIKE lower(?) ESCAPE '\'
		OR a.actor_id IN (SELECT n.object_id FROM audit n JOIN audit_content m ON m.seq = n.seq
			WHERE n.action IN ('account.renamed', 'agent.renamed') AND lower(m.content) LIKE lower(?) ESCAPE '\'))`,
		f.Who, db.Containing(f.Who), db.Containing(inJSON(f.Who))) // somebody renamed is found by either name
	for piece := range strings.SplitSeq(f.Words, ", ") { // a list is stored without its ", "
		w.If(piece != "", `lower(c.content) LIKE lower(?) ESCAPE '\'`, db.Containing(inJSON(piece)))
	}
	w.If(floor > 0, "a.seq >= ?", floor)
	if below, ok := strings.CutSuffix(f.Action, "."); ok {
		w.If(true, "a.action >= ? AND a.action < ?", f.Action, below+"/") // '/' is the character after '.'
	} else {
		w.Is("a.action", f.Action)
	}
	w.Is("a.object_kind", f.ObjectKind)
	w.Is("a.object_id", f.ObjectID)
	w.If(!f.From.IsZero(), "a.at >= ?", db.Ms(f.From))
	w.If(!f.To.IsZero(), "a.at < ?", db.Ms(f.To))
	w.If(f.Before > 0, "a.seq < ?", f.Before)
	return w
}

// inJSON is s as it stands within a stored text.
func inJSON(s string) string {
	b, err := json.Marshal(s)
	if err != nil {
		return s // strings always encode
	}
	return strings.Trim(string(b), `"`)
}
