-- Owner: internal/feedback/nightly. A version of an agent's prompt file is a change of the kind prompt: the program proposes it each night,
-- and one person agrees. Every other kind takes two people, as before.

-- +goose Up
DROP TRIGGER approval_update;
-- +goose StatementBegin
CREATE TRIGGER approval_update BEFORE UPDATE ON approval BEGIN
    SELECT RAISE(ABORT, 'a change is kept as it is') WHERE OLD.state <> 'proposed' OR NEW.state IN ('proposed', 'made')
        OR NEW.id <> OLD.id OR NEW.rowid <> OLD.rowid OR NEW.kind <> OLD.kind OR NEW.subject <> OLD.subject
        OR NEW.version <> OLD.version AND NOT (OLD.version = 0 AND NEW.state = 'agreed')
        OR NEW.base <> OLD.base OR NEW.payload <> OLD.payload OR NEW.reason <> OLD.reason OR NEW.proposed_by <> OLD.proposed_by
        OR NEW.proposed_name <> OLD.proposed_name OR NEW.proposed_at <> OLD.proposed_at;
    SELECT RAISE(ABORT, 'this takes two people') WHERE NEW.state = 'agreed' AND (NEW.decided_by = NEW.proposed_by
        OR CASE NEW.kind WHEN 'prompt' THEN 1 ELSE 2 END <> (
        SELECT count(DISTINCT a.id) FROM account a JOIN account_role r ON r.account_id = a.id
        WHERE a.id IN (NEW.proposed_by, NEW.decided_by) AND a.disabled_at = 0
        AND (r.role = 'admin' OR r.role = 'expert' AND NEW.kind IN ('check', 'threshold', 'judge', 'rubric', 'taxonomy', 'prompt'))));
    SELECT RAISE(ABORT, 'another change came into force since') WHERE NEW.state = 'agreed' AND EXISTS (
        SELECT 1 FROM approval o WHERE o.kind = NEW.kind AND o.subject = NEW.subject AND o.state IN ('agreed', 'made')
        AND o.version <> NEW.base AND o.decided_at > NEW.proposed_at);
END;
-- +goose StatementEnd
