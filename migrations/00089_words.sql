-- Owner: internal/knowledge. Two sections in nearly the same words may say the opposite: such a pair hides neither of them in recall, and
-- a person settles it as a conflict. Pairs of before are looked at when documents are imported next.
--
-- Owner: internal/search. Words that the tokenizer would not find as people write them (10,000 for 10000, Straße for Strasse, a word inside
-- a run of Chinese) are indexed beside the text. What is in the file is cut anew at the next start (Refold).

-- +goose Up
ALTER TABLE knowledge_duplicate ADD COLUMN contradicts INTEGER NOT NULL DEFAULT 0;

ALTER TABLE search_entry ADD COLUMN words TEXT; -- NULL: not cut yet
CREATE INDEX search_entry_uncut ON search_entry (id) WHERE words IS NULL;
DROP TABLE entry_text;
DROP VIEW search_active;
CREATE VIEW search_active AS SELECT id, title, body, coalesce(words, '') AS words FROM search_entry WHERE active = 1;
CREATE VIRTUAL TABLE entry_text USING fts5 (title, body, words, content='search_active', content_rowid='id',
    tokenize='porter unicode61 remove_diacritics 2');
INSERT INTO entry_text (entry_text, rank) VALUES ('secure-delete', 1);
INSERT INTO entry_text (entry_text) VALUES ('rebuild');

ALTER TABLE search_case ADD COLUMN folded INTEGER NOT NULL DEFAULT 0; -- 1: its words are cut as questions are
CREATE INDEX search_case_uncut ON search_case (id) WHERE folded = 0;
