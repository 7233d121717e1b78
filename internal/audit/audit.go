// Package audit is the append-only, hash-chained record of who did what.
//
// It owns audit and audit_content. A row of audit is chained to the one before:
//
//	hash = H(prev ‖ seq ‖ at ‖ actor ‖ action ‖ object ‖ H(salt ‖ actor's name ‖ content))
//
// with SHA-256 and every part preceded by its length, so that no two records share an encoding. The name, the content
// and the salt stand in audit_content. The law may demand that they go: erasing empties them there and appends a
// tombstone (audit.erased) to the chain, which stays valid, because it holds the salted hash only; without the salt the
// hash gives nothing away. Who did it stays in the chain as an id, and reading names them by it.
//
// What it promises. A record is written in the transaction of what it records: neither exists without the other.
// Verify finds every row that was edited, removed, inserted or swapped, and content that was emptied without a
// tombstone, and names the first. Two things guard the table within this program: the authorizer in db and triggers.
//
// What a chain can't promise. Whoever can write the file can cut off its tail, or write a new chain from some row on.
// That is found by comparing with a head that was kept elsewhere (Verify's anchor); keep one per day off the machine.
//
// What it decided against: signing (the key would lie beside the file), a tree instead of a chain (a desk has far fewer
// than ten million events), and computing the chain in the background (a decision must not exist without its record).
package audit

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"

	"preceptor/internal/platform/db"
	"preceptor/internal/platform/id"
)

// The kinds of actors.
const (
	Person      = "person"
	Agent       = "agent"
	SystemActor = "system"
)

// ActionErased is the tombstone's action.
const ActionErased = "audit.erased"

// Actor is who did it: a person, an agent or a part of the program. Name is how they were called then; it is kept with
// the content, where it can be erased.
type Actor struct {
	Kind string
	ID   string
	Name string
}

// System is a part of the program, as System("release").
func System(name string) Actor { return Actor{Kind: SystemActor, ID: name, Name: name} }

// Entry is what to record. Content becomes JSON and can be erased later; nothing that identifies a customer belongs
// anywhere else.
type Entry struct {
	Actor      Actor
	Action     string // as review.approved
	ObjectKind string // as interaction
	ObjectID   string
	Content    any
}

func contentHash(salt, name, content string) string {
	b := make([]byte, 0, 512)
	return hexSum(field(field(field(b, salt), name), content))
}

// field appends s behind its length, so that no two lists of fields share an encoding.
func field(b []byte, s string) []byte {
	return append(binary.BigEndian.AppendUint64(b, uint64(len(s))), s...)
}

func hexSum(b []byte) string {
	sum := sha256.Sum256(b)
	return hex.EncodeToString(sum[:])
}

// Note is Record of what by did to an object.
func Note(tx *db.Tx, by Actor, action, kind, objectID string, content any) error {
	return Record(tx, Entry{Actor: by, Action: action, ObjectKind: kind, ObjectID: objectID, Content: content})
}

// Record appends e to the chain, in the transaction of what it records.
func Record(tx *db.Tx, e Entry) error {
	content, err := json.Marshal(e.Content)
	if err != nil {
		return fmt.Errorf("audit: encode the content of %s: %w", e.Action, err)
	}
	last, err := head(tx)
	if err != nil {
		return err
	}
	salt := id.Secret(16)
	l := Link{last.Seq + 1, tx.NowMs(), e.Actor.Kind, e.Actor.ID, e.Action, e.ObjectKind, e.ObjectID,
		contentHash(salt, e.Actor.Name, string(content))}
	if err := db.Exec(tx, "audit: record "+e.Action, `
		INSERT INTO audit (seq, at, actor_kind, actor_id, action, object_kind, object_id, content_hash, prev_hash, hash)
		VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)`,
		l.Seq, l.At, l.ActorKind, l.ActorID, l.Action, l.ObjectKind, l.ObjectID, l.ContentHash, last.Hash,
		l.Hash(last.Hash)); err != nil {
		return err
	}
	return db.Exec(tx, fmt.Sprintf("audit: record the content of %s", e.Action), `INSERT INTO audit_content (seq, salt,
			actor_name, content)
		VALUES ($1, $2, $3, $4)`,
		l.Seq, salt, e.Actor.Name, string(content))
}

// Head is the end of the chain: what to keep elsewhere and compare with later. Its JSON form is the anchor file's.
type Head struct {
	Seq  int64  `json:"seq"`
	Hash string `json:"hash"`
}

// ParseHead reads a head kept as JSON, or a whole report with one. Its error goes on from "The anchor".
func ParseHead(b []byte) (*Head, error) {
	var kept struct {
		Head
		Report *Head `json:"head"`
	}
	if json.Unmarshal(b, &kept) != nil {
		return nil, errors.New(`is not JSON such as {"seq": 12, "hash": "..."}`)
	}
	if kept.Report != nil {
		kept.Head = *kept.Report
	}
	if kept.Seq <= 0 || kept.Hash == "" {
		return nil, errors.New(`has no "seq" and "hash"`)
	}
	return &kept.Head, nil
}

func head(tx *db.Tx) (h Head, err error) {
	_, err = db.One(tx, "audit: read the head", `SELECT seq, hash FROM audit
		ORDER BY seq DESC LIMIT 1`).Find(&h.Seq, &h.Hash)
	return h, err
}

// EraseTx empties the content of every record about an object, which the law may demand, and appends a tombstone that
// says why and by whom. The chain stays valid. It returns how many records were emptied; with none it writes nothing.
func EraseTx(tx *db.Tx, objectKind, objectID, why string, by Actor) (int, error) {
	n, err := db.Change(tx, "audit: erase", `
		UPDATE audit_content SET salt = '', actor_name = '', content = '', erased_at = $1
		WHERE erased_at = 0 AND seq IN (
			SELECT seq FROM audit WHERE object_kind = $2 AND object_id = $3 AND action <> $4)`,
		tx.NowMs(), objectKind, objectID, ActionErased)
	if err != nil || n == 0 {
		return 0, err
	}
	return int(n), Record(tx, Entry{
		Actor: by, Action: ActionErased, ObjectKind: objectKind, ObjectID: objectID,
		Content: map[string]any{"why": why, "records": n},
	})
}
