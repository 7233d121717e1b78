package labelling_test

import (
	"context"
	"slices"
	"testing"

	"preceptor/internal/labelling"
	"preceptor/internal/platform/db"
	"preceptor/internal/platform/db/dbtest"
)

func TestWhatAnswersComeTo(t *testing.T) {
	for _, c := range []struct {
		has, needs, most int
		same             bool
		want             int
	}{
		{0, 1, 1, true, labelling.Waiting}, {1, 2, 3, true, labelling.Waiting}, {1, 2, 3, false, labelling.Waiting},
		{2, 2, 3, true, labelling.Agreed}, {3, 3, 3, true, labelling.Agreed}, {1, 1, 1, true, labelling.Agreed},
		{2, 2, 3, false, labelling.Another}, {3, 3, 3, false, labelling.Disputed}, {2, 2, 0, false, labelling.Disputed},
	} {
		if got := labelling.ComesTo(c.has, c.needs, c.most, c.same); got != c.want {
			t.Errorf("%+v comes to %d", c, got)
		}
	}
	itself := func(s string) string { return s }
	if !labelling.Same(nil, itself) || !labelling.Same([]string{"a", "a"}, itself) ||
		labelling.Same([]string{"a", "a", "b"}, itself) {
		t.Error("same")
	}
}

// Who took an answer back has answered: somebody else decides.
func TestWhoIsLeft(t *testing.T) {
	people := []labelling.Person{{ID: "ann"}, {ID: "ben"}, {ID: "cy"}}
	err := dbtest.New(t).Write(context.Background(), func(tx *db.Tx) error {
		for i, p := range people[:2] {
			at := labelling.At("set", "item", p)
			if err := at.Answer(tx, &labelling.Answer{Label: "A"}); err != nil {
				return err
			}
			if i == 0 {
				if _, err := at.TakeBack(tx); err != nil {
					return err
				}
			}
		}
		if err := labelling.At("other", "item", people[2]).Answer(tx, &labelling.Answer{Label: "A"}); err != nil {
			return err
		}
		left, err := labelling.Left(tx, "set", "item", people)
		if !slices.Equal(left, people[2:]) || len(people) != 3 || people[0].ID != "ann" {
			t.Errorf("left are %v of %v", left, people)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
}
