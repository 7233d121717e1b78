package stats

import (
	"context"

	"preceptor/internal/fault"
)

var errLater = fault.New(fault.Unavailable, "These figures can't be read yet.")

// Satisfaction reads the page of votes and outcomes.
func (r *Reader) Satisfaction(ctx context.Context, f Filter) (SatisfactionPage, error) {
	return SatisfactionPage{}, errLater
}

// Review reads the page of the desk.
func (r *Reader) Review(ctx context.Context, f Filter) (ReviewPage, error) {
	return ReviewPage{}, errLater
}

// Mine reads one person's own row of the page of the desk. Every account may see its own.
func (r *Reader) Mine(ctx context.Context, f Filter, personID string) (PersonRow, error) {
	return PersonRow{}, errLater
}

// Compliance reads the page of verdicts and rulings.
func (r *Reader) Compliance(ctx context.Context, f Filter) (CompliancePage, error) {
	return CompliancePage{}, errLater
}

// Learning reads the page of learning.
func (r *Reader) Learning(ctx context.Context, f Filter) (LearningPage, error) {
	return LearningPage{}, errLater
}

// Rows reads the rows behind a figure, newest first. Invalid for a figure or a cursor that there isn't.
func (r *Reader) Rows(ctx context.Context, f Filter, q RowQuery) (RowPage, error) {
	return RowPage{}, errLater
}

// Comments reads the votes with words of a range, newest first: q.Of is "", vote.positive, vote.negative or vote.neutral.
func (r *Reader) Comments(ctx context.Context, f Filter, q RowQuery) (RowPage, error) {
	return RowPage{}, errLater
}

// Choice is one value that a filter takes.
type Choice struct{ Value, Label string }

// Choices are the values that the filters take: what there was any figure of.
type Choices struct{ Agents, Topics, Teams []Choice }

// Choices reads what the filters offer.
func (r *Reader) Choices(ctx context.Context) (Choices, error) { return Choices{}, errLater }
