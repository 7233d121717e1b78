package knowledge

import (
	"context"
	"time"

	"github.com/labstack/echo/v4"

	"preceptor/internal/knowledge"
	"preceptor/internal/learning"
	"preceptor/internal/review"
	base "preceptor/views/knowledge"
	lessons "preceptor/views/learning"
	"preceptor/web/hidden"
)

const (
	lifeUses    = 100 // drafts of an item's life that its page lists
	lifeLessons = 5   // lessons that are read with their trials
)

// itemLife is what the pages of rules and cases share.
type itemLife struct {
	shown  []base.Shown
	before int // more drafts before those
	used   int // lately
}

// lifeOf reads which drafts an item was shown to, and what became of them.
func (p *Pages) lifeOf(c echo.Context, itemID string) (l itemLife, err error) {
	ctx := c.Request().Context()
	list, err := p.Knowledge.UsesOf(ctx, itemID, lifeUses)
	if err != nil {
		return l, err
	}
	if len(list) == lifeUses {
		n, err := p.Knowledge.UsesCount(ctx, itemID)
		if err != nil {
			return l, err
		}
		l.before = n - lifeUses
	}
	if list, err = hidden.Without(p.Guard, c, list, func(u knowledge.ItemUse) string {
		return u.InteractionID
	}); err != nil {
		return l, err
	}
	ids := make([]string, len(list))
	for i, u := range list {
		ids[i] = u.InteractionID
	}
	results, err := p.Reviews.Results(ctx, ids)
	if err != nil {
		return l, err
	}
	for _, u := range list {
		s := base.Shown{Use: lessons.Use{InteractionID: u.InteractionID, Version: u.Version, Cited: u.Cited, At: u.At,
			Href: hidden.CaseHref(c, u.InteractionID)}}
		if f, ok := results[u.InteractionID]; ok {
			if s.Result = &f; f.Kind == review.Observed && s.Href != "" {
				s.Href = "/feedback/" + u.InteractionID
			}
		}
		l.shown = append(l.shown, s)
	}
	lately, err := p.Knowledge.UsesSince(ctx, []string{itemID}, p.Now().Add(-base.UsedDays*24*time.Hour))
	l.used = lately[itemID]
	return l, err
}

// withTrials reads the newest lessons whole.
func (p *Pages) withTrials(ctx context.Context, list []learning.Lesson) ([]learning.Lesson, error) {
	for i := max(0, len(list)-lifeLessons); i < len(list); i++ {
		l, err := p.Learning.Get(ctx, list[i].ID)
		if err != nil {
			return nil, err
		}
		list[i] = *l
	}
	return list, nil
}

// acceptedBy is the person whose version put the rule into use first; "" when no person did.
func acceptedBy(newestFirst []knowledge.Version) string {
	for i := len(newestFirst) - 1; i >= 0; i-- {
		if v := newestFirst[i]; v.Status == knowledge.Active && v.By.Kind == "person" {
			return v.By.Name
		}
	}
	return ""
}
