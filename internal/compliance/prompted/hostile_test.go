package prompted

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"runtime"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"go.uber.org/goleak"

	"preceptor/internal/compliance"
	"preceptor/internal/llm"
	"preceptor/internal/llm/llmtest"
	"preceptor/internal/llm/openai"
	"preceptor/internal/privacy"
)

const fine = `{"reasoning":"Balanced.","boundary_classification":"GUIDANCE","passed":true,"confidence":0.9,"issues":[]}`

// reply is a model's text in a server's answer.
func reply(text string) string {
	content, _ := json.Marshal(text)
	return fmt.Sprintf(
		`{"id":"x","object":"chat.completion","model":"m-1","choices":[{"index":0,"finish_reason":"stop","message":{"role":"assistant","content":%s}}],
		"usage":{"prompt_tokens":11,"completion_tokens":7,"total_tokens":18}}`, content)
}

// drip sends an answer a byte at a time, for longer than anybody waits.
func drip(w http.ResponseWriter, r *http.Request) {
	w.Header().Set("Content-Type", "application/json")
	for _, b := range []byte(reply(fine)) {
		if _, err := w.Write([]byte{b}); err != nil {
			return
		}
		w.(http.Flusher).Flush()
		select {
		case <-r.Context().Done():
			return
		case <-time.After(20 * time.Millisecond):
		}
	}
}

// tenMB is a sound answer with 10 MB of reasoning.
func tenMB(w http.ResponseWriter, _ *http.Request) {
	w.Header().Set("Content-Type", "application/json")
	io.WriteString(w, reply(strings.Replace(fine, "Balanced.", strings.Repeat("so it is ", 10<<20/9), 1)))
}

func judgeAt(t *testing.T, name, url string, c llm.Config) *Judge {
	t.Helper()
	c.BaseURL, c.Model = url, "m-1"
	g, err := openai.NewGenerator(c)
	if err != nil {
		t.Fatal(err)
	}
	return New(name, g, privacy.New())
}

// live is how many bytes are in use.
func live() uint64 {
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return m.HeapAlloc
}

func TestAJudgeThatMisbehavesAbstainsAndNothingGrows(t *testing.T) {
	defer goleak.VerifyNone(t, goleak.IgnoreCurrent())
	defer http.DefaultTransport.(*http.Transport).CloseIdleConnections()
	for name, step := range map[string]http.HandlerFunc{
		"stalls":             llmtest.Stall(),
		"drips":              drip,
		"sends 10 MB":        tenMB,
		"sends without end":  llmtest.Flood(),
		"cuts its JSON":      llmtest.Cut(reply(fine)),
		"cuts its answer":    llmtest.Body(reply(fine[:50])),
		"NaN":                llmtest.Body(reply(strings.Replace(fine, "0.9", "NaN", 1))),
		"infinity":           llmtest.Body(reply(strings.Replace(fine, "0.9", "1e999", 1))),
		"is down":            llmtest.Status(503),
		"speaks of the rest": llmtest.Body("<html>"),
		"nests without end":  llmtest.Body(reply(strings.Repeat(`{"a":`, 20_000))),
	} {
		t.Run(name, func(t *testing.T) {
			bad, good := llmtest.Serve(t, step), llmtest.Serve(t, llmtest.Body(reply(fine)))
			quick := llm.Config{Timeout: 300 * time.Millisecond, Attempts: 2, Backoff: time.Millisecond}
			p := compliance.Panel{Timeout: time.Second, Judges: []compliance.Judge{
				judgeAt(t, "bad", bad.URL, quick), judgeAt(t, "good", good.URL, quick)}}
			before := live()
			var votes []compliance.Vote
			for range 3 {
				votes = p.Ask(t.Context(), compliance.Subject{Text: draft})
			}
			after := live()
			for range 20 { // what the other end of the line holds goes when its handler returns
				if after <= before+4<<20 {
					break
				}
				time.Sleep(100 * time.Millisecond)
				after = live()
			}
			if v := votes[0]; !v.Abstained || v.Why == "" || v.Passed || len(v.Issues) != 0 {
				t.Errorf("its vote counts: %+v", v)
			}
			if v := votes[1]; v.Abstained || !v.Passed || v.Tokens != 18 {
				t.Errorf("the other judge's vote: %+v", v)
			}
			if after > before+4<<20 {
				t.Errorf("%d MB stay behind", (after-before)>>20)
			}
		})
	}
}

// TestTheBreakerOpensAndCloses moves the clock past the rest of the breaker. The server lives outside of the bubble and
// closes each connection, so that nothing in the bubble waits for a network when time is to pass.
func TestTheBreakerOpensAndCloses(t *testing.T) {
	var requests, healthy atomic.Int64
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		requests.Add(1)
		w.Header().Set("Connection", "close")
		if healthy.Load() == 0 {
			w.WriteHeader(http.StatusServiceUnavailable)
			return
		}
		llmtest.Body(reply(fine))(w, r)
	}))
	defer server.Close()
	synctest.Test(t, func(t *testing.T) {
		j := judgeAt(t, "flaky", server.URL, llm.Config{Attempts: 1})
		p := compliance.Panel{Judges: []compliance.Judge{j}}
		vote := func() compliance.Vote { return p.Ask(t.Context(), compliance.Subject{Text: draft})[0] }
		for range 20 {
			if v := vote(); !v.Abstained {
				t.Fatalf("a judge that is down votes: %+v", v)
			}
		}
		open := requests.Load()
		if open >= 20 {
			t.Errorf("the server that is down was asked %d times in 20 calls", open)
		}
		healthy.Store(1)
		if v := vote(); !v.Abstained || requests.Load() != open {
			t.Errorf("the open breaker let a call through: %+v", v)
		}
		time.Sleep(31 * time.Second)
		if v := vote(); v.Abstained || !v.Passed {
			t.Errorf("after its rest the judge does not vote: %+v", v)
		}
		http.DefaultTransport.(*http.Transport).CloseIdleConnections()
	})
}
