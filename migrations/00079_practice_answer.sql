-- Owner: internal/practice/drill. What people answered to made-up cases, for themselves alone: no row is about a customer, and nothing here
-- is counted, shown to others or learned from.

-- +goose Up
CREATE TABLE practice_answer (
    round_id    TEXT NOT NULL,               -- all cases of one go
    n           INTEGER NOT NULL,            -- the case's place in it, from 1
    person_id   TEXT NOT NULL,
    pack        TEXT NOT NULL,
    case_id     TEXT NOT NULL,               -- of the pack's desk.jsonl
    begun_at    INTEGER NOT NULL,            -- the round
    kind        TEXT NOT NULL DEFAULT '',    -- approve, revise, reject, return; '' until it is answered
    text        TEXT NOT NULL DEFAULT '',    -- the revision
    reason      TEXT NOT NULL DEFAULT '',
    reason_code TEXT NOT NULL DEFAULT '',
    outcome     TEXT NOT NULL DEFAULT '',    -- as it was marked then: caught, missed, over_corrected, other_reason, passed
    still       TEXT NOT NULL DEFAULT '[]',  -- JSON: which faults were still in the text, from 0
    answered_at INTEGER NOT NULL DEFAULT 0,
    PRIMARY KEY (round_id, n)
) STRICT, WITHOUT ROWID;
CREATE INDEX practice_answer_person ON practice_answer (person_id, begun_at, round_id, n);

-- +goose Down
DROP TABLE practice_answer;
