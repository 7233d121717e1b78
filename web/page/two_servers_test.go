package page_test

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"regexp"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"preceptor/internal/account"
	"preceptor/internal/app/apptest"
	"preceptor/internal/audit"
	"preceptor/internal/knowledge"
	"preceptor/internal/platform/config"
	"preceptor/internal/platform/db/dbtest"
	"preceptor/internal/platform/fault"
	"preceptor/internal/review"
	"preceptor/internal/signal"
)

// servers are two of one PostgreSQL database, with a model behind their proxy.
type servers struct {
	site  [2]*apptest.Site
	model http.HandlerFunc
	token string
}

func twoServers(t *testing.T) *servers {
	t.Helper()
	if !dbtest.OnServer() {
		t.Skip("make test-postgres runs it")
	}
	s, address := &servers{}, dbtest.At(t)
	model := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { s.model(w, r) }))
	t.Cleanup(model.Close)
	for i := range s.site {
		s.site[i] = apptest.Open(t, func(c *config.Config) {
			c.DB, c.Hold, c.Proxy, c.LLM.BaseURL, c.LLM.APIKey = address, 0, true, model.URL+"/v1", "sk-1"
		})
	}
	s.token = s.site[0].Token(t, account.Submit, account.Recall)
	return s
}

func (s *servers) agent(t *testing.T, i int) *apptest.Client {
	c := s.site[i].Nobody(t)
	c.Header.Set("Authorization", "Bearer "+s.token)
	return c
}

// mode has the agent's answers wait for a person, and their callers so many seconds.
func (s *servers) mode(t *testing.T, wait int) {
	t.Helper()
	a, err := s.site[0].Accounts.AgentByName(t.Context(), "pension-advisor")
	if err == nil {
		err = s.site[0].Signals.Set(t.Context(), a.ID, signal.Settings{Hold: true, Wait: wait},
			knowledge.Person{ID: "p", Name: "Eva", Roles: []string{"expert"}})
	}
	if err != nil {
		t.Fatal(err)
	}
}

func (s *servers) submit(t *testing.T, i, n int) (id string) {
	t.Helper()
	r := s.agent(t, i).JSON(t, http.MethodPost, "/api/guidance", fmt.Sprintf(`{"agent":"pension-advisor",
		"consultation":{"question":"How much can I take tax free, the %dth time?","customer":{"age":58}},
		"guidance":"You can usually take up to a quarter tax free. MoneyHelper gives free and impartial guidance."}`, n))
	var got struct{ ID string }
	if err := json.Unmarshal([]byte(r.Body), &got); err != nil || got.ID == "" {
		t.Fatalf("%d %s", r.Status, r.Body)
	}
	return got.ID
}

// decide has a person decide at a server.
func (s *servers) decide(ctx context.Context, i int, id string, who account.Account, in review.Input) (review.Decision, error) {
	item, err := s.site[i].Reviews.Get(ctx, id)
	if err != nil {
		return review.Decision{}, err
	}
	in.ID, in.By, in.Version, in.TextHash = id, review.Person{ID: who.ID, Name: who.Name}, item.Version, item.TextHash
	d, err := s.site[i].Reviews.Decide(ctx, in)
	if err != nil {
		return review.Decision{}, err
	}
	return *d, nil
}

// A call that is held on one server is answered by what people decide on the other, and its retry there is no other
// call.
func TestTwoServersAnswerAHeldCall(t *testing.T) {
	s := twoServers(t)
	var asked atomic.Int32
	begun, goOn := make(chan bool, 9), make(chan bool)
	s.model = func(w http.ResponseWriter, _ *http.Request) {
		asked.Add(1)
		begun <- true
		<-goOn
		_, _ = io.WriteString(w, `{"id":"c","object":"chat.completion","model":"m-1","choices":[{"index":0,
			"message":{"role":"assistant","content":"Hello."},"finish_reason":"stop"}]}`)
	}
	const body = `{"model":"m","messages":[{"role":"user","content":"Hi"}]}`
	var wg sync.WaitGroup
	var got [2]apptest.Response
	call := func(i int) {
		wg.Go(func() { got[i] = s.agent(t, i).JSON(t, http.MethodPost, "/v1/chat/completions", body) })
	}
	s.mode(t, 0)
	call(0)
	<-begun
	call(1) // while the first server asks the model
	time.Sleep(300 * time.Millisecond)
	close(goOn)
	wg.Wait()
	id := got[0].Header.Get("X-Preceptor-Guidance")
	if id == "" || got[1].Header.Get("X-Preceptor-Guidance") != id || asked.Load() != 1 {
		t.Fatalf("asked %d times: %+v", asked.Load(), got)
	}
	s.mode(t, 60)
	call(0)
	people := []account.Account{s.site[0].Account(t, account.Supervisor), s.site[0].Account(t, account.Supervisor)}
	for i, kind := range []string{review.Revise, review.Approve} { // it may take two
		d, err := s.decide(t.Context(), 1, id, people[i], review.Input{Kind: kind, Text: "Good day.",
			Reason: "It is too short.", Feedback: "Greet people properly."})
		if err != nil {
			t.Fatal(err)
		}
		if d.State != review.Pending {
			break
		}
	}
	s.site[1].Drain(t)
	if wg.Wait(); !strings.Contains(got[0].Body, "Good day.") || asked.Load() != 1 {
		t.Errorf("asked %d times: %+v", asked.Load(), got[0])
	}
}

