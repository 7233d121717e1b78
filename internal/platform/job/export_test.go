package job

import (
	"github.com/riverqueue/river"

	"preceptor/internal/platform/db"
)

// The two ways in which a job comes into the table.
var Ways = []func(*Queue, *db.Tx, river.JobArgs, *river.InsertOpts) error{(*Queue).riverTx, (*Queue).insertTx}

// Beat is what a server does every ten seconds.
var Beat = (*Queue).beat
