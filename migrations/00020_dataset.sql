-- Owner: internal/dataset, and internal/dataset/version for the last two tables. Gold sets: what is labelled, who is to label
-- it, what each person answered, what was ruled, and the frozen versions.

-- +goose Up
-- The counters are kept in the transaction of what they count, so that no page counts 20,000 rows.
CREATE TABLE dataset (
    id          TEXT PRIMARY KEY,
    name        TEXT NOT NULL,
    name_key    TEXT NOT NULL,             -- the name in small letters
    settings    TEXT NOT NULL,             -- JSON: description, guidelines, label set ...; what no query looks into
    overlap     INTEGER NOT NULL,          -- independent labels that each item is to get
    max_labels  INTEGER NOT NULL,          -- ... and at most, when they disagree
    check_share INTEGER NOT NULL,          -- per cent of the work that is hidden check items
    secret      TEXT NOT NULL,             -- where check items come is worked out from it, so that nobody can tell beforehand
    state       TEXT NOT NULL CHECK (state IN ('open', 'closed')),
    version     INTEGER NOT NULL,          -- of the settings
    seq         INTEGER NOT NULL DEFAULT 0, -- the last number given to an item, or to an item's move
    items       INTEGER NOT NULL DEFAULT 0, -- of all states but erased; check items too
    open        INTEGER NOT NULL DEFAULT 0,
    labelled    INTEGER NOT NULL DEFAULT 0,
    disputed    INTEGER NOT NULL DEFAULT 0,
    adjudicated INTEGER NOT NULL DEFAULT 0,
    excluded    INTEGER NOT NULL DEFAULT 0,
    checks      INTEGER NOT NULL DEFAULT 0, -- check items; they are in no other counter but items
    final       INTEGER NOT NULL DEFAULT 0, -- items with a final label
    labels      INTEGER NOT NULL DEFAULT 0, -- standing labels, those on check items left out
    wanted      INTEGER NOT NULL DEFAULT 0, -- labels that open items still need
    created_at  INTEGER NOT NULL,
    by_id       TEXT NOT NULL,
    by_name     TEXT NOT NULL
) STRICT;
CREATE UNIQUE INDEX dataset_name ON dataset (name_key);

-- place orders the items of one level (taken): an item that comes to a level stands last there. So a person's mark on a level
-- only ever goes forward, and finding the next item never walks over what the person was given already.
CREATE TABLE dataset_item (
    id           TEXT PRIMARY KEY,
    dataset_id   TEXT NOT NULL REFERENCES dataset (id),
    n            INTEGER NOT NULL,          -- the order in which items came
    hash         TEXT NOT NULL,             -- hex SHA-256 of customer, question and guidance; 'erased:' and the id after an erasure
    customer     TEXT NOT NULL,             -- JSON that no query looks into, keys in order
    question     TEXT NOT NULL,
    guidance     TEXT NOT NULL,
    group_key    TEXT NOT NULL,             -- template, customer or family; items of one group never straddle splits
    external_id  TEXT NOT NULL,
    source       TEXT NOT NULL CHECK (source IN ('review', 'ruling', 'import', 'hand')),
    source_id    TEXT NOT NULL,
    state        TEXT NOT NULL CHECK (state IN ('open', 'labelled', 'disputed', 'adjudicated', 'excluded', 'erased')),
    version      INTEGER NOT NULL,          -- goes up with every change of what stands here
    needs        INTEGER NOT NULL,          -- labels that it is to get: the overlap, one more after each disagreement
    has          INTEGER NOT NULL DEFAULT 0, -- standing labels of people
    taken        INTEGER NOT NULL DEFAULT 0, -- has, and the people who have it before them
    place        INTEGER NOT NULL,
    planted      INTEGER NOT NULL DEFAULT 0, -- 1: a hidden check item
    known        TEXT NOT NULL DEFAULT '',  -- JSON: the answer to a check item
    final_label  TEXT NOT NULL DEFAULT '',
    final        TEXT NOT NULL DEFAULT '',  -- JSON: the final answer, whole
    final_why    TEXT NOT NULL DEFAULT '' CHECK (final_why IN ('', 'agreement', 'adjudication', 'import', 'ruling')),
    final_by_id  TEXT NOT NULL DEFAULT '',
    final_by     TEXT NOT NULL DEFAULT '',  -- who, in words
    final_at     INTEGER NOT NULL DEFAULT 0,
    flags        INTEGER NOT NULL DEFAULT 0, -- people who flagged it
    excluded_why TEXT NOT NULL DEFAULT '',
    closed_at    INTEGER NOT NULL DEFAULT 0, -- when it got its last label
    revealed_at  INTEGER NOT NULL DEFAULT 0, -- when somebody first saw all the answers; nothing is taken back after that
    erased_at    INTEGER NOT NULL DEFAULT 0,
    created_at   INTEGER NOT NULL,
    by_id        TEXT NOT NULL,
    by_name      TEXT NOT NULL
) STRICT;
CREATE UNIQUE INDEX dataset_item_hash ON dataset_item (dataset_id, hash);
CREATE UNIQUE INDEX dataset_item_n ON dataset_item (dataset_id, n);
CREATE INDEX dataset_item_next ON dataset_item (dataset_id, taken, place) WHERE state = 'open' AND planted = 0;
CREATE INDEX dataset_item_check ON dataset_item (dataset_id, place) WHERE state = 'open' AND planted = 1;
CREATE INDEX dataset_item_state ON dataset_item (dataset_id, state, n);
CREATE INDEX dataset_item_label ON dataset_item (dataset_id, final_label, n) WHERE final_label <> '';
CREATE INDEX dataset_item_flag ON dataset_item (dataset_id, n) WHERE flags > 0;
CREATE INDEX dataset_item_source ON dataset_item (source, source_id) WHERE source <> 'import'; -- an import has one source for all of its items

