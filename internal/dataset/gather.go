package dataset

import (
	"context"
	"fmt"
	"time"

	"preceptor/internal/audit"
	"preceptor/internal/pack"
	"preceptor/internal/platform/db"
	"preceptor/internal/platform/fault"
)

// MaxGathered bounds what one Gather brings in.
const MaxGathered = 500

// Gathering is what to bring in from elsewhere in the program.
type Gathering struct {
	Source string    // FromReview or FromRuling
	Since  time.Time // when the draft came in, or was ruled on
	Most   int       // the newest so many, 1 to MaxGathered
	Pack   string    // whose texts: the set's, which Gather fills in
	Final  bool      // of FromRuling: the ruling is the final label. Else the texts come alone, to be labelled blind
}

// Gathered is what came of it.
type Gathered struct {
	Found      int
	Others     int // of other packs, newer than the last of Found, and left out
	Added      int
	Duplicates int    // were here already
	Broken     int    // can't be taken
	Why        string // of the first that is broken
}

// Gather brings in texts from the desk or from borderline rulings (Hooks.Elsewhere), as they are there now, without
// personal data. Texts of other packs than the set's are left out: judges would read them as of its pack, and learn
// from them. The same text twice is one item. Invalid with the fields source or most.
func (s *Store) Gather(ctx context.Context, datasetID string, g Gathering, by Person) (out Gathered, err error) {
	switch {
	case g.Source != FromReview && g.Source != FromRuling:
		return out, fault.Wrong("Nothing can be imported from there.", "source", "Choose reviews or rulings.")
	case g.Most < 1 || g.Most > MaxGathered:
		return out, fault.Wrong("Too many to import at once.", "most",
			fmt.Sprintf("Write a number from 1 to %d.", MaxGathered))
	}
	if err := s.db.Read(ctx, func(tx *db.Tx) error {
		if err := may(s.MayManage, tx, by); err != nil {
			return err
		}
		d, err := getTx(tx, datasetID)
		if err == nil {
			g.Pack = pack.Of(d.Pack).Name
		}
		return err
	}); err != nil {
		return out, err
	}
	items, others, err := s.hooks.Elsewhere(ctx, g)
	if err != nil {
		return out, err
	}
	err = s.db.Write(ctx, func(tx *db.Tx) error {
		if err := may(s.MayManage, tx, by); err != nil {
			return err
		}
		list, err := s.AddTx(tx, datasetID, items, by.Actor())
		if err != nil {
			return err
		}
		out = gathered(list)
		out.Others = others
		if out.Added == 0 {
			return nil
		}
		return audit.Note(tx, by.Actor(), "dataset.added", "dataset", datasetID,
			map[string]any{"items": out.Added, "source": g.Source, "final": g.Final && g.Source == FromRuling})
	})
	return out, err
}

func gathered(list []Outcome) (out Gathered) {
	out.Found = len(list)
	for _, o := range list {
		switch o.Result {
		case Added:
			out.Added++
		case Duplicate:
			out.Duplicates++
		default:
			if out.Broken++; out.Why == "" {
				out.Why = o.Why
			}
		}
	}
	return out
}
