-- Owner: internal/knowledge. The prompt of a draft is kept as the text it was, compressed (2 to 3 kB a draft), and no more as a
-- recipe to make it again from versions and templates. What the old recipes made is written out here once, as JSON that isn't
-- compressed; the program reads both. Formats of blocks: 1 marked a provisional rule only while no case supported it, 3 has no mark
-- of compliance. What was erased is empty: the reader says so in its place.

-- +goose Up
-- The words of each version that a prompt was shown: said on one line, but for guidance.
CREATE TABLE prompt_word (
    kind TEXT NOT NULL, item_id TEXT NOT NULL, version INTEGER NOT NULL, field TEXT NOT NULL, words TEXT NOT NULL,
    PRIMARY KEY (kind, item_id, version, field)
) STRICT, WITHOUT ROWID;
INSERT INTO prompt_word (kind, item_id, version, field, words)
    SELECT DISTINCT i.value ->> 'kind', i.value ->> 'id', i.value ->> 'version', '', '' FROM knowledge_prompt p, json_each(p.items) i;
INSERT INTO prompt_word (kind, item_id, version, field, words)
    SELECT w.kind, w.item_id, w.version, f.value, coalesce(CASE f.value WHEN 'why' THEN v.content ->> '$.flags[0].why'
        ELSE v.content ->> f.value END, '')
    FROM prompt_word w JOIN knowledge_case_version v ON v.case_id = w.item_id AND v.version = w.version,
        json_each('["title", "situation", "outcome", "why"]') f WHERE w.kind = 'case' AND w.field = '';
INSERT INTO prompt_word (kind, item_id, version, field, words)
    SELECT w.kind, w.item_id, w.version, f.value, coalesce(v.content ->> f.value, '')
    FROM prompt_word w JOIN knowledge_rule_version v ON v.rule_id = w.item_id AND v.version = w.version,
        json_each('["title", "principle"]') f WHERE w.kind = 'rule' AND w.field = '';
UPDATE prompt_word SET words = replace(replace(replace(replace(replace(replace(replace(replace(replace(words, char(9), ' '), char(10), ' '),
    char(11), ' '), char(12), ' '), char(13), ' '), char(133), ' '), char(160), ' '), char(8239), ' '), char(12288), ' ');
UPDATE prompt_word SET words = replace(replace(replace(words, char(8232), ' '), char(8233), ' '), char(8201), ' ');
UPDATE prompt_word SET words = trim(replace(replace(replace(words, ' ', ' ' || char(1)), char(1) || ' ', ''), char(1), ''));

-- What each version says to a model (text), and its block: of a rule up to its confidence, what follows is the prompt's.
CREATE TABLE prompt_block (
    kind TEXT NOT NULL, item_id TEXT NOT NULL, version INTEGER NOT NULL, text TEXT NOT NULL, block TEXT NOT NULL, mark TEXT NOT NULL,
    provisional INTEGER NOT NULL,
    PRIMARY KEY (kind, item_id, version)
) STRICT, WITHOUT ROWID;
INSERT INTO prompt_block (kind, item_id, version, text, block, mark, provisional)
    SELECT 'case', c.id, v.version, replace(replace(json_quote(v.content ->> 'guidance'), char(8232), '\u2028'), char(8233), '\u2029'),
        'Case #' || printf('%03d', c.number) || ': ' || t.words || char(10) || 'Customer situation: ' || s.words || char(10)
            || 'Guidance provided: ' || trim(v.content ->> 'guidance', char(9, 10, 11, 12, 13, 32, 133, 160, 8201, 8232, 8233, 8239, 12288))
            || CASE coalesce(v.content ->> 'outcome', '') WHEN '' THEN '' ELSE char(10) || 'Outcome: ' || o.words END
            || coalesce((SELECT char(10) || 'Success factors: ' || group_concat(f.value, ', ' ORDER BY f.key)
                FROM json_each(v.content, '$.success_factors') f HAVING count(*) > 0), '')
            || CASE WHEN EXISTS (SELECT 1 FROM json_each(v.content, '$.flags') f WHERE f.value ->> 'severity' = 'major')
                THEN char(10) || 'Check before use: ' || y.words ELSE '' END, '', 0
    FROM prompt_word t JOIN knowledge_case c ON c.id = t.item_id
        JOIN knowledge_case_version v ON v.case_id = c.id AND v.version = t.version
        JOIN prompt_word s ON s.kind = 'case' AND s.item_id = c.id AND s.version = v.version AND s.field = 'situation'
        JOIN prompt_word o ON o.kind = 'case' AND o.item_id = c.id AND o.version = v.version AND o.field = 'outcome'
        JOIN prompt_word y ON y.kind = 'case' AND y.item_id = c.id AND y.version = v.version AND y.field = 'why'
    WHERE t.kind = 'case' AND t.field = 'title' AND v.erased_at = 0;
