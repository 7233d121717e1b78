package desk

import (
	"context"
	"strconv"

	"github.com/labstack/echo/v4"

	"preceptor/internal/advisor"
	"preceptor/internal/interaction"
	"preceptor/internal/knowledge"
	"preceptor/internal/learning"
	"preceptor/internal/review"
	"preceptor/views/comments"
	"preceptor/views/reviews"
	"preceptor/views/stats"
	"preceptor/web/render"
	"preceptor/web/session"
	"preceptor/web/teach"
)

// railLength is how many of my decisions the rail shows.
const railLength = 10

// me is the signed-in person as the desk knows them.
func me(c echo.Context) review.Person {
	a := session.Me(c)
	return review.Person{ID: a.ID, Name: a.Name}
}

// caseView gathers what the page of a case shows.
func (p *Pages) caseView(c echo.Context, id, mode string) (v reviews.Case, err error) {
	ctx, f := c.Request().Context(), filter(c)
	v = reviews.Case{Mode: mode, Viewer: f.Viewer, Filter: filterQuery(f), Now: p.Now(),
		Targets: reviews.DefaultTargets}
	if v.Item, err = p.Reviews.Get(ctx, id); err != nil {
		return v, err
	}
	v.In = v.Item.Interaction
	v.OneWay = !p.Reviews.Returnable(v.In)
	if err := p.assignable(c, &v); err != nil {
		return v, err
	}
	for _, part := range []func(context.Context, *reviews.Case) error{
		p.experts, p.assessed, p.rounds, p.typedBefore, p.plantedCheck,
	} {
		if err := part(ctx, &v); err != nil {
			return v, err
		}
	}
	if v.Escalated, err = p.Escalations.Of(ctx, id); err != nil {
		return v, err
	}
	if v.Thread, err = p.Reviews.Thread(ctx, &v.Item.Row); err != nil {
		return v, err
	}
	if v.History, err = p.Interactions.History(ctx, id); err != nil {
		return v, err
	}
	talk, err := p.commentsOf(c, id)
	if err != nil {
		return v, err
	}
	v.Comments = comments.Block(talk)
	used, err := p.told(ctx, &v, v.Item.Text)
	if err != nil {
		return v, err
	}
	if v.Issues, err = p.Signals.IssuesOf(ctx, v.In.AgentID, id); err != nil {
		return v, err
	}
	if v.Cuts, err = p.cuts(ctx, v, used); err != nil {
		return v, err
	}
	if err := p.asked(ctx, &v); err != nil {
		return v, err
	}
	if err := p.placed(c, &v, f); err != nil {
		return v, err
	}
	if mode == reviews.ModeRevise {
		err = p.replies(c, &v)
	} else if !v.Decided() {
		v.Wording, err = p.Reviews.Wordings(ctx, id, v.Item.Text, v.Flags)
	}
	if err != nil {
		return v, err
	}
	v.Lesson, err = p.lessonOf(ctx, v.Item)
	return v, err
}

// told adds what the drafter has to say of a text, and what it was shown.
func (p *Pages) told(ctx context.Context, v *reviews.Case, text string) (used []knowledge.UsedItem, err error) {
	if used, err = p.Knowledge.Usage(ctx, v.Item.ID); err != nil {
		return nil, err
	}
	v.Knowledge, v.Notes = known(used), advisor.Told(v.In, used, text)
	v.Moved = knowledge.ChangedSince(used)
	v.Unanswered, err = p.Unanswered.Listed(ctx, v.Item.ID)
	return used, err
}

// experts adds where they stand on the text under review.
func (p *Pages) experts(ctx context.Context, v *reviews.Case) error {
	all, err := p.Borderline.Standings(ctx, []string{v.Item.ID})
	if v.Expert = all[v.Item.ID][v.Item.TextHash]; err == nil && v.Expert.Unresolved {
		v.Said, err = p.Borderline.LastWords(ctx, v.Expert.CaseID)
	}
	return err
}

