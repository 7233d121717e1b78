package delivery_test

import (
	"io"
	"net/http"
	"strings"
	"testing"
	"time"

	"preceptor/internal/delivery"
	"preceptor/internal/platform/fault"
)

func say(status int, text string) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) {
		w.WriteHeader(status)
		io.WriteString(w, text)
	}
}

func TestAskIsSignedAndGivesTheAnswer(t *testing.T) {
	r := listen(t, say(200, `{"issues":[]}`))
	b := open(t, delivery.Options{Allow: loopback}, r)
	secret := delivery.NewSecret()
	got, err := b.Ask(ctx, r.URL+"/evaluate", secret, []byte(`{"query":"q"}`))
	if err != nil || string(got) != `{"issues":[]}` {
		t.Fatalf("%q, %v", got, err)
	}
	sent := r.requests()
	if len(sent) != 1 || string(sent[0].body) != `{"query":"q"}` || sent[0].path != "/evaluate" {
		t.Fatalf("%+v", sent)
	}
	if err := verify(secret, sent[0]); err != nil {
		t.Error(err)
	}
}

func TestAskSaysWhatWentWrong(t *testing.T) {
	const never = "did not answer within 0.2 seconds"
	over := make(chan struct{})
	defer close(over)
	for want, answer := range map[string]http.HandlerFunc{
		"The receiver answered 500. It said: out of order": say(500, "out of order"),
		"The receiver answered 500. It said: (what it was": say(500, "the question about my pension was: what is it"),
		"a redirect, which we don't follow": func(w http.ResponseWriter, r *http.Request) {
			http.Redirect(w, r, "/other", http.StatusFound)
		},
		"more than 64 KB": say(200, strings.Repeat("x", 70_000)),
		never: func(http.ResponseWriter, *http.Request) {
			<-over
			panic(http.ErrAbortHandler)
		},
		"closed the connection": func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Length", "100")
			io.WriteString(w, "half")
			panic(http.ErrAbortHandler)
		},
	} {
		r := listen(t, answer)
		// A machine that is busy may be slow to answer: only the one that never does is given little time, and may not
		// be reached in it.
		limit := time.Minute
		if want == never {
			limit = 200 * time.Millisecond
		}
		b := open(t, delivery.Options{Allow: loopback, Timeout: limit}, r)
		got, err := b.Ask(ctx, r.URL, delivery.NewSecret(), []byte(`{"query":"the question about my pension"}`))
		if got != nil || !fault.Is(err, fault.Unavailable) || !strings.Contains(fault.Message(err), want) {
			t.Errorf("want %s: %q, %v", want, got, err)
		}
		if n := len(r.requests()); n > 1 || (n < 1 && want != never) {
			t.Errorf("want %s: %d requests", want, n)
		}
	}
}

// What webhooks may not reach, no question reaches either, whatever was checked when the address was saved.
func TestAskStaysOutOfTheHouse(t *testing.T) {
	port, reached := quiet(t)
	n := resolve(t, "127.0.0.1")
	b := open(t, delivery.Options{Resolver: n.Resolver})
	for _, host := range []string{"127.0.0.1", "[::1]", "[::ffff:127.0.0.1]", "localhost", "inside.example",
		"169.254.169.254", "0x7f.1"} {
		for _, scheme := range []string{"http", "https"} {
			if _, err := b.Ask(ctx, scheme+"://"+host+":"+port, delivery.NewSecret(), nil); !fault.Is(err,
				fault.Unavailable) {
				t.Errorf("%s: %v", host, err)
			}
			if _, err := b.CheckURL(ctx, scheme+"://"+host+":"+port); !fault.Is(err, fault.Invalid) {
				t.Errorf("%s can be saved: %v", host, err)
			}
		}
	}
	if got := reached.Load(); got != 0 {
		t.Errorf("%d connections to this machine", got)
	}
}