INSERT INTO prompt_block (kind, item_id, version, text, block, mark, provisional)
    SELECT 'rule', r.id, v.version, replace(replace(json_quote(v.content ->> 'principle'), char(8232), '\u2028'), char(8233), '\u2029'),
        'Rule #' || printf('%03d', r.number) || ': ' || t.words || char(10) || 'Principle: "' || s.words || '"' || char(10)
            || 'Domain: ' || v.domain || char(10) || 'Confidence: ' || CASE v.content ->> 'confidence'
                WHEN 0.125 THEN '0.12' WHEN 0.625 THEN '0.62' ELSE substr(printf('%!.2f', v.content ->> 'confidence') || '0', 1, 4) END,
        CASE v.content ->> 'fca_compliant' WHEN 1 THEN '✓' ELSE '✗' END, coalesce(v.content ->> 'provisional', 0)
    FROM prompt_word t JOIN knowledge_rule r ON r.id = t.item_id
        JOIN knowledge_rule_version v ON v.rule_id = r.id AND v.version = t.version
        JOIN prompt_word s ON s.kind = 'rule' AND s.item_id = r.id AND s.version = v.version AND s.field = 'principle'
    WHERE t.kind = 'rule' AND t.field = 'title' AND v.erased_at = 0;

CREATE TABLE knowledge_prompt_kept (
    interaction_id TEXT PRIMARY KEY,
    drafter        TEXT NOT NULL,
    mode           TEXT NOT NULL,               -- of recall
    embedder       TEXT NOT NULL,
    budget         INTEGER NOT NULL,            -- in tokens; 0 is unbounded
    tokens         INTEGER NOT NULL,            -- of the recall block
    block_hash     TEXT NOT NULL,               -- SHA-256 of the recall block
    prompt_hash    TEXT NOT NULL,               -- SHA-256 over what a model was sent; '' when none was asked
    content        BLOB NOT NULL,               -- JSON, compressed by zlib: each item's block, and the messages in parts
    erased_at      INTEGER NOT NULL,            -- what was said of this draft alone was taken out of content
    created_at     INTEGER NOT NULL
) STRICT;
INSERT INTO knowledge_prompt_kept (interaction_id, drafter, mode, embedder, budget, tokens, block_hash, prompt_hash, content, erased_at,
    created_at)
