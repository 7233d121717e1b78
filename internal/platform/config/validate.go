package config

import (
	"fmt"
	"net"
	"net/netip"
	"net/url"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"preceptor/internal/platform/fault"
)

// Domains are the domains of rules that AutoAccept may name; regulatory_compliance is not among them on purpose.
var autoAcceptable = []string{"risk_disclosure", "understanding_verification", "pension_education", "guidance"}

// problems collects what is wrong, by flag.
type problems []fault.Field

func (p *problems) add(flag, format string, args ...any) {
	*p = append(*p, fault.Field{Name: flag, Msg: fmt.Sprintf(format, args...)})
}

func (p problems) err() error {
	if len(p) == 0 {
		return nil
	}
	lines := make([]string, len(p))
	for i, f := range p {
		lines[i] = "--" + f.Name + ": " + f.Msg
	}
	return fault.WithFields(strings.Join(lines, "\n"), p...)
}

// Check reports everything that is wrong with c at once, as an Invalid fault whose fields are flags. It is not called
// Validate, because kong would then call it before the secrets are read.
func (c Config) Check() error {
	var p problems
	c.Base.check(&p)
	c.checkAddress(&p)
	c.checkSessions(&p)
	c.Desk.check(&p)
	c.Feedback.check(&p)
	return p.err()
}

func (b Base) check(p *problems) {
	if strings.TrimSpace(b.DB) == "" {
		p.add("db", "Give a file name.")
	}
	if _, err := Location(b.Zone); err != nil {
		p.add("zone", "%q is no time zone; write it as Europe/London, America/New_York or UTC.", b.Zone)
	}
	oneOf(p, "db-notify", b.Notify, "listen", "poll")
	oneOf(p, "recall", b.Recall, "hybrid", "seed")
	oneOf(p, "gate", b.Gate, "wilson", "seed")
	oneOf(p, "learn-confidence", b.Confidence, "on", "off")
	oneOf(p, "log-format", b.Log.Format, "text", "json")
	oneOf(p, "log-level", b.Log.Level, "debug", "info", "warn", "error")
	b.LLM.check(p)
	b.checkJudges(p)
}

func (l LLM) check(p *problems) {
	oneOf(p, "llm-provider", l.Provider, "embedded", "openai", "anthropic")
	if l.BaseURL != "" && !isWebAddress(l.BaseURL) {
		p.add("llm-base-url", "%q is not an address; write it as http://host:port/v1.", l.BaseURL)
	}
	if l.EmbedDims < 0 || l.EmbedDims > 8192 {
		p.add("llm-embed-dims", "Vectors have between 1 and 8192 numbers; 0 asks the model.")
	}
	between(p, "llm-timeout", l.Timeout, time.Second, 10*time.Minute)
	switch l.Provider {
	case "embedded":
		if l.Model != "" || l.EmbedModel != "" {
			p.add("llm-provider", "A model is named but the provider is embedded; set the provider to openai or "+
				"anthropic, or drop the model.")
		}
	case "openai":
		if l.Model == "" {
			p.add("llm-model", "Name the model the server should use.")
		}
		if l.BaseURL == "" && !l.APIKey.Set() {
			p.add("llm-api-key-file",
				"The provider openai needs a key, or the --llm-base-url of a server that needs none.")
		}
	case "anthropic":
		if l.Model == "" {
			p.add("llm-model", "Name the model.")
		}
		if !l.APIKey.Set() {
			p.add("llm-api-key-file", "The provider anthropic needs a key.")
		}
		if l.EmbedModel != "" {
			p.add("llm-embed-model", "Anthropic offers no embeddings; leave it empty for the built-in one.")
		}
	}
}

func (c Config) checkAddress(p *problems) {
	host, port, err := net.SplitHostPort(c.Addr)
	if n, nerr := strconv.Atoi(port); err != nil || nerr != nil || n < 0 || n > 65535 {
		p.add("addr", "%q is not HOST:PORT, such as 127.0.0.1:8080.", c.Addr)
		return
	}
	if (c.TLSCert == "") != (c.TLSKey == "") {
		p.add("tls-cert", "A certificate needs its key: give both --tls-cert and --tls-key.")
	}
	if c.PublicURL != "" && !isWebAddress(c.PublicURL) {
		p.add("public-url", "%q is not an address; write it as https://preceptor.example.", c.PublicURL)
	}
	if _, err := c.Proxies(); err != nil {
		p.add("trusted-proxy", "%s", fault.Message(err))
	}
	if _, _, err := c.WebhookTargets(); err != nil {
		p.add("webhook-allow", "%s", fault.Message(err))
	}
	for _, site := range c.WidgetOrigins {
		if !isOrigin(site) {
			p.add("widget-origin", "%q is not a site; write it as https://www.example.org, without a path. Plain "+
				"http is for this machine only.", site)
		}
	}
	switch {
	case c.Demo && !IsLoopback(host):
		p.add("addr",
			"The demo signs anyone in with one click, so it listens on this machine only; use 127.0.0.1:PORT.")
	case IsLoopback(host) || c.TLSCert != "" || c.InsecureHTTP:
	case strings.HasPrefix(c.PublicURL, "https://") && len(c.TrustedProxy) > 0:
	default:
		p.add("addr", "%s is reachable from other machines and plain http would show passwords to the network. "+
			"Give --tls-cert and --tls-key, or --public-url https://... with --trusted-proxy if a proxy handles TLS, "+
			"or --insecure-http if you must.", c.Addr)
	}
}

