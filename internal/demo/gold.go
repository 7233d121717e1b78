package demo

import (
	"bufio"
	"bytes"
	"context"
	_ "embed"
	"encoding/json"
	"fmt"
	"hash/fnv"
	"time"

	"preceptor/internal/account"
	"preceptor/internal/dataset"
	"preceptor/internal/dataset/version"
	"preceptor/internal/platform/lists"
)

// goldName is the demo's gold set.
const goldName = "Guidance line, autumn"

//go:embed gold.jsonl
var goldItems []byte

// goldItem is one text of the gold set, with the label that its author meant.
type goldItem struct {
	ID       string          `json:"id"`
	Family   string          `json:"family"`
	Customer json.RawMessage `json:"customer"`
	Question string          `json:"question"`
	Guidance string          `json:"guidance"`
	Label    string          `json:"label"`
	Codes    []string        `json:"codes"`
	Note     string          `json:"note"`
	Left     bool            `json:"left"` // for the newcomer to label
}

// experts who label, and the one who rules where they differ.
const labellers = 2

// gold has two experts label a set, a third rule on most of what they dispute, a version frozen, and the judges
// measured on it. Some items are left open, and some disputes.
func (w *Filling) gold(ctx context.Context) error {
	if w.Datasets == nil || w.Versions == nil {
		return nil
	}
	people := w.goldPeople()
	if len(people) <= labellers {
		return nil
	}
	items, err := readGold()
	if err != nil {
		return err
	}
	set := dataset.DefaultSettings()
	set.Name, set.CheckShare = goldName, 0
	set.Description = "Replies to customers' questions, written for this demo, with and without breaches of the " +
		"guidance line."
	set.Purpose = "To measure the checks and the judges against experts."
	set.Guidelines = "Read the **question** first.\n\n1. *Compliant*: it informs, declines to choose, or points to " +
		"regulated advice.\n2. *Borderline*: a softened steer, an example provider, understanding not checked.\n3. " +
		"*Not compliant*: a choice presented as right for this customer, or something that must be said is " +
		"missing.\n\nMark the words that decided it."
	set.Licence = "Apache-2.0"
	d, err := w.Datasets.Create(ctx, set, people[labellers])
	if err != nil {
		return err
	}
	fresh := lists.Map(items, func(it goldItem) dataset.NewItem {
		return dataset.NewItem{Text: dataset.Text{Customer: it.Customer, Question: it.Question, Guidance: it.Guidance},
			ExternalID: it.ID, Group: it.Family, Source: dataset.ByHand}
	})
	made, err := w.Datasets.Add(ctx, d.ID, fresh, people[labellers])
	if err != nil {
		return err
	}
	byID := map[string]goldItem{}
	for i, it := range items {
		byID[made[i].ID] = it
	}
	for n := range labellers {
		if err := w.goldLabels(ctx, d.ID, byID, n, people[n]); err != nil {
			return err
		}
	}
	disputed := 0
	for i, it := range items {
		if it.Left || said(it, 0) == said(it, 1) {
			continue
		}
		if disputed++; disputed%4 == 0 {
			continue // left for the newcomer to rule on
		}
		if err := w.goldRuling(ctx, made[i].ID, it, people[labellers]); err != nil {
			return fmt.Errorf("rule on %s: %w", it.ID, err)
		}
	}
	w.clock.Set(w.clock.Now().Add(dataset.UndoFor + time.Minute))
	if _, err := w.Versions.Freeze(ctx, d.ID,
		version.Options{By: people[labellers], Note: "The first labelled part."}); err != nil {
		return err
	}
	if w.Measure != nil {
		return w.Measure(ctx, d.ID)
	}
	return nil
}

func (w *Filling) goldPeople() (people []dataset.Person) {
	for _, a := range w.Made.Accounts {
		if a.Has(account.Expert) {
			people = append(people, dataset.Person{ID: a.ID, Name: a.Name})
		}
	}
	return people
}

