-- Learning proposes unless an administrator switched it off. Settings that were saved before say so in so many words.

-- +goose Up
UPDATE agent_signal SET settings = '{"learn":"off"' || CASE WHEN settings = '{}' THEN '' ELSE ',' END ||
    substr(settings, 2)
WHERE settings NOT LIKE '%"learn":%';

-- +goose Down
UPDATE agent_signal SET settings = replace(replace(settings, '{"learn":"off",', '{'), '{"learn":"off"', '{');
