package erase

import (
	"context"
	"errors"
	"slices"

	"preceptor/internal/audit"
	"preceptor/internal/platform/db"
	"preceptor/internal/platform/fault"
)

// Erase erases a subject's texts and returns the record. Invalid with the fields to mend; NotFound when nothing of
// theirs is here; Conflict under a hold, which it names. What could not be done yet because a decision is held is done
// within a minute by a server, or by calling again: the record's State says Running then.
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

// finish erases until nothing of the subject is left, and closes the record.
func (s *Service) finish(ctx context.Context, k keyring, rec *Record) (*Record, error) {
	began := rec.Interactions
	for {
		m, err := s.find(ctx, k, rec.hash)
		if err != nil {
			return nil, err
		}
		_, waits, err := s.each(ctx, m, func(do func(tx *db.Tx) (counter, error)) (t counter, err error) {
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
		switch {
		case len(m.all) == 0:
			return s.close(ctx, rec)
		case waits == len(m.all):
			if rec.Interactions > began {
				_, err = s.gone(ctx)
			}
			return rec, err
		}
	}
}

// each has do run for every match in a transaction of its own, as write makes it, unless it is under a hold; what has a
// held decision is counted and left.
func (s *Service) each(ctx context.Context, m matches, write func(do func(tx *db.Tx) (counter, error)) (counter, error),
	why string, by audit.Actor) (all counter, waits int, err error) {
	all = counter{}
	first := true
	for _, one := range m.all {
		if err := ctx.Err(); err != nil {
			return all, waits, err
		}
		if one.held {
			waits++
			continue
		}
		t, err := write(func(tx *db.Tx) (counter, error) {
			if err := s.refuseHeldTx(tx, slices.Concat(one.subjects, one.sent)); err != nil {
				return nil, err
			}
			t, err := one.eraseTx(tx, why, by)
			if err == nil && first {
				err = s.alsoTx(tx, Gone{Why: why, By: by}, t, true)
			}
			return t, err
		})
		if fault.Is(err, fault.Conflict) && !errors.Is(err, errUnderHold) { // decided since it was found
			waits++
			continue
		}
		if err != nil {
			return all, waits, err
		}
		first = false
		all.join(t)
	}
	return all, waits, nil
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
		if err := db.Exec(tx, "erase: close", `UPDATE erasure SET state = 'done', ended_at = $1, clean = $2
			WHERE id = $3`, tx.NowMs(), clean, rec.ID); err != nil {
			return err
		}
		tx.Touch("erasures")
		return audit.Note(tx, rec.By, "erasure.done", "erasure", rec.ID,
			map[string]any{"subject_hash": rec.hash, "interactions": rec.Interactions, "counts": rec.Counts,
				"log_emptied": clean})
	})
}

// stop ends an erasure that something refused on the way, as a hold that was set meanwhile. What is erased stays
// erased.
func (s *Service) stop(ctx context.Context, rec *Record, why error) (*Record, error) {
	err := s.d.Write(ctx, func(tx *db.Tx) error {
		rec.State, rec.EndedAt, rec.Problem = Stopped, tx.Now, fault.Message(why)
		if err := db.Exec(tx, "erase: stop", `UPDATE erasure SET state = 'stopped', ended_at = $1, problem = $2
			WHERE id = $3`, tx.NowMs(), rec.Problem, rec.ID); err != nil {
			return err
		}
		tx.Touch("erasures")
		return audit.Note(tx, rec.By, "erasure.stopped", "erasure", rec.ID,
			map[string]any{"subject_hash": rec.hash, "interactions": rec.Interactions, "problem": rec.Problem})
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