// isOrigin reports whether text is a scheme and a host and nothing else, spelled as browsers spell it: it goes into a
// policy and is compared.
func isOrigin(text string) bool {
	u, err := url.Parse(text)
	if err != nil || u.Host == "" || u.Hostname() == "" || text != u.Scheme+"://"+u.Host ||
		text != strings.ToLower(text) || strings.ContainsAny(u.Host, "*;, '\"") {
		return false
	}
	return u.Scheme == "https" && u.Port() != "443" || u.Scheme == "http" && u.Port() != "80" &&
		IsLoopback(u.Hostname())
}

func (c Config) checkSessions(p *problems) {
	between(p, "session-idle", c.SessionIdle, time.Minute, 24*time.Hour)
	between(p, "session-absolute", c.SessionAbsolute, c.SessionIdle, 30*24*time.Hour)
	if c.TokenRate < 1 || c.TokenRate > 10_000 {
		p.add("token-rate", "%d is not between 1 and 10,000.", c.TokenRate)
	}
	if c.MetricsToken.Set() && len(c.MetricsToken) < 16 {
		p.add("metrics-token-file", "The token needs at least 16 characters.")
	}
}

func (d Desk) check(p *problems) {
	between(p, "hold", d.Hold, 0, 24*time.Hour)
	between(p, "claim-for", d.ClaimFor, time.Minute, 24*time.Hour)
	for _, name := range d.AutoAccept {
		switch {
		case name == "regulatory_compliance":
			p.add("auto-accept", "Rules in regulatory_compliance always need a person's acceptance.")
		case !slices.Contains(autoAcceptable, name):
			p.add("auto-accept", "%q is not a domain; there are %s.", name, strings.Join(autoAcceptable, ", "))
		}
	}
}

// Proxies are the networks of TrustedProxy; a bare address is a network of one.
func (s Server) Proxies() ([]netip.Prefix, error) {
	var out []netip.Prefix
	for _, text := range s.TrustedProxy {
		n, err := network(text)
		if err != nil {
			return nil, fault.Wrap(fault.Invalid, err, "%q is neither an address nor a network such as 10.0.0.0/8.",
				text)
		}
		out = append(out, n)
	}
	return out, nil
}

// network reads a network, or an address as a network of one.
func network(text string) (netip.Prefix, error) {
	if a, err := netip.ParseAddr(text); err == nil {
		return netip.PrefixFrom(a.Unmap(), a.Unmap().BitLen()), nil
	}
	n, err := netip.ParsePrefix(text)
	return n.Masked(), err
}

var hostName = regexp.MustCompile(`^(?i:[a-z0-9_-]+)(?:\.(?i:[a-z0-9_-]+))*\.?$`)

// WebhookTargets are the networks and the hosts (in lower case) of WebhookAllow.
func (s Server) WebhookTargets() (networks []netip.Prefix, hosts []string, err error) {
	for _, text := range s.WebhookAllow {
		text = strings.TrimSpace(text)
		if n, err := network(text); err == nil {
			networks = append(networks, n)
			continue
		}
		if !hostName.MatchString(text) {
			return nil, nil, fault.New(fault.Invalid,
				"%q is neither an address, nor a network such as 10.0.0.0/8, nor a host's name without scheme "+
					"and port.", text)
		}
		hosts = append(hosts, strings.ToLower(strings.TrimSuffix(text, ".")))
	}
	return networks, hosts, nil
}

// Secure reports whether people reach the pages over TLS, so that cookies can be kept to it.
func (s Server) Secure() bool { return s.TLSCert != "" || strings.HasPrefix(s.PublicURL, "https://") }

// IsLoopback reports whether host, a name or an address, is this machine only. An empty host is every interface.
func IsLoopback(host string) bool {
	if host == "localhost" {
		return true
	}
	a, err := netip.ParseAddr(strings.Trim(host, "[]"))
	return err == nil && a.Unmap().IsLoopback()
}

func isWebAddress(s string) bool {
	u, err := url.Parse(s)
	return err == nil && (u.Scheme == "http" || u.Scheme == "https") && u.Host != ""
}

func oneOf(p *problems, flag, value string, allowed ...string) {
	if !slices.Contains(allowed, value) {
		p.add(flag, "%q is none of %s.", value, strings.Join(allowed, ", "))
	}
}

func between(p *problems, flag string, d, low, high time.Duration) {
	if d < low || d > high {
		p.add(flag, "%s is not between %s and %s.", d, low, high)
	}
}
