package job_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"go.uber.org/goleak"

	"preceptor/internal/platform/db"
	"preceptor/internal/platform/db/dbtest"
	"preceptor/internal/platform/fault"
	"preceptor/internal/platform/job"
)

var ctx = context.Background()

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// note is a job that carries what a job carries: an id.
type note struct {
	ID string `json:"id"`
}

func (note) Kind() string { return "test.note" }

type bench struct {
	*job.Queue
	d     *db.DB
	clock *dbtest.Clock
	log   *bytes.Buffer
}

func open(t *testing.T) bench {
	t.Helper()
	c := dbtest.NewClock()
	d := dbtest.NewAt(t, c)
	log := &bytes.Buffer{}
	return bench{job.New(d, slog.New(slog.NewTextHandler(log, nil))), d, c, log}
}

func (b bench) insert(t *testing.T, n note, opts ...job.Option) {
	t.Helper()
	if err := b.d.Write(ctx, func(tx *db.Tx) error { return b.InsertTx(tx, n, opts...) }); err != nil {
		t.Fatal(err)
	}
}

func (b bench) drain(t *testing.T) {
	t.Helper()
	c, cancel := context.WithTimeout(ctx, 20*time.Second)
	defer cancel()
	if err := b.Drain(c); err != nil {
		t.Fatal(err)
	}
}

func (b bench) list(t *testing.T, f job.Filter) []job.Job {
	t.Helper()
	list, err := b.List(ctx, f)
	if err != nil {
		t.Fatal(err)
	}
	return list
}

// waitFor asks until ok says so; only a test that would otherwise fail waits to the end.
func waitFor(t *testing.T, what string, ok func() bool) {
	t.Helper()
	for range 2000 {
		if ok() {
			return
		}
		time.Sleep(5 * time.Millisecond)
	}
	t.Fatalf("never: %s", what)
}

func TestJobExistsIfAndOnlyIfItsCauseDoes(t *testing.T) {
	b := open(t)
	var ran []string
	job.Register(b.Queue, func(_ context.Context, n note) error { ran = append(ran, n.ID); return nil })
	boom := errors.New("boom")
	err := b.d.Write(ctx, func(tx *db.Tx) error {
		if err := b.InsertTx(tx, note{"rolled back"}); err != nil {
			return err
		}
		return boom
	})
	if !errors.Is(err, boom) {
		t.Fatal(err)
	}
	b.insert(t, note{"kept"})
	b.drain(t)
	if len(ran) != 1 || ran[0] != "kept" {
		t.Fatalf("ran %v", ran)
	}
	done := b.list(t, job.Filter{State: job.Done})
	if len(done) != 1 || done[0].Kind != "test.note" || done[0].Attempt != 1 ||
		!done[0].CreatedAt.Equal(dbtest.Start) || done[0].FinishedAt.IsZero() {
		t.Fatalf("done: %+v", done)
	}
}

func TestDrainFollowsAChain(t *testing.T) {
	b := open(t)
	var ran []string
	job.Register(b.Queue, func(_ context.Context, n note) error {
		ran = append(ran, n.ID)
		if len(n.ID) == 5 {
			return nil
		}
		return b.d.Write(ctx, func(tx *db.Tx) error { return b.InsertTx(tx, note{n.ID + "i"}) })
	})
	b.insert(t, note{"i"})
	b.drain(t)
	if got := strings.Join(ran, " "); got != "i ii iii iiii iiiii" {
		t.Fatalf("ran %s", got)
	}
	if counts, err := b.Counts(ctx); err != nil || counts[job.Done] != 5 ||
		counts[job.Waiting]+counts[job.Running]+counts[job.Parked] != 0 {
		t.Fatalf("counts %v (%v)", counts, err)
	}
}

func TestScheduledJobsFollowTheDatabasesClock(t *testing.T) {
	b := open(t)
	var ran atomic.Int32
	job.Register(b.Queue, func(context.Context, note) error { ran.Add(1); return nil })
	b.insert(t, note{"later"}, job.At(b.d.Now().Add(30*time.Second)), job.Urgent())
	b.drain(t)
	if ran.Load() != 0 {
		t.Fatal("it ran before its time")
	}
	b.clock.Advance(29 * time.Second)
	b.drain(t)
	if ran.Load() != 0 {
		t.Fatal("it ran a second before its time")
	}
	b.clock.Advance(time.Second)
	b.drain(t)
	if ran.Load() != 1 {
		t.Fatal("it did not run at its time")
	}
}

