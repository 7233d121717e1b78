package desk

import (
	"net/http"
	"slices"
	"strings"

	"github.com/labstack/echo/v4"

	"preceptor/internal/account"
	"preceptor/internal/interaction"
	"preceptor/internal/pack"
	"preceptor/internal/platform/fault"
	"preceptor/internal/platform/text"
	"preceptor/internal/review"
	"preceptor/internal/review/reply"
	"preceptor/views/reviews"
	"preceptor/web/form"
	"preceptor/web/render"
	"preceptor/web/session"
)

// RepliesShow shows the saved replies that one may use.
func (p *Pages) RepliesShow(c echo.Context) error {
	return p.showReplies(c, http.StatusOK, reviews.Replies{})
}

func (p *Pages) showReplies(c echo.Context, status int, v reviews.Replies) (err error) {
	v.Viewer, v.Admin = session.Me(c).ID, session.Me(c).Has(account.Admin)
	if v.Items, err = p.Replies.List(c.Request().Context(), v.Viewer); err != nil {
		return err
	}
	return render.Status(c, status, reviews.RepliesPage(p.Frame(c, "Saved replies").At("/reviews"), v))
}

// ReplySave keeps a reply.
func (p *Pages) ReplySave(c echo.Context, in struct {
	ID     string `form:"id"`
	Name   string `form:"name"`
	Text   string `form:"text"`
	Shared bool   `form:"shared"`
}) error {
	r := reply.Reply{ID: in.ID, OwnerID: me(c).ID, OwnerName: me(c).Name, Shared: in.Shared, Name: in.Name,
		Text: in.Text}
	if err := p.Replies.Save(c.Request().Context(), r); err != nil {
		if !form.Again(err) {
			return err
		}
		return p.showReplies(c, fault.KindOf(err).Status(),
			reviews.Replies{Form: r, Errors: form.Errors(err), Message: fault.Message(err)})
	}
	return render.Done(c, reviews.RepliesHref, "Reply saved.")
}

// ReplyDelete forgets a reply.
func (p *Pages) ReplyDelete(c echo.Context) error {
	if err := p.Replies.Delete(c.Request().Context(), me(c).ID, c.Param("id"),
		session.Me(c).Has(account.Admin)); err != nil {
		return err
	}
	return render.Done(c, reviews.RepliesHref, "Reply deleted.")
}

// replies are those that one may put into a text, with what is known of the customer filled in.
func (p *Pages) replies(c echo.Context, v *reviews.Case) (err error) {
	known := reviews.FactsOf(v.In.Consultation.Customer)
	known["my name"] = me(c).Name
	if v.Replies, err = p.Replies.List(c.Request().Context(), v.Viewer); err != nil {
		return err
	}
	for i := range v.Replies {
		v.Replies[i].Text = text.Fill(v.Replies[i].Text, known)
	}
	return nil
}

// written is the text in the form without what comes from a saved reply, and what belongs to this customer: what filled
// the places of one, too.
func (p *Pages) written(c echo.Context, typed string, in *interaction.Interaction) (own string, private []string,
	err error) {
	list, err := p.Replies.List(c.Request().Context(), me(c).ID)
	own, private = reply.Without(list, typed, in.Guidance)
	return own, append(in.Telltale(), private...), err
}

// put adds to the text in the form what was asked for: the approved wording for a flag, or a saved reply.
func (p *Pages) put(c echo.Context, v *reviews.Case, code, replyID string) error {
	words := ""
	for _, r := range v.Replies {
		if r.ID == replyID {
			words = r.Text
		}
	}
	if i := slices.IndexFunc(v.Cuts, func(x reviews.Cut) bool { return x.Key == code }); i >= 0 {
		words, code = v.Cuts[i].Text, ""
	}
	if code != "" {
		ctx := c.Request().Context()
		a, err := p.Reviews.Check(ctx, v.Item.ID, v.Form.Text)
		if err != nil {
			return err
		}
		found, err := p.Reviews.Wordings(ctx, v.Item.ID, v.Form.Text, a.Flags)
		if err != nil {
			return err
		}
		words = found[code]
	}
	if words != "" && !strings.Contains(v.Form.Text, words) {
		v.Form.Text = review.PutIn(v.Form.Text, words, pack.Of(v.In.Consultation.Pack).Frames.Sources)
	}
	return nil
}
