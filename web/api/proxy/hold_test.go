package proxy_test

import (
	"context"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"preceptor/internal/account"
	"preceptor/internal/audit"
	"preceptor/internal/platform/db"
	"preceptor/internal/review"
	"preceptor/web/api/proxy"
)

// decide has a supervisor decide on a piece of guidance, a second one agree where it takes two, and has it released.
func (d *door) decide(t *testing.T, id string, in review.Input) {
	t.Helper()
	for range 2 {
		item, err := d.Reviews.Get(t.Context(), id)
		if err != nil {
			t.Error(err)
			return
		}
		sue := d.Account(t, account.Supervisor)
		in.ID, in.By, in.Version, in.TextHash = id, review.Person{ID: sue.ID, Name: sue.Name}, item.Version,
			item.TextHash
		made, err := d.Reviews.Decide(t.Context(), in)
		if err != nil {
			t.Error(err)
		}
		if err != nil || made.State != review.Pending {
			break
		}
		in = review.Input{Kind: review.Approve}
	}
	d.Drain(t)
}

// answered is a completion as its caller reads it.
type answered struct {
	ID      string
	Object  string
	Usage   json.RawMessage
	Choices []struct {
		Message struct {
			Content, Refusal *string
			ToolCalls        json.RawMessage `json:"tool_calls"`
		}
		FinishReason string `json:"finish_reason"`
	}
}

func (d *door) held(t *testing.T, body string) (http.Header, answered) {
	t.Helper()
	res, text, err := d.chat(t, body)
	var a answered
	if uerr := json.Unmarshal([]byte(text), &a); err != nil || uerr != nil || res.StatusCode != http.StatusOK ||
		len(a.Choices) != 1 {
		t.Fatalf("%d %s %v", res.StatusCode, text, err)
	}
	return res.Header, a
}

func TestAHeldAnswerWaitsForReview(t *testing.T) {
	d := open(t)
	d.mode = proxy.Mode{Hold: true}
	d.answer = says(hello)
	header, got := d.held(t, `{"model":"m","n":3,"stream":false,"messages":[{"role":"user","content":"Hi"}]}`)
	id := header.Get("X-Preceptor-Guidance")
	if c := got.Choices[0]; id == "" || got.ID != "chatcmpl-"+id || c.Message.Content == nil ||
		!strings.Contains(*c.Message.Content, "Waiting for review") ||
		!strings.Contains(*c.Message.Content, id) || strings.Contains(*c.Message.Content, "Hello") ||
		c.FinishReason != "content_filter" || header.Get("X-Preceptor-Status") != "waiting" ||
		string(got.Usage) != `{"total_tokens":9}` {
		t.Errorf("%+v", got)
	}
	if sent := d.last(t).
		body; sent != `{"model":"m","n":1,"stream":false,"messages":[{"role":"user","content":"Hi"}]}` {
		t.Errorf("sent %s", sent)
	}
	in, err := d.Interactions.Get(t.Context(), id)
	if err != nil || in.Guidance != "Hello." || in.Consultation.Question != "Hi" || in.Model != "m-1" ||
		len(d.turns) != 0 {
		t.Errorf("%+v %v %v", in, err, d.turns)
	}
	// A caller that reads JSON is told where its client looks for a refusal.
	_, got = d.held(t, `{"response_format":{"type":"json_object"},"messages":[{"role":"user","content":"Hi"}]}`)
	if m := got.Choices[0].Message; m.Content != nil || m.Refusal == nil ||
		!strings.Contains(*m.Refusal, "Waiting for review") {
		t.Errorf("%+v", got)
	}
}

func TestACallerWaitsForTheRelease(t *testing.T) {
	d := open(t)
	d.mode = proxy.Mode{Hold: true, Wait: 30 * time.Second}
	d.answer = says(hello)
	for _, c := range []struct {
		name string
		in   review.Input
		says string
	}{
		{"approved", review.Input{Kind: review.Approve}, "Hello."},
		{"revised", review.Input{Kind: review.Revise, Text: "Good day.", Reason: "It is too short.",
			Feedback: "Greet people properly."}, "Good day."},
		{"sent back", review.Input{Kind: review.Return, Reason: "Say more than that."}, "not released (returned)"},
	} {
		decided := make(chan bool)
		go func() {
			defer close(decided)
			for range 100 {
				time.Sleep(50 * time.Millisecond)
				if page, err := d.Reviews.List(t.Context(), review.Filter{}); err == nil && len(page.Items) > 0 {
					d.decide(t, page.Items[0].ID, c.in)
					return
				}
			}
			t.Errorf("%s: nothing waits", c.name)
		}()
		_, got := d.held(t, `{"messages":[{"role":"user","content":"Hi"}]}`)
		<-decided
		if m := got.Choices[0].Message; m.Content == nil || !strings.Contains(*m.Content, c.says) {
			t.Errorf("%s: %+v", c.name, got)
		}
	}
}

