package erase

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"preceptor/internal/audit"
	"preceptor/internal/db"
	"preceptor/internal/fault"
	"preceptor/internal/id"
	"preceptor/internal/interaction"
)

const maxWhy = 2_000

// Request asks for an erasure. The names of wrong fields are those of the form: subject, why.
type Request struct {
	How     string // interaction.ByReference, ByName or ByID
	Subject string // as it was typed
	Why     string
	By      audit.Actor
}

// Preview is what an erasure would do.
type Preview struct {
	Interactions []Match `json:"interactions"` // oldest first
	Items        int     `json:"items"`        // of gold sets that no interaction leads to
	Others       int     `json:"others"`       // reports, votes and outcomes of a user whom an agent names so
	Counts       []Count `json:"counts"`
	Holds        []Hold  `json:"holds"`   // that refuse it
	Waits        int     `json:"waits"`   // interactions with a held decision, which come a minute later
	People       int     `json:"people"`  // by name: how many different references the interactions carry; two may be two people
	Earlier      int     `json:"earlier"` // erasures of the same subject on record
}

// Empty tells whether there is nothing to erase.
func (p Preview) Empty() bool { return len(p.Interactions) == 0 && p.Items == 0 && p.Others == 0 }

var errRehearsal = errors.New("erase: only a rehearsal")

// Preview does everything and takes it back, one interaction at a time.
func (s *Service) Preview(ctx context.Context, how, typed string) (p Preview, err error) {
	sub, err := subject(how, typed)
	if err != nil {
		return p, err
	}
	k, err := s.keys(ctx)
	if err != nil {
		return p, err
	}
	m, err := s.find(ctx, k, k.hash(sub))
	if err != nil {
		return p, err
	}
	p.Interactions, p.Items, p.Others = m.interactions, len(m.items), len(m.others)
	if how == interaction.ByName {
		p.People = differentPeople(m)
	}
	err = s.d.Read(ctx, func(tx *db.Tx) error {
		if p.Holds, err = s.standingTx(tx, k, m, sub); err != nil {
			return err
		}
		return tx.QueryRow(`SELECT count(*) FROM erasure WHERE subject_hash = $1`, k.hash(sub)).Scan(&p.Earlier)
	})
	if err != nil || len(p.Holds) > 0 {
		return p, err
	}
	t, waits, err := s.each(ctx, m, func(do func(tx *db.Tx) (tally, error)) (t tally, err error) {
		err = s.d.Write(ctx, func(tx *db.Tx) error {
			if t, err = do(tx); err != nil {
				return err
			}
			return errRehearsal
		})
		if errors.Is(err, errRehearsal) {
			err = nil
		}
		return t, err
	}, "preview", audit.System("Preview"))
	p.Counts, p.Waits = t.list(), waits
	return p, err
}

// differentPeople counts how many interactions stand apart: those that share a reference are of one person.
func differentPeople(m matches) int {
	seen := map[string]bool{}
	for _, one := range m.interactions {
		var refs []string
		for _, s := range one.subjects {
			if s.How == interaction.ByReference {
				refs = append(refs, s.Value)
			}
		}
		slices.Sort(refs)
		seen[strings.Join(refs, "\n")] = true
	}
	return len(seen)
}

