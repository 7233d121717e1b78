-- Owners: internal/search (search_case and case_text), internal/review (the rest). What the lists of the desk need so that
-- every one of them is a walk along an index: by flag, by agent and task together, by what needs a second supervisor; the
-- words of a case; assignments that lapse; skips that can be reset; filters with names.

-- +goose Up
ALTER TABLE review ADD COLUMN reserved_until INTEGER NOT NULL DEFAULT 0;   -- of the assignment: until then nobody else is handed the case
CREATE INDEX review_queue_both ON review (state, agent_id, task, priority, created_at, id);
CREATE INDEX review_decided_both ON review (state, agent_id, task, decided_at, id);
CREATE INDEX review_two ON review (state, priority, created_at, id) WHERE two_eyes = 1;
CREATE INDEX review_signed ON review (state, priority, created_at, id) WHERE first_by <> '';

-- One row for each kind of flag of a case, with copies of what the lists are ordered and narrowed by. place and at are
-- priority and created_at while it waits, 0 and decided_at when it is decided, so that one index serves both orders.
CREATE TABLE review_flag (
    review_id TEXT NOT NULL REFERENCES review (id),
    code      TEXT NOT NULL,
    state     TEXT NOT NULL,
    agent_id  TEXT NOT NULL,
    task      TEXT NOT NULL,
    place     INTEGER NOT NULL,
    at        INTEGER NOT NULL,
    PRIMARY KEY (review_id, code)
) STRICT, WITHOUT ROWID;
CREATE INDEX review_flag_code ON review_flag (code, state, place, at, review_id);
CREATE INDEX review_flag_agent ON review_flag (code, state, agent_id, place, at, review_id);
CREATE INDEX review_flag_task ON review_flag (code, state, task, place, at, review_id);
CREATE INDEX review_flag_both ON review_flag (code, state, agent_id, task, place, at, review_id);
INSERT INTO review_flag (review_id, code, state, agent_id, task, place, at)
SELECT DISTINCT r.id, f.value ->> 'code', r.state, r.agent_id, r.task,
    CASE r.state WHEN 'waiting' THEN r.priority ELSE 0 END, CASE r.state WHEN 'waiting' THEN r.created_at ELSE r.decided_at END
FROM review r, json_each(r.flags) f;

-- A skip counts until it is reset or the case moves on. The row stays: it happened.
ALTER TABLE review_skip ADD COLUMN over_at INTEGER NOT NULL DEFAULT 0;
UPDATE review_skip SET over_at = at WHERE NOT EXISTS (
    SELECT 1 FROM review r WHERE r.id = review_skip.review_id AND r.state = 'waiting' AND r.version = review_skip.version);
CREATE INDEX review_skip_open ON review_skip (by_id, review_id) WHERE over_at = 0;

-- A filter of the queue that somebody named. query is the end of an address, read with care: what it names may be gone.
CREATE TABLE review_filter (
    id         TEXT PRIMARY KEY,
    owner_id   TEXT NOT NULL,                  -- account
    owner_name TEXT NOT NULL,
    team_id    TEXT NOT NULL,                  -- the team that sees it too; empty: its owner alone
    name       TEXT NOT NULL,
    name_key   TEXT NOT NULL,                  -- in lower case
    query      TEXT NOT NULL,
    created_at INTEGER NOT NULL,
    version    INTEGER NOT NULL DEFAULT 1,
    UNIQUE (owner_id, name_key)
) STRICT;
CREATE INDEX review_filter_team ON review_filter (team_id, name_key) WHERE team_id <> '';

-- The one filter with which a person's queue opens.
CREATE TABLE review_filter_pin (
    account_id TEXT PRIMARY KEY,
    filter_id  TEXT NOT NULL REFERENCES review_filter (id)
) STRICT;
CREATE INDEX review_filter_pin_filter ON review_filter_pin (filter_id);

-- The words of each case: of the question, the customer, the draft, and what people wrote about it. Each word once, in no
-- order: enough to find the case by, and no second copy of the texts to read. id is the row number in the full-text index,
-- so that a walk down it meets the newest cases first.
CREATE TABLE search_case (
    id      INTEGER PRIMARY KEY,
    item_id TEXT NOT NULL UNIQUE,
    words   TEXT NOT NULL
) STRICT;
CREATE VIRTUAL TABLE case_text USING fts5 (words, content='search_case', content_rowid='id',
    tokenize='porter unicode61 remove_diacritics 2');
INSERT INTO case_text (case_text, rank) VALUES ('secure-delete', 1);
-- What stood in the file before is indexed as it is, names of the customer's fields included.
INSERT INTO search_case (item_id, words)
SELECT i.id, i.question || ' ' || i.customer || ' ' || i.guidance || ' ' || coalesce((
    SELECT group_concat(d.reason || ' ' || d.feedback || ' ' || d.text, ' ') FROM decision d WHERE d.review_id = i.id), '')
FROM review r JOIN interaction i ON i.id = r.id ORDER BY r.created_at, r.id;
INSERT INTO case_text (case_text) VALUES ('rebuild');
