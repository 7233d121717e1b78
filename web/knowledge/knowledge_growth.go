package knowledge

import (
	"context"
	"time"

	"github.com/labstack/echo/v4"

	base "preceptor/views/knowledge"
	"preceptor/web/render"
)

// KnowledgeMore leads to what one looks at now and then.
func (p *Pages) KnowledgeMore(c echo.Context) error {
	return render.Page(c, nil, base.MorePage(p.Frame(c, "More").Broad().Follow()))
}

// growthSteps are the lengths of periods in days, and growthMost how many a chart has room for.
var growthSteps = []int{1, 7, 28, 91, 364}

const growthMost = 100

// KnowledgeGrowth is the size of the base over time.
func (p *Pages) KnowledgeGrowth(c echo.Context) error {
	v, err := p.growth(c.Request().Context())
	if err != nil {
		return err
	}
	return render.Page(c, nil, base.GrowthPage(p.Frame(c, "Growth").Broad().Follow(), v))
}

func (p *Pages) growth(ctx context.Context) (base.Growth, error) {
	v := base.Growth{}
	from, err := p.Knowledge.Beginning(ctx)
	if err != nil || from.IsZero() {
		return v, err
	}
	const day = 24 * time.Hour
	from = from.UTC().Truncate(day)
	days := int(p.Now().Sub(from)/day) + 1
	step := growthSteps[len(growthSteps)-1]
	for _, s := range growthSteps {
		if days/s < growthMost {
			step = s
			break
		}
	}
	n := (days + step - 1) / step
	length := time.Duration(step) * day
	sizes, err := p.Knowledge.Growth(ctx, from, length, n)
	if err != nil {
		return v, err
	}
	decided, err := p.Stats.Decided(ctx, from, length, n)
	if err != nil {
		return v, err
	}
	all, approved := 0, 0
	for i, s := range sizes {
		all, approved = all+decided[i].All, approved+decided[i].Approved
		end := from.Add(time.Duration(i+1)*length - day)
		if end.After(p.Now()) {
			end = p.Now()
		}
		v.Points = append(v.Points, base.GrowthPoint{End: end, Size: s, Consultations: all, Succeeded: approved})
	}
	return v, nil
}
