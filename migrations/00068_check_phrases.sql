-- Owner: internal/compliance/checkbook. Checks are written in the language of the packs' rules. What was typed before stays as it was: plain
-- words are translated when they are read, and a regular expression is shown and doesn't run. What ran (pattern) was made of the source.

-- +goose Up
DROP TRIGGER check_version_update;
ALTER TABLE check_version RENAME COLUMN syntax TO old;
ALTER TABLE check_version ADD COLUMN syntax TEXT NOT NULL DEFAULT 'phrases' CHECK (syntax IN ('phrases', 'words', 'regexp'));
UPDATE check_version SET syntax = old;
ALTER TABLE check_version DROP COLUMN old;
ALTER TABLE check_version DROP COLUMN pattern;
-- +goose StatementBegin
CREATE TRIGGER check_version_update BEFORE UPDATE ON check_version BEGIN SELECT RAISE(ABORT, 'a wording is kept as it is'); END;
-- +goose StatementEnd