// A client that sends the same once more, as all do when they wait in vain, is told of the first answer; when that is
// released it gets it.
func TestARetryIsNotSubmittedTwice(t *testing.T) {
	d := open(t)
	d.mode = proxy.Mode{Hold: true}
	n := 0
	d.answer = func(w http.ResponseWriter, r *http.Request) {
		n++
		says(completion(fmt.Sprintf(`{"role":"assistant","content":"Hello %d."}`, n)))(w, r)
	}
	const body = `{"messages":[{"role":"user","content":"Hi"}]}`
	header, _ := d.held(t, body)
	id := header.Get("X-Preceptor-Guidance")
	if again, _ := d.held(t, body); again.Get("X-Preceptor-Guidance") != id || n != 1 {
		t.Errorf("%s, then %s; the model was asked %d times", id, again.Get("X-Preceptor-Guidance"), n)
	}
	if other, _ := d.held(t, `{"user":"u8","messages":[{"role":"user","content":"Hi"}]}`); other.Get(
		"X-Preceptor-Guidance") == id {
		t.Error("another call got the same guidance")
	}
	d.decide(t, id, review.Input{Kind: review.Approve})
	if _, got := d.held(t, body); got.Choices[0].Message.Content == nil ||
		*got.Choices[0].Message.Content != "Hello 1." {
		t.Errorf("%+v", got)
	}
	if next, _ := d.held(t, body); next.Get("X-Preceptor-Guidance") == id || n != 3 {
		t.Errorf("what was released is answered again: %s, the model was asked %d times",
			next.Get("X-Preceptor-Guidance"), n)
	}
}

// What waits is known to a program that was started since, or to another server, with its calls; and no more once it was
// released, or erased.
func TestARetryAfterARestartIsNotSubmittedTwice(t *testing.T) {
	d := open(t)
	d.mode = proxy.Mode{Hold: true}
	n := 0
	d.answer = func(w http.ResponseWriter, r *http.Request) {
		n++
		says(completion(`{"role":"assistant","content":"Hello.","tool_calls":[{"id":"t1","type":"function",`+
			`"function":{"name":"pay","arguments":"{\"gbp\": 12.50}"}}]}`))(w, r)
	}
	const body = `{"messages":[{"role":"user","content":"Hi"}]}`
	header, first := d.held(t, body)
	id := header.Get("X-Preceptor-Guidance")
	d.serve(t)
	if again, got := d.held(t, body); again.Get("X-Preceptor-Guidance") != id || n != 1 || string(got.Usage) != string(first.Usage) {
		t.Fatalf("%s, then %s; the model was asked %d times", id, again.Get("X-Preceptor-Guidance"), n)
	}
	d.decide(t, id, review.Input{Kind: review.Approve})
	d.serve(t)
	if _, got := d.held(t, body); !strings.Contains(string(got.Choices[0].Message.ToolCalls), `"{\"gbp\": 12.50}"`) || n != 1 {
		t.Errorf("%+v", got)
	}
	if header, _ := d.held(t, body); header.Get("X-Preceptor-Guidance") == id || n != 2 {
		t.Errorf("what was given is given again, asked %d times", n)
	} else {
		id = header.Get("X-Preceptor-Guidance")
	}
	if err := d.DB.Write(t.Context(), func(tx *db.Tx) error {
		_, err := d.Interactions.EraseTx(tx, id, audit.System("test"))
		return err
	}); err != nil {
		t.Fatal(err)
	}
	if kept, found, err := d.Interactions.HeldCall(t.Context(), keyOf(d, t, body)); err != nil || !found ||
		kept.InteractionID != id || kept.Answer != "" {
		t.Errorf("after the erasure: %+v %v %v", kept, found, err)
	}
	if header, got := d.held(t, body); header.Get("X-Preceptor-Guidance") != id || n != 2 ||
		!strings.Contains(*got.Choices[0].Message.Content, "not released (closed)") {
		t.Errorf("erased: %v %+v", header, got)
	}
}

// keyOf is under what a call is kept.
func keyOf(d *door, t *testing.T, body string) string {
	t.Helper()
	token, err := d.Accounts.Authenticate(t.Context(), d.token)
	if err != nil {
		t.Fatal(err)
	}
	return fmt.Sprintf("%x", sha256.Sum256([]byte(token.ID+"\n"+body)))
}

