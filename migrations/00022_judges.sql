-- Owners: internal/compliance/judging (judging), internal/compliance/evaluate (all others).
--
-- Judges that need a network read a draft after it has arrived; judges, checks and the panel are measured against labels that
-- experts gave; and from what was measured a threshold is proposed, which a person switches on.

-- +goose Up
-- One row per interaction whose verdict waits for judges that need a network. While it is asked, the draft can't be approved.
CREATE TABLE judging (
    interaction_id TEXT PRIMARY KEY,
    text_hash      TEXT NOT NULL,                 -- of the draft that is read, as interaction.TextHash
    state          TEXT NOT NULL CHECK (state IN ('asked', 'answered', 'failed')),
    why            TEXT NOT NULL DEFAULT '',      -- of failed: for a person
    asked_at       INTEGER NOT NULL,
    ended_at       INTEGER NOT NULL DEFAULT 0
) STRICT;
CREATE INDEX judging_state ON judging (state, asked_at);

-- One measurement of the judges, the checks and the panel on a set of labelled texts.
CREATE TABLE judge_run (
    id           TEXT PRIMARY KEY,
    number       INTEGER NOT NULL UNIQUE,         -- 1, 2, 3 ... as people call it
    dataset_id   TEXT NOT NULL,                   -- empty: of a file
    version_id   TEXT NOT NULL,                   -- empty: of a file
    name         TEXT NOT NULL,                   -- the set and its version, or the file, as people read it
    split        TEXT NOT NULL,                   -- train, accept or test; empty: all of it
    content_hash TEXT NOT NULL,                   -- hex SHA-256 of ids, texts and labels, in order; empty until done
    panel        TEXT NOT NULL,                   -- JSON: who was asked, and the identity of each
    rubric       INTEGER NOT NULL,                -- version of the rubric in force
    state        TEXT NOT NULL CHECK (state IN ('waiting', 'running', 'done', 'failed', 'stopped')),
    total        INTEGER NOT NULL,                -- items to ask about
    done         INTEGER NOT NULL DEFAULT 0,
    figures      TEXT NOT NULL DEFAULT '',        -- JSON, once done
    failure      TEXT NOT NULL DEFAULT '',        -- for a person
    started_by   TEXT NOT NULL,                   -- account; empty: a command
    started_name TEXT NOT NULL,
    created_at   INTEGER NOT NULL,
    ended_at     INTEGER NOT NULL DEFAULT 0
) STRICT;
CREATE INDEX judge_run_created ON judge_run (created_at, id);
CREATE INDEX judge_run_version ON judge_run (version_id, state);

-- What was asked about: the labels as they were then. No text is kept here; the set has it.
CREATE TABLE judge_item (
    run_id  TEXT NOT NULL REFERENCES judge_run (id) ON DELETE CASCADE,
    n       INTEGER NOT NULL,                     -- 1, 2, 3 ... in the order of the set
    item_id TEXT NOT NULL,
    family  TEXT NOT NULL,                        -- items of one family resemble each other; empty: stands alone
    split   TEXT NOT NULL,
    truth   TEXT NOT NULL,                        -- label
    codes   TEXT NOT NULL,                        -- JSON list
    PRIMARY KEY (run_id, n)
) STRICT, WITHOUT ROWID;

-- What each said of it, so that figures and calibrations can be made again without asking anybody again.
CREATE TABLE judge_answer (
    run_id      TEXT NOT NULL REFERENCES judge_run (id) ON DELETE CASCADE,
    n           INTEGER NOT NULL,                 -- of judge_item
    who         TEXT NOT NULL,                    -- judge:<name>, checks or panel
    said        TEXT NOT NULL,                    -- label; empty: abstained
    review      INTEGER NOT NULL,                 -- 1: a person would look at it
    violation   REAL NOT NULL,                    -- probability that the text breaks the line, 0 to 1; -1: none given
    codes       TEXT NOT NULL,                    -- JSON list
    why         TEXT NOT NULL,                    -- of an abstention
    tokens      INTEGER NOT NULL,
    duration_ms INTEGER NOT NULL,
    PRIMARY KEY (run_id, n, who)
) STRICT, WITHOUT ROWID;

