package evaluate

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"hash"
)

// itemHash is SHA-256 over items, each part behind its length.
type itemHash struct{ h hash.Hash }

func newHash() itemHash { return itemHash{sha256.New()} }

func (h itemHash) add(it Item) {
	customer, _ := json.Marshal(it.Consultation.Customer) // a customer that was read can be written
	codes, _ := json.Marshal(it.Codes)
	parts := []string{it.ID, it.Split, it.Consultation.Question, string(customer), it.Guidance, it.Truth, string(codes)}
	if talk := it.Consultation.Talk(); talk != "" {
		parts = append(parts, talk)
	}
	for _, part := range parts {
		var n [8]byte
		binary.BigEndian.PutUint64(n[:], uint64(len(part)))
		h.h.Write(n[:])
		h.h.Write([]byte(part))
	}
}

func (h itemHash) sum() string { return hex.EncodeToString(h.h.Sum(nil)) }
