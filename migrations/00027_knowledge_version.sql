-- Owner: internal/knowledge. Versions that begin and end on dates, states of the whole base that one can roll back to, and
-- the prompts of past drafts.
--
-- A version says everything by itself from here on: what stood in the head row alone (task, domain, exemplar, approved, flagged) stands in
-- it too, so that a version of any day can be put back. seq orders all versions of all items, so that a state is one number: of each
-- item the newest version up to it.

-- +goose Up
ALTER TABLE knowledge_rule_version ADD COLUMN domain     TEXT    NOT NULL DEFAULT '';
ALTER TABLE knowledge_rule_version ADD COLUMN valid_from INTEGER NOT NULL DEFAULT 0; -- 0: at once
ALTER TABLE knowledge_rule_version ADD COLUMN valid_to   INTEGER NOT NULL DEFAULT 0; -- the first moment at which it holds no more; 0: no end
ALTER TABLE knowledge_rule_version ADD COLUMN review_by  INTEGER NOT NULL DEFAULT 0; -- when a person should look at it again; 0: never
ALTER TABLE knowledge_rule_version ADD COLUMN erased_at  INTEGER NOT NULL DEFAULT 0; -- its text was erased then; 0: it was not
ALTER TABLE knowledge_rule_version ADD COLUMN seq        INTEGER NOT NULL DEFAULT 0; -- 0: from before there were states
UPDATE knowledge_rule_version SET domain = (SELECT r.domain FROM knowledge_rule r WHERE r.id = knowledge_rule_version.rule_id);
CREATE INDEX knowledge_rule_version_seq ON knowledge_rule_version (seq) WHERE seq > 0;
CREATE INDEX knowledge_rule_version_from ON knowledge_rule_version (valid_from) WHERE valid_from > 0;
CREATE INDEX knowledge_rule_version_to ON knowledge_rule_version (valid_to) WHERE valid_to > 0;

-- The head repeats the review-by date of the version that holds, for lists.
ALTER TABLE knowledge_rule ADD COLUMN review_by INTEGER NOT NULL DEFAULT 0;
CREATE INDEX knowledge_rule_review_by ON knowledge_rule (review_by, number) WHERE review_by > 0;

ALTER TABLE knowledge_case_version ADD COLUMN task       TEXT    NOT NULL DEFAULT '';
ALTER TABLE knowledge_case_version ADD COLUMN domain     TEXT    NOT NULL DEFAULT '';
ALTER TABLE knowledge_case_version ADD COLUMN exemplar   INTEGER NOT NULL DEFAULT 0;
ALTER TABLE knowledge_case_version ADD COLUMN approved   INTEGER NOT NULL DEFAULT 0;
ALTER TABLE knowledge_case_version ADD COLUMN flagged    INTEGER NOT NULL DEFAULT 0;
ALTER TABLE knowledge_case_version ADD COLUMN valid_from INTEGER NOT NULL DEFAULT 0;
ALTER TABLE knowledge_case_version ADD COLUMN valid_to   INTEGER NOT NULL DEFAULT 0;
ALTER TABLE knowledge_case_version ADD COLUMN erased_at  INTEGER NOT NULL DEFAULT 0;
ALTER TABLE knowledge_case_version ADD COLUMN seq        INTEGER NOT NULL DEFAULT 0;
UPDATE knowledge_case_version SET
    task     = (SELECT c.task FROM knowledge_case c WHERE c.id = knowledge_case_version.case_id),
    domain   = (SELECT c.domain FROM knowledge_case c WHERE c.id = knowledge_case_version.case_id),
    exemplar = (SELECT c.exemplar FROM knowledge_case c WHERE c.id = knowledge_case_version.case_id),
    approved = (SELECT c.approved FROM knowledge_case c WHERE c.id = knowledge_case_version.case_id),
    flagged  = (SELECT c.flagged FROM knowledge_case c WHERE c.id = knowledge_case_version.case_id);
CREATE INDEX knowledge_case_version_seq ON knowledge_case_version (seq) WHERE seq > 0;
CREATE INDEX knowledge_case_version_from ON knowledge_case_version (valid_from) WHERE valid_from > 0;
CREATE INDEX knowledge_case_version_to ON knowledge_case_version (valid_to) WHERE valid_to > 0;

