-- Owner: internal/compliance/borderline. Which unsettled drafts experts are asked about, within a share of what arrives.

-- +goose Up
-- How many drafts of an agent got a verdict: what the share is of.
CREATE TABLE borderline_draft (
    agent_id TEXT PRIMARY KEY,
    n        INTEGER NOT NULL
) STRICT;
INSERT INTO borderline_draft (agent_id, n) SELECT agent_id, count(*) FROM review GROUP BY agent_id;

-- The draft's number among its agent's, and how uncertain its verdict was, in thousandths.
ALTER TABLE borderline_case ADD COLUMN draft_no INTEGER NOT NULL DEFAULT 0;
ALTER TABLE borderline_case ADD COLUMN uncertainty INTEGER NOT NULL DEFAULT 1;
-- What keeps the panel from settling the text, in one line for a supervisor. It holds no words of the text.
ALTER TABLE borderline_case ADD COLUMN line TEXT NOT NULL DEFAULT '';
-- Experts were not asked, or are not asked any more, because more uncertain drafts fill the share. 1: it waits for a supervisor;
-- 2: one decided it, or sent it to the experts. Its state is overtaken then.
ALTER TABLE borderline_case ADD COLUMN held INTEGER NOT NULL DEFAULT 0;
CREATE INDEX borderline_case_budget ON borderline_case (agent_id, draft_no, id);
