-- Owner: internal/approval. A change that takes two people is one row, whatever it changes: who proposed it and why, on top of which
-- version, and who agreed, refused or withdrew it. What was policy, check_switch, judge_threshold_ask and rubric, with their own columns and triggers, is rows of it.
--
-- The guards are one rule at three doors, for everything that comes through this program's connection, direct SQL included. REPLACE
-- deletes without firing delete triggers, so an insert that would replace a row is refused. A kind that isn't named in them takes
-- two administrators.

-- +goose Up
CREATE TABLE approval (
    id            TEXT PRIMARY KEY,
    kind          TEXT NOT NULL,              -- policy, check, threshold, judge, rubric, taxonomy; later ones need no change of the schema
    subject       TEXT NOT NULL,              -- what of the kind: of a policy the agent, empty for every agent; the check; of a judge the pack
    version       INTEGER NOT NULL,           -- a number names one text of its kind; 0: it gets one when it is agreed to
    base          INTEGER NOT NULL,           -- the version that was in force when it was proposed; 0: none
    payload       TEXT NOT NULL,              -- as its kind reads it
    reason        TEXT NOT NULL CHECK (reason <> ''),
    state         TEXT NOT NULL CHECK (state IN ('proposed', 'agreed', 'refused', 'withdrawn', 'made')), -- made: by one person alone
    proposed_by   TEXT NOT NULL,              -- account; empty: it came with the program
    proposed_name TEXT NOT NULL,
    proposed_at   INTEGER NOT NULL,
    decided_by    TEXT NOT NULL DEFAULT '',
    decided_name  TEXT NOT NULL DEFAULT '',
    decided_at    INTEGER NOT NULL DEFAULT 0,
    answer        TEXT NOT NULL DEFAULT '',   -- why not
    CHECK (state = 'made' OR proposed_by <> ''),
    CHECK ((state IN ('agreed', 'refused', 'withdrawn')) = (decided_by <> '')),
    CHECK ((state = 'proposed') = (decided_at = 0)),
    CHECK (state NOT IN ('agreed', 'refused') OR decided_by <> proposed_by),
    CHECK (state <> 'withdrawn' OR decided_by = proposed_by)
) STRICT;
CREATE UNIQUE INDEX approval_version ON approval (kind, version) WHERE version > 0 AND state IN ('proposed', 'agreed', 'made');
CREATE INDEX approval_force ON approval (kind, subject, version) WHERE state IN ('agreed', 'made');
CREATE INDEX approval_kind ON approval (kind, version);
CREATE INDEX approval_open ON approval (state, proposed_at) WHERE state = 'proposed';

INSERT INTO approval
SELECT id, 'policy', agent_id, version, base_version, CASE follows WHEN 1 THEN '{"follows":true}' ELSE content END, why,
    CASE WHEN state IN ('active', 'superseded') THEN 'agreed' ELSE state END, proposed_by, proposed_name, proposed_at,
    CASE WHEN state IN ('refused', 'withdrawn') THEN ended_by ELSE agreed_by END,
    CASE WHEN state IN ('refused', 'withdrawn') THEN ended_name ELSE agreed_name END,
    CASE WHEN state IN ('refused', 'withdrawn') THEN ended_at ELSE agreed_at END, ended_why
FROM policy ORDER BY version;
DROP TRIGGER decision_sampled;
DROP TABLE policy;

-- What is on. A check's newest row in force says whether it is; a shipped check without one is on.
INSERT INTO approval
SELECT id, 'check', check_id, book, (SELECT coalesce(max(p.book), 0) FROM check_switch p WHERE p.check_id = s.check_id AND p.id < s.id),
    '{"version":' || version || ',"on":' || CASE is_on WHEN 1 THEN 'true' ELSE 'false' END || ',"trial":"' || trial_id || '"}', reason,
    CASE state WHEN 'asked' THEN 'proposed' WHEN 'done' THEN CASE answered_by WHEN '' THEN 'made' ELSE 'agreed' END ELSE state END, by_id, by_name, at,
    answered_by, answered_name, CASE WHEN state = 'done' AND answered_by = '' THEN at ELSE answered_at END, answer
