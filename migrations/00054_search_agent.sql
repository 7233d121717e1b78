-- Owner: internal/search.

-- +goose Up
-- Which entries of some agents lack a vector is asked after each of their changes; without an index every text was read for it.
CREATE INDEX search_entry_agent ON search_entry (agent_id);