// each has do run for every match in a transaction of its own, as write makes it; what has a held decision is counted and left.
func (s *Service) each(ctx context.Context, m matches, write func(do func(tx *db.Tx) (tally, error)) (tally, error), why string, by audit.Actor) (all tally, waits int, err error) {
	all = tally{}
	for _, one := range m.interactions {
		if err := ctx.Err(); err != nil {
			return all, waits, err
		}
		if one.Status == interaction.Held {
			waits++
			continue
		}
		t, err := write(func(tx *db.Tx) (tally, error) { return s.eraseTx(tx, one.ID, why, by) })
		if fault.Is(err, fault.Conflict) && !errors.Is(err, errUnderHold) { // decided since it was found
			waits++
			continue
		}
		if err != nil {
			return all, waits, err
		}
		for place, n := range t {
			all.add(place, n)
		}
	}
	for _, item := range m.items {
		t, err := write(func(tx *db.Tx) (tally, error) { return s.eraseItemTx(tx, item, why, by) })
		if err != nil {
			return all, waits, err
		}
		for place, n := range t {
			all.add(place, n)
		}
	}
	for _, one := range m.others {
		t, err := write(func(tx *db.Tx) (tally, error) {
			if err := s.refuseHeldTx(tx, []interaction.Subject{one.subject}); err != nil {
				return nil, err
			}
			n, err := one.EraseTx(tx, one.id)
			t := tally{}
			t.add(one.Place, n)
			return t, err
		})
		if err != nil {
			return all, waits, err
		}
		for place, n := range t {
			all.add(place, n)
		}
	}
	return all, waits, nil
}

// eraseItemTx erases an item of a gold set that no interaction leads to, and what was learned of it.
func (s *Service) eraseItemTx(tx *db.Tx, item, why string, by audit.Actor) (tally, error) {
	t, g := tally{}, Gone{Why: why, By: by}
	if err := s.itemTx(tx, &g, item, t); err != nil || len(g.Items) == 0 {
		return t, err
	}
	if err := s.learnedTx(tx, &g, g.Items, t); err != nil {
		return t, err
	}
	return t, s.tracesTx(tx, g, t)
}

// list is the tally in the order of the places.
func (t tally) list() []Count {
	out := []Count{}
	for _, place := range places {
		if t[place] > 0 {
			out = append(out, Count{place, t[place]})
		}
	}
	var more []string
	for place := range t {
		if !slices.Contains(places, place) {
			more = append(more, place)
		}
	}
	slices.Sort(more)
	for _, place := range more {
		out = append(out, Count{place, t[place]})
	}
	return out
}

// Erase erases a subject's texts and returns the record. Invalid with the fields to mend; NotFound when nothing of theirs is here;
// Conflict under a hold, which it names. What could not be done yet because a decision is held is done within a minute by a server,
// or by calling again: the record's State says Running then.
func (s *Service) Erase(ctx context.Context, req Request) (*Record, error) {
	sub, err := subject(req.How, req.Subject)
	if err != nil {
		return nil, err
	}
	k, err := s.keys(ctx)
	if err != nil {
		return nil, err
	}
	hash := k.hash(sub)
	m, err := s.find(ctx, k, hash)
	if err != nil {
		return nil, err
	}
	rec, err := s.begin(ctx, k, m, sub, req)
	if err != nil {
		return nil, err
	}
	return s.finish(ctx, k, rec)
}

// begin puts the erasure on record, or finds the one that was cut short.
func (s *Service) begin(ctx context.Context, k keyring, m matches, sub interaction.Subject, req Request) (rec *Record, err error) {
	why, err := s.reason(req.Why, m, req.Subject)
	if err != nil {
		return nil, err
	}
	hash := k.hash(sub)
	err = s.d.Write(ctx, func(tx *db.Tx) error {
		holds, err := s.standingTx(tx, k, m, sub)
		if err != nil {
			return err
		}
		if len(holds) > 0 {
			return refused(holds[0])
		}
		rec, err = one(tx, ` WHERE subject_hash = $1 AND state = 'running'`, hash)
		if !fault.Is(err, fault.NotFound) {
			return err
		}
		if m.none() {
			return s.nothing(tx, hash)
		}
		rec = &Record{ID: id.New(), How: sub.How, Why: why, State: Running, By: req.By, StartedAt: tx.Now, hash: hash}
		if _, err := tx.Exec(`INSERT INTO erasure (id, how, subject_hash, why, state, by_kind, by_id, by_name, started_at) VALUES ($1, $2, $3, $4, 'running', $5, $6, $7, $8)`,
			rec.ID, rec.How, hash, why, req.By.Kind, req.By.ID, req.By.Name, tx.NowMs()); err != nil {
			return fmt.Errorf("erase: begin: %w", err)
		}
		return audit.Record(tx, audit.Entry{Actor: req.By, Action: "erasure.began", ObjectKind: "erasure", ObjectID: rec.ID,
			Content: map[string]any{"how": sub.How, "subject_hash": hash, "why": why}})
	})
	return rec, err
}

