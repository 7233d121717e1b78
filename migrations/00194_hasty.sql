-- Owner: internal/review. An approval in 0 s is a rapid one however short the text; that of a review its supervisor
-- hadn't started counted only above 50 words. The cases are counted anew.

-- +goose Up
INSERT INTO stat_due (case_id) SELECT DISTINCT review_id FROM decision
    WHERE characters > 0 AND (kind = 'approve' AND hasty = 0 AND seconds = 0
        OR second_by <> '' AND second_hasty = 0 AND second_seconds = 0)
    ON CONFLICT (case_id) DO NOTHING;
UPDATE decision SET hasty = 1 WHERE kind = 'approve' AND hasty = 0 AND seconds = 0 AND characters > 0;
UPDATE decision SET second_hasty = 1 WHERE second_by <> '' AND second_hasty = 0 AND second_seconds = 0 AND characters > 0;

-- +goose Down
SELECT 1;
