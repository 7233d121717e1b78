package app_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"preceptor/internal/app"
	"preceptor/internal/app/apptest"
	"preceptor/internal/audit"
	"preceptor/internal/dataset"
	"preceptor/internal/demo"
	"preceptor/internal/erase"
	"preceptor/internal/interaction"
	"preceptor/internal/knowledge"
	"preceptor/internal/platform/config"
	"preceptor/internal/platform/db"
	"preceptor/internal/platform/db/dbtest"
	"preceptor/internal/platform/fault"
)

// A real process is killed with SIGKILL while it erases a customer: at the begin of each transaction, within it when
// most of its rows are written, right after its commit, and before the log of pages is emptied. The child is this test
// program on a copy of one file; what kills it is the clock of its database and two hooks, so nothing of this is in the
// product. The points are n = 1, 2, 3 ... until the child gets to the end.

const (
	eraseFile = "PRECEPTOR_TEST_ERASE_FILE"
	eraseAt   = "PRECEPTOR_TEST_ERASE_AT"
	eraseNow  = "PRECEPTOR_TEST_ERASE_NOW"

	heldName, heldRef = "Quibblesham Vortex", "HOLD-5512-ZK"
)

func TestMain(m *testing.M) {
	if file := os.Getenv(eraseFile); file != "" {
		os.Exit(eraseChild(file))
	}
	os.Exit(m.Run())
}

// killer counts points and kills the process at the n-th; 0 never does.
type killer struct {
	left atomic.Int64
	now  time.Time
}

func (k *killer) point() {
	if k.left.Add(-1) == 0 {
		syscall.Kill(os.Getpid(), syscall.SIGKILL)
		select {} // the signal is on its way
	}
}

// Now is the clock of the child: it stands still, and is a point where a write transaction reads it.
func (k *killer) Now() time.Time {
	pcs := make([]uintptr, 40)
	frames := runtime.CallersFrames(pcs[:runtime.Callers(2, pcs)])
	for more := true; more; {
		var f runtime.Frame
		if f, more = frames.Next(); strings.HasSuffix(f.Function, "db.(*DB).Write") {
			k.point()
			break
		}
	}
	return k.now
}

var eraseRequest = erase.Request{How: interaction.ByReference, Subject: customerRef, Why: "Request 12",
	By: audit.Actor{Kind: audit.Person, ID: "boss", Name: "Bo Boss"}}

