-- Owner: internal/compliance/borderline. What every page's navigation counts, without a walk over the cases that wait.

-- +goose Up
-- Kept in the transaction that moves a case.
CREATE TABLE borderline_count (
    state TEXT PRIMARY KEY CHECK (state IN ('waiting', 'adjudication')),
    n     INTEGER NOT NULL
) STRICT;
INSERT INTO borderline_count (state, n)
    SELECT 'waiting', count(*) FROM borderline_case WHERE state = 'waiting'
    UNION ALL SELECT 'adjudication', count(*) FROM borderline_case WHERE state = 'adjudication';

-- How many experts gave their first answer, which is never undone.
ALTER TABLE borderline_case ADD COLUMN answered INTEGER NOT NULL DEFAULT 0;
UPDATE borderline_case SET answered = (SELECT count(*) FROM borderline_answer a WHERE a.case_id = borderline_case.id AND a.step = 'blind' AND a.undone_at = 0);

-- What is subtracted for one expert: cases that somebody has begun, and those that a supervisor sent. People made them, so they are few.
CREATE INDEX borderline_case_begun ON borderline_case (created_at, id, sent_by) WHERE state = 'waiting' AND answered > 0;
CREATE INDEX borderline_case_sent ON borderline_case (sent_by) WHERE state = 'waiting' AND sent_by <> '';

-- Whom to remind, in order; what is reminded of is late.
CREATE INDEX borderline_case_due ON borderline_case (reminded_at, target_at, id) WHERE state IN ('waiting', 'adjudication');

-- Rows that wait, with what tells who may not rate them; nobody lists the others by state.
DROP INDEX borderline_rating_state;
CREATE INDEX borderline_rating_waiting ON borderline_rating (created_at, id, decided_by, second_by) WHERE state = 'waiting';
