package erase

import (
	"context"
	"errors"
	"slices"
	"strings"

	"preceptor/internal/audit"
	"preceptor/internal/interaction"
	"preceptor/internal/platform/db"
)

// Preview is what an erasure would do.
type Preview struct {
	Interactions []Match `json:"interactions"` // those under a hold first, then oldest first
	Items        int     `json:"items"`        // of gold sets that no interaction leads to
	Others       int     `json:"others"`       // reports, votes and outcomes of a user whom an agent names so
	Counts       []Count `json:"counts"`
	Holds        []Hold  `json:"holds"` // that refuse it
	Held         int     `json:"held"`  // how many of all these they stand on
	Waits        int     `json:"waits"` // interactions with a held decision, which come a minute later
	// by name, or a value of the metadata: how many different references the interactions carry; two may be two people
	People  int `json:"people"`
	Earlier int `json:"earlier"` // erasures of the same subject on record
}

// Empty reports whether there is nothing to erase.
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
	p.Interactions, p.Items, p.Others = m.interactions, m.items, m.others
	if how == interaction.ByName || slices.ContainsFunc(p.Interactions, func(m Match) bool { return m.loosely }) {
		p.People = differentPeople(m)
	}
	err = s.d.Read(ctx, func(tx *db.Tx) error {
		if p.Holds, err = standing(tx, k, m.holdable(sub)); err != nil {
			return err
		}
		return db.One(tx, "erase: count earlier erasures", `SELECT count(*) FROM erasure
			WHERE subject_hash = $1`, k.hash(sub)).Scan(&p.Earlier)
	})
	if err != nil || len(p.Holds) > 0 {
		p.markHeld(k, m)
		return p, err
	}
	t, waits, err := s.each(ctx, m, func(do func(tx *db.Tx) (counter, error)) (t counter, err error) {
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

// markHeld says on which of the matches the holds stand.
func (p *Preview) markHeld(k keyring, m matches) {
	on := map[string][]string{}
	for _, one := range m.all {
		hashes := k.hashes(slices.Concat(one.subjects, one.sent))
		var ids []string
		for _, h := range p.Holds {
			if slices.Contains(hashes, h.hash) {
				ids = append(ids, h.ID)
			}
		}
		if len(ids) > 0 {
			p.Held++
			on[one.subjects[0].Value] = ids // of an interaction, its id
		}
	}
	for i, in := range p.Interactions {
		p.Interactions[i].Holds = on[in.ID]
	}
	slices.SortStableFunc(p.Interactions, func(a, b Match) int {
		return min(len(b.Holds), 1) - min(len(a.Holds), 1)
	})
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
