package evaluate

import (
	"context"

	"preceptor/internal/compliance/refit"
	"preceptor/internal/dataset"
	"preceptor/internal/dataset/version"
	"preceptor/internal/pack"
	"preceptor/internal/platform/db"
	"preceptor/internal/platform/fault"
	"preceptor/internal/platform/job"
)

// How the items of a set that nobody has begun may come next.
const (
	AsTheyCame  = "came"
	TeachesMost = "teaches" // what the judge is unsure of and is unlike what was labelled
)

const (
	orderMost = 200 // items that are read of each kind for an order
	orderNext = 100 // items that come next
)

// Order is the job that puts a set's items in order.
type Order struct {
	DatasetID string `json:"dataset_id"`
	How       string `json:"how"`
}

// Kind names the job.
func (Order) Kind() string { return "datasets.order" }

// Order has a job put the items that nobody has begun in order. Who labels learns nothing of what the judge said.
func (s *Store) Order(ctx context.Context, datasetID, how string, by dataset.Person) error {
	if how != AsTheyCame && how != TeachesMost {
		return fault.New(fault.Invalid, "Choose an order.")
	}
	if how == TeachesMost && s.reader() == nil {
		return fault.New(fault.Invalid, "There is no built-in judge to teach.")
	}
	return s.db.Write(ctx, func(tx *db.Tx) error {
		if err := s.sets.OrderTx(tx, datasetID, how, by); err != nil {
			return err
		}
		return s.jobs.InsertTx(tx, Order{datasetID, how}, job.Unique())
	})
}

func (s *Store) order(ctx context.Context, o Order) error {
	if o.How == AsTheyCame {
		return s.sets.Reorder(ctx, o.DatasetID, nil, true)
	}
	set, err := s.sets.Get(ctx, o.DatasetID)
	if err != nil {
		return err
	}
	open, labelled, err := s.sets.ToOrder(ctx, o.DatasetID, orderMost)
	if err != nil {
		return err
	}
	head, _ := s.Taught(pack.Of(set.Pack).Name)
	read := func(items []dataset.OrderItem) (list []refit.Example, err error) {
		for _, i := range items {
			it, err := itemOfRow(&version.Row{ItemID: i.ID, Text: i.Text}, set.Pack)
			if err != nil {
				return nil, err
			}
			e := refit.Example{}
			e.X, e.Odds, err = s.reader().Features(ctx, it.subject())
			if err != nil {
				return nil, err
			}
			e.Now = e.Odds + head.Add(e.X)
			list = append(list, e)
		}
		return list, nil
	}
	candidates, err := read(open)
	if err != nil {
		return err
	}
	known, err := read(labelled)
	if err != nil {
		return err
	}
	var ids []string
	for _, i := range refit.TeachMost(candidates, known, orderNext) {
		ids = append(ids, open[i].ID)
	}
	return s.sets.Reorder(ctx, o.DatasetID, ids, false)
}
