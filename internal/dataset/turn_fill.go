package dataset

import (
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"time"

	"preceptor/internal/labelling"
	"preceptor/internal/platform/db"
)

const (
	// listLength is how many items stand before a person, so that the next one is there at once and few are kept from
	// others.
	listLength = 5
	// keepFor is how long they stand before somebody who does nothing.
	keepFor = 2 * time.Hour
	// oldestEvery has each so manieth turn go to the item that has waited longest among those that were begun, so that
	// a set that grows all the time still finishes items.
	oldestEvery = 4
	// sweep bounds how many turns one call gives back.
	sweep = 50
	// checkLevel is the level of check items in dataset_mark.
	checkLevel = -1
)

// filling hands out items to one person. An item's level is how many people answered it or have it before them. The
// least taken level comes first. Within a level the items are walked in the order in which they came there, from the
// person's mark on. Whatever makes an item eligible again (another level, a turn given back, one more label needed)
// gives it a new place, which is behind every mark.
type filling struct {
	tx     *db.Tx
	d      *Dataset
	who    Person
	secret string
	seq    int64 // of the person's turns
}

// fillTx brings a person's list to its length, as far as there is something to hand out.
func (s *Store) fillTx(tx *db.Tx, d *Dataset, who Person) error {
	if err := ensurePersonTx(tx, d.ID, who); err != nil {
		return err
	}
	f := &filling{tx: tx, d: d, who: who}
	var have int
	if err := db.One(tx, "dataset: read a list", `SELECT p.turns, d.secret, (SELECT count(*) FROM labelling_turn t
			WHERE t.set_id = p.dataset_id AND t.person_id = p.person_id AND t.state = 'open')
		FROM dataset_person p JOIN dataset d ON d.id = p.dataset_id
			WHERE p.dataset_id = $1 AND p.person_id = $2`, d.ID, who.ID).Scan(&f.seq, &f.secret, &have); err != nil {
		return err
	}
	if err := f.giveBackTx(); err != nil {
		return err
	}
	for ok := true; ok && have < listLength; have++ {
		var err error
		if ok, err = f.handOut(); err != nil {
			return err
		}
	}
	return db.Exec(tx, "dataset: store a list", `UPDATE dataset_person SET turns = $1
		WHERE dataset_id = $2 AND person_id = $3`, f.seq, d.ID, who.ID)
}

// handOut adds one turn; false when nothing is left for this person.
func (f *filling) handOut() (bool, error) {
	f.seq++
	if f.lot() {
		ok, err := f.level(checkLevel, "check")
		if ok || err != nil {
			return ok, err
		}
	}
	if f.seq%oldestEvery == 0 {
		for l := f.d.MaxLabels - 1; l > 0; l-- {
			if ok, err := f.level(l, "walk"); ok || err != nil {
				return ok, err
			}
		}
	}
	for l := 0; l < f.d.MaxLabels; l++ {
		if ok, err := f.level(l, "walk"); ok || err != nil {
			return ok, err
		}
	}
	f.seq--
	return false, nil
}

// lot reports whether this turn is a check: hidden from everybody, and the same if it is asked again.
func (f *filling) lot() bool {
	if f.d.CheckShare == 0 {
		return false
	}
	h := sha256.New()
	io.WriteString(h, f.secret+"\x00"+f.who.ID+"\x00")
	var n [8]byte
	binary.BigEndian.PutUint64(n[:], uint64(f.seq))
	h.Write(n[:])
	return binary.BigEndian.Uint64(h.Sum(nil))%100 < uint64(f.d.CheckShare)
}

// The walk. Nobody gets a check that they brought in themselves. An item that is fully taken is passed over; it gets a
// new place when it needs one more label. The list is short of nothing else: whoever has, had or may not have an item
// has a turn that is not dropped.
const (
	nextSQL = `SELECT i.id, i.place FROM dataset_item i
		WHERE i.dataset_id = $1 AND i.state = 'open' AND i.planted = 0 AND i.taken = $2 AND i.place > $3
		AND i.needs > i.taken AND NOT EXISTS (SELECT 1 FROM labelling_turn t
			WHERE t.item_id = i.id AND t.person_id = $4 AND t.state <> 'dropped') ORDER BY i.place LIMIT 1`
	checkSQL = `SELECT i.id, i.place FROM dataset_item i
		WHERE i.dataset_id = $1 AND i.state = 'open' AND i.planted = 1 AND i.place > $2
		AND i.by_id <> $3 AND NOT EXISTS (SELECT 1 FROM labelling_turn t
			WHERE t.item_id = i.id AND t.person_id = $3 AND t.state <> 'dropped') ORDER BY i.place LIMIT 1`
)

