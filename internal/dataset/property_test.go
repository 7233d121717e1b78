package dataset_test

import (
	"fmt"
	"testing"
	"time"

	"pgregory.net/rapid"

	"preceptor/internal/dataset"
)

// Whatever people do in whatever order, the counters are right, no item has more labels than it may, nobody answers an
// item twice, nobody rules on what they labelled, and a final label says why.
func TestAnyOrderOfWork(t *testing.T) {
	n := 0
	f := open(t)
	rapid.Check(t, func(rt *rapid.T) {
		n++
		overlap := rapid.IntRange(1, 3).Draw(rt, "overlap")
		d := f.set(fmt.Sprint("Any ", n), func(s *dataset.Settings) {
			s.Overlap, s.MaxLabels = overlap, overlap+rapid.IntRange(0, 1).Draw(rt, "more")
			s.CheckShare = rapid.SampledFrom([]int{0, 40}).Draw(rt, "share")
		})
		ids := f.add(d, 8)
		if err := f.PlantCheck(ctx, ids[7], &dataset.Answer{Label: bad}, mo); err != nil {
			t.Fatal(err)
		}
		people := []dataset.Person{ann, ben, cy, dee}
		for range rapid.IntRange(5, 60).Draw(rt, "steps") {
			who := people[rapid.IntRange(0, 3).Draw(rt, "who")]
			itemID := ids[rapid.IntRange(0, 7).Draw(rt, "item")]
			answer := dataset.Answer{Label: rapid.SampledFrom([]string{good, bad}).Draw(rt, "label"), Rationale: "r"}
			switch rapid.IntRange(0, 10).Draw(rt, "act") {
			case 0, 1, 2, 3:
				w, err := f.Next(ctx, d.ID, who)
				if err != nil {
					rt.Fatal(err)
				}
				if w.Now == nil {
					continue
				}
				if _, err := f.Label(ctx,
					dataset.LabelInput{ItemID: w.Now.ItemID, By: who, Answer: answer}); err != nil {
					rt.Fatalf("what is next can't be answered: %v", err)
				}
			case 4:
				_, _ = f.Undo(ctx, itemID, who)
			case 5:
				_ = f.Skip(ctx, itemID, who, "r")
			case 6:
				_, _ = f.Unskip(ctx, d.ID, who)
			case 7:
				_, _ = f.Label(ctx, dataset.LabelInput{ItemID: itemID, By: who, Answer: answer, Revise: true})
			case 8:
				if v, err := f.Sides(ctx, itemID, who); err == nil {
					_, _ = f.Adjudicate(ctx,
						dataset.RulingInput{ItemID: itemID, By: who, Answer: answer, Version: v.Item.Version})
				}
			case 9:
				f.clock.Advance(rapid.SampledFrom([]time.Duration{time.Minute, dataset.UndoFor, 3 * time.Hour}).Draw(rt,
					"time"))
			case 10:
				if rapid.Bool().Draw(rt, "out") {
					_ = f.Exclude(ctx, itemID, "r", mo)
				} else {
					_ = f.Include(ctx, itemID, mo)
				}
			}
		}
		f.recount(d)
		if t.Failed() {
			rt.FailNow()
		}
		for what, q := range map[string]string{
			"more labels than it may have": `SELECT count(*)
				FROM dataset_item i JOIN dataset d ON d.id = i.dataset_id
				WHERE i.planted = 0 AND (SELECT count(*) FROM labelling_answer l
					WHERE l.item_id = i.id AND l.standing = 1) > d.max_labels`,
			"a ruling by a labeller": `SELECT count(*)
				FROM dataset_ruling r JOIN labelling_answer l ON l.item_id = r.item_id AND l.by_id = r.by_id`,
			"two first labels of one person": `SELECT count(*)
				FROM (SELECT 1 FROM labelling_answer WHERE first = 1 AND undone_at = 0 GROUP BY item_id, by_id
					HAVING count(*) > 1) twice`,
			"a final label without why": `SELECT count(*) FROM dataset_item
				WHERE (final_label <> '') <> (final_why <> '') OR (final_why <> '') <> (final_by <> '')`,
			"a final label on an open item": `SELECT count(*) FROM dataset_item
				WHERE state IN ('open', 'disputed') AND final_label <> ''`,
			"an agreement of labels that differ": `SELECT count(*) FROM dataset_item i
				WHERE final_why = 'agreement' AND EXISTS (SELECT 1 FROM labelling_answer l
					WHERE l.item_id = i.id AND l.standing = 1 AND l.label <> i.final_label)`,
			"an open item that has its labels": `SELECT count(*) FROM dataset_item
				WHERE state = 'open' AND planted = 0 AND has >= needs`,
			"a closed item on a list": `SELECT count(*)
				FROM labelling_turn t JOIN dataset_item i ON i.id = t.item_id
				WHERE t.state = 'open' AND i.state <> 'open'`,
		} {
			var n int
			if err := f.db.Reader().QueryRow(q).Scan(&n); err != nil || n != 0 {
				rt.Fatalf("%s: %d, %v", what, n, err)
			}
		}
	})
}