// nothing says that there is nothing to erase, and when there was.
func (s *Service) nothing(tx *db.Tx, hash string) error {
	last, err := one(tx, ` WHERE subject_hash = $1 ORDER BY started_at DESC, id DESC LIMIT 1`, hash)
	if err == nil {
		return fault.New(fault.NotFound, "Nothing of this customer is here. It was erased on %s.", last.StartedAt.Format("2 January 2006"))
	}
	return fault.New(fault.NotFound, "Nothing of this customer is here. Look for the reference or the name as the agent sent it, on the page of a case.")
}

// reason is why as it is kept: without the customer in it.
func (s *Service) reason(why string, m matches, typed string) (string, error) {
	why = strings.TrimSpace(strings.ToValidUTF8(why, "\uFFFD"))
	switch {
	case why == "":
		return "", fault.WithFields("Say why.", fault.Field{Name: "why", Msg: "Say why, as the number of the request; it is kept for good."})
	case len(why) > maxWhy:
		return "", fault.WithFields("The reason is too long.", fault.Field{Name: "why", Msg: fmt.Sprintf("At most %d bytes are kept.", maxWhy)})
	}
	known := []string{strings.TrimSpace(typed)}
	for _, one := range m.interactions {
		for _, sub := range one.subjects {
			if sub.How != interaction.ByID {
				known = append(known, sub.Value)
			}
		}
	}
	why, _ = s.Privacy.Pseudonymise(why, known...)
	return why, nil
}

// finish erases until nothing of the subject is left, and closes the record.
func (s *Service) finish(ctx context.Context, k keyring, rec *Record) (*Record, error) {
	began := rec.Interactions
	for {
		m, err := s.find(ctx, k, rec.hash)
		if err != nil {
			return nil, err
		}
		_, waits, err := s.each(ctx, m, func(do func(tx *db.Tx) (tally, error)) (t tally, err error) {
			err = s.d.Write(ctx, func(tx *db.Tx) error {
				if t, err = do(tx); err != nil {
					return err
				}
				return rec.addTx(tx, t)
			})
			return t, err
		}, rec.Why, rec.By)
		if errors.Is(err, errUnderHold) {
			return s.stop(ctx, rec, err)
		}
		if err != nil {
			return nil, err
		}
		if waits == 0 && m.none() {
			return s.close(ctx, rec)
		}
		if waits == len(m.interactions) && len(m.items) == 0 && len(m.others) == 0 {
			if rec.Interactions > began {
				_, err = s.gone(ctx)
			}
			return rec, err
		}
	}
}

// gone has what is in memory, and the log of pages, follow what was erased.
func (s *Service) gone(ctx context.Context) (clean bool, err error) {
	for _, f := range s.After {
		if err := f(ctx); err != nil {
			return false, err
		}
	}
	return s.d.Scrub(ctx)
}

func (s *Service) close(ctx context.Context, rec *Record) (*Record, error) {
	clean, err := s.gone(ctx)
	if err != nil {
		return nil, err
	}
	return rec, s.d.Write(ctx, func(tx *db.Tx) error {
		rec.State, rec.EndedAt, rec.Clean = Done, tx.Now, clean
		if _, err := tx.Exec(`UPDATE erasure SET state = 'done', ended_at = $1, clean = $2 WHERE id = $3`, tx.NowMs(), clean, rec.ID); err != nil {
			return fmt.Errorf("erase: close: %w", err)
		}
		tx.Touch("erasures")
		return audit.Record(tx, audit.Entry{Actor: rec.By, Action: "erasure.done", ObjectKind: "erasure", ObjectID: rec.ID,
			Content: map[string]any{"subject_hash": rec.hash, "interactions": rec.Interactions, "counts": rec.Counts, "log_emptied": clean}})
	})
}

