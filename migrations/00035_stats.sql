-- Owner: internal/stats/tally (the tables); the indexes at the end stand on others' tables, for what internal/stats reads there.
-- What the managers' pages count, by local day, kept in the transaction of each cause. All of it can be made again from the raw rows
-- but stat_edit.

-- +goose Up

-- One row per measure, local day and set. A set is all ('') or one ('=' and its name) of: agents, and topics or tasks; and all ('') or one
-- of those who did it (an account, or 'judge:' and a name). So each page reads one row per day, whatever it is narrowed to.
CREATE TABLE stat_day (
    measure TEXT NOT NULL,
    who     TEXT NOT NULL,
    agent   TEXT NOT NULL,
    topic   TEXT NOT NULL,
    day     INTEGER NOT NULL,                  -- days since 1970-01-01 on a calendar in the desk's zone
    n       INTEGER NOT NULL,                  -- how many were measured
    sum     INTEGER NOT NULL,                  -- what they come to, in the measure's unit
    sq      INTEGER NOT NULL,                  -- their squares, of measures whose mean is shown with an interval; otherwise 0
    PRIMARY KEY (measure, who, agent, topic, day)
) STRICT, WITHOUT ROWID;

-- How measures are spread, for medians and distributions.
CREATE TABLE stat_hist (
    measure TEXT NOT NULL,
    who     TEXT NOT NULL,
    agent   TEXT NOT NULL,
    topic   TEXT NOT NULL,
    day     INTEGER NOT NULL,
    bucket  INTEGER NOT NULL,
    n       INTEGER NOT NULL,
    PRIMARY KEY (measure, who, agent, topic, day, bucket)
) STRICT, WITHOUT ROWID;

-- What each case adds to the two tables above and the one below, so that it can be taken out again when it changes.
CREATE TABLE stat_case (
    case_id TEXT PRIMARY KEY,                  -- the interaction
    entries TEXT NOT NULL                      -- JSON
) STRICT, WITHOUT ROWID;

-- The cases behind the figures that no index has the rows of, by when they are counted.
CREATE TABLE stat_found (
    kind    TEXT NOT NULL,                     -- missed, false_alarm, agreement, hasty
    at      INTEGER NOT NULL,
    case_id TEXT NOT NULL,
    who     TEXT NOT NULL,                     -- whose signature it is; '' of a draft
    PRIMARY KEY (kind, at, case_id, who)
) STRICT, WITHOUT ROWID;

-- How far a revision is from its draft. It is measured once, because an erasure takes the texts; a rebuild keeps it.
CREATE TABLE stat_edit (
    decision_id TEXT PRIMARY KEY,
    changed     INTEGER NOT NULL,              -- words put in, taken out or replaced
    words       INTEGER NOT NULL               -- of the longer text
) STRICT, WITHOUT ROWID;

CREATE TABLE stat_state (
    id    INTEGER PRIMARY KEY CHECK (id = 1),
    zone  TEXT NOT NULL,                       -- whose days the tables are of
    shape INTEGER NOT NULL,                    -- which program's measures they hold
    built INTEGER NOT NULL                     -- 0 while they are made again
) STRICT;

-- internal/feedback: votes of any topic newest first, and the words of those against.
CREATE INDEX vote_at ON vote (at, id);
CREATE INDEX vote_quote ON vote (topic, at, id) WHERE text <> '' AND norm < 0.5;
CREATE INDEX outcome_at ON outcome (at, id);
-- internal/review: what waits past its target, and second signatures by time.
CREATE INDEX decision_second_at ON decision (second_at, id) WHERE second_by <> '';
CREATE INDEX review_late ON review (agent_id, task) WHERE state = 'waiting' AND reminded_at > 0;
-- internal/learning: lessons begun in a period, counted from the index alone.
CREATE INDEX lesson_begun ON lesson (created_at, origin, stage, state, case_state, agent_name, task, id);
-- internal/compliance/borderline: what waits, by agent and task.
CREATE INDEX borderline_case_at ON borderline_case (created_at, id);
