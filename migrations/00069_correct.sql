-- Owner: internal/dataset. A name that other engines keep for joins.

-- +goose Up
ALTER TABLE dataset_person RENAME COLUMN right TO correct;
