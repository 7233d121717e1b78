-- Owner: internal/review. A second signature that was taken back leaves its audit row, and that row stood for a later one too. Before
-- the row of the second there has to be a first signature, or one that counts again, after which nothing was undone or overruled.

-- +goose Up
DROP TRIGGER decision_second_update;
-- +goose StatementBegin
CREATE TRIGGER decision_second_update BEFORE UPDATE ON decision
WHEN NEW.kind IN ('approve', 'revise', 'sampled') AND NEW.state <> OLD.state AND NEW.state IN ('held', 'released', 'closed')
    AND (NEW.needs_second = 1 OR EXISTS (SELECT 1 FROM review r WHERE r.id = NEW.review_id AND (r.two_eyes = 1 OR r.asked_by <> '' AND r.asked_by = NEW.by_id)))
BEGIN
    SELECT RAISE(ABORT, 'this takes two supervisors') WHERE NEW.second_by = '' OR NEW.second_by = NEW.by_id OR 2 <> (
        SELECT count(*) FROM account a JOIN account_role r ON r.account_id = a.id
        WHERE a.id IN (NEW.by_id, NEW.second_by) AND r.role = 'supervisor' AND a.disabled_at = 0);
    SELECT RAISE(ABORT, 'a signature without its audit row') WHERE NOT EXISTS (
        SELECT 1 FROM audit s WHERE s.object_id = NEW.review_id AND s.object_kind = 'interaction' AND s.actor_kind = 'person'
        AND s.actor_id = NEW.second_by AND s.action = 'review.seconded' AND s.seq > (
            SELECT max(f.seq) FROM audit f WHERE f.object_id = NEW.review_id AND f.object_kind = 'interaction' AND f.actor_kind = 'person'
            AND f.actor_id = NEW.by_id AND f.action IN ('review.approved', 'review.revised'))
        AND EXISTS (SELECT 1 FROM audit u WHERE u.object_id = NEW.review_id AND u.object_kind = 'interaction'
            AND u.action IN ('review.approved', 'review.revised', 'review.reinstated') AND u.seq < s.seq
            AND NOT EXISTS (SELECT 1 FROM audit w WHERE w.object_id = NEW.review_id AND w.object_kind = 'interaction'
                AND w.action IN ('review.undone', 'review.overruled') AND w.seq > u.seq)));
END;
-- +goose StatementEnd
