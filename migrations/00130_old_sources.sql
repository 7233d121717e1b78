-- Owner: internal/knowledge. Documents from before sources were kept get theirs, so that all of them are listed and can be compared,
-- moved and withdrawn. What they were made of isn't known any more.

-- +goose Up
INSERT INTO knowledge_source (id, agent_id, pack, path, folder, hash, read_at, looked_at)
SELECT min(c.id), c.agent_id, CASE WHEN c.agent_id = '' THEN coalesce(max(v.content ->> '$.pack'), '') ELSE '' END,
    substr(c.origin, 1, instr(c.origin, '#') - 1) AS file, '', '', min(c.created_at), min(c.created_at)
FROM knowledge_case c JOIN knowledge_case_version v ON v.case_id = c.id AND v.version = c.version
WHERE c.source = 'document' AND c.status = 'active' AND instr(c.origin, '#') > 1
GROUP BY c.agent_id, file
ON CONFLICT (agent_id, path) DO NOTHING;