func TestStartedQueuePromotesScheduledJobs(t *testing.T) {
	b := open(t)
	ran := make(chan string, 2)
	job.Register(b.Queue, func(_ context.Context, n note) error { ran <- n.ID; return nil })
	b.insert(t, note{"later"}, job.At(b.d.Now().Add(time.Minute)))
	b.insert(t, note{"now"})
	if err := b.Start(ctx); err != nil {
		t.Fatal(err)
	}
	defer b.Stop(ctx)
	if got := <-ran; got != "now" {
		t.Fatalf("first ran %s", got)
	}
	b.clock.Advance(time.Minute)
	if got := <-ran; got != "later" {
		t.Fatalf("then ran %s", got)
	}
	waitFor(t, "both jobs complete", func() bool { return len(b.list(t, job.Filter{State: job.Done})) == 2 })
}

func TestHopelessFaultsParkAtOnceWithTheirMessage(t *testing.T) {
	for _, c := range []struct {
		name string
		err  error
		want string
	}{
		{"invalid",
			fmt.Errorf("op: %w", fault.Wrap(fault.Invalid, errors.New("customer said 07700 900123"),
				"The rule has no situation.")), "The rule has no situation."},
		{"not found", fault.New(fault.NotFound, "The lesson is gone."), "The lesson is gone."},
		{"conflict", fault.New(fault.Conflict, "It was decided already."), "It was decided already."},
	} {
		t.Run(c.name, func(t *testing.T) {
			b := open(t)
			job.Register(b.Queue, func(context.Context, note) error { return c.err })
			b.insert(t, note{"x"})
			b.drain(t)
			parked := b.list(t, job.Filter{State: job.Parked})
			if len(parked) != 1 || parked[0].Attempt != 1 || parked[0].Error != c.want {
				t.Fatalf("parked: %+v", parked)
			}
		})
	}
}

func TestRetriableFaultsWaitForTheNextAttempt(t *testing.T) {
	b := open(t)
	fail := true
	job.Register(b.Queue, func(context.Context, note) error {
		if fail {
			return fault.New(fault.Unavailable, "The model does not answer.")
		}
		return nil
	})
	b.insert(t, note{"x"})
	b.drain(t)
	w := b.list(t, job.Filter{State: job.Waiting})
	if len(w) != 1 || w[0].Attempt != 1 || w[0].Error != "The model does not answer." ||
		!w[0].ScheduledAt.After(b.d.Now()) {
		t.Fatalf("waiting: %+v", w)
	}
	fail = false
	b.clock.Advance(5 * time.Second)
	b.drain(t)
	if d := b.list(t, job.Filter{State: job.Done}); len(d) != 1 || d[0].Attempt != 2 {
		t.Fatalf("done: %+v", d)
	}
}

func TestRetryAfterIsHonoured(t *testing.T) {
	b := open(t)
	job.Register(b.Queue, func(context.Context, note) error {
		f := fault.New(fault.Limited, "The model is over its quota.")
		f.RetryAfter = 7 * time.Minute
		return f
	})
	b.insert(t, note{"x"})
	b.drain(t)
	w := b.list(t, job.Filter{State: job.Waiting})
	if len(w) != 1 || !w[0].ScheduledAt.Equal(b.d.Now().Add(7*time.Minute)) {
		t.Fatalf("waiting: %+v", w)
	}
}

func (b *bench) retry(id int64) error {
	return b.d.Write(ctx, func(tx *db.Tx) error {
		_, err := b.RetryTx(tx, id)
		return err
	})
}

