package feedback

import (
	"context"

	"preceptor/internal/fault"
)

var errLater = fault.New(fault.Unavailable, "Feedback can't be kept yet.")

// Log stores an interaction that an agent reports. Invalid names the fields.
func (b *Book) Log(ctx context.Context, o Observation) (id string, err error) { return "", errLater }

// Vote stores a user's opinion. Invalid names the fields; NotFound for a subject that is absent or another agent's.
func (b *Book) Vote(ctx context.Context, v Vote) (Stored, error) { return Stored{}, errLater }

// AddOutcome stores how it went.
func (b *Book) AddOutcome(ctx context.Context, o Outcome) (id string, err error) { return "", errLater }

// Examples gives active exemplars, best first.
func (b *Book) Examples(ctx context.Context, a Ask) ([]Exemplar, error) { return nil, errLater }

// Subject finds what is judged; NotFound when there is none.
func (b *Book) Subject(ctx context.Context, id string) (Subject, error) { return Subject{}, errLater }

// SubjectFor is Subject for the token of an agent: NotFound, too, when it is another agent's.
func (b *Book) SubjectFor(ctx context.Context, agentID, id string) (Subject, error) {
	return Subject{}, errLater
}