// placed adds what changes with every decision: where the case stands among its neighbours, and my last decisions.
func (p *Pages) placed(c echo.Context, v *reviews.Case, f review.Filter) error {
	n, err := p.Reviews.Neighbours(c.Request().Context(), v.Item.ID, f)
	if err != nil {
		return err
	}
	v.Pos, v.Total, v.Prev, v.Next = n.Pos, n.Total, n.Prev, n.Next
	v.Rail, err = p.rail(c)
	return err
}

// assessed adds what the check says of the text under review. Of the draft that is known; any other text is checked
// now.
func (p *Pages) assessed(ctx context.Context, v *reviews.Case) (err error) {
	v.Assessment, v.Form.Text = v.Item.Assessment, v.Item.Text
	if v.Item.Base != nil || reviews.PointsNowhere(v.Assessment) { // what weighs most isn't kept
		if v.Assessment, err = p.Reviews.Check(ctx, v.Item.ID, v.Item.Text); err != nil {
			return err
		}
	}
	v.Flags = v.Assessment.Flags
	return nil
}

// rounds adds what happened to this question before and after: what was delivered and recalled, which version was sent
// back, which answers it anew.
func (p *Pages) rounds(ctx context.Context, v *reviews.Case) error {
	if v.Item.Correcting || v.In.Revises != "" {
		if err := p.before(ctx, v, v.In); err != nil {
			return err
		}
	}
	if v.Sent != nil {
		var err error
		if v.Told, err = p.Delivery.Of(ctx, v.In.AgentID, v.Item.ID); err != nil {
			return err
		}
	}
	if v.In.Status == interaction.Returned {
		newer, err := p.Interactions.RevisedBy(ctx, v.Item.ID)
		if err != nil {
			return err
		}
		if newer != "" {
			v.Newer = &reviews.Version{ID: newer}
		}
	}
	return nil
}

// before adds what went out of a version and of those before it, and their history.
func (p *Pages) before(ctx context.Context, v *reviews.Case, in *interaction.Interaction) error {
	if in.Revises != "" {
		earlier, err := p.Interactions.Get(ctx, in.Revises)
		if err != nil {
			return err
		}
		if err := p.before(ctx, v, earlier); err != nil {
			return err
		}
		events, err := p.Interactions.History(ctx, in.Revises)
		if err != nil {
			return err
		}
		v.Earlier = append(v.Earlier, events...)
	}
	list, err := p.Reviews.DecisionsFor(ctx, in.ID)
	for i, d := range list {
		switch {
		case d.State == review.Recalled:
			v.Out = append(v.Out, d)
			if in == v.In {
				v.Sent = &list[i]
			}
		case d.State == review.Returned && in.ID == v.In.Revises:
			v.Older = &reviews.Version{ID: in.ID, Note: d.Reason, By: d.By.Name, At: d.DecidedAt}
		}
	}
	return err
}

// typedBefore puts what I typed earlier back into the form that is open, and lists the rest: in the plain page all of
// it, in a form only what was typed for a text that changed since.
func (p *Pages) typedBefore(ctx context.Context, v *reviews.Case) error {
	list, err := p.Reviews.Drafts(ctx, v.Item.ID, review.Person{ID: v.Viewer})
	if err != nil {
		return err
	}
	for _, d := range list {
		switch {
		case d.Version == v.Item.Version && d.Mode == v.Mode:
			v.Form = formOf(d, v.Form.Text)
			v.Saved = d.SavedAt
		case len(v.Typed) < 3 && (v.Mode == "" || d.Version != v.Item.Version):
			v.Typed = append(v.Typed, d)
		}
	}
	return nil
}

// formOf is a form as it was typed; one without a text means the text under review.
func formOf(d review.Draft, text string) reviews.Form {
	if d.Text != "" {
		text = d.Text
	}
	f := reviews.Form{Text: text, Reason: d.Reason, ReasonCode: d.ReasonCode, Feedback: d.Feedback,
		Arguments: d.Arguments}
	f.Teach, _ = teach.Kept(d.Stated)
	f.SetOverrulings(d.Overrule)
	return f
}

