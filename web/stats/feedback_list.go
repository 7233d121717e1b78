package stats

import (
	"context"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/labstack/echo/v4"

	"preceptor/internal/account"
	"preceptor/internal/feedback"
	"preceptor/internal/platform/decimal"
	views "preceptor/views/feedback"
	"preceptor/web/form"
	"preceptor/web/hidden"
	"preceptor/web/render"
	"preceptor/web/session"
)

// CommentsOfUsers is what users wrote about the answers they got.
func (p *Pages) CommentsOfUsers(c echo.Context, in struct {
	feedback.CommentFilter `form:"filter"`
	From                   string `form:"from"`
	To                     string `form:"to"`
}) error {
	v := views.List{Now: p.Now(), From: clipWords(in.From), To: clipWords(in.To), Wrong: map[string]string{}}
	v.Filter = feedback.CommentFilter{Words: clipWords(in.Words), AgentType: clipWords(in.AgentType),
		Topic: clipWords(in.Topic), Sign: form.OneOf(in.Sign, feedback.Signs), Cursor: in.Cursor}
	readDays(&v, p.zone())
	if typed := clipWords(in.Sign); typed != v.Filter.Sign {
		v.Wrong["sign"] = fmt.Sprintf("choose positive, negative or neutral; %q is none of them.", typed)
	}
	ctx := c.Request().Context()
	err := p.listOf(ctx, &v)
	if wrong := form.Errors(err)["cursor"]; wrong != "" {
		v.Wrong["cursor"], v.Filter.Cursor = cutOff, ""
		err = p.listOf(ctx, &v)
	}
	if err != nil {
		return err
	}
	status := http.StatusOK
	if len(v.Wrong) > 0 {
		status = http.StatusUnprocessableEntity
	}
	return render.Status(c, status, views.ListPage(p.Frame(c, "Comments").Broad().Follow(), v))
}

// cutOff is said of a list's address whose place in it can't be read.
const cutOff = "The page number in the address is cut off."

func (p *Pages) listOf(ctx context.Context, v *views.List) (err error) {
	if v.Page, err = p.Feedback.Comments(ctx, v.Filter); err != nil {
		return err
	}
	if v.Agents, err = p.Feedback.AgentTypes(ctx); err != nil {
		return err
	}
	v.Topics, err = p.Feedback.CommentTopics(ctx, v.Filter.AgentType)
	return err
}

// longestWords bounds what a filter takes, in characters.
const longestWords = 200

func clipWords(s string) string {
	s = strings.TrimSpace(strings.ToValidUTF8(s, ""))
	if r := []rune(s); len(r) > longestWords {
		return string(r[:longestWords])
	}
	return s
}

// readDays reads the first and the last day, both of them in it, as days of the desk's zone. A day that can't be read
// leaves the other out, too: half of what was asked for would be taken for the whole.
func readDays(v *views.List, zone *time.Location) {
	day := func(name, text string) (t time.Time) {
		if text == "" {
			return t
		}
		t, err := decimal.Day(text, zone)
		if err != nil {
			v.Wrong[name] = err.Error()
		}
		return t
	}
	v.Filter.From, v.Filter.To = day("from", v.From), day("to", v.To)
	if !v.Filter.To.IsZero() {
		v.Filter.To = v.Filter.To.AddDate(0, 0, 1)
	}
	if !v.Filter.From.IsZero() && !v.Filter.To.IsZero() && !v.Filter.From.Before(v.Filter.To) {
		v.Wrong["to"] = "the first day is after the last."
	}
	if len(v.Wrong) > 0 {
		v.Filter.From, v.Filter.To = time.Time{}, time.Time{}
	}
}

// SubjectShow is one answer with what was said of it.
func (p *Pages) SubjectShow(c echo.Context) error {
	v, err := p.subjectView(c)
	if err != nil {
		return err
	}
	if made := session.TakeOnce[*views.Maker](c); made != nil && v.Maker != nil {
		v.Maker = made
	}
	return p.showSubject(c, http.StatusOK, v)
}

func (p *Pages) showSubject(c echo.Context, status int, v views.One) error {
	return render.Status(c, status, views.OnePage(p.Frame(c, "Feedback on an answer").Broad().Follow(), v))
}

// mostVotes is how many votes on one answer are shown.
const mostVotes = 200

// subjectView gathers the page. What a customer asked and got of reviewed guidance is for supervisors, and for managers
// once it is settled; what an observed agent answered is for all who get here.
func (p *Pages) subjectView(c echo.Context) (v views.One, err error) {
	a := session.Me(c)
	ctx, id := c.Request().Context(), c.Param("id")
	if err := p.MayRead(c, id); err != nil {
		return v, err
	}
	v.Now, v.List = p.Now(), session.Leads(c)
	if v.Subject, err = p.Feedback.Subject(ctx, id); err != nil {
		return v, err
	}
	v.MayRead = a.Has(account.Supervisor) || v.Subject.Kind == feedback.Observed
	if v.Subject.Kind == feedback.Guidance {
		v.Case = hidden.CaseHref(c, id)
	}
	if !v.MayRead && session.Leads(c) {
		e, err := p.evidenceOf(c) // one rule for pages, packs and exports
		if err != nil {
			return v, err
		}
		v.MayRead = e.Refused == ""
	}
	if v.Votes, err = p.Feedback.VotesOf(ctx, id, mostVotes); err != nil {
		return v, err
	}
	if v.Outcomes, err = p.Feedback.Outcomes(ctx, id); err != nil {
		return v, err
	}
	slices.Reverse(v.Outcomes)
	if v.Shown, err = p.Knowledge.Usage(ctx, id); err != nil {
		return v, err
	}
	if v.Examples, err = p.Feedback.UsedBy(ctx, id); err != nil {
		return v, err
	}
	if v.People, err = p.namesOf(ctx, v.Outcomes); err != nil {
		return v, err
	}
	if v.Subject.Released {
		v.Maker = &views.Maker{Days: "14"}
		if a.Has(account.Supervisor) {
			v.Follow = &views.FollowUp{HasDB: p.warns(ctx, v.Subject)}
		}
	}
	return v, nil
}

// namesOf finds the names of colleagues who followed up.
func (p *Pages) namesOf(ctx context.Context, list []feedback.Outcome) (map[string]string, error) {
	if !slices.ContainsFunc(list, func(o feedback.Outcome) bool { return o.Channel == feedback.ChannelDesk }) {
		return nil, nil
	}
	return p.Names(ctx)
}

// warns reports whether a warning on defined benefit pensions was due: for an observed answer nobody knows, and the
// question is asked.
func (p *Pages) warns(ctx context.Context, s feedback.Subject) bool {
	if s.Kind != feedback.Guidance {
		return true
	}
	in, err := p.Interactions.Get(ctx, s.ID)
	return err != nil || in.Consultation.Situation().HoldsDB()
}
