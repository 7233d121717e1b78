package config

import (
	"bytes"
	"encoding/json"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"preceptor/internal/platform/fault"
)

func valid(t *testing.T) Config {
	t.Helper()
	c, err := Default()
	if err != nil {
		t.Fatalf("the defaults must stand: %v", err)
	}
	return c
}

func TestDefaultsWorkOffline(t *testing.T) {
	c := valid(t)
	if c.LLM.Provider != "embedded" || c.Recall != "hybrid" || c.Hold.Seconds() != 30 || c.ClaimFor.Minutes() != 10 {
		t.Errorf("defaults are %v", c)
	}
	if !IsLoopback(strings.TrimSuffix(c.Addr, ":8080")) {
		t.Errorf("by default the program listens on %s, beyond this machine", c.Addr)
	}
}

func TestCheckNamesTheFlag(t *testing.T) {
	cases := map[string]struct {
		change func(*Config)
		flag   string // "" when the setting is fine
	}{
		"no file":                     {func(c *Config) { c.DB = " " }, "db"},
		"unknown way of telling":      {func(c *Config) { c.Notify = "shout" }, "db-notify"},
		"unknown recall":              {func(c *Config) { c.Recall = "magic" }, "recall"},
		"seed recall":                 {func(c *Config) { c.Recall = "seed" }, ""},
		"address without port":        {func(c *Config) { c.Addr = "localhost" }, "addr"},
		"port too large":              {func(c *Config) { c.Addr = "localhost:70000" }, "addr"},
		"all interfaces, plain":       {func(c *Config) { c.Addr = ":8080" }, "addr"},
		"ipv6 loopback":               {func(c *Config) { c.Addr = "[::1]:8080" }, ""},
		"another machine, plain":      {func(c *Config) { c.Addr = "192.0.2.4:80" }, "addr"},
		"another machine, on purpose": {func(c *Config) { c.Addr = "192.0.2.4:80"; c.InsecureHTTP = true }, ""},
		"another machine, TLS":        {func(c *Config) { c.Addr = ":443"; c.TLSCert = "c"; c.TLSKey = "k" }, ""},
		"certificate without key":     {func(c *Config) { c.TLSCert = "c" }, "tls-cert"},
		"https address without a proxy": {func(c *Config) {
			c.Addr = ":80"
			c.PublicURL = "https://p.example"
		}, "addr"},
		"behind a proxy": {func(c *Config) {
			c.Addr = ":80"
			c.PublicURL = "https://p.example"
			c.TrustedProxy = []string{"10.0.0.0/8", "192.0.2.1"}
		}, ""},
		"proxy is no network": {func(c *Config) { c.TrustedProxy = []string{"the proxy"} }, "trusted-proxy"},
		"webhooks within the house": {func(c *Config) {
			c.WebhookAllow = []string{"10.0.0.0/8", "::1", "Hooks.internal"}
		}, ""},
		"webhooks to an address": {func(c *Config) {
			c.WebhookAllow = []string{"https://hooks.internal/"}
		}, "webhook-allow"},
		"widget on a site": {func(c *Config) {
			c.WidgetOrigins = []string{"https://www.example.org", "https://shop.example:8443", "http://localhost:3000"}
		}, ""},
		"widget on a page": {func(c *Config) {
			c.WidgetOrigins = []string{"https://www.example.org/"}
		}, "widget-origin"},
		"widget on plain http": {func(c *Config) {
			c.WidgetOrigins = []string{"http://www.example.org"}
		}, "widget-origin"},
		"widget anywhere": {func(c *Config) { c.WidgetOrigins = []string{"*"} }, "widget-origin"},
		"widget on all its parts": {func(c *Config) {
			c.WidgetOrigins = []string{"https://*.example.org"}
		}, "widget-origin"},
		"widget with another policy": {func(c *Config) {
			c.WidgetOrigins = []string{"https://a.example;script-src"}
		}, "widget-origin"},
		"widget in capitals": {func(c *Config) {
			c.WidgetOrigins = []string{"https://Example.org"}
		}, "widget-origin"},
		"widget with its port": {func(c *Config) {
			c.WidgetOrigins = []string{"https://example.org:443"}
		}, "widget-origin"},
		"public address is a name": {func(c *Config) { c.PublicURL = "preceptor" }, "public-url"},
		"demo beyond the machine": {func(c *Config) {
			c.Demo = true
			c.InsecureHTTP = true
			c.Addr = ":8080"
		}, "addr"},
		"idle over absolute": {func(c *Config) { c.SessionAbsolute = c.SessionIdle / 2 }, "session-absolute"},
		"negative hold":      {func(c *Config) { c.Hold = -1 }, "hold"},
		"no hold":            {func(c *Config) { c.Hold = 0 }, ""},
		"auto-accept":        {func(c *Config) { c.AutoAccept = []string{"pension_education"} }, ""},
		"auto-accept of compliance": {func(c *Config) {
			c.AutoAccept = []string{"regulatory_compliance"}
		}, "auto-accept"},
		"auto-accept of nothing": {func(c *Config) { c.AutoAccept = []string{"weather"} }, "auto-accept"},
		"unknown provider":       {func(c *Config) { c.LLM.Provider = "oracle" }, "llm-provider"},
		"model without provider": {func(c *Config) { c.LLM.Model = "m" }, "llm-provider"},
		"openai without model":   {func(c *Config) { c.LLM.Provider = "openai"; c.LLM.APIKey = "k" }, "llm-model"},
		"openai without key or host": {func(c *Config) {
			c.LLM.Provider = "openai"
			c.LLM.Model = "m"
		}, "llm-api-key-file"},
		"own server needs no key": {func(c *Config) {
			c.LLM.Provider, c.LLM.Model, c.LLM.BaseURL = "openai", "m", "http://127.0.0.1:11434/v1"
		}, ""},
		"anthropic embeddings": {func(c *Config) {
			c.LLM.Provider, c.LLM.Model, c.LLM.APIKey, c.LLM.EmbedModel = "anthropic", "m", "k", "e"
		}, "llm-embed-model"},
		"short metrics token": {func(c *Config) { c.MetricsToken = "abc" }, "metrics-token-file"},
		"unknown level":       {func(c *Config) { c.Log.Level = "loud" }, "log-level"},
	}
	for name, tc := range cases {
		t.Run(name, func(t *testing.T) {
			c := valid(t)
			tc.change(&c)
			err := c.Check()
			if tc.flag == "" {
				if err != nil {
					t.Fatalf("refused: %v", err)
				}
				return
			}
			if !fault.Is(err, fault.Invalid) {
				t.Fatalf("got %v, want an invalid fault", err)
			}
			for _, f := range fault.Fields(err) {
				if f.Name == tc.flag {
					return
				}
			}
			t.Errorf("%v does not name --%s", err, tc.flag)
		})
	}
}

