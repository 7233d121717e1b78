-- Owner: internal/labelling. The turns and labels of gold sets (internal/dataset) come to the tables of all kinds.

-- +goose Up
INSERT INTO labelling_turn (set_id, item_id, person_id, name, seq, state, origin, flag, since, at)
    SELECT t.dataset_id, t.item_id, t.person_id, coalesce(p.name, ''), t.seq, t.state, t.origin, t.flag, t.at, t.at
    FROM dataset_turn t LEFT JOIN dataset_person p ON p.dataset_id = t.dataset_id AND p.person_id = t.person_id;
INSERT INTO labelling_answer (id, set_id, item_id, by_id, by_name, revision, first, standing, late, label, answer, seq, spent_ms,
        outcome, rubric, at, undone_at)
    SELECT id, dataset_id, item_id, by_id, by_name, revision, first, standing, late, label, answer, seq, spent_ms,
        CASE outcome WHEN -1 THEN 0 WHEN 0 THEN -1 ELSE 1 END, rubric, at, undone_at FROM dataset_label;
DROP TABLE dataset_turn;
DROP TABLE dataset_label;