-- Everybody who was invited or took part, and what they did.
CREATE TABLE dataset_person (
    dataset_id TEXT NOT NULL REFERENCES dataset (id),
    person_id  TEXT NOT NULL,
    name       TEXT NOT NULL,
    invited    INTEGER NOT NULL DEFAULT 0,
    turns      INTEGER NOT NULL DEFAULT 0, -- the last number given to a turn
    dry        INTEGER NOT NULL DEFAULT -1, -- the set's seq when there was nothing more to hand out
    done       INTEGER NOT NULL DEFAULT 0, -- items answered, check items too: a person can't tell them
    skipped    INTEGER NOT NULL DEFAULT 0,
    flagged    INTEGER NOT NULL DEFAULT 0,
    spent_ms   INTEGER NOT NULL DEFAULT 0,
    checks     INTEGER NOT NULL DEFAULT 0, -- check items answered
    right      INTEGER NOT NULL DEFAULT 0, -- ... with the known label
    last_at    INTEGER NOT NULL DEFAULT 0,
    PRIMARY KEY (dataset_id, person_id)
) STRICT;

-- How far a person has come on each level; -1 is the level of check items.
CREATE TABLE dataset_mark (
    dataset_id TEXT NOT NULL,
    person_id  TEXT NOT NULL,
    level      INTEGER NOT NULL,
    place      INTEGER NOT NULL,
    PRIMARY KEY (dataset_id, person_id, level)
) STRICT;

-- One row per item and person who has, had or may not have it: the list that a person works through.
CREATE TABLE dataset_turn (
    dataset_id TEXT NOT NULL,
    person_id  TEXT NOT NULL,
    seq        INTEGER NOT NULL,
    item_id    TEXT NOT NULL REFERENCES dataset_item (id),
    state      TEXT NOT NULL CHECK (state IN ('open', 'done', 'skipped', 'dropped', 'seen')), -- seen: read the answers, so never labels it
    origin     TEXT NOT NULL CHECK (origin IN ('walk', 'check', 'given', 'import')),
    flag       TEXT NOT NULL DEFAULT '',    -- why it was flagged; '' when it was not
    at         INTEGER NOT NULL,            -- when it came to this state
    PRIMARY KEY (dataset_id, person_id, seq)
) STRICT;
CREATE UNIQUE INDEX dataset_turn_item ON dataset_turn (item_id, person_id);
CREATE INDEX dataset_turn_open ON dataset_turn (dataset_id, person_id, seq) WHERE state = 'open';
CREATE INDEX dataset_turn_skipped ON dataset_turn (dataset_id, person_id, seq) WHERE state = 'skipped';
CREATE INDEX dataset_turn_old ON dataset_turn (dataset_id, at) WHERE state = 'open' AND origin <> 'given';

-- Every passing over, also of what was answered later.
CREATE TABLE dataset_skip (
    id         TEXT PRIMARY KEY,
    dataset_id TEXT NOT NULL,
    item_id    TEXT NOT NULL,
    by_id      TEXT NOT NULL,
    by_name    TEXT NOT NULL,
    reason     TEXT NOT NULL,
    at         INTEGER NOT NULL
) STRICT;
CREATE INDEX dataset_skip_item ON dataset_skip (item_id, at, id);

