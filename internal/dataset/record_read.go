package dataset

import (
	"preceptor/internal/platform/db"
)

// skipsTx are the skips of some items, by time.
func skipsTx(tx *db.Tx, itemIDs []string) ([]Skip, error) {
	return listIn(tx, "dataset: read skips", itemIDs, func(row db.Row) (k Skip, err error) {
		err = row.Scan(&k.ItemID, &k.By.ID, &k.By.Name, &k.Reason, db.At(&k.At))
		return k, err
	}, `SELECT item_id, by_id, by_name, reason, at FROM dataset_skip WHERE item_id IN (`, `) ORDER BY item_id, at, id`)
}

func flagsTx(tx *db.Tx, itemIDs []string) ([]Flag, error) {
	return listIn(tx, "dataset: read flags", itemIDs, func(row db.Row) (f Flag, err error) {
		err = row.Scan(&f.ItemID, &f.By.ID, &f.By.Name, &f.Note)
		return f, err
	}, `SELECT t.item_id, t.person_id, p.name, t.flag FROM labelling_turn t
		JOIN dataset_person p ON p.dataset_id = t.set_id AND p.person_id = t.person_id
		WHERE t.flag <> '' AND t.item_id IN (`, `) ORDER BY t.item_id, t.at, t.person_id`)
}

func rulingsTx(tx *db.Tx, itemIDs []string) ([]Ruling, error) {
	return listIn(tx, "dataset: read rulings", itemIDs, func(row db.Row) (v Ruling, err error) {
		var answer string
		if err := row.Scan(&v.ID, &v.ItemID, &v.By.ID, &v.By.Name, &answer, &v.Rubric, db.At(&v.At), db.At(&v.UndoneAt),
			&v.UndoneBy.ID, &v.UndoWhy); err != nil {
			return v, err
		}
		if v.UndoneBy.ID == v.By.ID {
			v.UndoneBy.Name = v.By.Name
		}
		v.Answer, err = parseAnswer(answer)
		return v, err
	}, `SELECT id, item_id, by_id, by_name, answer, rubric, at, undone_at, undone_by, undone_why
		FROM dataset_ruling WHERE item_id IN (`, `) ORDER BY item_id, at, id`)
}

// listIn is db.List for a list of ids that stands between two parts of the query, in batches.
func listIn[T any](tx *db.Tx, what string, ids []string, scan func(db.Row) (T, error),
	before, after string) (all []T, err error) {
	for _, part := range db.Batches(ids) {
		list, err := db.List(tx, what, scan, before+db.In(1, len(part))+after, db.Anys(part)...)
		if err != nil {
			return nil, err
		}
		all = append(all, list...)
	}
	return all, nil
}
