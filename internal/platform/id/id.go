// Package id makes the identifiers that rows carry.
//
// Ids are UUIDv7 as text (RFC 9562): made in Go and not by the engine, sortable by the time they were made, and the
// same in SQLite and PostgreSQL. They name things; they are not secrets. What must be unguessable (sessions, tokens,
// set-up links) comes from Secret.
package id

import (
	"crypto/rand"
	"encoding/base64"

	"github.com/google/uuid"
)

// New returns a fresh UUIDv7, 36 characters.
func New() string { return uuid.Must(uuid.NewV7()).String() }

// Valid reports whether s has the form of an id, so that a handler can answer 404 without asking the database.
func Valid(s string) bool { return len(s) == 36 && uuid.Validate(s) == nil }

// Secret returns n random bytes as unpadded URL-safe base64.
func Secret(n int) string {
	b := make([]byte, n)
	rand.Read(b) // never fails: crypto/rand aborts the program instead
	return base64.RawURLEncoding.EncodeToString(b)
}