func TestPoisonParksAfterItsAttemptsAndCanBeRetried(t *testing.T) {
	b := open(t)
	poison := true
	job.Register(b.Queue, func(context.Context, note) error {
		if poison {
			panic("Mrs Jones, NI QQ123456C")
		}
		return nil
	})
	b.insert(t, note{"x"}, job.Attempts(3))
	for range 3 {
		b.drain(t)
		b.clock.Advance(time.Hour)
	}
	p := b.list(t, job.Filter{State: job.Parked})
	if len(p) != 1 || p[0].Attempt != 3 || !strings.Contains(p[0].Error, fmt.Sprintf("job %d", p[0].ID)) {
		t.Fatalf("parked: %+v", p)
	}
	poison = false
	if err := b.retry(p[0].ID); err != nil {
		t.Fatal(err)
	}
	b.drain(t)
	if d := b.list(t, job.Filter{State: job.Done}); len(d) != 1 {
		t.Fatalf("done: %+v", d)
	}
	for _, where := range []string{b.log.String(), fmt.Sprint(p)} {
		if strings.Contains(where, "Jones") {
			t.Fatalf("a panic's text got out: %s", where)
		}
	}
	if !strings.Contains(b.log.String(), "job panicked") {
		t.Fatal("the log does not tell of the panic")
	}
}

func TestArgumentsStayOutOfTheLog(t *testing.T) {
	b := open(t)
	job.Register(b.Queue, func(context.Context, note) error { return fault.New(fault.Invalid, "No.") })
	b.insert(t, note{"canary-8271"})
	b.drain(t)
	if !strings.Contains(b.log.String(), "job failed") || strings.Contains(b.log.String(), "canary-8271") {
		t.Fatalf("log: %s", b.log.String())
	}
}

func TestRetryOfNothingIsNotFound(t *testing.T) {
	b := open(t)
	if err := b.retry(4711); fault.KindOf(err) != fault.NotFound {
		t.Fatalf("Retry = %v", err)
	}
}

func TestUnknownKindsParkVisibly(t *testing.T) {
	b := open(t)
	b.insert(t, note{"nobody works me"})
	b.drain(t)
	if p := b.list(t, job.Filter{State: job.Parked}); len(p) != 1 || p[0].Error == "" {
		t.Fatalf("parked: %+v", p)
	}
}

func TestUniqueKeepsOneWaitingJob(t *testing.T) {
	b := open(t)
	var ran atomic.Int32
	job.Register(b.Queue, func(context.Context, note) error { ran.Add(1); return nil })
	for range 3 {
		b.insert(t, note{"same"}, job.Unique())
	}
	b.insert(t, note{"other"}, job.Unique())
	b.drain(t)
	if ran.Load() != 2 {
		t.Fatalf("ran %d jobs, want one for each argument", ran.Load())
	}
	b.insert(t, note{"same"}, job.Unique())
	b.drain(t)
	if ran.Load() != 3 {
		t.Fatal("a finished job keeps its successor away")
	}
}

func TestOrphansOfAKilledProcessRunAgain(t *testing.T) {
	b := open(t)
	var ran []string
	var mu sync.Mutex
	job.Register(b.Queue, func(_ context.Context, n note) error {
		mu.Lock()
		defer mu.Unlock()
		ran = append(ran, n.ID)
		return nil
	})
	b.insert(t, note{"orphan"})
	b.insert(t, note{"killer"}, job.Attempts(2))
	// What kill -9 leaves: rows that say running, and a leader who is no more.
	for _, q := range []string{
		"UPDATE river_job SET state = 'running', attempt = 1, attempted_at = scheduled_at WHERE max_attempts <> 2",
		"UPDATE river_job SET state = 'running', attempt = 2, attempted_at = scheduled_at WHERE max_attempts = 2",
		`INSERT INTO river_leader (elected_at, expires_at, leader_id, name)
			VALUES ('2026-11-02 09:00:00', '2099-01-01 00:00:00', 'dead', 'default')`,
	} {
		if _, err := b.d.Writer().Exec(q); err != nil {
			t.Fatal(err)
		}
	}
	if err := b.Start(ctx); err != nil {
		t.Fatal(err)
	}
	defer b.Stop(ctx)
	waitFor(t, "the orphan runs again", func() bool { return len(b.list(t, job.Filter{State: job.Done})) == 1 })
	p := b.list(t, job.Filter{State: job.Parked})
	if len(p) != 1 || !strings.Contains(p[0].Error, "stopped while this job ran") {
		t.Fatalf("the job that used up its attempts is not parked: %+v", p)
	}
	waitFor(t, "a living leader", func() bool {
		var n int
		err := b.d.Reader().QueryRow("SELECT count(*) FROM river_leader WHERE leader_id <> 'dead'").Scan(&n)
		return err == nil && n == 1
	})
	mu.Lock()
	defer mu.Unlock()
	if len(ran) != 1 || ran[0] != "orphan" {
		t.Fatalf("ran %v", ran)
	}
}

