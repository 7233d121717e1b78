package erase

import (
	"context"
	"errors"
	"slices"
	"strings"
	"time"

	"preceptor/internal/audit"
	"preceptor/internal/interaction"
	"preceptor/internal/platform/db"
	"preceptor/internal/platform/fault"
	"preceptor/internal/platform/id"
	"preceptor/internal/platform/text"
)

// Hold is a legal hold: the texts of a subject, or of one interaction, may not be erased.
type Hold struct {
	ID          string      `json:"id"`
	How         string      `json:"how"`
	Subject     string      `json:"subject"` // as it was typed; empty once released
	Reason      string      `json:"reason"`
	Until       time.Time   `json:"until"` // zero: until it is released
	By          audit.Actor `json:"by"`
	At          time.Time   `json:"at"`
	ReleasedAt  time.Time   `json:"released_at"`
	ReleasedBy  audit.Actor `json:"released_by"`
	ReleasedWhy string      `json:"released_why,omitempty"`

	hash string
}

// Stands reports whether the hold refuses erasure at now.
func (h Hold) Stands(now time.Time) bool {
	return h.ReleasedAt.IsZero() && (h.Until.IsZero() || now.Before(h.Until))
}

// LastDay is the last day of the hold, which ends at the midnight after it; "" for one that lasts until it is released.
func (h Hold) LastDay() string {
	if h.Until.IsZero() {
		return ""
	}
	return day(h.Until.Add(-time.Millisecond))
}

func day(t time.Time) string { return t.Local().Format("2 January 2006") }

// HoldInput sets a hold. The names of wrong fields are those of the form: subject, reason, until.
type HoldInput struct {
	How, Subject string
	Reason       string
	Until        time.Time // zero: until it is released
	By           audit.Actor
}

// SetHold puts a subject or an interaction under a hold. Invalid with the fields to mend.
func (s *Service) SetHold(ctx context.Context, in HoldInput) (h *Hold, err error) {
	sub, err := subject(in.How, in.Subject)
	if err != nil {
		return nil, err
	}
	reason, err := text.Reason(in.Reason, "reason", "Give a reason, such as the case number.")
	if err != nil {
		return nil, err
	}
	err = s.d.Write(ctx, func(tx *db.Tx) error {
		if !in.Until.IsZero() && !in.Until.After(tx.Now) {
			return fault.Wrong("The hold would already have ended.", "until",
				"Enter a date in the future, or leave it empty.")
		}
		if in.How == interaction.ByID {
			if _, err := s.Interactions.GetTx(tx, sub.Value); err != nil {
				return fault.Wrong("There is no such guidance.", "subject",
					"Enter the id of a piece of guidance, as in the address of its page.")
			}
		}
		k, err := keysTx(tx)
		if err != nil {
			return err
		}
		h = &Hold{ID: id.New(), How: in.How, Subject: strings.TrimSpace(in.Subject), Reason: reason, Until: in.Until,
			By: in.By, At: tx.Now}
		if err := db.Exec(tx, "erase: set a hold", `INSERT INTO legal_hold (id, how, subject, subject_hash, reason,
				until, by_id, by_name, at)
			VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)`,
			h.ID, h.How, h.Subject, k.hash(sub), h.Reason, db.Ms(h.Until), in.By.ID, in.By.Name,
			tx.NowMs()); err != nil {
			return err
		}
		tx.Touch("erasures")
		noted := map[string]any{"how": h.How, "subject_hash": k.hash(sub), "reason": reason}
		if !in.Until.IsZero() {
			noted["until"] = in.Until
		}
		return audit.Note(tx, in.By, "hold.set", "legal_hold", h.ID, noted)
	})
	return h, err
}

// ReleaseHold ends a hold, with a reason. NotFound without such a hold, Conflict when it was released before.
func (s *Service) ReleaseHold(ctx context.Context, holdID, why string, by audit.Actor) error {
	why, err := text.Reason(why, "why", "Say why it may be erased now.")
	if err != nil {
		return err
	}
	return s.d.Write(ctx, func(tx *db.Tx) error {
		h, err := scanHold(db.One(tx, "erase: read a hold", holdColumns+` WHERE id = $1`,
			holdID).Or(fault.New(fault.NotFound, "There is no such hold.")))
		if err != nil {
			return err
		}
		if !h.ReleasedAt.IsZero() {
			return fault.New(fault.Conflict, "%s released this hold on %s.", h.ReleasedBy.Name, day(h.ReleasedAt))
		}
		if err := db.Exec(tx, "erase: release a hold", `UPDATE legal_hold SET subject = '', released_at = $1,
			released_by = $2, released_name = $3, released_why = $4
			WHERE id = $5`,
			tx.NowMs(), by.ID, by.Name, why, holdID); err != nil {
			return err
		}
		tx.Touch("erasures")
		return audit.Note(tx, by, "hold.released", "legal_hold", holdID, map[string]any{"why": why, "set_by": h.By.ID})
	})
}