// eraseChild is the whole child process: what `preceptor erase --subject` does.
func eraseChild(file string) int {
	n, err := strconv.Atoi(os.Getenv(eraseAt))
	ms, wrong := strconv.ParseInt(os.Getenv(eraseNow), 10, 64)
	k := &killer{now: db.Time(ms)}
	a, cannot := openErasing(file, k)
	if err = errors.Join(err, wrong, cannot); err == nil {
		k.left.Store(int64(n))
		_, err = a.Erase.Erase(context.Background(), eraseRequest)
		err = errors.Join(err, a.Close())
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	return 0
}

// openErasing opens the program on a file with points for k.
func openErasing(file string, k *killer) (*app.App, error) {
	cfg, err := config.Default()
	if err != nil {
		return nil, err
	}
	cfg.DB = file
	a, err := app.Open(context.Background(), cfg, app.WithClock(k.Now), app.WithLog(slog.New(slog.DiscardHandler)),
		app.WithTerminal(io.Discard))
	if err != nil {
		return nil, err
	}
	k.left.Store(0)
	a.Erase.Also = append(a.Erase.Also, erase.Also{Place: "a point", EraseTx: func(*db.Tx, erase.Gone) (int, error) {
		k.point()
		return 0, nil
	}})
	a.Erase.After = append(a.Erase.After, func(context.Context) error { k.point(); return nil })
	return a, nil
}

func TestKilledAtEachCommitOfAnErasure(t *testing.T) {
	if testing.Short() {
		t.Skip("kills are left out of short runs")
	}
	every := 7
	if n, err := strconv.Atoi(os.Getenv("PRECEPTOR_CRASH_EVERY")); err == nil && n > 0 {
		every = n
	}
	dir := t.TempDir()
	e := erasing{dir: dir}
	t.Run("before", func(t *testing.T) { e.lay(t) })
	if t.Failed() {
		return
	}
	kills, ended := 0, false
	for n := 1; !ended; n += every {
		file := filepath.Join(dir, fmt.Sprintf("at-%d.db", n))
		if err := os.WriteFile(file, e.start, 0o600); err != nil {
			t.Fatal(err)
		}
		if ended = e.child(t, file, n); !ended {
			kills++
			if n%2 == 0 && !e.child(t, file, 1+n%5) { // and once more while it picks itself up
				kills++
			}
		}
		e.finished(t, file, n, ended)
		if t.Failed() || n > 400 {
			t.Fatalf("stopped at %d", n)
		}
		for _, f := range []string{file, file + "-wal", file + "-shm", file + ".lock"} {
			os.Remove(f)
		}
	}
	t.Logf("%d kills, every %d. point", kills, every)
	if kills < 20/every {
		t.Errorf("only %d kills", kills)
	}
}

// erasing is the file that every child begins with.
type erasing struct {
	dir     string
	start   []byte
	now     time.Time
	vectors [][]byte
	held    string // an interaction under a legal hold
}

// lay makes a file with a customer in every place: a case that people worked on, one that waits, an agent's report, an
// item of a gold set; and another customer under a legal hold.
func (e *erasing) lay(t *testing.T) {
	path := filepath.Join(e.dir, "before.db")
	dbtest.Lay(t, path)
	s := spine{Site: apptest.Open(t, func(c *config.Config) { c.DB, c.Hold = path, 30*time.Second })}
	guidance := demo.Guidance()
	if _, err := s.Knowledge.Import(t.Context(), guidance,
		knowledge.ImportOptions{By: audit.System("test")}); err != nil {
		t.Fatal(err)
	}
	s.agent = s.Nobody(t)
	s.agent.Header.Set("Authorization", "Bearer "+s.Token(t, "submit", "recall", "feedback"))
	s.supervisor, s.expert = s.SignedIn(t, "supervisor"), s.SignedIn(t, "expert")
	first := s.plant(t, planted["name"], customerRef, "first")
	s.worked(t, first)
	s.plant(t, planted["name"], customerRef, "second")
	s.agent.JSON(t, http.MethodPost, "/api/feedback/interactions",
		`{"agent_type":"tutor","user_id":"`+customerRef+`","query":"What is a `+planted["question"]+`?","response":"A `+
			planted["guidance"]+`."}`)
	set, err := s.Datasets.Create(t.Context(),
		dataset.Settings{Name: "Gold", Labels: []string{"compliant", "violation"}, Overlap: 1}, dataset.Operator)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := s.Datasets.Add(t.Context(), set.ID,
		[]dataset.NewItem{{Text: dataset.Text{Customer: json.RawMessage(`{"customer_id":"` + customerRef +
			`","name":"` + planted["name"] + `"}`),
			Question: "May I " + planted["goal"] + "?", Guidance: "You may " + planted["revised"] + "."}},
			{Text: dataset.Text{Customer: json.RawMessage(`{"customer_id":"ITEM-9921-AA","ni_number":"QQ123456C"}`),
				Guidance: "You can ask for a statement."}}}, dataset.Operator); err != nil {
		t.Fatal(err)
	}
	held := s.agent.JSON(t, http.MethodPost, "/api/guidance",
		`{"agent":"pension-advisor","consultation":{"question":"What is a pension pot?","customer":{"age":60,"name":"`+
			heldName+`","customer_id":"`+heldRef+`"}},
		"guidance":"A pension pot is what you have saved, `+heldName+`."}`)
	e.held = s.id(t, held)
	if _, err := s.Erase.SetHold(t.Context(),
		erase.HoldInput{How: interaction.ByReference, Subject: heldRef, Reason: "Matter 7",
			By: eraseRequest.By}); err != nil {
		t.Fatal(err)
	}
	if _, err := s.Erase.SetHold(t.Context(),
		erase.HoldInput{How: interaction.ByReference, Subject: "QQ 12 34 56 C", Reason: "Matter 8",
			By: eraseRequest.By}); err != nil {
		t.Fatal(err)
	}
	item := erase.Request{How: interaction.ByReference, Subject: "ITEM-9921-AA", Why: "Request 14", By: eraseRequest.By}
	if _, err := s.Erase.Erase(t.Context(), item); !fault.Is(err, fault.Conflict) ||
		!strings.Contains(fault.Message(err), "Matter 8") {
		t.Errorf("an item of a gold set whose customer is held by another reference: %v", err)
	}
	s.Drain(t)
	if had := s.left(t); len(had) < len(planted)-2 {
		t.Fatalf("only %v were planted, so this would prove little", had)
	}
	if e.vectors = s.vectorsOf(t, first); len(e.vectors) == 0 {
		t.Fatal("no case was made, so this would prove nothing about vectors")
	}
	e.now = s.Clock.Now()
	if clean, err := s.DB.Scrub(t.Context()); err != nil || !clean {
		t.Fatalf("the log is not empty: %v", err)
	}
	if e.start, err = os.ReadFile(path); err != nil {
		t.Fatal(err)
	}
}

// child reports whether the child got to the end; it is killed otherwise.
func (e *erasing) child(t *testing.T, file string, n int) bool {
	t.Helper()
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), eraseFile+"="+file, eraseAt+"="+strconv.Itoa(n),
		eraseNow+"="+strconv.FormatInt(e.now.UnixMilli(), 10))
	out, err := cmd.CombinedOutput()
	if err == nil {
		return true
	}
	if st, ok := cmd.ProcessState.Sys().(syscall.WaitStatus); (!ok || st.Signal() != syscall.SIGKILL) &&
		!strings.Contains(string(out), "erased on") {
		t.Fatalf("the child killed at %d ended otherwise: %v\n%s", n, err, out)
	}
	return false
}

