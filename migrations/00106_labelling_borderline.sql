-- Owner: internal/labelling. The claims and answers of borderline cases (internal/compliance/borderline) come to the tables of all kinds:
-- the blind answer is the first, the last word a revision of it, which ends the turn. A claim is an open turn, and runs out ten
-- minutes after it was last worked on.

-- +goose Up
INSERT INTO labelling_answer (id, set_id, item_id, by_id, by_name, revision, first, standing, label, answer, spent_ms, at, undone_at)
    SELECT id, 'borderline', case_id, by_id, by_name, row_number() OVER (PARTITION BY case_id, by_id ORDER BY at, id), step = 'blind',
        undone_at = 0 AND (step = 'final' OR NOT EXISTS (SELECT 1 FROM borderline_answer f WHERE f.case_id = borderline_answer.case_id
            AND f.by_id = borderline_answer.by_id AND f.step = 'final' AND f.undone_at = 0)),
        label, json_object('kept', json(CASE kept WHEN 1 THEN 'true' ELSE 'false' END), 'boundary', boundary, 'marks', json(marks),
            'confidence', confidence, 'rationale', rationale, 'clicks', json(clicks), 'rubric', rubric_version, 'taxonomy', taxonomy_version),
        1000 * seconds, at, undone_at FROM borderline_answer;
INSERT INTO labelling_turn (set_id, item_id, person_id, name, state, since, at)
    SELECT 'borderline', case_id, by_id, by_name, 'done', at, at FROM borderline_answer WHERE step = 'final' AND undone_at = 0;
INSERT INTO labelling_turn (set_id, item_id, person_id, name, state, draft, since, at)
    SELECT 'borderline', l.case_id, l.by_id, l.by_name, CASE l.skipped_at WHEN 0 THEN 'open' ELSE 'skipped' END, l.draft, l.at,
        CASE l.skipped_at WHEN 0 THEN l.until - 600000 ELSE l.skipped_at END FROM borderline_claim l
    WHERE NOT EXISTS (SELECT 1 FROM labelling_turn t WHERE t.item_id = l.case_id AND t.person_id = l.by_id);
DROP TABLE borderline_claim;
DROP TABLE borderline_answer;
