-- Learning proposes unless an administrator switched it off. Until now it was off where nobody said anything, so the
-- agents that there are say so in so many words, with saved settings or without.

-- +goose Up
UPDATE agent_signal SET settings = '{"learn":"off"' || CASE WHEN settings = '{}' THEN '' ELSE ',' END ||
    substr(settings, 2)
WHERE settings NOT LIKE '%"learn":%';

INSERT INTO agent_signal (agent_id, settings, updated_at)
SELECT id, '{"learn":"off"}', created_at FROM agent
WHERE id NOT IN (SELECT agent_id FROM agent_signal);

-- +goose Down
UPDATE agent_signal SET settings = replace(replace(settings, '{"learn":"off",', '{'), '{"learn":"off"', '{');