// A caller that hangs up while it waits leaves the answer to its retry, which asks the model nothing.
func TestARetryAfterHangingUpIsNotSubmittedTwice(t *testing.T) {
	d := open(t)
	d.mode = proxy.Mode{Hold: true, Wait: 20 * time.Second}
	inside, mode := make(chan bool, 9), d.deps.Mode
	d.deps.Mode = func(ctx context.Context, agent string) (proxy.Mode, error) {
		inside <- true
		return mode(ctx, agent)
	}
	d.serve(t)
	n := 0
	answered := make(chan bool)
	d.answer = func(w http.ResponseWriter, r *http.Request) {
		n++
		says(completion(`{"role":"assistant","content":"Hello."}`))(w, r)
		close(answered)
	}
	const body = `{"messages":[{"role":"user","content":"Hi"}]}`
	for range 2 {
		ctx, hangUp := context.WithCancel(t.Context())
		go func() {
			<-inside
			<-answered
			hangUp()
		}()
		r, err := http.NewRequestWithContext(ctx, http.MethodPost, d.url+"/v1/chat/completions",
			strings.NewReader(body))
		if err != nil {
			t.Fatal(err)
		}
		r.Header.Set("Authorization", "Bearer "+d.token)
		r.Header.Set("Content-Type", "application/json")
		if res, err := http.DefaultClient.Do(r); err == nil {
			res.Body.Close()
			t.Fatalf("it didn't wait: %d", res.StatusCode)
		}
		d.under.Wait()
	}
	d.mode.Wait = 0
	if header, _ := d.held(t, body); n != 1 || header.Get("X-Preceptor-Status") != "waiting" {
		t.Errorf("the model was asked %d times: %v", n, header)
	}
}

// What the model cut off is told to the supervisor, and to the caller unless the text was revised; content in parts is
// a text.
func TestAHeldAnswerThatWasCutOff(t *testing.T) {
	d := open(t)
	d.mode = proxy.Mode{Hold: true}
	for _, c := range []struct {
		name, message, reason string
		in                    review.Input
		content, told, end    string
	}{
		{"cut off", `{"role":"assistant","content":"Hello, I"}`, "length", review.Input{Kind: review.Approve},
			"Hello, I", "length limit", "length"},
		{"cut off and revised", `{"role":"assistant","content":"Hello, I"}`, "length",
			review.Input{Kind: review.Revise, Text: "Good day.", Reason: "It is too short.",
				Feedback: "Greet people properly."}, "Good day.", "length limit", "stop"},
		{"filtered", `{"role":"assistant","content":"Hello, I"}`, "content_filter", review.Input{Kind: review.Approve},
			"Hello, I", "content filter", "stop"},
		{"in parts",
			`{"role":"assistant","content":[{"type":"thinking","thinking":"Hm."},{"type":"text","text":"Hel"},{"type":"text","text":"lo \ud83d\ude00"}]}`, "stop", review.Input{Kind: review.Approve}, "Hello 😀", "", "stop"},
		{"a part that thinks aloud",
			`{"role":"assistant","content":[{"type":"reasoning","text":"Hm."},{"text":"Hello."}]}`, "stop",
			review.Input{Kind: review.Approve}, "Hello.", "", "stop"},
	} {
		d.answer = says(strings.Replace(completion(c.message), `"finish_reason":"stop"`,
			`"finish_reason":"`+c.reason+`"`, 1))
		body := `{"user":"` + c.name + `","messages":[{"role":"user","content":"Hi"}]}`
		header, got := d.held(t, body)
		id := header.Get("X-Preceptor-Guidance")
		in, err := d.Interactions.Get(t.Context(), id)
		if err != nil || (in.Reasoning == "") != (c.told == "") || !strings.Contains(in.Reasoning, c.told) ||
			got.Choices[0].FinishReason != "content_filter" {
			t.Errorf("%s: %+v %q %v", c.name, got, in.Reasoning, err)
		}
		d.decide(t, id, c.in)
		header, got = d.held(t, body)
		if m := got.Choices[0]; m.Message.Content == nil || *m.Message.Content != c.content ||
			m.FinishReason != c.end || header.Get("X-Preceptor-Status") != "released" {
			t.Errorf("%s: %+v %v", c.name, got, header)
		}
	}
}

// Whoever asked for a stream gets one, of one part.
func TestAHeldAnswerAsAStream(t *testing.T) {
	d := open(t)
	d.mode = proxy.Mode{Hold: true}
	d.answer = says(hello)
	res, body, err := d.chat(t,
		`{"stream":true,"stream_options":{"include_usage":true},"messages":[{"role":"user","content":"Hi"}]}`)
	lines := strings.Split(strings.TrimSpace(body), "\n\n")
	if err != nil || !strings.HasPrefix(res.Header.Get("Content-Type"), "text/event-stream") || len(lines) != 4 ||
		lines[3] != "data: [DONE]" ||
		!strings.Contains(lines[0], "Waiting for review") ||
		!strings.Contains(lines[1], `"finish_reason":"content_filter"`) ||
		res.Header.Get("X-Accel-Buffering") != "no" ||
		!strings.Contains(lines[2], `"choices":[],"usage":{"total_tokens":9}`) {
		t.Errorf("%v %q", res.Header, lines)
	}
	if sent := d.last(t).
		body; sent != `{"stream":false,"stream_options":null,"messages":[{"role":"user","content":"Hi"}]}` {
		t.Errorf("sent %s", sent)
	}
}

