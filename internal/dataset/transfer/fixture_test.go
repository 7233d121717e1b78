package transfer_test

import (
	"testing"

	"preceptor/internal/dataset"
	"preceptor/internal/dataset/transfer"
	"preceptor/internal/dataset/version"
	"preceptor/internal/platform/db"
	"preceptor/internal/platform/db/dbtest"
	"preceptor/internal/platform/hook/hooktest"
)

type fixture struct {
	*transfer.Service
	sets     *dataset.Store
	versions *version.Store
	db       *db.DB
	clock    *dbtest.Clock
	set      *dataset.Dataset
	t        testing.TB
}

func open(t testing.TB) *fixture {
	t.Helper()
	clock := dbtest.NewClock()
	d := dbtest.NewAt(t, clock)
	sets := dataset.New(d, guards, hooktest.Late(&dataset.Hooks{}))
	versions := version.New(d, sets)
	f := &fixture{transfer.New(d, sets, versions), sets, versions, d, clock, nil, t}
	f.set = f.make("Line")
	return f
}

func (f *fixture) make(name string) *dataset.Dataset {
	f.t.Helper()
	s := dataset.DefaultSettings()
	s.Name, s.CheckShare, s.Licence = name, 0, "CC-BY-4.0"
	set, err := f.sets.Create(ctx, s, mo)
	if err != nil {
		f.t.Fatal(err)
	}
	return set
}
