package app

import (
	"strings"
	"testing"

	"preceptor/internal/account"
	"preceptor/internal/dataset"
	"preceptor/internal/dataset/version"
	"preceptor/internal/person"
	"preceptor/internal/platform/db/dbtest"
)

func TestADataCardTellsHowFarPeopleAgree(t *testing.T) {
	clock, ctx := dbtest.NewClock(), t.Context()
	a := &App{DB: dbtest.NewAt(t, clock)}
	a.Accounts = account.New(a.DB)
	a.datasets()
	a.Datasets.MayLabel = person.Anybody // the accounts' part is tried elsewhere
	s := dataset.DefaultSettings()
	s.Name, s.CheckShare = "Line", 0
	set, err := a.Datasets.Create(ctx, s, dataset.Operator)
	if err != nil {
		t.Fatal(err)
	}
	for _, text := range []string{"One.", "Two.", "Three."} {
		if _, err := a.Datasets.Add(ctx, set.ID, []dataset.NewItem{{Text: dataset.Text{Guidance: text}}},
			dataset.Operator); err != nil {
			t.Fatal(err)
		}
	}
	for _, who := range []dataset.Person{{ID: "a", Name: "Ann"}, {ID: "b", Name: "Ben"}} {
		for i := 0; ; i++ {
			w, err := a.Datasets.Next(ctx, set.ID, who)
			if err != nil {
				t.Fatal(err)
			}
			if w.Now == nil {
				break
			}
			label := s.Labels[i%2]
			if who.ID == "b" && i == 2 {
				label = s.Labels[2]
			}
			if _, err := a.Datasets.Label(ctx,
				dataset.LabelInput{ItemID: w.Now.ItemID, By: who, Answer: dataset.Answer{Label: label}}); err != nil {
				t.Fatal(err)
			}
		}
	}
	clock.Advance(dataset.UndoFor)
	v, err := a.Versions.Freeze(ctx, set.ID, version.Options{By: dataset.Operator})
	if err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(v.Card, "## Agreement") || !strings.Contains(v.Card, "| 0.667 |") || v.Items != 2 {
		t.Error(v.Card)
	}
	_, err = a.Datasets.Create(ctx, s, dataset.Person{ID: "nobody", Name: "N"})
	if err == nil {
		t.Error("somebody without a role makes datasets")
	}
}
