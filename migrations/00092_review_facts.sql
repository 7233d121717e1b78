-- Owner: internal/review. What is known of a case's customer and subject, from the question, the profile, what was said before and
-- the text: conditions of the review policy, as JSON. It is kept because reading all of that again takes a while. And why a person
-- must look, sentences of the verdict on the draft.
--
-- A text that no judge read is no longer called compliant.

-- +goose Up
ALTER TABLE review ADD COLUMN facts TEXT NOT NULL DEFAULT '[]';
ALTER TABLE review ADD COLUMN because TEXT NOT NULL DEFAULT '[]';

UPDATE review SET facts = '["db_transfer","db_pension"]' WHERE two_eyes_why LIKE '%db_transfer%';
UPDATE review SET facts = '["db_pension"]' WHERE facts = '[]' AND why LIKE '%DB pension%';
UPDATE review SET facts = '["vulnerable",' || substr(facts, 2) WHERE facts <> '[]' AND why LIKE '%vulnerable customer%';
UPDATE review SET facts = '["vulnerable"]' WHERE facts = '[]' AND why LIKE '%vulnerable customer%';

UPDATE review SET label = 'NOT_JUDGED', passed = 0, confidence = 0 WHERE source = 'RULE_BASED' AND label = 'COMPLIANT_GUIDANCE';
UPDATE verdict SET label = 'NOT_JUDGED', passed = 0, confidence = 0, verdict = replace(replace(replace(replace(replace(verdict,
	'"label":"COMPLIANT_GUIDANCE"', '"label":"NOT_JUDGED"'), '"passed":true', '"passed":false'), '"confidence":0.93', '"confidence":0'),
	'"confidence":0.85', '"confidence":0'), ',"band":"exemplar_candidate"', '')
WHERE label = 'COMPLIANT_GUIDANCE' AND verdict LIKE '%"source":"RULE_BASED"%' AND verdict LIKE '%"judges":[]%';
