-- Owner: internal/interaction. A draft of ours says which of its sentences come from which rule or source.

-- +goose Up
-- JSON of {marks, notes}: the places with their rule or source, and what the advisor tells the supervisor, which may quote the note with
-- which an earlier version was sent back. '' for texts of other agents. An erasure empties it.
ALTER TABLE interaction ADD COLUMN provenance TEXT NOT NULL DEFAULT '';
