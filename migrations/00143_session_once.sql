-- Owner: internal/account. What the next page shows a browser, and no page after it: a secret that was just made, which
-- only the secret in the browser's cookie opens.

-- +goose Up
CREATE TABLE session_once (
    session_id TEXT NOT NULL REFERENCES session (id) ON DELETE CASCADE,
    path       TEXT NOT NULL,                  -- of the page
    sealed     BLOB NOT NULL,
    created_at INTEGER NOT NULL,
    PRIMARY KEY (session_id, path)
) STRICT, WITHOUT ROWID;

-- +goose Down
DROP TABLE session_once;
