package knowledge

import (
	"time"

	"preceptor/internal/knowledge/transfer"
)

// File is export and import of the whole base.
type File struct {
	Counts TabCounts
	Run    *FileRun // the import that runs, or ran last; nil when there was none since the program started
	Reason string
	Error  string
	Errors map[string]string
	Now    time.Time
}

// FileRun is one import.
type FileRun struct {
	Name        string
	By          string
	At          time.Time
	Running     bool
	Done, Total int
	Failure     string // for a person; empty when it went through
	Report      transfer.Report
}

// Percent is how much is done.
func (r FileRun) Percent() int {
	if r.Total == 0 {
		return 0
	}
	return r.Done * 100 / r.Total
}
