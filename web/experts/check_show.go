package experts

import (
	"context"
	"errors"
	"slices"
	"strconv"

	"github.com/labstack/echo/v4"

	"preceptor/internal/account"
	"preceptor/internal/compliance/checklist"
	"preceptor/internal/pack"
	"preceptor/internal/phrase"
	"preceptor/internal/platform/fault"
	"preceptor/views/accounts"
	"preceptor/views/checks"
	"preceptor/views/ui"
	"preceptor/web/render"
	"preceptor/web/session"
)

// CheckShow shows one check; version asks for another wording than the newest.
func (p *Pages) CheckShow(c echo.Context, in checkInput) error {
	return p.checkPage(c, checkInput{Version: in.Version}, nil)
}

// checkInput is what the forms of a check's page send.
type checkInput struct {
	Version  int    `form:"version"`
	Book     int    `form:"book"`
	On       bool   `form:"on"`
	Source   string `form:"source"`
	Reason   string `form:"reason"`
	Text     string `form:"text"`
	Question string `form:"question"`
}

// checkPage shows a check with what was typed and what was wrong with it.
func (p *Pages) checkPage(c echo.Context, in checkInput, wrong error) error {
	ctx := c.Request().Context()
	check, err := p.Checklist.Get(ctx, c.Param("id"))
	if err != nil {
		return err
	}
	me := session.Me(c)
	v := checks.Show{Check: check, MayWrite: me.Has(account.Expert),
		MayRead: me.Has(account.Expert) || me.Has(account.Supervisor), MayOpen: me.Has(account.Supervisor),
		Errors: accounts.ErrorsOf(wrong), Source: in.Source,
		Reason: in.Reason}
	if check.Asked != nil {
		if v.Waiting, err = p.Approvals.Of(ctx, check.Asked.ID, me.ID); err != nil {
			return err
		}
	}
	if err := p.wordingOf(ctx, &v, in.Version); err != nil {
		return err
	}
	if err := p.checkText(&v, in.Text, in.Question); err != nil {
		return err
	}
	if err := p.checkTrial(ctx, &v, me); err != nil {
		return err
	}
	if v.Disagree, err = p.Reviews.Disagreement(ctx, check.Code(), check.Since()); err != nil {
		return err
	}
	if err := p.checkHistory(ctx, &v); err != nil {
		return err
	}
	return render.Page(c, wrong, checks.ShowPage(p.Frame(c, check.Title()).Broad(), v), fault.Denied, fault.Limited)
}

// wordingOf fills in which wording is looked at, and its examples; of a shipped check its rules.
func (p *Pages) wordingOf(ctx context.Context, v *checks.Show, version int) (err error) {
	if v.Shipped {
		v.Rules = slices.DeleteFunc(pack.Of(pack.Pension).Phrases().Rules(), func(h phrase.Head) bool {
			return h.Code != v.ID
		})
		v.Examples = p.Checklist.ShippedExamples(v.Info)
		return nil
	}
	v.Wording = v.Newest
	if version > 0 {
		if v.Wording, err = p.Checklist.Wording(ctx, v.ID, version); err != nil {
			return err
		}
	}
	v.Version = v.Wording.Version
	if v.Examples, err = v.Wording.Examples(); err != nil && !fault.Is(err, fault.Invalid) {
		return err
	}
	return nil
}

// checkText fills in what the check finds in a text that was typed.
func (p *Pages) checkText(v *checks.Show, text, question string) (err error) {
	if text == "" {
		return nil
	}
	v.Try = checks.TryText{Text: text, Question: question}
	v.Try.Found, err = p.Checklist.Look(v.Check, v.Wording, v.Try.Text, question)
	if fault.Is(err, fault.Invalid) {
		return nil // it can't run any more, and the page says so
	}
	return err
}

func (p *Pages) checkTrial(ctx context.Context, v *checks.Show, me account.Account) (err error) {
	if v.Trial, err = p.Checklist.LastTrial(ctx, v.ID, v.Version); err != nil {
		return err
	}
	if v.MayWrite {
		sources, err := p.Checklist.Sources(ctx)
		if err != nil {
			return err
		}
		for _, s := range sources {
			label := s.Name
			if s.Kind == checklist.Gold {
				label += ", " + ui.Count(s.Items, "text")
			}
			v.Sources = append(v.Sources, ui.Option{Value: s.Value(), Label: label})
		}
		if v.Source == "" && v.Trial != nil {
			v.Source = v.Trial.Source.Value()
		}
	}
	if v.Trial == nil || !v.MayRead {
		return nil
	}
	texts, err := p.Checklist.Texts(ctx, v.Trial)
	if err != nil {
		return err
	}
	tone := v.Tone()
	for _, h := range v.Trial.Hits {
		sample := texts[h.Ref]
		if sample == nil {
			continue // erased since
		}
		s := checks.Shown{Text: sample.Text, Label: h.Label, Kind: h.Kind}
		for _, span := range h.Spans {
			s.Marks = append(s.Marks, checks.Mark(span, tone))
		}
		if v.Trial.Source.Kind == checklist.Desk && me.Has(account.Supervisor) {
			s.Href = "/reviews/" + h.Ref
		}
		v.Texts = append(v.Texts, s)
	}
	return nil
}

// checkHistory joins wordings and switches, the newest first.
func (p *Pages) checkHistory(ctx context.Context, v *checks.Show) error {
	wordings, werr := p.Checklist.Wordings(ctx, v.ID)
	switches, serr := p.Checklist.Switches(ctx, v.ID)
	if err := errors.Join(werr, serr); err != nil {
		return err
	}
	for _, s := range switches {
		at := s.At
		if !s.AnswerAt.IsZero() {
			at = s.AnswerAt
		}
		v.History = append(v.History, checks.Event{At: at, Switch: s})
	}
	for i, w := range wordings {
		e := checks.Event{At: w.At, Wording: w}
		if i+1 < len(wordings) {
			e.Before = wordings[i+1]
		}
		v.History = append(v.History, e)
	}
	slices.SortStableFunc(v.History, func(a, b checks.Event) int { return b.At.Compare(a.At) })
	return nil
}

// CheckText shows what a check finds in a text that an expert typed. The text isn't kept or put into the address.
func (p *Pages) CheckText(c echo.Context, in checkInput) error { return p.checkPage(c, in, nil) }

// CheckTry holds a check against texts.
func (p *Pages) CheckTry(c echo.Context, in checkInput) error {
	if _, err := p.Checklist.Try(c.Request().Context(), c.Param("id"), in.Version, in.Source,
		session.Actor(c)); err != nil {
		return p.checkPage(c, in, err)
	}
	return render.Redirect(c, in.href(c)+"#trial")
}

// href is the page of the check at the wording that the form was about.
func (in checkInput) href(c echo.Context) string {
	to := checks.Href(c.Param("id"))
	if in.Version > 0 {
		to += "?version=" + strconv.Itoa(in.Version)
	}
	return to
}