// Tools that people let pass are called while the text beside them, which nobody released, stays away.
func TestToolCallsPassAHold(t *testing.T) {
	d := open(t)
	d.mode = proxy.Mode{Hold: true, Waits: func(tool string) bool { return tool != "sql" }}
	d.answer = says(
		completion(
			`{"role":"assistant","content":"Not to be seen.","tool_calls":[{"id":"t1","type":"function","function":{"name":"sql","arguments":"{}"}}]}`))
	header, got := d.held(t, `{"messages":[{"role":"user","content":"Hi"}]}`)
	if m := got.Choices[0].Message; m.Content != nil || !strings.Contains(string(m.ToolCalls), `"sql"`) ||
		header.Get("X-Preceptor-Guidance") != "" {
		t.Errorf("%+v", got)
	}
	_, body, _ := d.chat(t, `{"stream":true,"messages":[{"role":"user","content":"Hi"}]}`)
	if !strings.Contains(body, `"index":0,"type":"function"`) || strings.Contains(body, "Not to be seen") {
		t.Error(body)
	}
	for _, c := range []struct {
		name, answer string
		status       int
	}{
		{"an empty answer", completion(`{"role":"assistant","content":""}`), 503},
		{"no answer", `{"choices":[]}`, 503},
		{"not JSON", "<html>", 503},
		{"more than a review takes",
			completion(`{"role":"assistant","content":"` + strings.Repeat("x", 300_000) + `"}`), 422},
	} {
		d.answer = says(c.answer)
		if res, body, _ := d.chat(t, `{"messages":[{"role":"user","content":"Hi"}]}`); res.StatusCode != c.status ||
			!strings.Contains(body, `"error"`) {
			t.Errorf("%s: %d %.200s", c.name, res.StatusCode, body)
		}
	}
	d.answer = func(w http.ResponseWriter, _ *http.Request) { w.Header().Set("Retry-After", "7"); w.WriteHeader(429) }
	if res, _, _ := d.chat(t, question); res.StatusCode != 429 || res.Header.Get("Retry-After") != "7" {
		t.Errorf("429: %d %v", res.StatusCode, res.Header)
	}
}

// The whole conversation of a call is seen at the desk, with the tools that were used and by the caller's name for it.
func TestAHeldAnswerHasItsConversation(t *testing.T) {
	d := open(t)
	d.mode = proxy.Mode{Hold: true}
	d.answer = says(hello)
	talk := `{"role":"system","content":"Be kind."}`
	for i := range 9 {
		talk += fmt.Sprintf(`,{"role":"user","content":"Question %d"},{"role":"assistant","content":"Answer %d"}`, i, i)
	}
	talk += `,{"role":"user","content":[{"type":"text","text":"And the tax on that?"}]},
		{"role":"assistant","content":"\n\n","tool_calls":[{"id":"c1","type":"function",
		"function":{"name":"rates","arguments":"{}"}}]},{"role":"tool","tool_call_id":"c1","content":"40%"}`
	header, _ := d.held(t, `{"model":"m","metadata":{"session_id":"s-81"},"messages":[`+talk+`]}`)
	in, err := d.Interactions.Get(t.Context(), header.Get("X-Preceptor-Guidance"))
	if err != nil {
		t.Fatal(err)
	}
	c := in.Consultation
	if c.Question != "And the tax on that?" || c.Turn() != 10 || c.Thread != "s-81" || len(c.Messages) != 20 {
		t.Errorf("%d messages, turn %d of %q: %q", len(c.Messages), c.Turn(), c.Thread, c.Question)
	}
	if last := c.Messages[19]; last.Tool != "rates" || last.Text != "40%" || c.Messages[1].Text != "Answer 0" {
		t.Errorf("%+v", c.Messages)
	}
	// Of what is longer than a desk takes the end is kept, and a supervisor is told.
	long := strings.Repeat(`{"role":"user","content":"Go on"},`, 210)
	header, _ = d.held(t, `{"messages":[`+long+`{"role":"user","content":"Stop"}]}`)
	in, err = d.Interactions.Get(t.Context(), header.Get("X-Preceptor-Guidance"))
	if err != nil || len(in.Consultation.Messages) != 200 || !strings.Contains(in.Reasoning, "oldest 11 messages") {
		t.Errorf("%d messages, %q, %v", len(in.Consultation.Messages), in.Reasoning, err)
	}
}
