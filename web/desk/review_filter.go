package desk

import (
	"net/http"
	"net/url"
	"strings"

	"github.com/labstack/echo/v4"

	"preceptor/internal/interaction"
	"preceptor/internal/platform/fault"
	"preceptor/internal/review"
	"preceptor/views/reviews"
	"preceptor/web/form"
	"preceptor/web/session"
)

// filter is the part of the queue that somebody works through, kept from page to page as the query "agent=…&task=…", or
// in the hidden field filter of a form. What can't be read is left out: an old link leads to a list, not to an error.
func filter(c echo.Context) review.Filter {
	var f review.Filter
	fields, err := form.Values(c)
	if kept, ok := fields["filter"]; ok {
		fields, err = url.ParseQuery(strings.TrimPrefix(kept[0], "?"))
	} else if c.Request().Method == http.MethodPost {
		fields = c.QueryParams()
	}
	if err == nil {
		err = form.Decode(fields, &f)
	}
	if err != nil {
		f = review.Filter{}
	}
	f.State = form.OneOf(f.State, []string{review.Others, review.Signed, review.All, review.Done, review.Ended})
	f.Age, f.Eyes = form.OneOf(f.Age, []string{review.Fresh, review.Aging, review.Late}),
		form.OneOf(f.Eyes, []string{review.TwoEyes, review.Once})
	f.Skips = form.OneOf(f.Skips, []string{review.ToMe})
	f.Urgency, f.Channel = form.OneOf(f.Urgency, interaction.Urgencies), form.OneOf(f.Channel, interaction.Channels)
	if f.State == "" {
		f.State = review.Needs
		if f.Assigned == "" { // nobody has one of these open: an older filter means whose they are
			f.Assigned = f.Reviewer
		}
		f.Reviewer = ""
	}
	f.Search, f.Viewer, f.AllPlanted = form.Search(f.Search), session.Me(c).ID, session.Leads(c)
	return f
}

// filterQuery is a filter as the end of an address; empty when nothing is filtered.
func filterQuery(f review.Filter) string { return reviews.FilterQuery(f) }

// savedFilter is what is done with a filter under a name.
type savedFilter struct {
	Act  string `form:"act"`
	Name string `form:"name"`
	Team string `form:"team"`
}

// FilterSave keeps the filter in force under a name.
func (p *Pages) FilterSave(c echo.Context, in savedFilter) error {
	f := filter(c)
	saved, err := p.Reviews.SaveFilter(c.Request().Context(), me(c), review.SavedFilter{
		Name: in.Name, Team: in.Team, Query: reviews.FilterValues(f).Encode()})
	if err != nil {
		return p.queueAgain(c, reviews.Bulk{}, err)
	}
	return p.backToQueue(c, f, "Filter saved as “"+saved.Name+"”.")
}

// ColumnsSave chooses which fields of agents' metadata the lists show.
func (p *Pages) ColumnsSave(c echo.Context, in struct {
	Columns string `form:"columns"`
}) error {
	if err := p.Reviews.SetColumns(c.Request().Context(), me(c), in.Columns); err != nil {
		return p.queueAgain(c, reviews.Bulk{}, err)
	}
	return p.backToQueue(c, filter(c), "Columns saved.")
}

// FilterChange renames, shares, pins or deletes a saved filter.
func (p *Pages) FilterChange(c echo.Context, in savedFilter) error {
	ctx, by, id, f := c.Request().Context(), me(c), c.Param("id"), filter(c)
	var err error
	said := ""
	switch in.Act {
	case "rename":
		err, said = p.Reviews.RenameFilter(ctx, by, id, in.Name), "Filter renamed."
	case "share":
		err, said = p.Reviews.ShareFilter(ctx, by, id, in.Team), "Filter sharing updated."
	case "pin":
		err, said = p.Reviews.PinFilter(ctx, by, id), "Your queue now opens with this filter."
	case "unpin":
		err, said = p.Reviews.PinFilter(ctx, by, ""), "Your queue now opens with everything that needs review."
	case "delete":
		err, said = p.Reviews.DeleteFilter(ctx, by, id), "Filter deleted. No reviews were changed."
	default:
		err = fault.New(fault.Invalid, "We don't recognise that button. Go back and use one on the page.")
	}
	if err != nil {
		return p.queueAgain(c, reviews.Bulk{}, err)
	}
	return p.backToQueue(c, f, said)
}

// backToQueue says what was done and shows the list again.
func (p *Pages) backToQueue(c echo.Context, f review.Filter, said string) error {
	if err := session.Flash(c, said); err != nil {
		return err
	}
	to := "/reviews" + filterQuery(f)
	if to == "/reviews" {
		to += "?all=yes" // not to what is pinned
	}
	return c.Redirect(http.StatusSeeOther, to)
}