-- One row per answer and revision. Nothing is overwritten: what was taken back stays with the time when it was.
CREATE TABLE dataset_label (
    id         TEXT PRIMARY KEY,
    dataset_id TEXT NOT NULL,
    item_id    TEXT NOT NULL REFERENCES dataset_item (id),
    by_id      TEXT NOT NULL,               -- account, or 'external:' and the name of a rater of an import
    by_name    TEXT NOT NULL,
    revision   INTEGER NOT NULL,            -- 1, 2 ... of this person on this item
    first      INTEGER NOT NULL,            -- 1: the answer that agreement is measured on
    standing   INTEGER NOT NULL,            -- 1: neither revised nor taken back
    late       INTEGER NOT NULL DEFAULT 0,  -- 1: revised after the answers were there to be seen
    label      TEXT NOT NULL,
    answer     TEXT NOT NULL,               -- JSON: the answer, whole
    seq        INTEGER NOT NULL,            -- the person's n-th answer in this set
    spent_ms   INTEGER NOT NULL,
    outcome    INTEGER NOT NULL DEFAULT -1, -- on a check item: 1 right, 0 wrong; -1 elsewhere
    rubric     TEXT NOT NULL,               -- the rubric's version that was shown
    at         INTEGER NOT NULL,
    undone_at  INTEGER NOT NULL DEFAULT 0
) STRICT;
CREATE UNIQUE INDEX dataset_label_revision ON dataset_label (item_id, by_id, revision);
CREATE UNIQUE INDEX dataset_label_standing ON dataset_label (item_id, by_id) WHERE standing = 1;
CREATE INDEX dataset_label_person ON dataset_label (dataset_id, by_id, at, id);
CREATE INDEX dataset_label_outcome ON dataset_label (dataset_id, by_id, at) WHERE outcome >= 0;

-- The ruling of a third person; a ruling that was taken back stays.
CREATE TABLE dataset_ruling (
    id         TEXT PRIMARY KEY,
    dataset_id TEXT NOT NULL,
    item_id    TEXT NOT NULL REFERENCES dataset_item (id),
    by_id      TEXT NOT NULL,
    by_name    TEXT NOT NULL,
    label      TEXT NOT NULL,
    answer     TEXT NOT NULL,               -- JSON
    rubric     TEXT NOT NULL,
    at         INTEGER NOT NULL,
    undone_at  INTEGER NOT NULL DEFAULT 0,
    undone_by  TEXT NOT NULL DEFAULT '',
    undone_why TEXT NOT NULL DEFAULT ''
) STRICT;
CREATE INDEX dataset_ruling_item ON dataset_ruling (item_id, at, id);
CREATE UNIQUE INDEX dataset_ruling_standing ON dataset_ruling (item_id) WHERE undone_at = 0;

-- A version is written in batches and sealed at the end, with its manifest's hash; until then it can be thrown away.
CREATE TABLE dataset_version (
    id          TEXT PRIMARY KEY,
    dataset_id  TEXT NOT NULL REFERENCES dataset (id),
    number      INTEGER NOT NULL,
    sealed      INTEGER NOT NULL DEFAULT 0,
    note        TEXT NOT NULL,
    head        TEXT NOT NULL,              -- JSON: name, label set, rubric, guidelines' hash, shares, seed, counts
    card        TEXT NOT NULL,              -- Markdown
    manifest    TEXT NOT NULL,              -- hex SHA-256 over head, card and the hashes of the items, in order
    items       INTEGER NOT NULL,
    at          INTEGER NOT NULL,
    by_id       TEXT NOT NULL,
    by_name     TEXT NOT NULL
) STRICT;
CREATE UNIQUE INDEX dataset_version_number ON dataset_version (dataset_id, number);

-- The text stays with its item, which never changes but for erasure; the labels are copied.
CREATE TABLE dataset_version_item (
    version_id TEXT NOT NULL REFERENCES dataset_version (id),
    n          INTEGER NOT NULL,
    item_id    TEXT NOT NULL,
    hash       TEXT NOT NULL,               -- hex SHA-256 over salt and everything below and the item's hash
    salt       TEXT NOT NULL,               -- '' after an erasure: without it the hash gives nothing away
    content    TEXT NOT NULL,               -- the item's hash; '' after an erasure
    split      TEXT NOT NULL CHECK (split IN ('train', 'accept', 'test')),
    cluster    TEXT NOT NULL,               -- items that must stay together
    label      TEXT NOT NULL,
    answer     TEXT NOT NULL,               -- JSON; '' after an erasure
    why        TEXT NOT NULL,
    by_name    TEXT NOT NULL,
    PRIMARY KEY (version_id, n)
) STRICT;
CREATE INDEX dataset_version_item_item ON dataset_version_item (item_id);
CREATE INDEX dataset_version_item_split ON dataset_version_item (version_id, split, n);