const holdColumns = `SELECT id, how, subject, reason, until, by_id, by_name, at, released_at, released_by,
	released_name, released_why, subject_hash
	FROM legal_hold`

func scanHold(row db.Row) (h Hold, err error) {
	err = row.Scan(&h.ID, &h.How, &h.Subject, &h.Reason, db.At(&h.Until), &h.By.ID, &h.By.Name, db.At(&h.At),
		db.At(&h.ReleasedAt), &h.ReleasedBy.ID, &h.ReleasedBy.Name, &h.ReleasedWhy, &h.hash)
	h.By.Kind, h.ReleasedBy.Kind = audit.Person, audit.Person
	return h, err
}

// Holds lists the holds, those that stand first, newest first, at most n.
func (s *Service) Holds(ctx context.Context, n int) ([]Hold, error) {
	return db.Read(ctx, s.d, func(tx *db.Tx) ([]Hold, error) {
		return holds(tx, ` ORDER BY CASE released_at WHEN 0 THEN 0 ELSE 1 END, at DESC, id DESC LIMIT $1`, n)
	})
}

func holds(tx *db.Tx, where string, args ...any) (list []Hold, err error) {
	return db.List(tx, "erase: read holds", scanHold, holdColumns+where, args...)
}

// standing are the holds that stand on any of these.
func standing(tx *db.Tx, k keyring, all []interaction.Subject) (list []Hold, err error) {
	hashes := k.hashes(all)
	slices.Sort(hashes)
	for _, batch := range db.Batches(slices.Compact(hashes)) {
		args := append([]any{tx.NowMs()}, db.Anys(batch)...)
		more, err := holds(tx, ` WHERE released_at = 0 AND (until = 0 OR until > $1) AND subject_hash IN (`+
			db.In(2, len(batch))+`) ORDER BY at, id`, args...)
		if err != nil {
			return nil, err
		}
		list = append(list, more...)
	}
	return list, nil
}

// Standing are the holds that stood when they were read.
type Standing struct {
	key    keyring
	hashes map[string]bool
	Last   int64 // when the newest hold was set, in force or not: a later one was not read
}

// Any reports whether a hold stands at all.
func (s Standing) Any() bool { return len(s.hashes) > 0 }

// On reports whether a hold stands on any of these.
func (s Standing) On(all []interaction.Subject) bool {
	return slices.ContainsFunc(s.key.hashes(all), func(h string) bool { return s.hashes[h] })
}

// StandingTx reads all holds once, for those who ask of many subjects.
func (s *Service) StandingTx(tx *db.Tx) (out Standing, err error) {
	out.hashes = map[string]bool{}
	if err := db.Each(tx, "erase: read holds", func(row db.Row) error {
		var hash string
		var at, until, released int64
		err := row.Scan(&hash, &at, &until, &released)
		out.Last = max(out.Last, at)
		if released == 0 && (until == 0 || until > tx.NowMs()) {
			out.hashes[hash] = true
		}
		return err
	}, `SELECT subject_hash, at, until, released_at FROM legal_hold`); err != nil || !out.Any() {
		return out, err
	}
	out.key, err = keptKey(tx) // there is one since a hold was set
	return out, err
}

// refuseHeldTx is a Conflict when a hold stands on the customer.
func (s *Service) refuseHeldTx(tx *db.Tx, all []interaction.Subject) error {
	k, err := keysTx(tx)
	if err != nil {
		return err
	}
	list, err := standing(tx, k, all)
	if err != nil || len(list) == 0 {
		return err
	}
	return refused(list[0])
}

var errUnderHold = errors.New("erase: under a legal hold")

func refused(h Hold) error {
	until := "It lasts until someone releases it."
	if last := h.LastDay(); last != "" {
		until = "It lasts until the end of " + last + ", unless someone releases it."
	}
	return fault.Wrap(fault.Conflict, errUnderHold,
		"Some or all of these texts are under a legal hold that %s set on %s: %s %s The preview says which.", h.By.Name,
		day(h.At), sentence(h.Reason), until)
}

func sentence(s string) string {
	if strings.HasSuffix(s, ".") || strings.HasSuffix(s, "!") || strings.HasSuffix(s, "?") {
		return s
	}
	return s + "."
}
