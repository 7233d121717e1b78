-- Owner: internal/knowledge. Which interaction a case was made of: what its draft was shown says on which sections it rests.

-- +goose Up
ALTER TABLE knowledge_case ADD COLUMN interaction_id TEXT NOT NULL DEFAULT '';
UPDATE knowledge_case SET interaction_id = coalesce((SELECT d.review_id FROM decision d WHERE d.id = knowledge_case.origin), '')
WHERE source = 'review' AND origin <> '';
UPDATE knowledge_case SET interaction_id = origin WHERE source IN ('feedback', 'practice');
CREATE INDEX knowledge_case_interaction ON knowledge_case (interaction_id) WHERE interaction_id <> '';

-- +goose Down
DROP INDEX knowledge_case_interaction;
ALTER TABLE knowledge_case DROP COLUMN interaction_id;
