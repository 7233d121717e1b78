-- Owners: internal/learning (lesson), internal/review (decision). A rule is data that people state, and no sentence that is read.

-- +goose Up
-- What a lesson states: JSON of rule.Statement; '' while nobody has said it, and of lessons from before statements.
ALTER TABLE lesson ADD COLUMN statement TEXT NOT NULL DEFAULT '';
ALTER TABLE lesson ADD COLUMN guessed INTEGER NOT NULL DEFAULT 0; -- 1: proposed from the difference of two texts; nobody stated it

-- A lesson in state 'unstated' is open and waits for a person's sentence, at stage reflect.
DROP INDEX lesson_board;
CREATE INDEX lesson_board ON lesson (stage, urgent DESC, created_at, id) WHERE state IN ('running', 'waiting', 'failed', 'unstated');

-- What the author of a decision stated for next time: JSON of {statements, only_customer}; '' when they stated nothing. It stands here
-- so that a first signature keeps it until the second. An erasure empties it.
ALTER TABLE decision ADD COLUMN taught TEXT NOT NULL DEFAULT '';

-- Whose domain a lesson is of, which its source says no more once it is erased; '' is pension.
ALTER TABLE lesson ADD COLUMN pack TEXT NOT NULL DEFAULT '';
