-- Owner: internal/search.
-- Which entries changed, in order, so that the index in memory can follow the tables: a reader compares the last number
-- with its own and reads what is between. Entry 0 stands for all of them. Only the last some thousand rows are kept; who is
-- further behind reads everything.

-- +goose Up
CREATE TABLE search_change (
    seq      INTEGER PRIMARY KEY,
    entry_id INTEGER NOT NULL
) STRICT;