// 25 people decide at once on both; each decision is made once, and everybody else is told that it was.
func TestTwoServersDecideOnce(t *testing.T) {
	s := twoServers(t)
	const people, cases = 25, 6
	var ids []string
	for n := range cases {
		ids = append(ids, s.submit(t, n%2, n))
	}
	s.site[0].Drain(t)
	var who []account.Account
	for range people {
		who = append(who, s.site[0].Account(t, account.Supervisor))
	}
	var wg sync.WaitGroup
	var made [cases]atomic.Int32
	for i, a := range who {
		wg.Go(func() {
			for k := range cases {
				n := (k + i) % cases
				_, err := s.decide(context.Background(), i%2, ids[n], a, review.Input{Kind: review.Approve})
				if err == nil {
					made[n].Add(1)
				} else if !fault.Is(err, fault.Conflict) && !fault.Is(err, fault.Denied) {
					t.Errorf("%s: %v", a.Name, err)
				}
			}
		})
	}
	wg.Wait()
	for n, id := range ids {
		for i := range s.site {
			list, err := s.site[i].Reviews.DecisionsFor(t.Context(), id)
			if err != nil || len(list) != int(made[n].Load()) || len(list) == 0 || len(list) > 2 {
				t.Errorf("server %d: %d decisions, %d were confirmed: %v", i, len(list), made[n].Load(), err)
			}
		}
	}
	if rep, err := audit.Verify(t.Context(), s.site[1].DB, nil); err != nil || rep.Bad != nil {
		t.Errorf("%+v %v", rep, err)
	}
}

// What is decided on one shows on the other at once; a page that shows something once, a file between its upload and its
// import, and a pace are one for both.
func TestTwoServersAreOneDesk(t *testing.T) {
	s := twoServers(t)
	a, b := s.site[0], s.site[1]
	sam := a.SignedIn(t, account.Supervisor)

	r, err := http.NewRequestWithContext(t.Context(), http.MethodGet, b.URL+"/events?topics=reviews", http.NoBody)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range sam.Cookies() {
		r.AddCookie(c)
	}
	res, err := http.DefaultClient.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	defer res.Body.Close()
	told := make(chan bool)
	go func() {
		for lines := bufio.NewScanner(res.Body); lines.Scan(); {
			if lines.Text() == "event: reviews" {
				close(told)
				return
			}
		}
	}()
	id := ""
	for n, seen := 0, false; !seen; n++ { // the other server begins to hear when it can
		id = s.submit(t, 0, n)
		select {
		case <-told:
			seen = true
		case <-time.After(100 * time.Millisecond):
		}
	}
	if d, err := s.decide(t.Context(), 0, id, sam.Account, review.Input{Kind: review.Approve}); err != nil {
		t.Fatalf("%+v %v", d, err)
	}
	if r := sam.At(b).Get(t, "/reviews/"+id); !strings.Contains(r.Body, "Approved") {
		t.Errorf("%d %.2000s", r.Status, r.Body)
	}

	boss := a.SignedIn(t, account.Admin)
	if r := boss.Post(t, "/admin/agents/tokens", map[string][]string{"agent": {"pension-advisor"}, "scopes": {"submit"},
		"days": {"30"}}); r.Status != http.StatusSeeOther {
		t.Fatalf("%d %.400s", r.Status, r.Body)
	}
	secret := regexp.MustCompile(`pcp_[0-9A-Za-z]{36}`)
	if plain := secret.FindString(boss.At(b).Get(t, "/admin/agents").Body); plain == "" {
		t.Error("the token isn't shown by the other server")
	} else if _, err := b.Accounts.Authenticate(t.Context(), plain); err != nil {
		t.Error(err)
	}
	if secret.MatchString(boss.Get(t, "/admin/agents").Body) {
		t.Error("the token is shown twice")
	}

	manager, set := a.SignedIn(t, account.Manager), labelSet(t, a, 0, 2)
	path := "/datasets/" + set.ID
	doc := page(t, send(t, manager, path+"/import/upload", "x.csv",
		"query,reply\nShould I?,"+strings.Repeat("You should not. ", 90_000)+"\nCan I?,You may ask.\n"), http.StatusOK)
	form := with(filled(t, doc, "form[action$='/import']"), "guidance", "reply", "question", "query", "labels", "none")
	if r := manager.At(b).Post(t, path+"/import", form); r.Status != http.StatusSeeOther {
		t.Fatalf("import: %d %.800s", r.Status, r.Body)
	}
	b.Drain(t)
	has(t, page(t, manager.Get(t, path+"/files"), http.StatusOK), "#run", "imported")
	other := a.SignedIn(t, account.Manager)
	if r := other.At(b).Post(t, path+"/import", form); r.Status != http.StatusNotFound {
		t.Errorf("another person's file: %d", r.Status)
	}

	for n := range 31 {
		want := http.StatusNotFound
		if n == 30 {
			want = http.StatusTooManyRequests
		}
		if r := s.site[n%2].Nobody(t).Get(t, "/f/"+strings.Repeat("x", 43)); r.Status != want {
			t.Fatalf("wrong link %d: %d", n, r.Status)
		}
	}
}