// stop ends an erasure that something refused on the way, as a hold that was set meanwhile. What is erased stays erased.
func (s *Service) stop(ctx context.Context, rec *Record, why error) (*Record, error) {
	err := s.d.Write(ctx, func(tx *db.Tx) error {
		rec.State, rec.EndedAt, rec.Problem = Stopped, tx.Now, fault.Message(why)
		if _, err := tx.Exec(`UPDATE erasure SET state = 'stopped', ended_at = $1, problem = $2 WHERE id = $3`, tx.NowMs(), rec.Problem, rec.ID); err != nil {
			return fmt.Errorf("erase: stop: %w", err)
		}
		tx.Touch("erasures")
		return audit.Record(tx, audit.Entry{Actor: rec.By, Action: "erasure.stopped", ObjectKind: "erasure", ObjectID: rec.ID,
			Content: map[string]any{"subject_hash": rec.hash, "interactions": rec.Interactions, "problem": rec.Problem}})
	})
	return rec, errors.Join(why, err)
}

// Resume goes on with every erasure that was cut short, and tells how many ended.
func (s *Service) Resume(ctx context.Context) (ended int, err error) {
	var open []Record
	if err := s.d.Read(ctx, func(tx *db.Tx) error {
		open, err = several(tx, ` WHERE state = 'running' ORDER BY started_at, id LIMIT 100`)
		return err
	}); err != nil || len(open) == 0 {
		return 0, err
	}
	k, err := s.keys(ctx)
	if err != nil {
		return 0, err
	}
	var errs []error
	for i := range open {
		rec, err := s.finish(ctx, k, &open[i])
		switch {
		case rec != nil && rec.State == Stopped:
			s.log.Warn("an erasure was refused on its way", "erasure", rec.ID)
			ended++
		case err != nil:
			errs = append(errs, err)
		case rec.State == Done:
			ended++
		}
	}
	return ended, errors.Join(errs...)
}

// The states of an erasure.
const (
	Running = "running" // or cut short: it goes on
	Stopped = "stopped" // something refused it on the way; Problem says what
	Done    = "done"
)

// Record is what stays of an erasure.
type Record struct {
	ID           string      `json:"id"`
	How          string      `json:"how"`
	Why          string      `json:"why"`
	State        string      `json:"state"`
	Problem      string      `json:"problem,omitempty"`
	Interactions int         `json:"interactions"`
	Counts       []Count     `json:"counts"`
	Clean        bool        `json:"log_emptied"`
	By           audit.Actor `json:"by"`
	StartedAt    time.Time   `json:"started_at"`
	EndedAt      time.Time   `json:"ended_at"`

	hash string
}

// Texts is how many there were in all places.
func (r Record) Texts() (n int) {
	for _, c := range r.Counts {
		n += c.N
	}
	return n
}

// addTx counts one more interaction.
func (r *Record) addTx(tx *db.Tx, t tally) error {
	if len(t) == 0 {
		return nil // somebody else did it
	}
	all := tally{}
	for _, c := range r.Counts {
		all[c.Place] = c.N
	}
	for place, n := range t {
		all.add(place, n)
	}
	counts, err := json.Marshal(all)
	if err != nil {
		return err
	}
	done := 0
	if t[placeInteractions] > 0 {
		done = 1
	}
	if _, err := tx.Exec(`UPDATE erasure SET interactions = interactions + $1, counts = $2 WHERE id = $3`, done, string(counts), r.ID); err != nil {
		return fmt.Errorf("erase: count: %w", err)
	}
	r.Counts, r.Interactions = all.list(), r.Interactions+done
	tx.Touch("erasures")
	return nil
}