// plantedCheck says of a seeded check that is closed what was wrong with it; until then it is a case like any other.
func (p *Pages) plantedCheck(ctx context.Context, v *reviews.Case) error {
	if !v.Item.Planted || v.Item.Decision == nil || v.Item.Decision.State != review.Closed {
		return nil
	}
	found, err := p.Planted.ForCase(ctx, v.Item.ID)
	if err != nil || len(found) == 0 {
		return err
	}
	v.Planted = stats.Verdict(found[0])
	return nil
}

// taught reports whether the desk may show what is learned from a decision in this state. While it can be taken back,
// and when it was, it may not: nothing is learned from a seeded check, so the lack of a lesson would tell it in time.
func taught(state string) bool {
	return state != review.Held && state != review.Pending && state != review.Undone
}

// lessonOf is what is being learned from the decision that stands; nil when there is none, or none that may be shown
// yet.
func (p *Pages) lessonOf(ctx context.Context, item *review.Item) (*learning.Lesson, error) {
	if item.Decision == nil || !taught(item.Decision.State) {
		return nil, nil
	}
	list, err := p.Learning.ForInteraction(ctx, item.ID)
	if err != nil {
		return nil, err
	}
	for i := range list {
		if list[i].DecisionID == item.Decision.ID {
			return &list[i], nil
		}
	}
	return nil, nil
}

// known is what the advisor was shown, as the page lists it.
func known(used []knowledge.UsedItem) []reviews.Known {
	out := make([]reviews.Known, len(used))
	for i, u := range used {
		out[i] = reviews.Known{Kind: u.Kind, Label: u.Label + " v" + strconv.Itoa(u.Version), Text: u.Text, Why: u.Why,
			Href: reviews.UsedHref(u)}
		switch {
		case u.Status != knowledge.Active:
			out[i].Stale = u.Status + " since"
		case u.Outdated:
			out[i].Stale = "changed at the source, not yet reviewed"
		case u.Changed:
			out[i].Stale = "changed since"
		}
	}
	return out
}

// cuts are the sentences that our advisor left out of what it cites, while they can be put back.
func (p *Pages) cuts(ctx context.Context, v reviews.Case, used []knowledge.UsedItem) (out []reviews.Cut, err error) {
	if v.Decided() {
		return nil, nil
	}
	list, err := p.Advisor.Cuts(ctx, v.In, used, v.Item.Text)
	for i, x := range list {
		out = append(out, reviews.Cut{Cut: x, Key: "cut-" + strconv.Itoa(i)})
	}
	return out, err
}

// rail is what I decided lately.
func (p *Pages) rail(c echo.Context) (reviews.Rail, error) {
	ctx := c.Request().Context()
	list, err := p.Reviews.Recent(ctx, me(c), railLength)
	if err != nil {
		return reviews.Rail{}, err
	}
	r := reviews.Rail{Now: p.Now(), Viewer: session.Me(c).ID, Filter: filterQuery(filter(c)),
		Items: make([]reviews.RailItem, len(list))}
	for i, d := range list {
		r.Items[i].Decision = d
		if d.State == review.Held || d.State == review.Pending {
			at := d.SignedAt(r.Viewer)
			if r.Items[i].WroteAgain, err = p.Reviews.WroteSince(ctx, d.InteractionID, at); err != nil {
				return r, err
			}
		}
		if !taught(d.State) {
			continue
		}
		lessons, err := p.Learning.ForInteraction(ctx, d.InteractionID)
		if err != nil {
			return r, err
		}
		for j := range lessons {
			if lessons[j].DecisionID == d.ID {
				r.Items[i].Lesson = &lessons[j]
			}
		}
	}
	return r, nil
}

// showCase draws a case; the frame follows what changes.
func (p *Pages) showCase(c echo.Context, status int, v reviews.Case) error {
	return render.Status(c, status,
		reviews.CasePage(p.Frame(c, caseTitle(v)).At("/reviews/"+v.Item.ID).Broad().Follow("comments"), v))
}

func caseTitle(v reviews.Case) string {
	if v.Item.Who == "" {
		return reviews.TaskLabel(v)
	}
	return reviews.TaskLabel(v) + ", " + v.Item.Who
}
