package main

import (
	"bufio"
	"cmp"
	"fmt"
	"strings"

	"preceptor/internal/knowledge"
	"preceptor/internal/platform/fault"
	"preceptor/internal/platform/terminal"
)

// promptItem is one item of a past prompt as programs get it.
type promptItem struct {
	Kind    string   `json:"kind"`
	ID      string   `json:"id"`
	Label   string   `json:"label"`
	Version int      `json:"version"`
	Current int      `json:"current"`
	Status  string   `json:"status"`
	Score   float64  `json:"score"`
	Cited   bool     `json:"cited"`
	Changed bool     `json:"changed"`
	Erased  bool     `json:"erased"`
	Why     []string `json:"why"`
}

// promptMessage is one text that a model was sent.
type promptMessage struct {
	Name string `json:"name"`
	Text string `json:"text"`
}

// printPrompt prints the prompt of a past draft as it was. A prompt that is not what was sent is a fault, so that
// scripts find out.
func printPrompt(t *terminal.Terminal, kb *knowledge.Base, interactionID string, asJSON bool) error {
	r, err := kb.Prompt(t.Ctx, interactionID)
	if err != nil {
		return err
	}
	items, messages := []promptItem{}, []promptMessage{}
	for _, it := range r.Items {
		items = append(items, promptItem{it.Kind, it.ID, it.Label, it.Version, it.Current, it.Status, it.Score,
			it.Cited, it.Changed, !it.ErasedAt.IsZero(), append([]string{}, it.Why...)})
	}
	for _, m := range r.Messages {
		messages = append(messages, promptMessage{m.Name, m.Text()})
	}
	if asJSON {
		err = t.JSON(struct {
			Interaction string          `json:"interaction"`
			Drafter     string          `json:"drafter"`
			Recall      string          `json:"recall"`
			RecallHash  string          `json:"recall_sha256"`
			RecallMatch string          `json:"recall_match"`
			PromptHash  string          `json:"prompt_sha256"`
			PromptMatch string          `json:"prompt_match"`
			Items       []promptItem    `json:"items"`
			Messages    []promptMessage `json:"messages"`
		}{r.InteractionID, r.Drafter, r.Block, r.BlockHash, r.BlockMatch, r.PromptHash, r.PromptMatch, items, messages})
	} else {
		err = printPromptText(t, r)
	}
	if err == nil && (r.BlockMatch == knowledge.Different || r.PromptMatch == knowledge.Different) {
		err = fault.New(fault.Conflict, "This is not what was sent: the hash differs.")
	}
	return err
}

func printPromptText(t *terminal.Terminal, r *knowledge.Prompt) error {
	w := bufio.NewWriter(t.Out)
	if len(r.Messages) == 0 {
		fmt.Fprintf(w, "%s\n", strings.TrimRight(r.Block, "\n"))
	}
	for _, m := range r.Messages {
		fmt.Fprintf(w, "--- %s\n%s\n", m.Name, strings.TrimRight(m.Text(), "\n"))
	}
	if err := w.Flush(); err != nil {
		return err
	}
	t.Say("Drafted by %s. Recalled knowledge: %s. Whole prompt: %s.", cmp.Or(r.Drafter, "an agent of your own"),
		matchText(r.BlockMatch), matchText(r.PromptMatch))
	for _, it := range r.Items {
		if it.Changed || it.Status != knowledge.Active {
			t.Say("%s was shown at version %d and is %s at version %d now.", it.Label, it.Version, it.Status,
				it.Current)
		}
	}
	return nil
}

func matchText(match string) string {
	switch match {
	case knowledge.Identical:
		return "identical"
	case knowledge.Erased:
		return "part of it has been erased since"
	case knowledge.Different:
		return "not what was sent"
	}
	return "no hash was stored"
}
