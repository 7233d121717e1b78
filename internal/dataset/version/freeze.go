package version

import (
	"context"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"hash"
	"io"
	"strconv"
	"strings"
	"time"

	"preceptor/internal/audit"
	"preceptor/internal/dataset"
	"preceptor/internal/platform/db"
	"preceptor/internal/platform/fault"
	"preceptor/internal/platform/id"
	"preceptor/internal/platform/lists"
	"preceptor/internal/platform/text"
)

// entry is an item on its way into a version.
type entry struct {
	itemID, content, group, source string
	label, answer, why, by         string
	sign                           sign
	cluster                        int
	split                          string
}

const maxNote = 2_000 // characters

// Freeze makes the next version of what is final in a set. Invalid when nothing is, or the shares don't add up.
func (s *Store) Freeze(ctx context.Context, datasetID string, o Options) (*Version, error) {
	if o.Shares == (Shares{}) {
		o.Shares = DefaultShares
	}
	if o.Shares.Train < 0 || o.Shares.Accept < 0 || o.Shares.Test < 0 ||
		o.Shares.Train+o.Shares.Accept+o.Shares.Test != 100 {
		return nil, fault.Wrong("The shares don't add up.", "shares", "Choose three shares that add up to 100%.")
	}
	o.Note = strings.TrimSpace(o.Note)
	wrong := text.TooLong(o.Note, maxNote)
	if strings.ContainsRune(o.Note, 0) {
		wrong = "It contains an invalid character. Type it again."
	}
	if wrong != "" {
		return nil, fault.Wrong("The note can't be saved.", "note", wrong)
	}
	s.freezing.Lock()
	defer s.freezing.Unlock()
	release, ok, err := s.db.Lease(ctx, "freeze "+datasetID)
	if err != nil {
		return nil, err
	}
	defer release()
	if !ok {
		return nil, fault.New(fault.Conflict, "Someone else is freezing this dataset. Try again in a moment.")
	}
	f := &frozen{options: o, now: s.db.Now()}
	if err := s.db.Read(ctx, func(tx *db.Tx) error {
		if err := s.sets.Manages(tx, o.By); err != nil {
			return err
		}
		return f.readTx(tx, s.sets, datasetID)
	}); err != nil {
		return nil, err
	}
	if len(f.entries) == 0 {
		return nil, fault.New(fault.Invalid,
			"Nothing in this dataset has a final label that can be shown yet, so there is nothing to freeze.")
	}
	f.arrange()
	agreement := ""
	if s.Agreement != nil {
		var err error
		if agreement, err = s.Agreement(ctx, datasetID); err != nil {
			return nil, fmt.Errorf("version: describe the agreement: %w", err)
		}
	}
	f.version.Card = card(f, agreement)
	if err := s.write(ctx, f); err != nil {
		return nil, err
	}
	return &f.version, nil
}

// frozen is a version while it is made.
type frozen struct {
	options Options
	set     *dataset.Dataset
	now     time.Time
	entries []*entry
	before  map[string]string // item -> its split in the version before
	version Version
}

// readTx reads all that goes in, as it is at one moment.
func (f *frozen) readTx(tx *db.Tx, sets *dataset.Store, datasetID string) error {
	var err error
	if f.set, err = sets.GetTx(tx, datasetID); err != nil {
		return err
	}
	f.version = Version{ID: id.New(), DatasetID: datasetID, Number: 1, Note: f.options.Note, By: f.options.By}
	last, err := getTx(tx, datasetID, 0)
	switch {
	case err == nil:
		f.version.Number = last.Number + 1
		if f.options.Seed == "" {
			f.options.Seed = last.Head.Seed
		}
		if f.before, err = splitsTx(tx, last.ID); err != nil {
			return err
		}
	case !fault.Is(err, fault.NotFound):
		return err
	}
	if f.options.Seed == "" {
		f.options.Seed = datasetID
	}
	return db.Each(tx, "version: read items", func(row db.Row) error {
		e := &entry{}
		var text string
		if err := row.Scan(&e.itemID, &e.content, &e.group, &e.source, &text, &e.label, &e.answer, &e.why,
			&e.by); err != nil {
			return err
		}
		e.sign = signOf(text)
		f.entries = append(f.entries, e)
		return nil
	}, `SELECT id, hash, group_key, source, guidance, final_label, final, final_why, final_by FROM dataset_item
		WHERE dataset_id = $1 AND final_label <> '' AND planted = 0 AND state IN ('labelled', 'adjudicated')
			AND (revealed_at > 0 OR closed_at <= $2) ORDER BY n`,
		datasetID, tx.NowMs()-dataset.UndoFor.Milliseconds())
}

func splitsTx(tx *db.Tx, versionID string) (map[string]string, error) {
	out := map[string]string{}
	err := db.Each(tx, "version: read splits", db.Pairs(out), `SELECT item_id, split FROM dataset_version_item
		WHERE version_id = $1`, versionID)
	return out, err
}