FROM check_switch s ORDER BY id;
DROP TABLE check_switch;

-- Who asked to switch a threshold or a version of a judge on; the payload is its id.
INSERT INTO approval
SELECT q.id, t.kind, t.pack, CASE WHEN q.state IN ('asked', 'agreed') THEN t.version ELSE 0 END,
    CASE q.state WHEN 'asked' THEN (SELECT coalesce(max(a.version), 0) FROM judge_threshold a WHERE a.state = 'active' AND a.kind = t.kind AND a.pack = t.pack) ELSE 0 END,
    t.id, coalesce(nullif(q.why, ''), 'No reason was given.'),
    CASE WHEN q.state = 'asked' THEN 'proposed' WHEN q.answered_by = q.by_id THEN 'withdrawn' ELSE q.state END,
    q.by_id, q.by_name, q.at, q.answered_by, q.answered_name, q.answered_at, ''
FROM judge_threshold_ask q JOIN judge_threshold t ON t.id = q.threshold_id ORDER BY q.id;
DROP TRIGGER judge_threshold_second;
DROP TRIGGER judge_threshold_update;
DROP TABLE judge_threshold_ask;
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
    SELECT RAISE(ABORT, 'a threshold is switched on by two people') WHERE OLD.state = 'proposed' AND NEW.state = 'active' AND NOT EXISTS (
        SELECT 1 FROM approval WHERE kind = NEW.kind AND payload = NEW.id AND state = 'agreed' AND proposed_by = NEW.switched_by);
END;
-- +goose StatementEnd

-- The line that experts rule by, and the issues that they name, of a pack; the payload is the text.
INSERT INTO approval
SELECT kind || '-' || version, kind, pack, version, (SELECT coalesce(max(p.version), 0) FROM rubric p WHERE p.kind = r.kind AND p.pack = r.pack AND p.state = 'in_force' AND p.version < r.version),
    text, coalesce(nullif(reason, ''), 'No reason was given.'),
    CASE WHEN state = 'in_force' THEN CASE WHEN by_id = '' OR agreed_by IN ('', by_id) THEN 'made' ELSE 'agreed' END
        WHEN state = 'refused' AND agreed_by = by_id THEN 'withdrawn' ELSE state END,
    by_id, by_name, at, CASE WHEN state = 'in_force' AND (by_id = '' OR agreed_by = by_id) THEN '' ELSE agreed_by END, agreed_name,
    CASE WHEN state = 'in_force' AND agreed_at = 0 THEN at ELSE agreed_at END, ''
FROM rubric r ORDER BY version;
DROP TABLE rubric;

-- Notices that wait for an answer are of the change now.
UPDATE notice SET object_id = (SELECT a.id FROM approval a WHERE a.kind IN ('threshold', 'judge') AND a.state = 'proposed' AND a.payload = notice.object_id)
WHERE kind = 'threshold_on' AND read_at = 0 AND EXISTS (SELECT 1 FROM approval a WHERE a.kind IN ('threshold', 'judge') AND a.state = 'proposed' AND a.payload = notice.object_id);
UPDATE notice SET object_id = (SELECT a.id FROM approval a WHERE a.kind = 'check' AND a.state = 'proposed' AND a.subject = notice.object_id)
WHERE kind = 'check_off' AND read_at = 0 AND EXISTS (SELECT 1 FROM approval a WHERE a.kind = 'check' AND a.state = 'proposed' AND a.subject = notice.object_id);

-- All kinds of changes have one notice.
UPDATE notice SET kind = 'proposal' WHERE kind IN ('threshold_on', 'check_off');

