-- What a database of a PostgreSQL server has besides what the migrations make (internal/platform/db translates them).
-- It runs at each start after them.

-- Whoever writes locks it (internal/platform/db/lane.go).
CREATE TABLE IF NOT EXISTS lane (name text PRIMARY KEY, turn bigint NOT NULL);

-- The servers that work this database, each with a lease of 30 seconds (internal/platform/job).
CREATE TABLE IF NOT EXISTS server (id text PRIMARY KEY, seen_at timestamptz NOT NULL);

-- How many transactions touched what servers keep in memory (internal/platform/db/watch.go), or follow by polling.
CREATE TABLE IF NOT EXISTS topic (name text PRIMARY KEY, n bigint NOT NULL);

-- What a server keeps the others from for a while, and how much of its pace a key has spent: until when, in microseconds
-- (internal/platform/db/shared.go). A crash may empty these.
CREATE UNLOGGED TABLE IF NOT EXISTS server_lease (name text PRIMARY KEY, owner text NOT NULL, until timestamptz NOT NULL);
CREATE UNLOGGED TABLE IF NOT EXISTS server_pace (key text PRIMARY KEY, until bigint NOT NULL);

-- Files between two requests of one person (internal/platform/table/imports).
CREATE UNLOGGED TABLE IF NOT EXISTS server_file (
    id    text NOT NULL,
    part  bigint NOT NULL,
    owner text NOT NULL,                       -- who may have it, and for what
    name  text NOT NULL,
    at    bigint NOT NULL,
    bytes bytea NOT NULL,
    PRIMARY KEY (id, part)
);
DELETE FROM server_file WHERE at < extract(epoch FROM now()) * 1000 - 3600000;

-- What the authorizer refuses on a file.
CREATE OR REPLACE FUNCTION audit_kept() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN RAISE EXCEPTION 'the audit log is append-only'; END $$;
CREATE OR REPLACE TRIGGER audit_content_no_delete BEFORE DELETE ON audit_content FOR EACH ROW EXECUTE FUNCTION audit_kept();
CREATE OR REPLACE TRIGGER audit_no_truncate BEFORE TRUNCATE ON audit FOR EACH STATEMENT EXECUTE FUNCTION audit_kept();
CREATE OR REPLACE TRIGGER audit_content_no_truncate BEFORE TRUNCATE ON audit_content FOR EACH STATEMENT EXECUTE FUNCTION audit_kept();

-- In place of entry_text and case_text: the stems of active entries, and of the desk's cases (internal/search).
CREATE TABLE IF NOT EXISTS entry_size (
    entry_id bigint PRIMARY KEY REFERENCES search_entry (id),
    words    bigint NOT NULL                   -- in title and body
);
CREATE TABLE IF NOT EXISTS entry_word (
    word     text COLLATE "C" NOT NULL,
    entry_id bigint NOT NULL REFERENCES entry_size (entry_id) ON DELETE CASCADE,
    weight   bigint NOT NULL,                  -- how often, in the title twice
    PRIMARY KEY (word, entry_id)
);
CREATE INDEX IF NOT EXISTS entry_word_entry ON entry_word (entry_id);
CREATE TABLE IF NOT EXISTS case_word (
    word    text COLLATE "C" NOT NULL,
    case_id bigint NOT NULL REFERENCES search_case (id) ON DELETE CASCADE,
    PRIMARY KEY (word, case_id)
);
CREATE INDEX IF NOT EXISTS case_word_case ON case_word (case_id);
