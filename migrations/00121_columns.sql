-- Owner: internal/signal. Under a hold, calls of tools wait as answers do unless people say otherwise. Until now they
-- passed, and the page said so: it still does for the agents whose answers wait already.

-- +goose Up
UPDATE agent_signal SET settings = replace(settings, '"hold":true', '"hold":true,"tool_rule":"pass"');

-- +goose Down
UPDATE agent_signal SET settings = replace(settings, ',"tool_rule":"pass"', '');
