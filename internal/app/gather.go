package app

import (
	"context"
	"encoding/json"
	"strings"
	"unicode/utf8"

	"preceptor/internal/dataset"
	"preceptor/internal/interaction"
	"preceptor/internal/pack"
)

// gatherLooked bounds how many of the newest drafts are looked through for decided ones.
const gatherLooked = 5000

// gather finds what a gold set can take from the desk and from borderline rulings. Of the customer only what a label
// can hang on comes along: age, pensions, literacy, vulnerability and goal; names and numbers are replaced in all
// texts.
func (a *App) gather(ctx context.Context, g dataset.Gathering) ([]dataset.NewItem, int, error) {
	if g.Source == dataset.FromRuling {
		return a.gatherRuled(ctx, g)
	}
	return a.gatherDecided(ctx, g)
}

// gatherDecided are drafts that people decided on, as their agents wrote them, without what was decided: a supervisor's
// decision is about more than the line, and labels are given blind.
func (a *App) gatherDecided(ctx context.Context, g dataset.Gathering) (items []dataset.NewItem, others int, err error) {
	filter, looked := interaction.Filter{Limit: 100}, 0
	for {
		page, err := a.Interactions.List(ctx, filter)
		if err != nil {
			return nil, 0, err
		}
		for i := range page.Items {
			in := &page.Items[i]
			if looked++; in.CreatedAt.Before(g.Since) || len(items) == g.Most || looked > gatherLooked {
				return items, others, nil
			}
			if in.Planted || in.Guidance == "" || !in.ErasedAt.IsZero() {
				continue
			}
			how, err := a.lastDecided(ctx, in.ID)
			if err != nil {
				return nil, 0, err
			}
			switch {
			case how == "":
			case pack.Of(in.Consultation.Pack).Name != g.Pack:
				others++
			default:
				items = append(items, a.goldItem(in, in.Guidance, dataset.FromReview, in.ID))
			}
		}
		if filter.Cursor = page.Next; filter.Cursor == "" {
			return items, others, nil
		}
	}
}

// gatherRuled are texts that experts ruled on as borderline cases, with the ruling where it is wanted.
func (a *App) gatherRuled(ctx context.Context, g dataset.Gathering) (items []dataset.NewItem, others int, err error) {
	ruled, others, err := a.Borderline.RuledSince(ctx, g.Pack, g.Since, g.Most)
	if err != nil {
		return nil, 0, err
	}
	for _, c := range ruled {
		in, err := a.Interactions.Get(ctx, c.InteractionID)
		if err != nil {
			return nil, 0, err
		}
		if in.Planted || !in.ErasedAt.IsZero() {
			continue
		}
		item := a.goldItem(in, c.Text, dataset.FromRuling, c.Ruling.ID)
		if g.Final {
			why, _ := a.Privacy.Pseudonymise(c.Ruling.Rationale, in.Consultation.Customer.Personal()...)
			item.Final = &dataset.Answer{Label: string(c.Ruling.Label), Boundary: c.Boundary(), Rationale: why}
			for _, m := range c.Codes() {
				issue := dataset.Issue{Code: m.Code}
				if at := strings.Index(item.Guidance, m.Quote); m.Quote != "" && at >= 0 {
					issue.Start = utf8.RuneCountInString(item.Guidance[:at])
					issue.End = issue.Start + utf8.RuneCountInString(m.Quote)
				}
				item.Final.Issues = append(item.Final.Issues, issue)
			}
			item.FinalWhy, item.FinalBy = dataset.WhyRuling, c.Ruling.By.Name
		}
		items = append(items, item)
	}
	return items, others, nil
}

// between parts texts that are made safe together, so that one name has one token in all of them.
const between = "\n\x1f\n"

func (a *App) goldItem(in *interaction.Interaction, text, source, sourceID string) dataset.NewItem {
	c := in.Consultation
	words := []string{text, c.Question, c.Customer.Goal}
	for _, p := range c.Customer.Pensions {
		words = append(words, strings.Join(p.Features, "\n"))
	}
	for _, m := range c.Messages {
		words = append(words, m.Text)
	}
	safe, _ := a.Privacy.Pseudonymise(strings.Join(words, between), c.Customer.Personal()...)
	parts := strings.Split(safe, between)
	if len(parts) != len(words) {
		// a text brought the sign itself: nothing can be told apart, so nothing but the text comes
		only, _ := a.Privacy.Pseudonymise(text, c.Customer.Personal()...)
		return dataset.NewItem{Text: dataset.Text{Guidance: only}, Source: source, SourceID: sourceID}
	}
	who := interaction.Customer{Age: c.Customer.Age, Literacy: c.Customer.Literacy, Vulnerable: c.Customer.Vulnerable,
		Goal: parts[2]}
	for i, p := range c.Customer.Pensions {
		if p.Features = nil; parts[3+i] != "" {
			p.Features = strings.Split(parts[3+i], "\n")
		}
		who.Pensions = append(who.Pensions, p)
	}
	item := dataset.NewItem{Text: dataset.Text{Question: parts[1], Guidance: parts[0]}, Source: source,
		SourceID: sourceID}
	for i, m := range c.Messages {
		m.Text = parts[3+len(c.Customer.Pensions)+i]
		item.Messages = append(item.Messages, m)
	}
	if b, err := json.Marshal(who); err == nil { // a customer that can't be written was never stored
		item.Customer = b
	}
	return item
}