// arrange gives the entries their splits and works out the head.
func (f *frozen) arrange() {
	set, v := f.set, &f.version
	sum := sha256.Sum256([]byte(set.Guidelines))
	v.Items = len(f.entries)
	v.Head = Head{Dataset: set.Name, Number: v.Number, Rubric: set.Rubric, Guidelines: hex.EncodeToString(sum[:]),
		Licence: set.Licence,
		Labels:  set.Labels, Boundaries: set.Boundaries, Codes: set.Codes, Shares: f.options.Shares,
		Seed:   f.options.Seed,
		Splits: map[string]map[string]int{}, Why: map[string]int{}, Sources: map[string]int{}}
	v.Head.Clusters, v.Head.Largest = split(f.entries, f.before, f.options.Shares, f.options.Seed)
	for _, s := range Splits {
		v.Head.Splits[s] = map[string]int{}
	}
	for _, e := range f.entries {
		v.Head.Splits[e.split][e.label]++
		v.Head.Why[e.why]++
		v.Head.Sources[e.source]++
	}
}

// manifest hashes a version: its parts, each behind its length.
type manifest struct{ hash.Hash }

func newManifest(head, card string) manifest {
	m := manifest{sha256.New()}
	m.add(head)
	m.add(card)
	return m
}

func (m manifest) add(part string) {
	var n [8]byte
	binary.BigEndian.PutUint64(n[:], uint64(len(part)))
	m.Write(n[:])
	io.WriteString(m, part)
}

func (m manifest) String() string { return hex.EncodeToString(m.Sum(nil)) }

// itemHash is what stands in the manifest for an item.
func itemHash(salt string, n int, itemID, content, split, cluster, label, answer, why, by string) string {
	m := manifest{sha256.New()}
	for _, part := range [...]string{salt, strconv.Itoa(n), itemID, content, split, cluster, label, answer, why, by} {
		m.add(part)
	}
	return m.String()
}

// write stores the version in batches and seals it.
func (s *Store) write(ctx context.Context, f *frozen) error {
	v := &f.version
	headJSON, err := json.Marshal(v.Head)
	if err != nil {
		return fmt.Errorf("version: encode the head: %w", err)
	}
	head := string(headJSON)
	if err := s.db.Write(ctx, func(tx *db.Tx) error {
		if err := clearTx(tx, v.DatasetID); err != nil {
			return err
		}
		v.At = tx.Now
		return db.Exec(tx, "version: begin", `INSERT INTO dataset_version (id, dataset_id, number, note, head, card,
				manifest, items, at, by_id, by_name)
			VALUES ($1, $2, $3, $4, $5, $6, '', $7, $8, $9, $10)`,
			v.ID, v.DatasetID, v.Number, v.Note, head, v.Card, v.Items, tx.NowMs(), v.By.ID, v.By.Name)
	}); err != nil {
		return err
	}
	m := newManifest(head, v.Card)
	for done := 0; done < len(f.entries); {
		part := f.entries[done:min(done+batch, len(f.entries))]
		if err := s.db.Write(ctx, func(tx *db.Tx) error { return writeTx(tx, v.ID, done, part, m) }); err != nil {
			return err
		}
		if done += len(part); f.options.Progress != nil {
			f.options.Progress(done, len(f.entries))
		}
	}
	v.Manifest = m.String()
	return s.db.Write(ctx, func(tx *db.Tx) error {
		if err := db.Exec(tx, "version: seal", `UPDATE dataset_version SET sealed = 1, manifest = $1
			WHERE id = $2 AND sealed = 0`, v.Manifest, v.ID); err != nil {
			return err
		}
		tx.Touch("datasets")
		return audit.Note(tx, v.By.Actor(), "dataset.frozen", "dataset", v.DatasetID,
			map[string]any{"version": v.Number, "id": v.ID, "items": v.Items, "manifest": v.Manifest})
	})
}

// clearTx throws away what a freeze that was cut off left behind.
func clearTx(tx *db.Tx, datasetID string) error {
	for _, q := range []string{
		`DELETE FROM dataset_version_item
			WHERE version_id IN (SELECT id FROM dataset_version WHERE dataset_id = $1 AND sealed = 0)`,
		`DELETE FROM dataset_version WHERE dataset_id = $1 AND sealed = 0`,
	} {
		if err := db.Exec(tx, "version: clear", q, datasetID); err != nil {
			return err
		}
	}
	return nil
}

// writeTx writes one batch. What was erased since it was read goes in as a tombstone.
func writeTx(tx *db.Tx, versionID string, done int, part []*entry, m manifest) error {
	ids := lists.Map(part, func(e *entry) any { return e.itemID })
	erased := map[string]bool{}
	for _, some := range db.Batches(ids) {
		err := db.Each(tx, "version: find erased items", db.Keys(erased),
			`SELECT id FROM dataset_item WHERE erased_at > 0 AND id IN (`+db.In(1, len(some))+`)`, some...)
		if err != nil {
			return err
		}
	}
	for i, e := range part {
		n, salt, cluster := done+i+1, id.Secret(16), clusterName(e.cluster)
		hash := itemHash(salt, n, e.itemID, e.content, e.split, cluster, e.label, e.answer, e.why, e.by)
		content, answer := e.content, e.answer
		if erased[e.itemID] {
			salt, content, answer = "", "", ""
		}
		if _, err := tx.Exec(`INSERT INTO dataset_version_item (version_id, n, item_id, hash, salt, content, split,
				cluster, label, answer, why, by_name)
			VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12)`,
			versionID, n, e.itemID, hash, salt, content, e.split, cluster, e.label, answer, e.why, e.by); err != nil {
			return fmt.Errorf("version: write item %d: %w", n, err)
		}
		m.add(hash)
	}
	return nil
}

func clusterName(n int) string { return fmt.Sprintf("c%06d", n) }
