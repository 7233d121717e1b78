package delivery_test

import (
	"net/http"
	"strconv"
	"strings"
	"testing"
	"time"

	"preceptor/internal/audit"
	"preceptor/internal/delivery"
	"preceptor/internal/platform/fault"
)

func TestListPages(t *testing.T) {
	b, _, _ := one(t, status(200))
	for i := range 7 {
		b.emit(t, "a1", "guidance.released", strconv.Itoa(i))
	}
	var seen []string
	for before := int64(0); ; {
		page, err := b.List(ctx, delivery.Filter{AgentID: "a1", State: delivery.Waiting, Before: before, Limit: 3})
		if err != nil {
			t.Fatal(err)
		}
		if len(page) == 0 {
			break
		}
		for _, d := range page {
			seen = append(seen, d.ObjectID)
		}
		before = page[len(page)-1].Seq
	}
	if got := strings.Join(seen, ""); got != "6543210" {
		t.Errorf("pages gave %s", got)
	}
	if _, err := b.List(ctx, delivery.Filter{AgentID: "a1", State: "' OR 1=1 --"}); !fault.Is(err, fault.Invalid) {
		t.Errorf("a made-up state: %v", err)
	}
}

func TestOfAndSummary(t *testing.T) {
	b, r, _ := one(t, status(500))
	b.emit(t, "a1", "guidance.released", "g1")
	b.drain(t)
	st, err := b.Of(ctx, "a1", "g1")
	if err != nil || !st.Endpoint || !st.Enabled || st.Latest.State != delivery.Waiting || st.Latest.Attempt != 1 {
		t.Errorf("%+v, %v", st, err)
	}
	if st, err = b.Of(ctx, "a1", "g2"); err != nil || !st.Endpoint || st.Latest.ID != "" {
		t.Errorf("%+v, %v", st, err)
	}
	sum, err := b.Summary(ctx)
	if want := (delivery.Summary{Endpoints: 1, Failing: 1, Waiting: 1}); err != nil || sum != want {
		t.Errorf("%+v, %v", sum, err)
	}
	r.set(status(410))
	b.later(t, time.Minute)
	sum, err = b.Summary(ctx)
	if want := (delivery.Summary{Endpoints: 1, Disabled: 1, Gone: 1, Waiting: 1}); err != nil || sum != want {
		t.Errorf("%+v, %v", sum, err)
	}
}

// Neither the log nor the record has the address's path, which may be a secret, or what a receiver says.
func TestTheLogKeepsSecrets(t *testing.T) {
	r := listen(t, func(w http.ResponseWriter, _ *http.Request) {
		w.WriteHeader(500)
		w.Write([]byte("canary-answer"))
	})
	b := open(t, delivery.Options{Allow: loopback}, r)
	secret := b.save(t, "a1", r.URL+"/canary-path?key=canary-query")
	b.emit(t, "a1", "guidance.released", "canary-object")
	b.drain(t)
	if s := b.log.String(); strings.Contains(s, "canary") || strings.Contains(s, secret) ||
		!strings.Contains(s, "delivery failed") {
		t.Errorf("log: %s", s)
	}
	rows, err := audit.List(ctx, b.d, audit.Filter{})
	if err != nil {
		t.Fatal(err)
	}
	for _, row := range rows.Rows {
		if s := string(row.Content); strings.Contains(s, "canary") || strings.Contains(s, secret) {
			t.Errorf("audit: %s", s)
		}
	}
}
