-- Owner: internal/stats/tally (the tables), which makes both anew from the raw rows when the program starts.
-- A year of days was a year of rows for each figure, and a team's year one of each of its people. Days stand together in blocks now,
-- and a day's histogram in one row.

-- +goose Up
DROP TABLE stat_day;
DROP TABLE stat_hist;

-- One row per measure, block of 32 local days and set. A set is all ('') or one ('=' and its name) of: agents, and topics or tasks; and
-- all ('') or one of those who did it (an account, or 'judge:' and a name).
CREATE TABLE stat_block (
    measure TEXT NOT NULL,
    who     TEXT NOT NULL,
    agent   TEXT NOT NULL,
    topic   TEXT NOT NULL,
    block   INTEGER NOT NULL,                  -- days since 1970-01-01 on a calendar in the desk's zone, / 32
    n       INTEGER NOT NULL,                  -- how many were measured
    sum     INTEGER NOT NULL,                  -- what they come to, in the measure's unit
    sq      INTEGER NOT NULL,                  -- their squares, of measures whose mean is shown with an interval; otherwise 0
    days    BLOB NOT NULL,                     -- the same of each day in it (tally.Unpack)
    PRIMARY KEY (measure, who, agent, topic, block)
) STRICT, WITHOUT ROWID;

-- How measures are spread, for medians and distributions.
CREATE TABLE stat_hist (
    measure TEXT NOT NULL,                     -- followed by '/blocks': of a block
    who     TEXT NOT NULL,
    agent   TEXT NOT NULL,
    topic   TEXT NOT NULL,
    day     INTEGER NOT NULL,                  -- or the block
    n       INTEGER NOT NULL,
    buckets BLOB NOT NULL,                     -- how many of n are in each (tally.Unpack)
    PRIMARY KEY (measure, who, agent, topic, day)
) STRICT, WITHOUT ROWID;
