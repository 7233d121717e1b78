package conflict

import (
	"context"

	"preceptor/internal/knowledge"
	"preceptor/internal/rule"
)

// What a comparison of two rules can find.
const (
	FoundDuplicate     = Duplicate
	FoundContradiction = Contradiction
	FoundNarrower      = Superseded // one of them says nothing that the other does not say already
	FoundNothing       = "neither"
)

// Text is a rule as a detector sees it.
type Text struct {
	Principle string // "When [situation], [action] because [reason]"
	Domain    string
	Statement rule.Statement // empty of a rule from before rules were data
	Noticed   bool           // it is a user's wish, in their words
}

// textOfRule is a rule as a detector sees it.
func textOfRule(r knowledge.Rule) Text { return Text{r.Principle, r.Domain, r.Statement, r.Noticed} }

// Finding is what a detector says of a left and a right rule.
type Finding struct {
	Kind       string  // FoundDuplicate, FoundContradiction, FoundNarrower or FoundNothing
	Confidence float64 // 0 to 1
	Why        string  // a sentence for the person who settles it
	Narrower   string  // of FoundNarrower: "left" or "right", the one that adds nothing
	By         string  // who answered
}

// Detector compares two rules. It is called outside any transaction. Embedded and Prompted implement it.
type Detector interface {
	Compare(ctx context.Context, left, right Text) (Finding, error)
	// Name is stored as who answered.
	Name() string
}