-- +goose StatementBegin
CREATE TRIGGER approval_insert BEFORE INSERT ON approval BEGIN
    SELECT RAISE(ABORT, 'a change is kept as it is') WHERE EXISTS (SELECT 1 FROM approval WHERE id = NEW.id OR rowid = NEW.rowid
        OR NEW.version > 0 AND kind = NEW.kind AND version = NEW.version AND state IN ('proposed', 'agreed', 'made'));
    SELECT RAISE(ABORT, 'this takes two people') WHERE NEW.state <> 'proposed' AND NOT (NEW.state = 'made' AND (NEW.kind = 'check'
        OR NEW.kind IN ('rubric', 'taxonomy') AND NEW.proposed_by = '' AND NOT EXISTS (SELECT 1 FROM approval WHERE kind = NEW.kind AND subject = NEW.subject AND state = 'agreed')));
END;
-- +goose StatementEnd
-- Both must hold a role that may decide now, and nothing may have come into force since the proposal.
-- +goose StatementBegin
CREATE TRIGGER approval_update BEFORE UPDATE ON approval BEGIN
    SELECT RAISE(ABORT, 'a change is kept as it is') WHERE OLD.state <> 'proposed' OR NEW.state IN ('proposed', 'made')
        OR NEW.id <> OLD.id OR NEW.rowid <> OLD.rowid OR NEW.kind <> OLD.kind OR NEW.subject <> OLD.subject
        OR NEW.version <> OLD.version AND NOT (OLD.version = 0 AND NEW.state = 'agreed')
        OR NEW.base <> OLD.base OR NEW.payload <> OLD.payload OR NEW.reason <> OLD.reason OR NEW.proposed_by <> OLD.proposed_by
        OR NEW.proposed_name <> OLD.proposed_name OR NEW.proposed_at <> OLD.proposed_at;
    SELECT RAISE(ABORT, 'this takes two people') WHERE NEW.state = 'agreed' AND (NEW.decided_by = NEW.proposed_by OR 2 <> (
        SELECT count(DISTINCT a.id) FROM account a JOIN account_role r ON r.account_id = a.id
        WHERE a.id IN (NEW.proposed_by, NEW.decided_by) AND a.disabled_at = 0
        AND (r.role = 'admin' OR r.role = 'expert' AND NEW.kind IN ('check', 'threshold', 'judge', 'rubric', 'taxonomy'))));
    SELECT RAISE(ABORT, 'another change came into force since') WHERE NEW.state = 'agreed' AND EXISTS (
        SELECT 1 FROM approval o WHERE o.kind = NEW.kind AND o.subject = NEW.subject AND o.state IN ('agreed', 'made')
        AND o.version <> NEW.base AND o.decided_at > NEW.proposed_at);
END;
-- +goose StatementEnd
-- +goose StatementBegin
CREATE TRIGGER approval_delete BEFORE DELETE ON approval BEGIN SELECT RAISE(ABORT, 'a change is kept as it is'); END;
-- +goose StatementEnd

-- The guard of 00018, which asks for a policy in force: the newest of its agent that was agreed to.
-- +goose StatementBegin
CREATE TRIGGER decision_sampled BEFORE INSERT ON decision WHEN NEW.kind = 'sampled' BEGIN
    SELECT RAISE(ABORT, 'only an agreed policy lets go what nobody read') WHERE NEW.by_id <> '' OR NOT EXISTS (
        SELECT 1 FROM approval p JOIN review r ON r.id = NEW.review_id
        WHERE p.kind = 'policy' AND p.version = NEW.policy_version AND p.state = 'agreed' AND p.payload <> '{"follows":true}'
        AND NOT EXISTS (SELECT 1 FROM approval n WHERE n.kind = 'policy' AND n.subject = p.subject AND n.state = 'agreed' AND n.version > p.version)
        AND (p.subject = r.agent_id OR p.subject = '' AND coalesce((SELECT own.payload FROM approval own
            WHERE own.kind = 'policy' AND own.subject = r.agent_id AND own.state = 'agreed' ORDER BY own.version DESC LIMIT 1), '{"follows":true}') = '{"follows":true}'));
    SELECT RAISE(ABORT, 'a planted check is there to be read') WHERE EXISTS (SELECT 1 FROM review WHERE id = NEW.review_id AND planted = 1);
END;
-- +goose StatementEnd
