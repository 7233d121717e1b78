package knowledge

import (
	"context"

	base "preceptor/views/knowledge"
)

// knowledgeTabs counts what stands behind the tabs of /knowledge. A count that can't be read is left out: no page fails for it.
func (p *Pages) knowledgeTabs(ctx context.Context) base.TabCounts {
	n := base.NoCounts
	s, err := p.Knowledge.Sizes(ctx)
	if err != nil {
		p.Log.Warn("count knowledge", "error", err.Error())
		return n
	}
	n.Rules, n.Cases, n.Documents, n.Quarantine = s.ActiveRules, s.Cases, s.Flagged, s.QuarantinedRules
	due, err := p.Knowledge.CountDue(ctx)
	if err != nil {
		p.Log.Warn("count reviews due", "error", err.Error())
	}
	n.Quarantine += due
	open, err := p.Conflicts.Counts(ctx)
	if err != nil {
		p.Log.Warn("count conflicts", "error", err.Error())
		return n
	}
	n.Conflicts = open.Open
	return n
}
