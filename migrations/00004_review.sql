-- Owner: internal/review. The supervisors' queue. One review per interaction, under the interaction's id, so that the same
-- case can't be queued twice. The row carries what the queue shows, so that a page of it is one walk along one index.

-- +goose Up
CREATE TABLE review (
    id            TEXT PRIMARY KEY REFERENCES interaction (id),
    agent_id      TEXT NOT NULL,
    agent_name    TEXT NOT NULL,
    task          TEXT NOT NULL,
    state         TEXT NOT NULL CHECK (state IN ('waiting', 'decided')),
    priority      INTEGER NOT NULL,            -- 0 first
    why           TEXT NOT NULL,               -- why it is here, in a few words
    who           TEXT NOT NULL,               -- who is asking, in a few words
    opening       TEXT NOT NULL,               -- the first words of the question
    label         TEXT NOT NULL,               -- the assessment of the draft ...
    passed        INTEGER NOT NULL,
    blocked       INTEGER NOT NULL,
    borderline    INTEGER NOT NULL,
    confidence    REAL NOT NULL,
    flags         TEXT NOT NULL,               -- JSON that no query looks into
    source        TEXT NOT NULL,
    text_hash     TEXT NOT NULL,               -- of the draft under review
    claimed_by    TEXT NOT NULL DEFAULT '',    -- account; empty when free
    claimed_name  TEXT NOT NULL DEFAULT '',
    claimed_at    INTEGER NOT NULL DEFAULT 0,  -- when this person's work on it began
    claimed_until INTEGER NOT NULL DEFAULT 0,  -- past this it may be taken by another
    decision_id   TEXT NOT NULL DEFAULT '',    -- the standing decision
    decided_at    INTEGER NOT NULL DEFAULT 0,
    created_at    INTEGER NOT NULL,
    version       INTEGER NOT NULL DEFAULT 1,  -- raised by every decision and undo, not by claims
    CHECK (state = 'waiting' OR claimed_until = 0)
) STRICT;
-- The queue's order, and the same within an agent or a task.
CREATE INDEX review_queue ON review (state, priority, created_at, id);
CREATE INDEX review_queue_agent ON review (state, agent_id, priority, created_at, id);
CREATE INDEX review_queue_task ON review (state, task, priority, created_at, id);
-- What was decided, newest first.
CREATE INDEX review_decided ON review (state, decided_at, id);
CREATE INDEX review_decided_agent ON review (state, agent_id, decided_at, id);
CREATE INDEX review_decided_task ON review (state, task, decided_at, id);
-- The few rows that somebody works on.
CREATE INDEX review_claim ON review (claimed_until) WHERE claimed_until > 0;

CREATE TABLE decision (
    id           TEXT PRIMARY KEY,
    review_id    TEXT NOT NULL REFERENCES review (id),
    kind         TEXT NOT NULL CHECK (kind IN ('approve', 'revise', 'reject')),
    state        TEXT NOT NULL CHECK (state IN ('held', 'released', 'escalated', 'undone')),
    by_id        TEXT NOT NULL,
    by_name      TEXT NOT NULL,
    text         TEXT NOT NULL,                -- what goes to the customer; empty for a rejection
    text_hash    TEXT NOT NULL,                -- of the draft that was on the screen
    version      INTEGER NOT NULL,             -- of the review that was on the screen
    reason       TEXT NOT NULL,
    reason_code  TEXT NOT NULL,
    feedback     TEXT NOT NULL,
    confirmation TEXT NOT NULL,                -- the sentence agreed to before the customer gets the text; empty for a rejection
    flags        TEXT NOT NULL,                -- JSON: what the check said of the draft
    seconds      INTEGER NOT NULL,             -- time on the case
    decided_at   INTEGER NOT NULL,
    held_until   INTEGER NOT NULL,
    settled_at   INTEGER NOT NULL DEFAULT 0,   -- when it was released, escalated or undone
    settled_by   TEXT NOT NULL DEFAULT ''      -- who undid it
) STRICT;
-- At most one decision stands.
CREATE UNIQUE INDEX decision_standing ON decision (review_id) WHERE state <> 'undone';
CREATE INDEX decision_review ON decision (review_id, decided_at, id);
CREATE INDEX decision_by ON decision (by_id, decided_at, id);

-- A skip changes nothing about the case; it is remembered, and the case is not handed to the same person next.
CREATE TABLE review_skip (
    id        TEXT PRIMARY KEY,
    review_id TEXT NOT NULL REFERENCES review (id),
    by_id     TEXT NOT NULL,
    by_name   TEXT NOT NULL,
    reason    TEXT NOT NULL,
    version   INTEGER NOT NULL,
    at        INTEGER NOT NULL
) STRICT;
CREATE INDEX review_skip_review ON review_skip (review_id, by_id);
CREATE INDEX review_skip_by ON review_skip (by_id, at);

-- Kept in the transaction of what it counts, so that no page counts 100,000 rows.
CREATE TABLE review_count (
    state TEXT PRIMARY KEY,                    -- waiting or decided
    n     INTEGER NOT NULL
) STRICT;
INSERT INTO review_count (state, n) VALUES ('waiting', 0), ('decided', 0);

