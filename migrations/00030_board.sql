-- Owners: internal/learning (lesson, lesson_step), internal/review (decision), internal/knowledge/credit (credit_key).
-- The board of lessons, lessons that are sent back, and what a reviewer says misled a draft.

-- +goose Up
ALTER TABLE lesson ADD COLUMN urgent INTEGER NOT NULL DEFAULT 0;    -- 1: a rule-based critical failure, which goes first
ALTER TABLE lesson ADD COLUMN sent_back INTEGER NOT NULL DEFAULT 0; -- how often a person sent it back with a note
UPDATE lesson SET urgent = 1 WHERE origin = 'verdict';
-- A column of the board: urgent ones first, then those that wait longest.
CREATE INDEX lesson_board ON lesson (stage, urgent DESC, created_at, id) WHERE state IN ('running', 'waiting', 'failed');
CREATE INDEX lesson_case_failed ON lesson (created_at, id) WHERE case_state = 'failed';
CREATE INDEX lesson_trial ON lesson (state, stage, provisional, created_at, id) WHERE provisional = 1;

-- What a step cost where a model answered, in tokens as its server counted them.
ALTER TABLE lesson_step ADD COLUMN tokens_in INTEGER NOT NULL DEFAULT 0;
ALTER TABLE lesson_step ADD COLUMN tokens_out INTEGER NOT NULL DEFAULT 0;

-- Beside a decision: which of the knowledge that the draft was shown misled it, as its author ticked. JSON that review does not
-- read; it stands here so that a first signature keeps it until the second.
ALTER TABLE decision ADD COLUMN misled TEXT NOT NULL DEFAULT '';

-- The secret that decides which lists of ticks hold a planted check, and under which names their items go out.
CREATE TABLE credit_key (
    id  INTEGER PRIMARY KEY CHECK (id = 1),
    key TEXT NOT NULL
) STRICT;