// goldLabels has the n-th expert label what comes to them; what is for the newcomer is passed over, and comes back.
func (w *Filling) goldLabels(ctx context.Context, datasetID string, items map[string]goldItem, n int,
	who dataset.Person) error {
	for {
		work, err := w.Datasets.Next(ctx, datasetID, who)
		if err != nil {
			return err
		}
		if work.Now == nil {
			_, err = w.Datasets.Unskip(ctx, datasetID, who)
			return err
		}
		it := items[work.Now.ItemID]
		if it.Left {
			if err := w.Datasets.Skip(ctx, work.Now.ItemID, who, "Later"); err != nil {
				return err
			}
			continue
		}
		w.clock.Set(w.clock.Now().Add(8 * time.Second))
		if _, err := w.Datasets.Label(ctx, goldAnswer(it, n, work.Now.ItemID, who)); err != nil {
			return fmt.Errorf("label %s: %w", it.ID, err)
		}
	}
}

func goldAnswer(it goldItem, n int, itemID string, who dataset.Person) dataset.LabelInput {
	label := said(it, n)
	sure := 0.9
	if label != it.Label || it.Label == "BORDERLINE" {
		sure = 0.6
	}
	in := dataset.LabelInput{ItemID: itemID, By: who, SpentMs: int64(20_000 + chance(it.ID, n+7)*400),
		Answer: dataset.Answer{Label: label, Boundary: boundaries[label], Confidence: &sure}}
	if label != "COMPLIANT_GUIDANCE" && label == it.Label {
		for _, code := range it.Codes {
			in.Answer.Issues = append(in.Answer.Issues, dataset.Issue{Code: code})
		}
		in.Answer.Rationale = it.Note
	}
	return in
}

func (w *Filling) goldRuling(ctx context.Context, itemID string, it goldItem, by dataset.Person) error {
	w.clock.Set(w.clock.Now().Add(20 * time.Second))
	sides, err := w.Datasets.Sides(ctx, itemID, by)
	if err != nil {
		return err
	}
	answer := dataset.Answer{Label: it.Label, Boundary: boundaries[it.Label],
		Rationale: "Both readings were weighed against the line. " + it.Note}
	for _, code := range it.Codes {
		answer.Issues = append(answer.Issues, dataset.Issue{Code: code})
	}
	_, err = w.Datasets.Adjudicate(ctx,
		dataset.RulingInput{ItemID: itemID, By: by, Version: sides.Item.Version, Answer: answer})
	return err
}

var boundaries = map[string]string{"COMPLIANT_GUIDANCE": "GUIDANCE", "BORDERLINE": "BORDERLINE",
	"NON_COMPLIANT": "ADVICE"}

// said is what the n-th expert says: mostly what was meant; the first is a little lenient, the second a little strict,
// both less sure where the text is borderline.
func said(it goldItem, n int) string {
	c := chance(it.ID, n)
	switch {
	case n == 0 && it.Label == "BORDERLINE" && c < 25:
		return "COMPLIANT_GUIDANCE"
	case n == 0 && it.Label == "NON_COMPLIANT" && c < 12:
		return "BORDERLINE"
	case n == 1 && it.Label == "BORDERLINE" && c < 30:
		return "NON_COMPLIANT"
	case n == 1 && it.Label == "COMPLIANT_GUIDANCE" && c < 10:
		return "BORDERLINE"
	}
	return it.Label
}

// chance is a number from 0 to 99 that is always the same for an item and a salt.
func chance(id string, salt int) int {
	h := fnv.New32a()
	fmt.Fprintf(h, "%s/%d", id, salt)
	return int(h.Sum32() % 100)
}

func readGold() (items []goldItem, err error) {
	lines := bufio.NewScanner(bytes.NewReader(goldItems))
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		var it goldItem
		if err := json.Unmarshal(lines.Bytes(), &it); err != nil {
			return nil, fmt.Errorf("demo: read the gold set: %w", err)
		}
		items = append(items, it)
	}
	return items, lines.Err()
}
