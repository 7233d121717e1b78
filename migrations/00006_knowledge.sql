-- Owners: internal/search (the corpus and its vectors) and internal/knowledge (the rest).
-- Cases and rules are superseded, never rewritten or deleted: the head row says which version holds, the version rows
-- say what it said, who wrote it and why. A prompt of any past day can be built again from them.

-- +goose Up

-- The corpus: one row for each case and rule, with the words under which it is found. The vector index and the
-- full-text index are made from this table and from embedding, and can be made again.
CREATE TABLE search_entry (
    id       INTEGER PRIMARY KEY,               -- the row number in both indexes
    kind     TEXT NOT NULL,                     -- case or rule
    item_id  TEXT NOT NULL,
    agent_id TEXT NOT NULL,                     -- '' is shared by all agents
    task     TEXT NOT NULL,
    active   INTEGER NOT NULL,                  -- 0: kept and never found
    title    TEXT NOT NULL,
    body     TEXT NOT NULL,
    UNIQUE (kind, item_id)
) STRICT;

-- The truth about vectors: little-endian float32, of length 1. While the embedder changes an entry has two.
CREATE TABLE embedding (
    entry_id INTEGER NOT NULL REFERENCES search_entry (id),
    model    TEXT NOT NULL,
    dims     INTEGER NOT NULL,
    vector   BLOB NOT NULL,
    PRIMARY KEY (entry_id, model)
) STRICT, WITHOUT ROWID;
CREATE INDEX embedding_model ON embedding (model);

-- One row: which embedder's vectors the vector index holds.
CREATE TABLE search_state (
    id    INTEGER PRIMARY KEY CHECK (id = 1),
    model TEXT NOT NULL,
    dims  INTEGER NOT NULL
) STRICT;

-- The full-text index holds what can be found. External content, so that the words stand once in the file;
-- secure-delete, so that an erased text leaves the index too. The vector index is made by internal/search, when it knows
-- the length of the vectors.
CREATE VIEW search_active AS SELECT id, title, body FROM search_entry WHERE active = 1;
CREATE VIRTUAL TABLE entry_text USING fts5 (title, body, content='search_active', content_rowid='id',
    tokenize='porter unicode61 remove_diacritics 2');
INSERT INTO entry_text (entry_text, rank) VALUES ('secure-delete', 1);

CREATE TABLE knowledge_case (
    id         TEXT PRIMARY KEY,
    number     INTEGER NOT NULL UNIQUE,         -- Case #127
    agent_id   TEXT NOT NULL,                   -- '' is shared by all agents
    source     TEXT NOT NULL,                   -- review, document, dataset, practice or feedback
    origin     TEXT NOT NULL,                   -- what it was made from: interaction, decision, or document section
    status     TEXT NOT NULL,                   -- active or retired
    task       TEXT NOT NULL,
    domain     TEXT NOT NULL,
    exemplar   INTEGER NOT NULL,
    approved   INTEGER NOT NULL,                -- a person approved it
    flagged    INTEGER NOT NULL,                -- a person should look at it
    version    INTEGER NOT NULL,
    created_at INTEGER NOT NULL,
    updated_at INTEGER NOT NULL
) STRICT;
CREATE INDEX knowledge_case_task ON knowledge_case (task, status, number);
CREATE INDEX knowledge_case_flagged ON knowledge_case (flagged, number);
-- One case for one section of a document or one decision, per agent: importing again updates.
CREATE UNIQUE INDEX knowledge_case_origin ON knowledge_case (agent_id, source, origin) WHERE origin <> '';

CREATE TABLE knowledge_case_version (
    case_id    TEXT NOT NULL REFERENCES knowledge_case (id),
    version    INTEGER NOT NULL,
    status     TEXT NOT NULL,
    content    TEXT NOT NULL,                   -- JSON: situation, guidance and the rest
    hash       TEXT NOT NULL,                   -- of the content, to see whether a re-import changed anything
    by_kind    TEXT NOT NULL,
    by_id      TEXT NOT NULL,
    reason     TEXT NOT NULL,
    created_at INTEGER NOT NULL,
    PRIMARY KEY (case_id, version)
) STRICT, WITHOUT ROWID;

CREATE TABLE knowledge_rule (
    id         TEXT PRIMARY KEY,
    number     INTEGER NOT NULL UNIQUE,         -- Rule #034, R-34
    agent_id   TEXT NOT NULL,
    status     TEXT NOT NULL,                   -- candidate, active, rejected, withdrawn or retired
    domain     TEXT NOT NULL,
    version    INTEGER NOT NULL,
    created_at INTEGER NOT NULL,
    updated_at INTEGER NOT NULL
) STRICT;
CREATE INDEX knowledge_rule_status ON knowledge_rule (status, number);

CREATE TABLE knowledge_rule_version (
    rule_id    TEXT NOT NULL REFERENCES knowledge_rule (id),
    version    INTEGER NOT NULL,
    status     TEXT NOT NULL,
    content    TEXT NOT NULL,                   -- JSON: principle, confidence, evidence and the rest
    by_kind    TEXT NOT NULL,
    by_id      TEXT NOT NULL,
    reason     TEXT NOT NULL,
    created_at INTEGER NOT NULL,
    PRIMARY KEY (rule_id, version)
) STRICT, WITHOUT ROWID;

-- Two cases that say nearly the same; the lower number first.
CREATE TABLE knowledge_duplicate (
    case_id    TEXT NOT NULL REFERENCES knowledge_case (id),
    other_id   TEXT NOT NULL REFERENCES knowledge_case (id),
    similarity REAL NOT NULL,
    created_at INTEGER NOT NULL,
    PRIMARY KEY (case_id, other_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX knowledge_duplicate_other ON knowledge_duplicate (other_id);

-- The usage ledger: what a draft was shown and cited, at which version.
CREATE TABLE knowledge_usage (
    interaction_id TEXT NOT NULL,
    kind           TEXT NOT NULL,
    item_id        TEXT NOT NULL,
    version        INTEGER NOT NULL,
    rank           INTEGER NOT NULL,            -- 1 is best; 0 unknown
    score          REAL NOT NULL,
    cited          INTEGER NOT NULL,
    why            TEXT NOT NULL,               -- JSON list of sentences
    created_at     INTEGER NOT NULL,
    PRIMARY KEY (interaction_id, kind, item_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX knowledge_usage_item ON knowledge_usage (item_id, created_at);
