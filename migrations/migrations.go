// Package migrations holds the schema as numbered SQL files, which goose runs in order at start.
//
// Each file belongs to the domain package it names and says why its tables are as they are. Times are integer
// milliseconds, ids text made in Go, JSON opaque TEXT; a value that is queried is a column. Tables are STRICT. A file
// that was released is never edited: a change is a new file.
package migrations

import "embed"

// Files is every migration, in the order of their numbers.
//
//go:embed *.sql
var Files embed.FS

// Postgres is what a PostgreSQL server's database has besides.
//
//go:embed postgres.pgsql
var Postgres string
