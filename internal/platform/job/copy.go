package job

import (
	"context"
	"encoding/json"
	"fmt"

	"github.com/riverqueue/river/riverdriver"
	"github.com/riverqueue/river/rivershared/uniquestates"

	"preceptor/internal/platform/db"
)

// Copy copies the jobs that are not done from one database to another, whose tables Migrate made, and says how many.
func Copy(ctx context.Context, from, to *db.DB) (n int, err error) {
	in, out := driverOf(from, from.Reader()).GetExecutor(), driverOf(to, to.Queue()).GetExecutor()
	if from.OnServer() {
		in = driverOf(from, from.Queue()).GetExecutor()
	}
	for after := int64(0); ; {
		rows, err := in.JobList(ctx, &riverdriver.JobListParams{Max: 500, OrderByClause: "id",
			WhereClause: fmt.Sprintf("state <> 'completed' AND id > %d", after)})
		if err != nil || len(rows) == 0 {
			return n, err
		}
		for _, r := range rows {
			var failures [][]byte
			for _, e := range r.Errors {
				b, err := json.Marshal(e)
				if err != nil {
					return n, err
				}
				failures = append(failures, b)
			}
			if _, err := out.JobInsertFull(ctx, &riverdriver.JobInsertFullParams{Attempt: r.Attempt,
				AttemptedAt: r.AttemptedAt, AttemptedBy: r.AttemptedBy, CreatedAt: &r.CreatedAt,
				EncodedArgs: r.EncodedArgs,
				Errors:      failures, FinalizedAt: r.FinalizedAt, Kind: r.Kind, MaxAttempts: r.MaxAttempts,
				Metadata: r.Metadata,
				Priority: r.Priority, Queue: r.Queue, ScheduledAt: &r.ScheduledAt, State: r.State, Tags: r.Tags,
				UniqueKey: r.UniqueKey, UniqueStates: uniquestates.UniqueStatesToBitmask(r.UniqueStates)}); err != nil {
				return n, fmt.Errorf("job: copy job %d: %w", r.ID, err)
			}
			n, after = n+1, r.ID
		}
	}
}
