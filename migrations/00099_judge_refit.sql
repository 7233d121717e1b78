-- Owner: internal/compliance/evaluate.
-- What a firm's labels teach the judge in the program is a version that two people accept, as a threshold is: the same rows, asks and
-- states. Until the first is accepted nothing of it counts.

-- +goose Up
ALTER TABLE judge_threshold ADD COLUMN kind TEXT NOT NULL DEFAULT 'threshold' CHECK (kind IN ('threshold', 'judge')); -- judge: content has the weights, and run_id is empty
ALTER TABLE judge_threshold ADD COLUMN pack TEXT NOT NULL DEFAULT '';                                               -- of a judge; empty: a threshold, which is for all
DROP INDEX judge_threshold_active;
CREATE UNIQUE INDEX judge_threshold_active ON judge_threshold (kind, pack) WHERE state = 'active';

DROP TRIGGER judge_threshold_update;
-- +goose StatementBegin
CREATE TRIGGER judge_threshold_update BEFORE UPDATE ON judge_threshold BEGIN
    SELECT RAISE(ABORT, 'what a threshold says is never changed') WHERE NEW.id <> OLD.id OR NEW.version <> OLD.version OR NEW.run_id <> OLD.run_id
        OR NEW.kind <> OLD.kind OR NEW.pack <> OLD.pack
        OR NEW.panel <> OLD.panel OR NEW.content <> OLD.content OR NEW.proposed_at <> OLD.proposed_at OR NEW.asked_by <> OLD.asked_by OR NEW.asked_name <> OLD.asked_name;
    SELECT RAISE(ABORT, 'who switched a threshold on is never changed') WHERE OLD.state <> 'proposed'
        AND (NEW.switched_by <> OLD.switched_by OR NEW.switched_name <> OLD.switched_name OR NEW.switched_at <> OLD.switched_at OR NEW.switched_why <> OLD.switched_why);
    -- A judge that is taken back gives way to the one before it, which two people accepted then.
    SELECT RAISE(ABORT, 'a threshold can''t go that way') WHERE NOT (
        OLD.state = 'proposed' AND NEW.state IN ('active', 'refused') OR OLD.state = 'active' AND NEW.state IN ('superseded', 'off')
        OR OLD.state = 'superseded' AND NEW.state = 'active' AND OLD.kind = 'judge' AND EXISTS (
            SELECT 1 FROM judge_threshold l WHERE l.kind = OLD.kind AND l.pack = OLD.pack AND l.state = 'off' AND l.version > OLD.version));
    SELECT RAISE(ABORT, 'a threshold is switched on by an expert or an administrator') WHERE OLD.state = 'proposed' AND NEW.state = 'active' AND NOT EXISTS (
        SELECT 1 FROM account a JOIN account_role r ON r.account_id = a.id
        WHERE a.id = NEW.switched_by AND r.role IN ('expert', 'admin') AND a.disabled_at = 0);
END;
-- +goose StatementEnd
DROP TRIGGER judge_threshold_second;
-- +goose StatementBegin
CREATE TRIGGER judge_threshold_second AFTER UPDATE ON judge_threshold WHEN OLD.state = 'proposed' AND NEW.state = 'active' BEGIN
    SELECT RAISE(ABORT, 'a threshold is switched on by two people') WHERE NOT EXISTS (
        SELECT 1 FROM judge_threshold_ask q JOIN account a ON a.id = q.answered_by JOIN account_role r ON r.account_id = a.id
        WHERE q.threshold_id = NEW.id AND q.state = 'agreed' AND q.by_id = NEW.switched_by AND r.role IN ('expert', 'admin') AND a.disabled_at = 0);
END;
-- +goose StatementEnd

-- What the labels of a pack came to when they were last fitted, whether or not a version was offered.
CREATE TABLE judge_refit (
    pack   TEXT PRIMARY KEY,
    report TEXT NOT NULL,                 -- JSON: how much teaches, before and after, the learning curve
    base   TEXT NOT NULL,                 -- the judge in the program and the version that counted, beside which they were measured
    taught TEXT NOT NULL,                 -- JSON list: the ends of the ids of rulings and items
    at     INTEGER NOT NULL
) STRICT;
