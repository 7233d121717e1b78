package desk

import (
	"github.com/labstack/echo/v4"

	"preceptor/internal/compliance"
	"preceptor/internal/compliance/borderline"
	"preceptor/internal/interaction"
	"preceptor/internal/platform/fault"
	"preceptor/web/render"
	"preceptor/web/session"
)

// ReviewRefer sends the text under review to the compliance experts, with a note.
func (p *Pages) ReviewRefer(c echo.Context, typed deskForm) error {
	if err := session.SameAuthor(c, typed.As); err != nil {
		return err
	}
	ctx, id := c.Request().Context(), c.Param("id")
	item, err := p.Reviews.Get(ctx, id)
	if err != nil {
		return err
	}
	in, err := p.Interactions.Get(ctx, id)
	if err != nil {
		return err
	}
	if interaction.TextHash(item.Text) != typed.TextHash {
		return p.again(c, typed, id, "",
			fault.New(fault.Conflict,
				"The text has changed since you opened it. Nothing was sent."))
	}
	_, err = p.Borderline.Send(ctx,
		borderline.SendInput{Subject: borderline.Subject{Interaction: in, Text: item.Text,
			Verdict: p.verdictOf(c, in, item.Text)}, By: borderline.Person(me(c)), Note: typed.Note})
	if err != nil {
		return p.again(c, typed, id, "", err)
	}
	return render.Done(c, "/reviews/"+id+filterQuery(filter(c)),
		"Sent to the experts. You can still revise or reject it.")
}

// verdictOf is what is known of a text: of a draft the recorded verdict, of another text what the checks and local
// judges say.
func (p *Pages) verdictOf(c echo.Context, in *interaction.Interaction, text string) compliance.Verdict {
	if last, err := p.Compliance.Latest(c.Request().Context(), in.ID); err == nil &&
		last.TextHash == interaction.TextHash(text) {
		return last.Verdict
	}
	return p.Validator.Glance(text, in.Consultation)
}