func TestEverythingWrongIsReportedAtOnce(t *testing.T) {
	c := valid(t)
	c.Recall, c.Hold, c.Log.Level = "x", -1, "y"
	if n := len(fault.Fields(c.Check())); n != 3 {
		t.Errorf("reported %d of 3 mistakes", n)
	}
}

func TestEnvironment(t *testing.T) {
	t.Setenv("PRECEPTOR_HOLD", "7s")
	t.Setenv("PRECEPTOR_TRUSTED_PROXY", "10.0.0.0/8,192.0.2.1")
	c := valid(t)
	if c.Hold.Seconds() != 7 {
		t.Errorf("hold is %s", c.Hold)
	}
	if p, err := c.Proxies(); err != nil || len(p) != 2 {
		t.Errorf("proxies are %v, %v", p, err)
	}
	t.Setenv("PRECEPTOR_HOLD", "soon")
	if _, err := Default(); !fault.Is(err, fault.Invalid) {
		t.Errorf("a broken variable gave %v", err)
	}
}

func TestWebhookTargets(t *testing.T) {
	c := valid(t)
	c.WebhookAllow = []string{"10.1.2.3/8", "127.0.0.1", " Hooks.Internal. "}
	networks, hosts, err := c.WebhookTargets()
	if err != nil || fmt.Sprint(networks) != "[10.0.0.0/8 127.0.0.1/32]" || fmt.Sprint(hosts) != "[hooks.internal]" {
		t.Errorf("%v, %v, %v", networks, hosts, err)
	}
}

