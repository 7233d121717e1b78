-- Owner: internal/learning. Whether a lesson's reflection is the embedded reasoner's because the model was down: the model is asked
-- again once it is back, unless a person has decided since.

-- +goose Up
ALTER TABLE lesson ADD COLUMN without_model INTEGER NOT NULL DEFAULT 0;
UPDATE lesson SET without_model = 1
WHERE EXISTS (SELECT 1 FROM lesson_step s WHERE s.lesson_id = lesson.id AND s.name = 'reflect' AND s.state = 'done'
    AND s.answered_by LIKE 'embedded reasoner (model failed%'
    AND s.seq = (SELECT max(t.seq) FROM lesson_step t WHERE t.lesson_id = lesson.id AND t.name IN ('reflect', 'back')));
CREATE INDEX lesson_without_model ON lesson (updated_at, id) WHERE without_model = 1;

-- +goose Down
DROP INDEX lesson_without_model;
ALTER TABLE lesson DROP COLUMN without_model;
