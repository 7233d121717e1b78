-- Owner: internal/feedback/preference. A judge's last skips are listed beside their last answers.

-- +goose Up
CREATE INDEX preference_skip_judge ON preference_skip (judge_id, at, pair_id);
