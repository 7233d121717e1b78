package audit

import (
	"bufio"
	"cmp"
	"context"
	"encoding/csv"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strconv"

	"preceptor/internal/platform/db"
	"preceptor/internal/platform/fault"
	"preceptor/internal/platform/table"
)

// The formats of an export. JSONLines can be checked again (VerifyExport); CSV is for spreadsheets.
const (
	JSONLines = "jsonl"
	CSV       = "csv"
)

// Exported is one record as an export carries it: everything that its hash is made of, so that whoever holds the file
// can check it without this program. Salt is empty and Content null once a record was erased.
type Exported struct {
	Seq         int64           `json:"seq"`
	At          int64           `json:"at"` // milliseconds since 1970
	ActorKind   string          `json:"actor_kind"`
	ActorID     string          `json:"actor_id"`
	ActorName   string          `json:"actor_name"`
	Action      string          `json:"action"`
	ObjectKind  string          `json:"object_kind"`
	ObjectID    string          `json:"object_id"`
	Content     json.RawMessage `json:"content"`
	Salt        string          `json:"salt"`
	ContentHash string          `json:"content_hash"`
	PrevHash    string          `json:"prev_hash"`
	Hash        string          `json:"hash"`
	ErasedAt    int64           `json:"erased_at"`
	Called      string          `json:"actor_called,omitempty"` // once erased: by their id; no hash has it
}

// Actor is who did it, erased or not.
func (e Exported) Actor() Actor { return Actor{e.ActorKind, e.ActorID, cmp.Or(e.ActorName, e.Called)} }

// Export writes every record that the filter picks to w, oldest first, up to the newest at its beginning. It reads in
// small transactions, so that a slow reader of w keeps nobody waiting and memory stays flat.
func Export(ctx context.Context, d *db.DB, f Filter, format string, w io.Writer) error {
	out := bufio.NewWriterSize(w, 64<<10)
	put, end, err := writerOf(format, out)
	if err != nil {
		return err
	}
	var last Head
	if err := d.Read(ctx, func(tx *db.Tx) error {
		last, err = head(tx)
		return err
	}); err != nil {
		return err
	}
	f.Before = last.Seq + 1
	for after, n := int64(0), batch; n == batch; {
		var rows []Exported
		if rows, err = exportBatch(ctx, d, f, after); err != nil {
			return err
		}
		for _, r := range rows {
			if after = r.Seq; !f.says(r.Content) {
				continue
			}
			if err := put(r); err != nil {
				return err
			}
		}
		n = len(rows)
	}
	return errors.Join(end(), out.Flush())
}

const exportedColumns = `a.seq, a.at, a.actor_kind, a.actor_id, c.actor_name, a.action, a.object_kind, a.object_id,
	c.content, c.salt,
		a.content_hash, a.prev_hash, a.hash, c.erased_at, ` + calledSQL + `
	FROM audit a JOIN audit_content c ON c.seq = a.seq`

func scanExported(row db.Row) (r Exported, err error) {
	var content string
	err = row.Scan(&r.Seq, &r.At, &r.ActorKind, &r.ActorID, &r.ActorName, &r.Action, &r.ObjectKind, &r.ObjectID,
		&content, &r.Salt,
		&r.ContentHash, &r.PrevHash, &r.Hash, &r.ErasedAt, &r.Called)
	if r.ErasedAt == 0 {
		r.Called = ""
	}
	if content != "" {
		r.Content = json.RawMessage(content)
	}
	return r, err
}

func exportBatch(ctx context.Context, d *db.DB, f Filter, after int64) ([]Exported, error) {
	w := f.where(after + 1)
	return db.Read(ctx, d, func(tx *db.Tx) ([]Exported, error) {
		return db.List(tx, "audit: export", scanExported,
			`SELECT `+exportedColumns+` WHERE 1 = 1`+w.SQL+fmt.Sprintf(" ORDER BY a.seq LIMIT %d", batch), w.Args...)
	})
}

// writerOf is how a record is written in a format, and what ends the file.
func writerOf(format string, w io.Writer) (put func(Exported) error, end func() error, err error) {
	switch format {
	case JSONLines:
		e := json.NewEncoder(w) // escapes as Record did, so that the content's bytes stay what was hashed
		return func(r Exported) error { return e.Encode(r) }, func() error { return nil }, nil
	case CSV:
		c := csv.NewWriter(w)
		err := c.Write([]string{"row", "at", "actor_kind", "actor_id", "actor_name", "action", "object_kind",
			"object_id", "content",
			"salt", "content_hash", "prev_hash", "hash", "erased_at"})
		return func(r Exported) error { return c.Write(r.cells()) }, func() error { c.Flush(); return c.Error() }, err
	}
	return nil, nil, fault.New(fault.NotFound, "Unknown format. Choose CSV or JSON Lines.")
}

func (r Exported) cells() []string {
	cells := []string{strconv.FormatInt(r.Seq, 10), table.Stamp(db.Time(r.At)), r.ActorKind, r.ActorID,
		r.Actor().Name, r.Action, r.ObjectKind, r.ObjectID, string(r.Content),
		r.Salt, r.ContentHash, r.PrevHash, r.Hash, table.Stamp(db.Time(r.ErasedAt))}
	for i := range cells {
		cells[i] = table.Guard(cells[i])
	}
	return cells
}

// ExportReport is what checking an export found.
type ExportReport struct {
	Rows   int64 `json:"rows"`
	Erased int64 `json:"erased"`
	First  int64 `json:"first"` // row numbers
	Head   Head  `json:"head"`
	// places where rows were left out, as a filter does; 0: nothing between First and Head is missing
	Gaps int64   `json:"gaps"`
	Bad  *BadRow `json:"bad"`
}

// VerifyExport checks an export in JSON Lines by itself: every record gives its hash, and follows from the one before
// wherever no row was left out between. Where it begins, ends and has gaps is for the reader to judge.
func VerifyExport(r io.Reader) (rep ExportReport, err error) {
	d := json.NewDecoder(bufio.NewReaderSize(r, 64<<10))
	for rep.Bad == nil {
		var e Exported
		if err := d.Decode(&e); errors.Is(err, io.EOF) {
			return rep, nil
		} else if err != nil {
			return rep, fault.Wrap(fault.Invalid, err,
				"Row %d of the file can't be read. Is it an export of the audit log in JSON Lines?", rep.Rows+1)
		}
		rep.add(e)
	}
	return rep, nil
}

func (rep *ExportReport) add(e Exported) {
	bad := func(why string) { rep.Bad = &BadRow{Seq: e.Seq, Why: why} }
	switch wrong := e.Wrong(); {
	case rep.Rows > 0 && e.Seq <= rep.Head.Seq:
		bad("it comes after row " + strconv.FormatInt(rep.Head.Seq, 10))
	case wrong != "" && e.Link().Hash(e.PrevHash) != e.Hash:
		bad(wrong)
	case e.Seq == rep.Head.Seq+1 && e.PrevHash != rep.Head.Hash:
		bad("it does not follow from the row before it")
	case wrong != "":
		bad(wrong)
	}
	if rep.Bad != nil {
		return
	}
	switch {
	case rep.Rows == 0:
		rep.First = e.Seq
	case e.Seq != rep.Head.Seq+1:
		rep.Gaps++
	}
	if e.ErasedAt != 0 {
		rep.Erased++
	}
	rep.Rows, rep.Head = rep.Rows+1, Head{e.Seq, e.Hash}
}