// Of two servers on one database the second leaves alone what the first runs, until the first one's lease is over.
func TestAServerTakesBackWhatADeadOneLeft(t *testing.T) {
	if !dbtest.OnServer() {
		t.Skip("make test-postgres runs it")
	}
	address := dbtest.At(t)
	var ran atomic.Int32
	started, end := make(chan struct{}), make(chan struct{})
	servers := make([]bench, 2)
	for i := range servers {
		d, err := db.Open(ctx, address, db.Options{})
		if err != nil {
			t.Fatal(err)
		}
		defer d.Close()
		servers[i] = bench{Queue: job.New(d, slog.New(slog.DiscardHandler)), d: d}
		job.Register(servers[i].Queue, func(ctx context.Context, _ note) error {
			if ran.Add(1) == 1 {
				close(started)
				<-end
			}
			return nil
		})
	}
	servers[0].insert(t, note{"once"})
	if err := servers[0].Start(ctx); err != nil {
		t.Fatal(err)
	}
	<-started
	if err := servers[1].Start(ctx); err != nil {
		t.Fatal(err)
	}
	running := func() int { return len(servers[1].list(t, job.Filter{State: job.Running})) }
	if running() != 1 || ran.Load() != 1 {
		t.Errorf("%d running, ran %d times beside a server that lives", running(), ran.Load())
	}
	if err := servers[1].Stop(ctx); err != nil {
		t.Fatal(err)
	}
	if _, err := servers[1].d.Writer().Exec(`UPDATE server SET seen_at = seen_at - interval '1 minute'`); err != nil {
		t.Fatal(err)
	}
	if err := servers[1].Start(ctx); err != nil {
		t.Fatal(err)
	}
	waitFor(t, "the second server runs it", func() bool { return ran.Load() == 2 })
	close(end)
	for _, s := range servers {
		if err := s.Stop(ctx); err != nil {
			t.Fatal(err)
		}
	}
}

