package transfer

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"

	"preceptor/internal/audit"
	"preceptor/internal/knowledge"
	"preceptor/internal/platform/db"
	"preceptor/internal/platform/fault"
	"preceptor/internal/platform/table"
	"preceptor/internal/platform/text"
)

// Import brings a file in. With an error of kind Invalid nothing came in, and the report names the bad lines.
func (s *Service) Import(ctx context.Context, r io.Reader, o Options) (rep Report, err error) {
	if o.Reason, err = text.Reason(o.Reason, "reason",
		"Say why you are importing this and where it is from. It is recorded with each new version."); err != nil {
		return rep, err
	}
	f, size, err := table.Spool(io.LimitReader(r, MaxFile+1))
	if err != nil {
		return rep, err
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	if size > MaxFile {
		return rep, fault.New(fault.Invalid, "The file is larger than %d MB.", MaxFile>>20)
	}
	agents, err := check(io.NewSectionReader(f, 0, size), &rep)
	if err != nil {
		return rep, err
	}
	if rep.Bad > 0 {
		return rep, fault.New(fault.Invalid, "Nothing was imported: %s.", bad(rep.Bad))
	}
	run := &run{s: s, o: o, rep: &rep, agents: map[string]string{"": ""}, instead: map[string]string{}}
	if err := run.begin(ctx, agents); err != nil {
		return rep, err
	}
	if err := run.batches(ctx, f, size); err != nil {
		return rep, err
	}
	return rep, run.end(ctx)
}

func bad(n int) string {
	if n == 1 {
		return "there is a problem with the file"
	}
	return fmt.Sprintf("there are %d problems with the file", n)
}

// run is one import.
type run struct {
	s       *Service
	o       Options
	rep     *Report
	agents  map[string]string // ids by name
	instead map[string]string // ids here of cases that have another in the file
}

// entry is a line with its number.
type entry struct {
	knowledge.Stored
	at int
}

func (r *run) begin(ctx context.Context, agents []string) (err error) {
	for _, name := range agents {
		r.agents[name] = name
		if r.s.agents.Ensure != nil {
			if r.agents[name], err = r.s.agents.Ensure(ctx, Agent{name, r.rep.Header.Packs[name]}); err != nil {
				return err
			}
		}
	}
	// A state to go back to.
	if err := r.s.db.Write(ctx, func(tx *db.Tx) error {
		_, err := r.s.kb.AutomaticStateTx(tx, "Before the import of "+cmp.Or(r.o.Name, "a file"), r.o.By)
		return err
	}); err != nil {
		return err
	}
	return r.record(ctx, "knowledge.import_begun",
		map[string]any{"file": r.o.Name, "reason": r.o.Reason, "header": r.rep.Header})
}

func (r *run) end(ctx context.Context) error {
	rep := r.rep
	err := r.record(context.WithoutCancel(ctx), "knowledge.imported",
		map[string]any{"file": r.o.Name, "sha256": rep.Header.SHA256, "added": rep.Added,
			"changed": rep.Changed, "known": rep.Known, "kept": rep.Kept, "renumbered": rep.Renumbered,
			"refused": rep.Refused})
	if err == nil && r.s.Embed != nil {
		err = r.s.Embed(ctx)
	}
	return err
}

func (r *run) record(ctx context.Context, action string, content any) error {
	return r.s.db.Write(ctx, func(tx *db.Tx) error {
		return audit.Record(tx, audit.Entry{Actor: r.o.By, Action: action, ObjectKind: "knowledge", Content: content})
	})
}

func (r *run) batches(ctx context.Context, f *os.File, size int64) error {
	lines := table.NewLines(io.NewSectionReader(f, 0, size), MaxLine)
	if _, err := lines.Next(); err != nil { // the header
		return err
	}
	total := r.rep.Header.Cases + r.rep.Header.Rules
	for more := true; more; {
		var batch []entry
		for len(batch) < batchItems {
			b, err := lines.Next()
			if errors.Is(err, io.EOF) {
				more = false
				break
			}
			if err != nil {
				return err
			}
			l, err := parseLine(b)
			if err != nil {
				return fmt.Errorf("transfer: line %d was good a moment ago: %w", lines.N, err)
			}
			l.AgentID = r.agents[l.AgentID]
			batch = append(batch, entry{l, lines.N})
		}
		if err := r.batch(ctx, batch); err != nil {
			return err
		}
		if r.o.Progress != nil {
			r.o.Progress(r.rep.Items, total)
		}
	}
	return nil
}

// batch writes some items in one transaction. What is new is embedded before.
func (r *run) batch(ctx context.Context, batch []entry) error {
	if len(batch) == 0 {
		return nil
	}
	if err := ctx.Err(); err != nil {
		return err
	}
	var fresh []knowledge.Stored
	err := r.s.db.Read(ctx, func(tx *db.Tx) error {
		for _, e := range batch {
			old, err := r.s.kb.LikeTx(tx, e.Stored)
			if err != nil {
				return err
			}
			if old != nil {
				continue
			}
			item := e.Stored
			if e.Kind == knowledge.KindRule {
				if item, err = r.waiting(tx, e); err != nil && !fault.Is(err, fault.Invalid) {
					return err
				}
			}
			fresh = append(fresh, item)
		}
		return nil
	})
	if err != nil {
		return err
	}
	vectors, err := r.s.kb.Vectors(ctx, fresh)
	if err != nil {
		return err
	}
	before := *r.rep
	err = r.s.db.Write(ctx, func(tx *db.Tx) error {
		for _, e := range batch {
			if err := r.put(tx, e, vectors); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		*r.rep = before // none of them came in
	}
	return err
}

// ruleOf has the evidence name the cases as they are here.
func (r *run) ruleOf(s knowledge.Stored) knowledge.Stored {
	if len(r.instead) == 0 {
		return s
	}
	s.Versions = slices.Clone(s.Versions)
	for i := range s.Versions {
		text := *s.Versions[i].Rule
		text.Supporting, text.Counter = r.here(text.Supporting), r.here(text.Counter)
		text.MadeFrom = r.here(text.MadeFrom)
		s.Versions[i].Rule = &text
	}
	return s
}

// waiting is the rule as it may come in, and why it may not be accepted as it stands.
func (r *run) waiting(tx *db.Tx, e entry) (knowledge.Stored, error) {
	return r.s.kb.Waiting(tx, r.ruleOf(e.Stored), r.change(e))
}

func (r *run) here(ids []string) (out []string) {
	for _, id := range ids {
		if other := r.instead[id]; other != "" {
			id = other
		}
		out = append(out, id)
	}
	return out
}

func (r *run) put(tx *db.Tx, e entry, vectors knowledge.Vectors) error {
	r.rep.Items++
	old, err := r.s.kb.LikeTx(tx, e.Stored)
	switch {
	case err != nil:
		return err
	case e.Kind == knowledge.KindCase && old == nil:
		number, err := r.s.kb.RestoreCaseTx(tx, e.Stored, vectors)
		if err == nil {
			r.added(e, number)
		}
		return err
	case e.Kind == knowledge.KindCase:
		if old.ID != e.ID {
			r.instead[e.ID] = old.ID
		}
		if !r.differs(e, old.Number, old.Versions, e.Last()) {
			return nil
		}
		return r.s.kb.ReviseCaseTx(tx, old.ID, e.Last(), r.change(e))
	case old != nil: // what a person accepted is changed by one
		r.stays(e, *old, r.ruleOf(e.Stored).Last())
		return nil
	}
	return r.putRule(tx, e, vectors)
}

// putRule brings a rule in that is not here, waiting for a person.
func (r *run) putRule(tx *db.Tx, e entry, vectors knowledge.Vectors) error {
	rule, why := r.waiting(tx, e)
	if why != nil && !fault.Is(why, fault.Invalid) {
		return why
	}
	number, err := r.s.kb.RestoreRuleTx(tx, rule, vectors)
	if err != nil {
		return err
	}
	if rule.Last().Status == knowledge.Candidate {
		r.rep.Waiting++
	}
	r.added(e, number)
	if why != nil {
		r.rep.Refused++
		r.rep.note(e.at, labelOf(e.Kind, number)+" can't be accepted as it is: "+fault.First(why))
	}
	return nil
}

// stays counts what is said of a rule that is here.
func (r *run) stays(e entry, here knowledge.Stored, there knowledge.StoredVersion) {
	if slices.ContainsFunc(here.Versions, func(v knowledge.StoredVersion) bool { return same(v, there) }) {
		r.rep.Known++
		return
	}
	r.rep.Kept++
	r.rep.note(e.at, labelOf(e.Kind, here.Number)+" stays as it is ("+here.Last().Status+
		"). The file has a different text; edit it here if the file is right.")
}

func (r *run) change(e entry) knowledge.Change {
	return knowledge.Change{By: r.o.By,
		Reason: fmt.Sprintf("%s (imported: version %d there)", r.o.Reason, e.Last().Version)}
}

func (r *run) added(e entry, number int) {
	r.rep.Added++
	if number != e.Number {
		r.rep.Renumbered++
		r.rep.note(e.at, fmt.Sprintf("%s in the file is %s here, because the number was taken.",
			labelOf(e.Kind, e.Number), labelOf(e.Kind, number)))
	}
}

// differs reports whether an item that is here gets a new version, and counts what becomes of it.
func (r *run) differs(e entry, number int, here []knowledge.StoredVersion, there knowledge.StoredVersion) bool {
	erased := false
	for _, v := range here {
		erased = erased || !v.ErasedAt.IsZero()
		if same(v, there) {
			r.rep.Known++
			return false
		}
	}
	why := ""
	switch last := here[len(here)-1]; {
	case erased:
		why = "some of its text was erased here"
	case last.Status != knowledge.Active:
		why = "it is not in use here (" + last.Status + ")"
	case !there.ErasedAt.IsZero():
		why = "its text was erased at the source; it may have to be erased here too"
	default:
		r.rep.Changed++
		return true
	}
	r.rep.Kept++
	r.rep.note(e.at, labelOf(e.Kind, number)+" stays as it is: "+why+".")
	return false
}

// same reports whether a version here says what one there does, whoever wrote them and when. A rule gets a date for its
// review here if it had none there.
func same(here, there knowledge.StoredVersion) bool {
	return here.Status == there.Status && here.Task == there.Task && here.Domain == there.Domain &&
		here.Exemplar == there.Exemplar && here.Approved == there.Approved &&
		here.ValidFrom.Equal(there.ValidFrom) && here.ValidTo.Equal(there.ValidTo) &&
		(there.ReviewBy.IsZero() || here.ReviewBy.Equal(there.ReviewBy)) &&
		bytes.Equal(texts(here), texts(there))
}

func texts(v knowledge.StoredVersion) []byte {
	b, err := json.Marshal([]any{v.Case, v.Rule})
	if err != nil {
		panic(err) // plain strings and numbers
	}
	return b
}
