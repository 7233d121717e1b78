package job

import "preceptor/internal/platform/db"

// EraseTx forgets the jobs about a thing. Arguments are ids, but what went wrong with a job may quote what a model or a
// receiver said. Jobs that are over go; of those that are not, what went wrong before goes, and they find nothing left
// to do. It returns how many jobs there were.
func (q *Queue) EraseTx(tx *db.Tx, id string) (int, error) {
	if id == "" {
		return 0, nil
	}
	about := db.Containing(id)
	gone, err := db.Change(tx, "job: erase", `DELETE FROM river_job
		WHERE CAST(args AS TEXT) LIKE $1 ESCAPE '\' AND state IN ('completed', 'cancelled', 'discarded')`, about)
	if err != nil {
		return 0, err
	}
	cleaned, err := db.Change(tx, "job: erase", `UPDATE river_job SET errors = NULL
		WHERE errors IS NOT NULL AND CAST(args AS TEXT) LIKE $1 ESCAPE '\'`, about)
	return gone + cleaned, err
}