// A server works what it took when the answer that it had taken it was lost, and not what it works already.
func TestAServerTakesBackWhatItDoesNotWork(t *testing.T) {
	if !dbtest.OnServer() {
		t.Skip("make test-postgres runs it")
	}
	d, err := db.Open(ctx, dbtest.At(t), db.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer d.Close()
	b := bench{Queue: job.New(d, slog.New(slog.DiscardHandler)), d: d}
	var works, lost atomic.Int32
	started, end := make(chan struct{}), make(chan struct{})
	job.Register(b.Queue, func(ctx context.Context, n note) error {
		if n.ID == "lost" {
			lost.Add(1)
			return nil
		}
		works.Add(1)
		close(started)
		<-end
		return nil
	})
	b.insert(t, note{"works"})
	if err := b.Start(ctx); err != nil {
		t.Fatal(err)
	}
	<-started
	b.insert(t, note{"lost"}, job.At(d.Now().Add(time.Hour)))
	if _, err := d.Writer().Exec(`UPDATE river_job SET state = 'running', attempted_at = now() - interval '1 minute',
		attempted_by = ARRAY(SELECT id FROM server)`); err != nil {
		t.Fatal(err)
	}
	if err := job.Beat(b.Queue, ctx); err != nil {
		t.Fatal(err)
	}
	waitFor(t, "the lost one runs", func() bool { return lost.Load() == 1 })
	if works.Load() != 1 {
		t.Errorf("what runs ran %d times", works.Load())
	}
	close(end)
	if err := b.Stop(ctx); err != nil {
		t.Fatal(err)
	}
}

func TestStopLetsARunningJobFinish(t *testing.T) {
	b := open(t)
	started, finish := make(chan struct{}), make(chan struct{})
	job.Register(b.Queue, func(ctx context.Context, _ note) error {
		close(started)
		<-finish
		return ctx.Err()
	})
	b.insert(t, note{"slow"})
	if err := b.Start(ctx); err != nil {
		t.Fatal(err)
	}
	<-started
	stopped := make(chan error)
	go func() { stopped <- b.Stop(ctx) }()
	close(finish)
	if err := <-stopped; err != nil {
		t.Fatal(err)
	}
	if d := b.list(t, job.Filter{State: job.Done}); len(d) != 1 {
		t.Fatalf("done: %+v", d)
	}
	if err := b.Stop(ctx); err != nil {
		t.Fatalf("a second Stop: %v", err)
	}
}

func TestStopCancelsWhatDoesNotFinish(t *testing.T) {
	b := open(t)
	started := make(chan struct{})
	job.Register(b.Queue, func(ctx context.Context, _ note) error {
		close(started)
		<-ctx.Done()
		return ctx.Err()
	})
	b.insert(t, note{"stuck"})
	if err := b.Start(ctx); err != nil {
		t.Fatal(err)
	}
	<-started
	short, cancel := context.WithTimeout(ctx, 50*time.Millisecond)
	defer cancel()
	if err := b.Stop(short); err != nil {
		t.Fatal(err)
	}
	if w := b.list(t, job.Filter{State: job.Waiting}); len(w) != 1 {
		t.Fatalf("waiting: %+v", w)
	}
}

func TestStartTwiceIsAConflict(t *testing.T) {
	b := open(t)
	if err := b.Start(ctx); err != nil {
		t.Fatal(err)
	}
	defer b.Stop(ctx)
	if err := b.Start(ctx); fault.KindOf(err) != fault.Conflict {
		t.Fatalf("second Start: %v", err)
	}
}

func TestPeriodicRunsAtStart(t *testing.T) {
	b := open(t)
	ran := make(chan struct{}, 8)
	b.Periodic("test.sweep", time.Hour, func(context.Context) error { ran <- struct{}{}; return nil })
	if err := b.Start(ctx); err != nil {
		t.Fatal(err)
	}
	defer b.Stop(ctx)
	<-ran
	waitFor(t, "the sweep completes", func() bool {
		return len(b.list(t, job.Filter{Kind: "test.sweep", State: job.Done})) == 1
	})
}

func TestListFiltersAndPages(t *testing.T) {
	b := open(t)
	job.Register(b.Queue, func(context.Context, note) error { return nil })
	for i := range 5 {
		b.insert(t, note{fmt.Sprint(i)})
	}
	var ids []int64
	for before := int64(0); ; {
		page := b.list(t, job.Filter{Kind: "test.note", Before: before, Limit: 2})
		if len(page) == 0 {
			break
		}
		for _, j := range page {
			ids = append(ids, j.ID)
		}
		before = page[len(page)-1].ID
	}
	if fmt.Sprint(ids) != "[5 4 3 2 1]" {
		t.Fatalf("pages gave %v", ids)
	}
	if got := b.list(t, job.Filter{Kind: "other"}); len(got) != 0 {
		t.Fatalf("another kind has %v", got)
	}
	if _, err := b.List(ctx, job.Filter{State: "' OR 1=1 --"}); fault.KindOf(err) != fault.Invalid {
		t.Fatalf("a made-up state: %v", err)
	}
}

func TestDoneJobsAreSweptAndParkedOnesStay(t *testing.T) {
	b := open(t)
	job.Register(b.Queue, func(_ context.Context, n note) error {
		if n.ID == "bad" {
			return fault.New(fault.Invalid, "No.")
		}
		return nil
	})
	b.insert(t, note{"good"})
	b.insert(t, note{"bad"})
	b.drain(t)
	b.clock.Advance(25 * time.Hour)
	if err := b.Start(ctx); err != nil {
		t.Fatal(err)
	}
	defer b.Stop(ctx)
	waitFor(t, "the done job is swept", func() bool { return len(b.list(t, job.Filter{State: job.Done})) == 0 })
	if p := b.list(t, job.Filter{State: job.Parked}); len(p) != 1 {
		t.Fatalf("parked: %+v", p)
	}
}
