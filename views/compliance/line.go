package compliance

import (
	"time"

	"preceptor/internal/approval"
	"preceptor/internal/compliance/borderline"
	"preceptor/internal/compliance/rubric"
	"preceptor/views/layout"
)

// Line is the page of a pack's rubric or taxonomy.
type Line struct {
	Kind     string
	Pack     string
	Now      time.Time
	Editions []approval.Change // newest first
	Viewer   borderline.Viewer
	Waiting  approval.Waiting // what is proposed
	Edit     bool
	Text     string // of the form
	Reason   string
	Errors   map[string]string
	Message  string
}

func (v Line) inForce() approval.Change {
	for _, e := range v.Editions {
		if e.InForce() {
			return e
		}
	}
	return approval.Change{Kind: v.Kind}
}

func (v Line) proposed() *approval.Change {
	for i := range v.Editions {
		if v.Editions[i].State == approval.Proposed {
			return &v.Editions[i]
		}
	}
	return nil
}

func (v Line) title() string {
	if v.Kind == rubric.TaxonomyKind {
		return "Issues"
	}
	return "Guidance boundary"
}

// tab is the one of the standards that the page stands under.
func (v Line) tab() string {
	if v.Kind == rubric.TaxonomyKind {
		return layout.TabIssues
	}
	return layout.TabRubric
}

// kinds are the issues of an edition of the taxonomy, as far as they can be read.
func kinds(e approval.Change) []rubric.IssueKind {
	t, err := rubric.ReadTaxonomy(e.Payload)
	if err != nil {
		return nil
	}
	return t.Issues
}
