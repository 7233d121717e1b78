package knowledge

import (
	"context"

	"preceptor/internal/db"
)

// PrepareCase computes what AddCaseTx may not ask a model for. Call it outside the transaction.
func (b *Base) PrepareCase(ctx context.Context, c *Case) error { return nil }

// AddCaseTx stores a case, or a new version of the case with the same agent, source and origin.
func (b *Base) AddCaseTx(tx *db.Tx, c Case) (Case, error) { return c, nil }

// RetireCaseTx takes a case out of recall.
func (b *Base) RetireCaseTx(tx *db.Tx, id string, ch Change) error { return nil }

// RetireOriginTx retires the case made from origin, if there is one; tells whether there was.
func (b *Base) RetireOriginTx(tx *db.Tx, source, origin string, ch Change) (bool, error) {
	return false, nil
}

// Case reads a case by id.
func (b *Base) Case(ctx context.Context, id string) (*Case, error) { return nil, nil }

// CaseAt reads a case as it stood at a version.
func (b *Base) CaseAt(ctx context.Context, id string, version int) (*Case, error) { return nil, nil }

// CaseByNumber reads Case #n.
func (b *Base) CaseByNumber(ctx context.Context, n int) (*Case, error) { return nil, nil }

// CaseBySource reads the case made from origin, as FromReview and a decision's id.
func (b *Base) CaseBySource(ctx context.Context, agentID, source, origin string) (*Case, error) {
	return nil, nil
}

// Cases lists cases, newest number first, and the cursor of the next page.
func (b *Base) Cases(ctx context.Context, f Filter) (cases []Case, next string, err error) {
	return nil, "", nil
}

// CaseVersions lists a case's life, newest first.
func (b *Base) CaseVersions(ctx context.Context, id string) ([]Version, error) { return nil, nil }

// Exemplars lists up to n cases that people approved, for the domain or task first, newest first.
func (b *Base) Exemplars(ctx context.Context, f ExemplarFilter, n int) ([]Case, error) {
	return nil, nil
}

// ExemplarFilter narrows Exemplars.
type ExemplarFilter struct {
	AgentID string // own and shared; "" all
	Domain  string
	Task    string
	Not     string // an origin to leave out: the decision that the lesson comes from
}

// Duplicate is a case that says nearly the same.
type Duplicate struct {
	Case       Case
	Similarity float64 // share of word triples in common, 0 to 1
}

// Duplicates lists the near-duplicates linked to a case.
func (b *Base) Duplicates(ctx context.Context, id string) ([]Duplicate, error) { return nil, nil }

// FlaggedDocuments lists active cases of documents that a person should look at.
func (b *Base) FlaggedDocuments(ctx context.Context) ([]Case, error) { return nil, nil }

// Sizes counts what is active.
type Sizes struct {
	Cases, Exemplars, Flagged             int
	ActiveRules, CandidateRules, AllRules int
	BySource                              map[string]int // active cases
}

// Sizes counts the base.
func (b *Base) Sizes(ctx context.Context) (Sizes, error) { return Sizes{}, nil }