-- One row: the last seq given, and until when what begins or ends by date has been brought into the search index.
CREATE TABLE knowledge_seq (
    id        INTEGER PRIMARY KEY CHECK (id = 1),
    seq       INTEGER NOT NULL,
    turned_at INTEGER NOT NULL
) STRICT;
INSERT INTO knowledge_seq (id, seq, turned_at) VALUES (1, 0, 0);

-- A moment in the life of the whole base, under a name.
CREATE TABLE knowledge_state (
    id         TEXT PRIMARY KEY,
    name       TEXT NOT NULL,
    kind       TEXT NOT NULL CHECK (kind IN ('person', 'automatic')),
    seq        INTEGER NOT NULL,
    by_kind    TEXT NOT NULL,
    by_id      TEXT NOT NULL,
    by_name    TEXT NOT NULL,
    created_at INTEGER NOT NULL
) STRICT;
CREATE INDEX knowledge_state_at ON knowledge_state (created_at, id);
CREATE UNIQUE INDEX knowledge_state_name ON knowledge_state (lower(name)) WHERE kind = 'person';

-- The whole base was put back to a state. before_id is the automatic state from just before, which undoes it.
CREATE TABLE knowledge_rollback (
    id         TEXT PRIMARY KEY,
    state_id   TEXT NOT NULL REFERENCES knowledge_state (id),
    before_id  TEXT NOT NULL REFERENCES knowledge_state (id),
    reason     TEXT NOT NULL CHECK (reason <> ''),
    by_kind    TEXT NOT NULL,
    by_id      TEXT NOT NULL,
    by_name    TEXT NOT NULL,
    changed    INTEGER NOT NULL,                -- items that got a version
    left_out   INTEGER NOT NULL,                -- items that stayed as they were, because they were erased or quarantined
    created_at INTEGER NOT NULL
) STRICT;
CREATE INDEX knowledge_rollback_at ON knowledge_rollback (created_at, id);

-- What it did to each item. Also the plan from which the versions are written in one statement.
CREATE TABLE knowledge_rollback_item (
    rollback_id  TEXT NOT NULL REFERENCES knowledge_rollback (id),
    kind         TEXT NOT NULL,                 -- case or rule
    item_id      TEXT NOT NULL,
    from_version INTEGER NOT NULL,              -- what held before
    to_version   INTEGER NOT NULL,              -- the version whose text was put back; the same as from_version when only the status changed
    status       TEXT NOT NULL,                 -- of the new version
    outcome      TEXT NOT NULL,                 -- changed, erased or quarantined; the latter two were left out
    PRIMARY KEY (rollback_id, kind, item_id)
) STRICT, WITHOUT ROWID;

-- Items whose entry in the search index has to be made anew: after a rollback of many, and when a date has come.
CREATE TABLE knowledge_reindex (
    kind    TEXT NOT NULL,
    item_id TEXT NOT NULL,
    PRIMARY KEY (kind, item_id)
) STRICT, WITHOUT ROWID;

-- The prompt of each draft of our own advisor, as a recipe: texts of templates by their hash, knowledge by its version, and what was
-- said of this draft alone (own), which can be erased.
CREATE TABLE knowledge_prompt (
    interaction_id TEXT PRIMARY KEY,
    drafter        TEXT NOT NULL,
    mode           TEXT NOT NULL,               -- of recall
    embedder       TEXT NOT NULL,
    budget         INTEGER NOT NULL,            -- in tokens; 0 is unbounded
    tokens         INTEGER NOT NULL,            -- of the recall block
    format         INTEGER NOT NULL,            -- which renderer wrote the recall block
    block_hash     TEXT NOT NULL,               -- SHA-256 of the recall block
    items          TEXT NOT NULL,               -- JSON list of kind, id, version, and evidence by number, in the order of the block
    prompt_hash    TEXT NOT NULL,               -- SHA-256 over what a model was sent; '' when none was asked
    parts          TEXT NOT NULL,               -- JSON: the recipe of what a model was sent
    own            TEXT NOT NULL,               -- JSON list of texts of this draft alone, pseudonymised; '' once erased
    erased_at      INTEGER NOT NULL,
    created_at     INTEGER NOT NULL
) STRICT;

-- Every text of a template that was ever sent, once.
CREATE TABLE knowledge_prompt_text (
    hash       TEXT PRIMARY KEY,                -- SHA-256
    name       TEXT NOT NULL,
    content    TEXT NOT NULL,
    created_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
