-- Owner: internal/review. A review that was erased before anybody decided is no decided one.

-- +goose Up
UPDATE review_count SET n = n - (SELECT count(*) FROM review WHERE review.state = 'decided' AND review.decision_id = '')
WHERE review_count.state = 'decided';