-- The guards. DESIGN keeps triggers for the audit log; the issue asks for versions that nobody can change, and a figure that
-- was reported on a version is worth what that version's rows are worth, so they stand here too, as in 00009. The domain keeps
-- the same rules; what it does never meets them. REPLACE deletes without firing delete triggers, so an insert that would
-- replace a row is refused, by the hidden rowid too.

-- +goose StatementBegin
CREATE TRIGGER dataset_version_insert BEFORE INSERT ON dataset_version BEGIN
    SELECT RAISE(ABORT, 'a version is frozen once') WHERE NEW.sealed <> 0
        OR EXISTS (SELECT 1 FROM dataset_version WHERE id = NEW.id OR dataset_id = NEW.dataset_id AND number = NEW.number)
        OR EXISTS (SELECT 1 FROM dataset_version WHERE rowid = NEW.rowid);
END;
-- +goose StatementEnd
-- +goose StatementBegin
CREATE TRIGGER dataset_version_update BEFORE UPDATE ON dataset_version WHEN OLD.sealed = 1 OR NEW.rowid <> OLD.rowid BEGIN
    SELECT RAISE(ABORT, 'a version never changes');
END;
-- +goose StatementEnd
-- +goose StatementBegin
CREATE TRIGGER dataset_version_delete BEFORE DELETE ON dataset_version WHEN OLD.sealed = 1 BEGIN
    SELECT RAISE(ABORT, 'a version is kept');
END;
-- +goose StatementEnd
-- +goose StatementBegin
CREATE TRIGGER dataset_version_item_insert BEFORE INSERT ON dataset_version_item BEGIN
    SELECT RAISE(ABORT, 'a version never changes') WHERE NOT EXISTS (SELECT 1 FROM dataset_version WHERE id = NEW.version_id AND sealed = 0)
        OR EXISTS (SELECT 1 FROM dataset_version_item WHERE version_id = NEW.version_id AND n = NEW.n)
        OR EXISTS (SELECT 1 FROM dataset_version_item WHERE rowid = NEW.rowid);
END;
-- +goose StatementEnd
-- An erasure empties what would tell the text and leaves the hash; nothing else changes.
-- +goose StatementBegin
CREATE TRIGGER dataset_version_item_update BEFORE UPDATE ON dataset_version_item
WHEN NOT (NEW.salt = '' AND NEW.content = '' AND NEW.answer = '' AND NEW.rowid = OLD.rowid AND NEW.version_id = OLD.version_id AND NEW.n = OLD.n
    AND NEW.item_id = OLD.item_id AND NEW.hash = OLD.hash AND NEW.split = OLD.split AND NEW.cluster = OLD.cluster AND NEW.label = OLD.label
    AND NEW.why = OLD.why AND NEW.by_name = OLD.by_name) BEGIN
    SELECT RAISE(ABORT, 'a version never changes');
END;
-- +goose StatementEnd
-- +goose StatementBegin
CREATE TRIGGER dataset_version_item_delete BEFORE DELETE ON dataset_version_item
WHEN EXISTS (SELECT 1 FROM dataset_version WHERE id = OLD.version_id AND sealed = 1) BEGIN
    SELECT RAISE(ABORT, 'a version is kept');
END;
-- +goose StatementEnd
-- +goose StatementBegin
CREATE TRIGGER dataset_item_insert BEFORE INSERT ON dataset_item BEGIN
    SELECT RAISE(ABORT, 'an item comes in once') WHERE EXISTS (SELECT 1 FROM dataset_item WHERE id = NEW.id) OR EXISTS (SELECT 1 FROM dataset_item WHERE rowid = NEW.rowid);
END;
-- +goose StatementEnd
-- +goose StatementBegin
CREATE TRIGGER dataset_item_update BEFORE UPDATE ON dataset_item
WHEN NEW.id <> OLD.id OR NEW.rowid <> OLD.rowid OR NEW.dataset_id <> OLD.dataset_id OR NEW.n <> OLD.n
    OR (NEW.hash <> OLD.hash OR NEW.customer <> OLD.customer OR NEW.question <> OLD.question OR NEW.guidance <> OLD.guidance)
        AND NOT (NEW.state = 'erased' AND NEW.customer = '' AND NEW.question = '' AND NEW.guidance = '') BEGIN
    SELECT RAISE(ABORT, 'the text of an item never changes');
END;
-- +goose StatementEnd
-- +goose StatementBegin
CREATE TRIGGER dataset_item_delete BEFORE DELETE ON dataset_item BEGIN SELECT RAISE(ABORT, 'items are kept; exclude or erase them'); END;
-- +goose StatementEnd