func TestSecretComesFromVariableOrFile(t *testing.T) {
	name := filepath.Join(t.TempDir(), "key")
	if err := os.WriteFile(name, []byte("  s3cret-of-the-model\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	t.Setenv("PRECEPTOR_LLM_API_KEY_FILE", name)
	if c := valid(t); c.LLM.APIKey.Reveal() != "s3cret-of-the-model" {
		t.Errorf("the key is %q", c.LLM.APIKey.Reveal())
	}
	t.Setenv("PRECEPTOR_LLM_API_KEY", "another")
	if _, err := Default(); !fault.Is(err, fault.Invalid) {
		t.Errorf("variable and file together gave %v", err)
	}
	t.Setenv("PRECEPTOR_LLM_API_KEY_FILE", "")
	if c := valid(t); c.LLM.APIKey.Reveal() != "another" {
		t.Errorf("the key is %q", c.LLM.APIKey.Reveal())
	}
	t.Setenv("PRECEPTOR_METRICS_TOKEN_FILE", filepath.Join(t.TempDir(), "absent"))
	if _, err := Default(); !fault.Is(err, fault.Invalid) {
		t.Errorf("an absent file gave %v", err)
	}
}

// However a Config is printed, no secret of it shows.
func TestNothingPrintsASecret(t *testing.T) {
	c := valid(t)
	c.LLM.APIKey, c.MetricsToken = "tell-nobody-1", "tell-nobody-2"
	var log bytes.Buffer
	slog.New(slog.NewJSONHandler(&log, nil)).Info("start", "config", c, "key", c.LLM.APIKey)
	asJSON, err := json.Marshal(c)
	if err != nil {
		t.Fatal(err)
	}
	for form, text := range map[string]string{
		"%v": fmt.Sprint(c), "%+v": fmt.Sprintf("%+v", c), "%#v": fmt.Sprintf("%#v", c),
		"llm %+v": fmt.Sprintf("%+v", c.LLM),
		"llm %#v": fmt.Sprintf("%#v", c.LLM), "slog": log.String(), "json": string(asJSON),
		"list": fmt.Sprint(c.Redacted()),
	} {
		if strings.Contains(text, "tell-nobody") {
			t.Errorf("%s shows a secret: %s", form, text)
		}
	}
}

func TestTheDatabasesPasswordIsHidden(t *testing.T) {
	c := valid(t)
	c.DB = "postgres://desk:tell-nobody@db.example/desk"
	for _, text := range []string{fmt.Sprint(c), fmt.Sprintf("%#v", c), fmt.Sprint(c.Redacted())} {
		if strings.Contains(text, "tell-nobody") || !strings.Contains(text, "@db.example/desk") {
			t.Error(text)
		}
	}
}

func TestRedactedListsEverySetting(t *testing.T) {
	c := valid(t)
	c.MetricsToken = "0123456789abcdef"
	got := map[string]string{}
	for _, s := range c.Redacted() {
		if !strings.HasPrefix(s.Env, "PRECEPTOR_") {
			t.Errorf("%s has no variable", s.Name)
		}
		got[s.Name] = s.Value
	}
	for name, want := range map[string]string{
		"db": "preceptor.db", "hold": "30s", "llm-provider": "embedded", "metrics-token": "(hidden)", "llm-api-key": "",
		"log-level": "info",
	} {
		if v, ok := got[name]; !ok || v != want {
			t.Errorf("%s is %q (listed: %v), want %q", name, v, ok, want)
		}
	}
}
