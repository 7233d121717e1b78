// Package datasets holds the pages of gold sets: labelling, rulings, versions, files, and the judges that are measured
// on them.
package datasets

import (
	"time"

	"preceptor/internal/account"
	"preceptor/internal/approval"
	"preceptor/internal/compliance"
	"preceptor/internal/compliance/evaluate"
	"preceptor/internal/compliance/rubric"
	"preceptor/internal/dataset"
	"preceptor/internal/dataset/transfer"
	"preceptor/internal/dataset/version"
	"preceptor/internal/platform/table/imports"
	"preceptor/web/frame"
)

// Deps is what the handlers work with.
type Deps struct {
	Approvals *approval.Store
	Accounts  *account.Directory
	Datasets  *dataset.Store
	Versions  *version.Store
	Transfer  *transfer.Service
	Imports   *imports.Service
	Judges    *evaluate.Store
	Validator *compliance.Validator
	Rubric    *rubric.Store
	Now       func() time.Time
}

// Pages are the handlers.
type Pages struct {
	Deps
	*frame.Maker
	uploads uploads
}

// New makes the handlers.
func New(d Deps, m *frame.Maker) *Pages {
	return &Pages{Deps: d, Maker: m}
}
