package app_test

import (
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"preceptor/internal/account"
	"preceptor/internal/app/apptest"
	"preceptor/internal/platform/config"
	"preceptor/internal/platform/db"
	"preceptor/internal/signal/turn"
)

const chat = `{"model":"m","messages":[{"role":"user","content":"How many rows?"}]}`

// The proxy as the settings have it: which server, whose key, and what is kept.
func TestTheProxyOfTheSettings(t *testing.T) {
	model := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path != "/v1/chat/completions" || r.Header.Get("Authorization") != "Bearer sk-1" {
			t.Errorf("%s %v", r.URL, r.Header)
		}
		_, _ = io.WriteString(w,
			`{"model":"m-1","choices":[{"index":0,"message":{"role":"assistant","content":"Two."}}]}`)
	}))
	defer model.Close()
	local := strings.Replace(model.URL, "127.0.0.1", "localhost", 1) + "/v1"
	for _, c := range []struct {
		name   string
		change func(*config.Config)
		status int
		says   string
	}{
		{"an address", func(c *config.Config) {
			c.Proxy, c.LLM.BaseURL = true, model.URL+"/v1"
		}, http.StatusOK, "Two."},
		{"this machine by its name", func(c *config.Config) {
			c.Proxy, c.LLM.BaseURL = true, local
		}, http.StatusOK, "Two."},
		{"off", func(c *config.Config) { c.LLM.BaseURL = local }, http.StatusServiceUnavailable, "PRECEPTOR_PROXY"},
		{"no server", func(c *config.Config) {
			c.Proxy = true
		}, http.StatusServiceUnavailable, "PRECEPTOR_LLM_BASE_URL"},
		{"another protocol", func(c *config.Config) {
			c.Proxy, c.LLM.Provider, c.LLM.Model = true, "anthropic", "m"
		}, http.StatusServiceUnavailable, "PRECEPTOR_LLM_PROVIDER"},
	} {
		site := apptest.Open(t, func(cfg *config.Config) { cfg.LLM.APIKey = "sk-1"; c.change(cfg) })
		agent := site.Nobody(t)
		agent.Header.Set("Authorization", "Bearer "+site.Token(t, account.Submit, account.Recall))
		got := agent.JSON(t, http.MethodPost, "/v1/chat/completions", chat)
		if got.Status != c.status || !strings.Contains(got.Body, c.says) || strings.Contains(got.Body, "sk-1") {
			t.Errorf("%s: %d %s", c.name, got.Status, got.Body)
		}
		if c.status != http.StatusOK {
			continue
		}
		var query, response, source string
		read := func(tx *db.Tx) error {
			return db.One(tx, "test", `SELECT query, response, source FROM turn`).Scan(&query, &response, &source)
		}
		err := site.DB.Read(t.Context(), read)
		for end := time.Now().Add(10 * time.Second); err != nil &&
			time.Now().Before(end); err = site.DB.Read(t.Context(), read) {
			time.Sleep(10 * time.Millisecond) // it is kept after the answer has gone
		}
		if err != nil || query != "How many rows?" || response != "Two." || source != turn.ByProxy {
			t.Errorf("%s: %q %q %q %v", c.name, query, response, source, err)
		}
		// What nobody answers is said in the form of the door.
		if got := agent.JSON(t, http.MethodPost, "/v1/responses", "{}"); got.Status != http.StatusNotFound ||
			!strings.Contains(got.Body, `"error":{"message"`) {
			t.Errorf("%s: /v1/responses: %d %s", c.name, got.Status, got.Body)
		}
	}
}
