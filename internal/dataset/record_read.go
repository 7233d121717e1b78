package dataset

import (
	"preceptor/internal/db"
)

// skipsTx are the skips of some items, by time.
func skipsTx(tx *db.Tx, itemIDs []string) (list []Skip, err error) {
	err = eachIn(tx, `SELECT item_id, by_id, by_name, reason, at FROM dataset_skip WHERE item_id IN (`, `) ORDER BY item_id, at, id`, itemIDs, func(scan func(...any) error) error {
		var k Skip
		var at int64
		if err := scan(&k.ItemID, &k.By.ID, &k.By.Name, &k.Reason, &at); err != nil {
			return err
		}
		k.At = db.Time(at)
		list = append(list, k)
		return nil
	})
	return list, err
}

func flagsTx(tx *db.Tx, itemIDs []string) (list []Flag, err error) {
	err = eachIn(tx, `SELECT t.item_id, t.person_id, p.name, t.flag FROM dataset_turn t JOIN dataset_person p ON p.dataset_id = t.dataset_id AND p.person_id = t.person_id
		WHERE t.flag <> '' AND t.item_id IN (`, `) ORDER BY t.item_id, t.at`, itemIDs, func(scan func(...any) error) error {
		var f Flag
		if err := scan(&f.ItemID, &f.By.ID, &f.By.Name, &f.Note); err != nil {
			return err
		}
		list = append(list, f)
		return nil
	})
	return list, err
}

func rulingsTx(tx *db.Tx, itemIDs []string) (list []Ruling, err error) {
	err = eachIn(tx, `SELECT id, item_id, by_id, by_name, answer, rubric, at, undone_at, undone_by, undone_why FROM dataset_ruling WHERE item_id IN (`, `) ORDER BY item_id, at, id`,
		itemIDs, func(scan func(...any) error) error {
			var v Ruling
			var answer string
			var at, undone int64
			if err := scan(&v.ID, &v.ItemID, &v.By.ID, &v.By.Name, &answer, &v.Rubric, &at, &undone, &v.UndoneBy.ID, &v.UndoWhy); err != nil {
				return err
			}
			v.At, v.UndoneAt = db.Time(at), db.Time(undone)
			if v.UndoneBy.ID == v.By.ID {
				v.UndoneBy.Name = v.By.Name
			}
			var err error
			if v.Answer, err = parseAnswer(answer); err != nil {
				return err
			}
			list = append(list, v)
			return nil
		})
	return list, err
}

// eachIn runs a query for a list of ids, in batches.
func eachIn(tx *db.Tx, before, after string, ids []string, f func(scan func(...any) error) error) error {
	for _, part := range db.Batches(ids) {
		args := db.Anys(part)
		err := db.Each(tx, "dataset: read", func(row db.Row) error {
			return f(row.Scan)
		}, before+db.In(1, len(part))+after, args...)
		if err != nil {
			return err
		}
	}
	return nil
}
