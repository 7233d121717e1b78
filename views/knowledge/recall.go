package knowledge

import (
	"fmt"
	"strings"
	"time"

	"preceptor/internal/knowledge"
	"preceptor/views/ui"
)

// Recall is the prompt of a past draft as it was.
type Recall struct {
	*knowledge.Prompt
	Case     string // the page of its review; "" where the viewer has none
	MayOpen  bool   // what its customer said
	Evidence bool   // its evidence pack
	Now      time.Time
}

// matchBadge says how a kept text compares with what was sent.
func matchBadge(match string) (ui.Tone, string, string) {
	switch match {
	case knowledge.Identical:
		return ui.Green, "check", "identical, byte for byte"
	case knowledge.Erased:
		return ui.Amber, "info", "can't be compared: a part was erased"
	case knowledge.Different:
		return ui.Red, "warn", "not what was sent"
	default:
		return ui.Neutral, "info", "no hash was kept"
	}
}

// matchWords explains a match in a sentence.
func matchWords(match string) string {
	switch match {
	case knowledge.Identical:
		return "The text as it was saved. Its hash matches the one saved when the draft was made."
	case knowledge.Erased:
		return "Erased texts are marked. The rest is unchanged."
	case knowledge.Different:
		return "The saved prompt doesn't match the hash of what was sent. Tell your administrator: a permanent " +
			"record has been changed."
	default:
		return "This agent writes its own prompts, or the draft was made before prompts were saved. This is what the " +
			"records say it was given."
	}
}

// since says how an item stands now; "" when it is as it was.
func since(it knowledge.UsedItem) string {
	switch {
	case !it.ErasedAt.IsZero():
		return "erased on " + day(it.ErasedAt)
	case it.Status != knowledge.Active:
		return knowledge.StatusWords(it.Status) + " since"
	case it.Changed:
		return fmt.Sprintf("changed since, in version %d", it.Current)
	}
	return ""
}

// whyOf is why an item was chosen. What it took from the customer's own words is for those alone who may read the case.
func (v Recall) whyOf(it knowledge.UsedItem) []string {
	if v.MayOpen {
		return it.Why
	}
	out := make([]string, len(it.Why))
	for i, w := range it.Why {
		out[i] = w
		if strings.HasPrefix(w, "applies: ") || strings.HasPrefix(w, "its situation applies") {
			// the latter was written before rules were data
			out[i] = "applies"
		}
	}
	return out
}

// told is a part of a message as the person may see it.
func (v Recall) told(p knowledge.Part) string {
	if p.Own && !v.MayOpen && !p.Erased {
		return fmt.Sprintf("[the customer's part: %s]", ui.Count(len([]rune(p.Text)), "character", "characters"))
	}
	return p.Text
}

// textOf is a message as the person may see it.
func (v Recall) textOf(m knowledge.Message) string {
	var b strings.Builder
	for _, p := range m.Parts {
		b.WriteString(v.told(p))
	}
	return b.String()
}

// asked sums up how the knowledge was asked for.
func (v Recall) asked() string {
	how := "words and meaning"
	switch {
	case v.Mode == knowledge.Seed:
		how = "meaning alone"
	case v.Embedder == "":
		how = "words alone"
	}
	if v.Embedder != "" {
		how += " (" + v.Embedder + ")"
	}
	return how
}

func short(hash string) string { return hash[:min(16, len(hash))] }
