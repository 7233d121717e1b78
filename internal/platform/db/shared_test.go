package db_test

import (
	"testing"
	"time"

	"preceptor/internal/platform/db"
	"preceptor/internal/platform/db/dbtest"
)

// two opens the same database as two servers do.
func two(t *testing.T) (servers [2]*db.DB) {
	t.Helper()
	onServer(t)
	address := dbtest.At(t)
	for i := range servers {
		d, err := db.Open(ctx, address, db.Options{})
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { d.Close() })
		servers[i] = d
	}
	return servers
}

func TestTwoServersLeaseANameInTurn(t *testing.T) {
	s := two(t)
	take := func(i int, want bool) (release func()) {
		t.Helper()
		release, ok, err := s[i].Lease(ctx, "a name")
		if err != nil || ok != want {
			t.Fatalf("server %d: %v %v", i, ok, err)
		}
		return release
	}
	first, again := take(0, true), take(0, true)
	take(1, false)()
	first()
	first()
	take(1, false)
	again()
	take(1, true)
	take(0, false)
	// One that died loses what it had.
	if err := s[0].Write(ctx, func(tx *db.Tx) error {
		return db.Exec(tx, "age", `UPDATE server_lease SET until = clock_timestamp() - interval '1 second'`)
	}); err != nil {
		t.Fatal(err)
	}
	take(0, true)
}

func TestTwoServersCountOnePace(t *testing.T) {
	s, now := two(t), time.Date(2026, 11, 2, 9, 0, 0, 0, time.UTC)
	pace := func(i int, key string, want time.Duration) {
		t.Helper()
		if over, shared := s[i].Pace(key, now, 10*time.Second, 30*time.Second); over != want || !shared {
			t.Errorf("server %d, %s: %s %v, want %s", i, key, over, shared, want)
		}
	}
	pace(0, "a", 0)
	pace(1, "a", 0)
	pace(0, "a", 0)
	for range 3 { // what is refused doesn't count
		pace(1, "a", 10*time.Second)
		pace(0, "a", 10*time.Second)
	}
	pace(0, "b", 0)
	now = now.Add(4 * time.Second)
	pace(1, "a", 6*time.Second)
	now = now.Add(6 * time.Second)
	pace(1, "a", 0)
	pace(0, "a", 10*time.Second)
	now = now.Add(-time.Hour) // a clock that is set back locks nobody out
	pace(0, "a", 10*time.Second)
}

func TestAFileSharesNothing(t *testing.T) {
	d := dbtest.OfFile(t)
	for range 2 {
		if _, ok, err := d.Lease(ctx, "a name"); !ok || err != nil {
			t.Errorf("%v %v", ok, err)
		}
		if _, shared := d.Pace("a", time.Now(), time.Hour, time.Second); shared {
			t.Error("there is nobody to share with")
		}
	}
}
