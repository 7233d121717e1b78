-- Owner: internal/review. Only a policy that two administrators agreed on lets a text go that nobody read. It stands here and
-- not in 00009 because it looks at the table policy (00012).

-- +goose Up
-- +goose StatementBegin
CREATE TRIGGER decision_sampled BEFORE INSERT ON decision WHEN NEW.kind = 'sampled' BEGIN
    SELECT RAISE(ABORT, 'only an agreed policy lets go what nobody read') WHERE NEW.by_id <> '' OR NOT EXISTS (
        SELECT 1 FROM policy p JOIN review r ON r.id = NEW.review_id
        WHERE p.version = NEW.policy_version AND p.state = 'active' AND p.follows = 0 AND p.agreed_by <> '' AND p.agreed_by <> p.proposed_by
        AND (p.agent_id = r.agent_id OR p.agent_id = '' AND NOT EXISTS (
            SELECT 1 FROM policy own WHERE own.agent_id = r.agent_id AND own.state = 'active' AND own.follows = 0)));
    SELECT RAISE(ABORT, 'a planted check is there to be read') WHERE EXISTS (SELECT 1 FROM review WHERE id = NEW.review_id AND planted = 1);
END;
-- +goose StatementEnd
