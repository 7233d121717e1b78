-- Owners: internal/knowledge (knowledge_*), internal/knowledge/credit (credit_*), internal/learning (lesson).
-- What is read at each case, decision and page costs the same in a large base as in a small one.

-- +goose Up
-- In the order in which versions were written, with what counting them needs, so that a count reads no text. They hold every row: an index
-- of some rows serves only statements that say which in so many words.
DROP INDEX knowledge_case_version_seq;
CREATE INDEX knowledge_case_version_seq ON knowledge_case_version (seq, status, exemplar, flagged, created_at);
DROP INDEX knowledge_rule_version_seq;
CREATE INDEX knowledge_rule_version_seq ON knowledge_rule_version (seq, status, created_at);

-- What was made of a decision, whosever it is: it is taken back with it, or erased with it.
CREATE INDEX knowledge_case_made ON knowledge_case (origin) WHERE origin <> '';
-- A list by one of these is walked from its newest.
CREATE INDEX knowledge_case_status ON knowledge_case (status, number);
CREATE INDEX knowledge_case_source ON knowledge_case (source, number);
CREATE INDEX knowledge_case_domain ON knowledge_case (domain, number);
CREATE INDEX knowledge_rule_domain ON knowledge_rule (domain, number);
-- What a lesson is tried on, newest first: exemplars of its task, of its domain, and others.
CREATE INDEX knowledge_case_exemplar ON knowledge_case (number) WHERE exemplar = 1;
CREATE INDEX knowledge_case_exemplar_task ON knowledge_case (task, number) WHERE exemplar = 1;
CREATE INDEX knowledge_case_exemplar_domain ON knowledge_case (domain, number) WHERE exemplar = 1;
-- Near-duplicates, likest first.
CREATE INDEX knowledge_duplicate_likest ON knowledge_duplicate (similarity DESC, case_id, other_id);

-- What each person was asked of an item and ticked, of the outcomes that count: the rows of credit_shown in which asked_by is not empty.
CREATE TABLE credit_asked (
    item_id TEXT NOT NULL,
    epoch   INTEGER NOT NULL,
    by_id   TEXT NOT NULL,                     -- account
    asked   INTEGER NOT NULL,
    ticked  INTEGER NOT NULL,
    PRIMARY KEY (item_id, epoch, by_id)
) STRICT, WITHOUT ROWID;
INSERT INTO credit_asked (item_id, epoch, by_id, asked, ticked)
    SELECT item_id, epoch, asked_by, count(*), sum(misled) FROM credit_shown WHERE asked_by <> '' AND counted = 1 GROUP BY item_id, epoch, asked_by;
DROP INDEX credit_shown_asked;
-- The rows of credit_check, counted by person and truth.
CREATE TABLE credit_checked (
    by_id    TEXT NOT NULL,                    -- account
    misleads INTEGER NOT NULL,
    asked    INTEGER NOT NULL,
    ticked   INTEGER NOT NULL,
    PRIMARY KEY (by_id, misleads)
) STRICT, WITHOUT ROWID;
INSERT INTO credit_checked (by_id, misleads, asked, ticked) SELECT by_id, misleads, count(*), sum(ticked) FROM credit_check GROUP BY by_id, misleads;

-- Lessons whose case could not be made: the few are counted, and not the many read.
DROP INDEX lesson_case_failed;
CREATE INDEX lesson_case_failed ON lesson (case_state, created_at, id, state) WHERE case_state = 'failed';
-- Provisional rules of an agent, which each new case asks for.
CREATE INDEX lesson_retest ON lesson (agent_id, created_at, id) WHERE provisional = 1;
-- Lists by one of these, newest first.
CREATE INDEX lesson_domain ON lesson (domain, created_at, id);
CREATE INDEX lesson_origin ON lesson (origin, created_at, id);
CREATE INDEX lesson_outcome ON lesson (state, created_at, id);
CREATE INDEX lesson_stage ON lesson (stage, created_at, id);
