-- Owner: internal/review. An erasure takes an agent's id of a conversation, which may name the customer; the drafts
-- stay tied by the id of the first of them, so that the figures of conversations don't move.

-- +goose Up
ALTER TABLE review ADD COLUMN talk TEXT NOT NULL DEFAULT '';  -- id of the conversation's first review; empty without a thread
UPDATE review SET talk = (SELECT min(o.id) FROM review o WHERE o.agent_id = review.agent_id AND o.thread = review.thread)
    WHERE thread <> '';
DROP INDEX review_conversation;
CREATE INDEX review_conversation ON review (state, decided_at, id, agent_id, talk, ended, planted, task)
    WHERE talk <> '' AND state = 'decided';
CREATE INDEX review_talk ON review (talk) WHERE talk <> '';
