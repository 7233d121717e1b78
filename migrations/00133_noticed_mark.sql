-- Owner: internal/knowledge. A rule that says what was noticed in an agent's sessions, as it was noticed, is marked so;
-- those that were accepted before get their mark.

-- +goose Up
UPDATE knowledge_rule_version SET content = '{"noticed":true,' || substr(content, 2)
WHERE content LIKE '{"title":%' AND content NOT LIKE '%"noticed":true%'
AND rule_id IN (SELECT rule_id FROM lesson WHERE origin = 'proposal') AND EXISTS (
    SELECT 1 FROM lesson l JOIN signal s ON s.lesson_id = l.id
    WHERE l.rule_id = knowledge_rule_version.rule_id AND l.origin = 'proposal' AND l.same_as = 0 AND l.sent_back = 0 AND s.content <> ''
    AND knowledge_rule_version.content LIKE '%"statement":{"when":[{"kind":"scope","values":["' || s.scope || '"]}],"do":{"kind":"other","text":"'
        || replace(replace(s.content, '\', '\\'), '"', '\"') || '"}%');