// level hands out the next item of a level.
func (f *filling) level(level int, origin string) (bool, error) {
	mark, err := db.Maybe[int64](f.tx, "dataset: read a mark", `SELECT place FROM dataset_mark
		WHERE dataset_id = $1 AND person_id = $2 AND level = $3`, f.d.ID, f.who.ID, level)
	if err != nil {
		return false, err
	}
	query, args := nextSQL, []any{f.d.ID, level, mark, f.who.ID}
	if level == checkLevel {
		query, args = checkSQL, []any{f.d.ID, mark, f.who.ID}
	}
	var itemID string
	at := mark
	found, err := db.One(f.tx, "dataset: find the next item", query, args...).Find(&itemID, &at)
	if err != nil {
		return false, err
	}
	if !found {
		if at, err = seqTx(f.tx, f.d.ID, 0); err != nil { // all that is on the level now is behind the mark
			return false, err
		}
	}
	if at != mark {
		if _, err := f.tx.Exec(`INSERT INTO dataset_mark (dataset_id, person_id, level, place) VALUES ($1, $2, $3, $4)
			ON CONFLICT (dataset_id, person_id, level) DO UPDATE SET place = excluded.place`, f.d.ID, f.who.ID, level,
			at); err != nil {
			return false, fmt.Errorf("dataset: store a mark: %w", err)
		}
	}
	if !found {
		return false, nil
	}
	if err := labelling.At(f.d.ID, itemID, f.who).Put(f.tx,
		labelling.Turn{Seq: f.seq, State: labelling.Open, Origin: origin}); err != nil {
		return false, err
	}
	if level == checkLevel {
		return true, nil
	}
	return true, takeTx(f.tx, f.d.ID, itemID, 1)
}

// takeTx has one person more, or one less, have the item before them.
func takeTx(tx *db.Tx, datasetID, itemID string, by int) error {
	place, err := seqTx(tx, datasetID, 1)
	if err != nil {
		return err
	}
	return db.Exec(tx, "dataset: hand out an item", `UPDATE dataset_item SET taken = taken + $1, place = $2
		WHERE id = $3 AND planted = 0`, by, place, itemID)
}

// giveBackTx takes what stood before other people for too long off their lists.
func (f *filling) giveBackTx() error {
	old, err := db.Rows(f.tx, "dataset: find what lies about", func(o *[2]string) []any { return []any{&o[0], &o[1]} },
		`SELECT person_id, item_id FROM labelling_turn
			WHERE set_id = $1 AND at < $2 AND state = 'open' AND origin <> 'given' AND person_id <> $3
		ORDER BY at, item_id, person_id LIMIT $4`, f.d.ID, f.tx.NowMs()-keepFor.Milliseconds(), f.who.ID, sweep)
	if err != nil {
		return err
	}
	for _, o := range old {
		if err := dropTx(f.tx, f.d.ID, o[0], o[1]); err != nil {
			return err
		}
	}
	return nil
}

// dropTx gives an open turn back.
func dropTx(tx *db.Tx, datasetID, personID, itemID string) error {
	return errors.Join(labelling.At(datasetID, itemID, Person{ID: personID}).Move(tx, labelling.Dropped),
		takeTx(tx, datasetID, itemID, -1))
}

// ensurePersonTx makes the row of somebody who takes part.
func ensurePersonTx(tx *db.Tx, datasetID string, who Person) error {
	return db.Exec(tx, fmt.Sprintf("dataset: note %s", who.ID), `INSERT INTO dataset_person (dataset_id,
			person_id, name)
		VALUES ($1, $2, $3) ON CONFLICT (dataset_id, person_id) DO UPDATE SET name = excluded.name`,
		datasetID, who.ID, who.Name)
}