WITH RECURSIVE message (interaction_id, n, name, hash, args, own, rest) AS (
    SELECT p.interaction_id, m.key, m.value ->> 'name', m.value ->> 'hash', m.value -> 'args', p.own, t.content
    FROM knowledge_prompt p, json_each(p.parts) m JOIN knowledge_prompt_text t ON t.hash = m.value ->> 'hash'
),
-- A template is cut at its slots, one after the other; a slot that nothing was given for stays in the text.
cut (interaction_id, n, step, slot, before, rest) AS (
    SELECT interaction_id, n, 0, '', '', rest FROM message
    UNION ALL
    SELECT interaction_id, n, step + 1,
        CASE instr(rest, '{{.') WHEN 0 THEN '' ELSE substr(rest, instr(rest, '{{.') + 3,
            instr(substr(rest, instr(rest, '{{.')), '}}') - 4) END,
        CASE instr(rest, '{{.') WHEN 0 THEN rest ELSE substr(rest, 1, instr(rest, '{{.') - 1) END,
        CASE instr(rest, '{{.') WHEN 0 THEN '' ELSE substr(rest, instr(rest, '{{.')
            + instr(substr(rest, instr(rest, '{{.')), '}}') + 1) END
    FROM cut WHERE rest <> '' AND (instr(rest, '{{.') = 0 OR instr(substr(rest, instr(rest, '{{.')), '}}') > 0)
),
part (interaction_id, n, step, piece, part) AS (
    SELECT interaction_id, n, step, -1, json_object('Text', before) FROM cut WHERE before <> ''
    UNION ALL
    SELECT c.interaction_id, c.n, c.step, 0, json_object('Text', '{{.' || c.slot || '}}') FROM cut c
        JOIN message m ON m.interaction_id = c.interaction_id AND m.n = c.n
    WHERE c.slot <> '' AND json_type(m.args, '$.' || c.slot) IS NULL
    UNION ALL
    SELECT c.interaction_id, c.n, c.step, a.key, CASE WHEN a.value ->> 'item' IS NULL
        THEN json_object('Text', CASE m.own WHEN '' THEN '' ELSE m.own ->> CAST(a.value ->> 'own' AS INTEGER) END, 'Own', json('true'))
        ELSE json_object('Text', coalesce((SELECT b.text FROM knowledge_prompt p, json_each(p.items) i JOIN prompt_block b
            ON b.kind = i.value ->> 'kind' AND b.item_id = i.value ->> 'id' AND b.version = i.value ->> 'version'
            WHERE p.interaction_id = c.interaction_id AND i.value ->> 'id' = a.value ->> 'item'), '""'), 'ItemID', a.value ->> 'item') END
    FROM cut c JOIN message m ON m.interaction_id = c.interaction_id AND m.n = c.n, json_each(m.args, '$.' || c.slot) a
    WHERE c.slot <> ''
)
SELECT p.interaction_id, p.drafter, p.mode, p.embedder, p.budget, p.tokens, p.block_hash, p.prompt_hash, CAST(json_object(
    'Items', json((SELECT json_group_array(json_object('Kind', i.value ->> 'kind', 'ID', i.value ->> 'id', 'Version', i.value ->> 'version',
        'Block', coalesce(CASE b.kind WHEN 'case' THEN b.block ELSE b.block
            || CASE p.format WHEN 3 THEN '' ELSE ' | FCA Compliant: ' || b.mark END
            || coalesce((SELECT char(10) || 'Evidence: Successfully applied in cases '
                || group_concat(printf('%03d', e.value), ', ' ORDER BY e.key) FROM json_each(i.value, '$.evidence') e HAVING count(*) > 0), '')
            || CASE WHEN b.provisional = 0 THEN '' WHEN p.format > 1 THEN char(10) || 'Provisional: tested on few cases so far'
                WHEN i.value -> 'evidence' IS NULL THEN char(10) || 'Evidence: provisional, tested on few cases so far' ELSE '' END
            END, '')) ORDER BY i.key)
        FROM json_each(p.items) i LEFT JOIN prompt_block b
            ON b.kind = i.value ->> 'kind' AND b.item_id = i.value ->> 'id' AND b.version = i.value ->> 'version')),
    'Messages', json((SELECT json_group_array(json_object('Name', m.name, 'Hash', m.hash, 'Parts',
        json((SELECT json_group_array(json(t.part) ORDER BY t.step, t.piece) FROM part t
            WHERE t.interaction_id = p.interaction_id AND t.n = m.n))) ORDER BY m.n)
        FROM message m WHERE m.interaction_id = p.interaction_id))) AS BLOB), p.erased_at, p.created_at
FROM knowledge_prompt p;
DROP TABLE prompt_block;
DROP TABLE prompt_word;
DROP TABLE knowledge_prompt;
DROP TABLE knowledge_prompt_text;
ALTER TABLE knowledge_prompt_kept RENAME TO knowledge_prompt;