-- Thresholds of the panel. The system proposes, a person switches on. What one says is never changed; nothing is deleted.
CREATE TABLE judge_threshold (
    id            TEXT PRIMARY KEY,
    version       INTEGER NOT NULL UNIQUE,        -- 1, 2, 3 ...: the number that verdicts carry
    run_id        TEXT NOT NULL,
    panel         TEXT NOT NULL,                  -- identity of the panel it was measured on; another panel does not follow it
    content       TEXT NOT NULL,                  -- JSON: aim, threshold, calibrations, what was seen on each split
    state         TEXT NOT NULL CHECK (state IN ('proposed', 'active', 'superseded', 'refused', 'off')),
    proposed_at   INTEGER NOT NULL,
    asked_by      TEXT NOT NULL,                  -- who had it computed; empty: nobody asked
    asked_name    TEXT NOT NULL,
    switched_by   TEXT NOT NULL DEFAULT '',
    switched_name TEXT NOT NULL DEFAULT '',
    switched_at   INTEGER NOT NULL DEFAULT 0,
    switched_why  TEXT NOT NULL DEFAULT '',
    ended_by      TEXT NOT NULL DEFAULT '',
    ended_name    TEXT NOT NULL DEFAULT '',
    ended_at      INTEGER NOT NULL DEFAULT 0,
    ended_why     TEXT NOT NULL DEFAULT '',
    CHECK ((state IN ('active', 'superseded', 'off')) = (switched_by <> '')),
    CHECK ((switched_by <> '') = (switched_at > 0)),
    CHECK ((state IN ('superseded', 'refused', 'off')) = (ended_at > 0))
) STRICT;
CREATE UNIQUE INDEX judge_threshold_active ON judge_threshold (state) WHERE state = 'active';

-- +goose StatementBegin
CREATE TRIGGER judge_threshold_insert BEFORE INSERT ON judge_threshold BEGIN
    SELECT RAISE(ABORT, 'a threshold begins as a proposal') WHERE NEW.state <> 'proposed';
    SELECT RAISE(ABORT, 'a threshold is kept as it is') WHERE EXISTS (SELECT 1 FROM judge_threshold WHERE id = NEW.id OR version = NEW.version);
END;
-- +goose StatementEnd
-- +goose StatementBegin
CREATE TRIGGER judge_threshold_update BEFORE UPDATE ON judge_threshold BEGIN
    SELECT RAISE(ABORT, 'what a threshold says is never changed') WHERE NEW.id <> OLD.id OR NEW.version <> OLD.version OR NEW.run_id <> OLD.run_id
        OR NEW.panel <> OLD.panel OR NEW.content <> OLD.content OR NEW.proposed_at <> OLD.proposed_at OR NEW.asked_by <> OLD.asked_by OR NEW.asked_name <> OLD.asked_name;
    SELECT RAISE(ABORT, 'who switched a threshold on is never changed') WHERE OLD.state <> 'proposed'
        AND (NEW.switched_by <> OLD.switched_by OR NEW.switched_name <> OLD.switched_name OR NEW.switched_at <> OLD.switched_at OR NEW.switched_why <> OLD.switched_why);
    SELECT RAISE(ABORT, 'a threshold can''t go that way') WHERE NOT (
        OLD.state = 'proposed' AND NEW.state IN ('active', 'refused') OR OLD.state = 'active' AND NEW.state IN ('superseded', 'off'));
    SELECT RAISE(ABORT, 'a threshold is switched on by an expert or an administrator') WHERE NEW.state = 'active' AND NOT EXISTS (
        SELECT 1 FROM account a JOIN account_role r ON r.account_id = a.id
        WHERE a.id = NEW.switched_by AND r.role IN ('expert', 'admin') AND a.disabled_at = 0);
END;
-- +goose StatementEnd
-- +goose StatementBegin
CREATE TRIGGER judge_threshold_delete BEFORE DELETE ON judge_threshold BEGIN SELECT RAISE(ABORT, 'a threshold is kept as it is'); END;
-- +goose StatementEnd

-- What a dataset version taught, so that the same version teaches once.
CREATE TABLE judge_taught (
    version_id TEXT NOT NULL,
    item_id    TEXT NOT NULL,
    kind       TEXT NOT NULL CHECK (kind IN ('exemplar', 'reflection', 'clarification')),
    object_id  TEXT NOT NULL,                     -- of the case or lesson it became; empty: it was passed over
    by_id      TEXT NOT NULL,
    by_name    TEXT NOT NULL,
    at         INTEGER NOT NULL,
    PRIMARY KEY (version_id, item_id)
) STRICT, WITHOUT ROWID;
