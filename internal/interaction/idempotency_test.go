package interaction_test

import (
	"errors"
	"fmt"
	"sync"
	"testing"
	"time"

	"preceptor/internal/interaction"
	"preceptor/internal/platform/db"
	"preceptor/internal/platform/fault"
)

func key(owner, k, body string) *interaction.Idempotency {
	return &interaction.Idempotency{Owner: owner, Key: k, BodyHash: body}
}

func TestSameKeySameBodySameAnswer(t *testing.T) {
	d := open(t)
	hooks := 0
	d.Read = then(func(*db.Tx, *interaction.Interaction) error { hooks++; return nil })
	first, err := d.Submit(ctx, submission(), key("t1", "k", "h"))
	if err != nil || first.Replayed {
		t.Fatalf("first = %+v, %v", first, err)
	}
	if err := d.db.Write(ctx, func(tx *db.Tx) error {
		return errors.Join(stand(tx, first.ID, "held", "final"),
			d.MoveTx(tx, first.ID, interaction.Waiting, interaction.Held))
	}); err != nil {
		t.Fatal(err)
	}
	again, err := d.Submit(ctx, submission(), key("t1", "k", "h"))
	if err != nil || !again.Replayed || again.ID != first.ID || again.Status != interaction.Waiting {
		t.Errorf("again = %+v, %v; want the first answer, status included", again, err)
	}
	if hooks != 1 || d.count(t, `SELECT COUNT(*) FROM interaction`) != 1 {
		t.Errorf("%d hooks, want 1", hooks)
	}
}

func TestKeysOfOthersAreSeparate(t *testing.T) {
	d := open(t)
	a, err := d.Submit(ctx, submission(), key("t1", "k", "h"))
	if err != nil {
		t.Fatal(err)
	}
	b, err := d.Submit(ctx, submission(), key("t2", "k", "other"))
	if err != nil || b.Replayed || a.ID == b.ID {
		t.Errorf("b = %+v, %v", b, err)
	}
}

func TestSameKeyOtherBodyIsRefused(t *testing.T) {
	d := open(t)
	if _, err := d.Submit(ctx, submission(), key("t1", "k", "h")); err != nil {
		t.Fatal(err)
	}
	_, err := d.Submit(ctx, submission(), key("t1", "k", "other"))
	if !fault.Is(err, fault.Invalid) || fault.Fields(err)[0].Name != "Idempotency-Key" {
		t.Errorf("err = %v", err)
	}
}

func TestRefusedSubmissionKeepsTheKeyFree(t *testing.T) {
	d := open(t)
	bad := submission()
	bad.Guidance = ""
	if _, err := d.Submit(ctx, bad, key("t1", "k", "bad")); err == nil {
		t.Fatal("accepted")
	}
	if _, err := d.Submit(ctx, submission(), key("t1", "k", "mended")); err != nil {
		t.Errorf("the mended submission needs a new key: %v", err)
	}
}

func TestUnusableKeys(t *testing.T) {
	d := open(t)
	long := make([]byte, 256)
	for i := range long {
		long[i] = 'x'
	}
	for _, k := range []string{"", string(long), "a\nb", "ключ", "a\x7f"} {
		if _, err := d.Submit(ctx, submission(), key("t1", k, "h")); !fault.Is(err, fault.Invalid) {
			t.Errorf("key %q: %v", k, err)
		}
	}
	if _, err := d.Submit(ctx, submission(), key("t1", string(long[:255]), "h")); err != nil {
		t.Errorf("255 characters: %v", err)
	}
}

func TestFiftyParallelCallsAreOne(t *testing.T) {
	d := open(t)
	var wg sync.WaitGroup
	recs := make([]interaction.Receipt, 50)
	errs := make([]error, 50)
	for i := range recs {
		wg.Go(func() { recs[i], errs[i] = d.Submit(ctx, submission(), key("t1", "k", "h")) })
	}
	wg.Wait()
	fresh := 0
	for i, r := range recs {
		if errs[i] != nil || r.ID != recs[0].ID || r.Status != recs[0].Status {
			t.Errorf("call %d: %+v, %v", i, r, errs[i])
		}
		if !r.Replayed {
			fresh++
		}
	}
	if fresh != 1 || d.count(t, `SELECT COUNT(*) FROM interaction`) != 1 ||
		d.count(t, `SELECT COUNT(*) FROM audit`) != 1 {
		t.Errorf("%d calls were the first", fresh)
	}
}

// A process that dies between the commit and the answer leaves the receipt on the disk; one that dies before the commit
// leaves nothing, and the retry is the first.
func TestRetryAfterACrash(t *testing.T) {
	d := open(t)
	var first interaction.Receipt
	if err := d.db.Write(ctx, func(tx *db.Tx) (err error) {
		first, err = d.SubmitTx(tx, submission(), key("t1", "committed", "h"))
		return err
	}); err != nil {
		t.Fatal(err)
	}
	if got, err := d.Submit(ctx, submission(), key("t1", "committed", "h")); err != nil || got.ID != first.ID ||
		!got.Replayed {
		t.Errorf("retry = %+v, %v; want %s", got, err, first.ID)
	}
	crash := errors.New("crash")
	if err := d.db.Write(ctx, func(tx *db.Tx) error {
		if _, err := d.SubmitTx(tx, submission(), key("t1", "lost", "h")); err != nil {
			return err
		}
		return crash
	}); !errors.Is(err, crash) {
		t.Fatal(err)
	}
	if got, err := d.Submit(ctx, submission(), key("t1", "lost", "h")); err != nil || got.Replayed {
		t.Errorf("retry = %+v, %v; want a first answer", got, err)
	}
}

func TestKeysAreKeptTwoDays(t *testing.T) {
	d := open(t)
	old, err := d.Submit(ctx, submission(), key("t1", "old", "h"))
	if err != nil {
		t.Fatal(err)
	}
	if err := d.KeepCall(ctx, interaction.HeldCall{Key: "old", InteractionID: old.ID, Answer: "{}"}); err != nil {
		t.Fatal(err)
	}
	d.clock.Advance(25 * time.Hour)
	if err := d.PruneForTest(ctx); err != nil {
		t.Fatal(err)
	}
	if got, err := d.Submit(ctx, submission(), key("t1", "old", "h")); err != nil || !got.Replayed {
		t.Errorf("after 25 h: %+v, %v; want a replay", got, err)
	}
	if got, found, err := d.HeldCall(ctx, "old"); err != nil || !found || got.InteractionID != old.ID {
		t.Errorf("after 25 h: %+v %v %v", got, found, err)
	}
	if _, err := d.Submit(ctx, submission(), key("t1", "new", "h")); err != nil {
		t.Fatal(err)
	}
	d.clock.Advance(24 * time.Hour)
	if err := d.PruneForTest(ctx); err != nil {
		t.Fatal(err)
	}
	if n := d.count(t, `SELECT COUNT(*) FROM idempotency`); n != 1 {
		t.Errorf("%d keys left, want the new one", n)
	}
	if got, found, err := d.HeldCall(ctx, "old"); err != nil || found {
		t.Errorf("after two days: %+v %v", got, err)
	}
}

func BenchmarkSubmit(b *testing.B) {
	d := open(b)
	i := 0
	for b.Loop() {
		i++
		if _, err := d.Submit(ctx, submission(), key("t1", fmt.Sprint(i), "h")); err != nil {
			b.Fatal(err)
		}
	}
}