// finished runs the erasure once more and looks for what is left.
func (e *erasing) finished(t *testing.T, file string, n int, ended bool) {
	t.Helper()
	a, err := openErasing(file, &killer{now: e.now})
	if err != nil {
		t.Fatalf("killed at %d: %v", n, err)
	}
	s := spine{Site: &apptest.Site{App: a}}
	rec, err := a.Erase.Erase(t.Context(), eraseRequest)
	// the kill came after the last commit
	over := fault.Is(err, fault.NotFound) && strings.Contains(fault.Message(err), "erased on")
	if err != nil && !over || ended && !over || rec != nil && rec.State != erase.Done {
		t.Errorf("killed at %d, the second run gives %+v, %v", n, rec, err)
	}
	var records, items int
	if err := a.DB.Reader().QueryRow(`SELECT count(*), coalesce(sum(interactions), 0) FROM erasure
		WHERE state = 'done'`).Scan(&records, &items); err != nil || records != 1 || items != 2 {
		t.Errorf("killed at %d: %d records of %d interactions (%v)", n, records, items, err)
	}
	for _, found := range s.left(t) {
		t.Errorf("killed at %d, left: %s", n, found)
	}
	if report, err := audit.Verify(t.Context(), a.DB, nil); err != nil || report.Bad != nil || report.Erased == 0 {
		t.Errorf("killed at %d, the audit log: %+v, %v", n, report, err)
	}
	if check, err := a.Search.Check(t.Context()); err != nil || len(check.Problems) > 0 {
		t.Errorf("killed at %d, the indexes: %v, %v", n, check.Problems, err)
	}
	held := erase.Request{How: interaction.ByReference, Subject: heldRef, Why: "Request 13", By: eraseRequest.By}
	if _, err := a.Erase.Erase(t.Context(), held); !fault.Is(err, fault.Conflict) ||
		!strings.Contains(fault.Message(err), "Matter 7") {
		t.Errorf("killed at %d, what is under a hold: %v", n, err)
	}
	if in, err := a.Interactions.Get(t.Context(), e.held); err != nil || !strings.Contains(in.Guidance, heldName) {
		t.Errorf("killed at %d, what is under a hold: %+v, %v", n, in, err)
	}
	if err := a.Close(); err != nil {
		t.Errorf("killed at %d: %v", n, err)
	}
	raw, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	for _, v := range e.vectors {
		if bytes.Contains(raw, v[:64]) {
			t.Errorf("killed at %d, a vector is left in the file", n)
		}
	}
}
