package archtest

import (
	"context"
	"database/sql"
	"go/ast"
	"regexp"
	"strings"
	"testing"

	"preceptor/internal/platform/db/dbtest"
)

// parts are complaints about what is no whole statement: its rest is put behind it, or into it, where it's used.
var parts = regexp.MustCompile(`at end of input|syntax error at or near "(AND|,|;|%|with|where|\.)"|"audit_site"`)

// known are statements that another engine's own text stands beside, or whose parameters tell their types when it runs.
var known = []string{
	"INSERT INTO river_job", // River's on a file
	"UPDATE review_count SET n = n + CASE", "UPDATE review SET reminded_at = ?",
	"SELECT g.id, g.agent_id, g.pack, i.question", "SELECT d.agent_id, d.n", // the grouping follows
}

// TestAServerReadsEveryStatement has PostgreSQL prepare each whole statement that the program spells out.
func TestAServerReadsEveryStatement(t *testing.T) {
	if !dbtest.OnServer() {
		t.Skip("make test-postgres runs it")
	}
	d, read := dbtest.New(t), 0
	if err := d.Schema(t.Context(), func(ctx context.Context, w *sql.DB) error {
		sources(t, false, func(s source) {
			for _, own := range []string{"internal/platform/db/", "internal/search/", "internal/archtest/",
				"tools/"} {
				if strings.HasPrefix(s.name, own) {
					return
				}
			}
			texts(s, func(at ast.Node, q string) {
				if !looksLikeSQL.MatchString(q) || strings.Contains(q, gap) {
					return
				}
				line := strings.Join(strings.Fields(q), " ")
				for _, k := range known {
					if strings.HasPrefix(line, k) {
						return
					}
				}
				_, err := w.ExecContext(ctx, "PREPARE s AS "+q)
				if err == nil {
					read++
					_, err = w.ExecContext(ctx, "DEALLOCATE s")
				}
				if err != nil && !parts.MatchString(err.Error()) {
					t.Errorf("%s:%d: %v: %s", s.name, s.line(at), err, line)
				}
			})
		})
		return nil
	}); err != nil {
		t.Fatal(err)
	}
	if read < 700 {
		t.Errorf("%d statements: most were left out", read)
	}
}
