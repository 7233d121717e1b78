package app

import (
	"cmp"
	"context"
	"net/netip"
	"net/url"
	"strings"
	"time"

	"preceptor/internal/delivery"
	"preceptor/internal/llm/openai"
	"preceptor/internal/signal/turn"
	"preceptor/web/api/inproc"
	"preceptor/web/api/proxy"
)

// proxyBudget is how many tokens of memory a call of a model gets.
const proxyBudget = 1000

// proxyDeps is what the proxy works with: the model of the settings, reached by the rules of webhooks.
func (a *App) proxyDeps(ask inproc.Ask) proxy.Deps {
	c := a.cfg.LLM
	d := proxy.Deps{BaseURL: cmp.Or(c.BaseURL, openai.DefaultURL), Key: c.APIKey.Reveal(),
		Client: delivery.Client(asWritten(a.allowed(), c.BaseURL), c.Timeout),
		Ask:    ask, Record: a.recordTurn, Mode: a.proxyMode, Log: a.Log,
		Calls: proxy.Calls{Find: a.Interactions.HeldCall, Keep: a.Interactions.KeepCall, Drop: a.Interactions.DropCall,
			Lease: a.DB.Lease}}
	switch {
	case !a.cfg.Proxy:
		d.Off = "The proxy is off. Start the program with --proxy (PRECEPTOR_PROXY=true)."
	case c.Provider == "anthropic" || c.Provider != "openai" && c.BaseURL == "":
		d.Off = "The proxy needs a server that speaks OpenAI's protocol. Set PRECEPTOR_LLM_PROVIDER to openai, or " +
			"PRECEPTOR_LLM_BASE_URL to the server's address."
	}
	return d
}

// asWritten allows the address that the operator wrote into the base URL, where it is one or localhost. A name may lead
// elsewhere one day, so it has to be public or allowed by name.
func asWritten(allow delivery.Allow, baseURL string) delivery.Allow {
	u, err := url.Parse(baseURL)
	if err != nil {
		return allow
	}
	host := strings.ToLower(u.Hostname())
	if _, err := netip.ParseAddr(host); err == nil || host == "localhost" {
		allow.Hosts = append(allow.Hosts, host)
	}
	return allow
}

// recordTurn keeps a turn that came through the proxy.
func (a *App) recordTurn(ctx context.Context, t turn.Turn) error {
	_, err := a.Signals.Record(ctx, t)
	return err
}

// proxyMode is how an agent's calls are treated.
func (a *App) proxyMode(ctx context.Context, agentID string) (proxy.Mode, error) {
	set, err := a.Signals.SettingsOf(ctx, agentID)
	return proxy.Mode{Hold: set.Hold, Waits: set.Waits, Wait: time.Duration(set.Wait) * time.Second,
		Budget: proxyBudget}, err
}
