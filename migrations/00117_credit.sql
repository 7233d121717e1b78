-- Owner: internal/knowledge/credit. Eight tables become two: the lines (what each decided draft was shown, and what people said
-- of it), and their sums. What spoke against an item before a person took it out of quarantine is a line that doesn't count.

-- +goose Up
CREATE TABLE credit (
    outcome_id TEXT NOT NULL,                  -- the decision, or the planted check's id
    item_id    TEXT NOT NULL,                  -- '' is the draft itself; 'check true' and 'check false' are planted: misleading, harmless
    kind       TEXT NOT NULL,                  -- case or rule; '' for the others
    version    INTEGER NOT NULL,
    agent_id   TEXT NOT NULL,                  -- '' for a planted check
    task       TEXT NOT NULL,
    approved   INTEGER NOT NULL,               -- 1: went out unchanged
    others     REAL NOT NULL,                  -- what the other items shown were thought to change in the chance of approval
    counted    INTEGER NOT NULL,               -- 0: the decision was undone, or a person took the item out of quarantine since
    below      INTEGER NOT NULL,               -- 1: the item was surely below the line when this was counted
    asked_by   TEXT NOT NULL,                  -- account that was asked whether it misled; '' nobody was
    misled     INTEGER NOT NULL,               -- 1: ticked
    at         INTEGER NOT NULL,
    PRIMARY KEY (outcome_id, item_id)
) STRICT, WITHOUT ROWID;

-- The lines that count, added up: of an item, an agent and a task those shown; of an item and a person those asked.
CREATE TABLE credit_sum (
    item_id  TEXT NOT NULL,                    -- '' is all drafts
    what     TEXT NOT NULL CHECK (what IN ('shown', 'asked')),
    agent_id TEXT NOT NULL,                    -- of what was asked the account
    task     TEXT NOT NULL,
    n        INTEGER NOT NULL,
    hits     INTEGER NOT NULL,                 -- approved, or ticked
    others   REAL NOT NULL,
    PRIMARY KEY (item_id, what, agent_id, task)
) STRICT, WITHOUT ROWID;

INSERT INTO credit SELECT id, '', '', 0, agent_id, task, approved, 0, counted, 0, '', 0, at FROM credit_outcome WHERE evidence = 'real';
INSERT INTO credit SELECT s.outcome_id, s.item_id, s.kind, s.version, o.agent_id, o.task, o.approved, s.others,
        s.counted = 1 AND s.epoch = coalesce((SELECT max(e.epoch) FROM credit_epoch e WHERE e.item_id = s.item_id), 0),
        s.below, s.asked_by, s.misled, o.at
    FROM credit_shown s JOIN credit_outcome o ON o.id = s.outcome_id WHERE o.evidence = 'real';
INSERT INTO credit SELECT id, CASE misleads WHEN 1 THEN 'check true' ELSE 'check false' END, '', 0, '', '', 0, 0, 1, 0, by_id, ticked, at
    FROM credit_check;
CREATE INDEX credit_item_look ON credit (item_id, outcome_id) WHERE counted = 1;

INSERT INTO credit_sum SELECT '', 'shown', agent_id, task, decided, approved, 0 FROM credit_task WHERE evidence = 'real';
INSERT INTO credit_sum SELECT item_id, 'shown', agent_id, task, shown, approved, others FROM credit_item i
    WHERE evidence = 'real' AND epoch = coalesce((SELECT max(e.epoch) FROM credit_epoch e WHERE e.item_id = i.item_id), 0);
INSERT INTO credit_sum SELECT item_id, 'asked', by_id, '', asked, ticked, 0 FROM credit_asked a
    WHERE epoch = coalesce((SELECT max(e.epoch) FROM credit_epoch e WHERE e.item_id = a.item_id), 0);
INSERT INTO credit_sum SELECT CASE misleads WHEN 1 THEN 'check true' ELSE 'check false' END, 'asked', by_id, '', asked, ticked, 0
    FROM credit_checked;
DROP TABLE credit_shown;
DROP TABLE credit_outcome;
DROP TABLE credit_task;
DROP TABLE credit_item;
DROP TABLE credit_epoch;
DROP TABLE credit_check;
DROP TABLE credit_asked;
DROP TABLE credit_checked;
