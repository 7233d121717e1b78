package knowledge

import (
	"preceptor/internal/knowledge"
	"preceptor/views/statement"
)

// RuleEdit is a rule in the form by which it is changed.
type RuleEdit struct {
	Rule    *knowledge.Rule // as it stands
	Typed   knowledge.RuleEdit
	Teach   *statement.Editor
	Errors  map[string]string
	Message string
	Changed bool // meanwhile, by somebody else
}

// mayGoBack reports whether the page offers to go back to a version.
func (v Rule) mayGoBack(ver knowledge.Version) bool {
	return v.MaySettle && ver.Version != v.Rule.Version && ver.ErasedAt.IsZero() && v.Rule.ErasedAt.IsZero() &&
		v.Rule.Status != knowledge.Candidate
}

// mayEdit reports whether the page offers to change the rule.
func (v Rule) mayEdit() bool {
	return v.MaySettle && (v.Rule.Status == knowledge.Active || v.Rule.Status == knowledge.Quarantined)
}

func (v Rule) backError(ver knowledge.Version) string {
	if v.RollbackTo == ver.Version {
		return v.Errors["rollback"]
	}
	return ""
}

func (v Rule) backReason(ver knowledge.Version) string {
	if v.RollbackTo == ver.Version {
		return v.RollbackReason
	}
	return ""
}
