package delivery

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/netip"
	"slices"
	"strings"
	"syscall"
	"time"

	"preceptor/internal/platform/fault"
)

// Allow is what the operator allows although it is not public. What it names may be reached over plain http too, and on
// any port.
type Allow struct {
	Networks []netip.Prefix
	Hosts    []string // in lower case
}

func (a Allow) host(h string) bool {
	return slices.Contains(a.Hosts, strings.ToLower(strings.TrimSuffix(h, ".")))
}

func (a Allow) address(ip netip.Addr) bool {
	return slices.ContainsFunc(a.Networks, func(p netip.Prefix) bool { return p.Contains(ip) })
}

// guard keeps deliveries away from what is not public.
type guard struct {
	allow    Allow
	resolver *net.Resolver
}

// refused is a connection that was not made.
type refused struct{ why string }

func (r *refused) Error() string { return r.why }

// special are the networks that no public receiver is in (the IANA registries of special-purpose addresses), and what
// to call them. Within 2000::/3 they are listed; IPv6 outside of it is refused as a whole.
var special = []struct {
	net  netip.Prefix
	what string
}{
	{netip.MustParsePrefix("127.0.0.0/8"), "this machine"},
	{netip.MustParsePrefix("0.0.0.0/8"), "an unspecified address"},
	{netip.MustParsePrefix("10.0.0.0/8"), "a private address"},
	{netip.MustParsePrefix("172.16.0.0/12"), "a private address"},
	{netip.MustParsePrefix("192.168.0.0/16"), "a private address"},
	{netip.MustParsePrefix("100.64.0.0/10"), "a carrier's private address"},
	{netip.MustParsePrefix("169.254.0.0/16"), "a link-local address"}, // 169.254.169.254: the cloud's metadata
	{netip.MustParsePrefix("168.63.129.16/32"), "a cloud's metadata service"},
	{netip.MustParsePrefix("192.0.0.0/24"), "a reserved address"},
	{netip.MustParsePrefix("192.0.2.0/24"), "a documentation address"},
	{netip.MustParsePrefix("192.88.99.0/24"), "a reserved address"},
	{netip.MustParsePrefix("198.18.0.0/15"), "a benchmarking address"},
	{netip.MustParsePrefix("198.51.100.0/24"), "a documentation address"},
	{netip.MustParsePrefix("203.0.113.0/24"), "a documentation address"},
	{netip.MustParsePrefix("224.0.0.0/4"), "a multicast address"},
	{netip.MustParsePrefix("240.0.0.0/4"), "a reserved address"},
	{netip.MustParsePrefix("::1/128"), "this machine"},
	{netip.MustParsePrefix("::/128"), "an unspecified address"},
	{netip.MustParsePrefix("fe80::/10"), "a link-local address"},
	{netip.MustParsePrefix("fc00::/7"), "a private address"}, // fd00:ec2::254: the cloud's metadata
	{netip.MustParsePrefix("ff00::/8"), "a multicast address"},
	{netip.MustParsePrefix("2001::/23"), "a reserved address"}, // Teredo and others
	{netip.MustParsePrefix("2001:db8::/32"), "a documentation address"},
	{netip.MustParsePrefix("2002::/16"), "a 6to4 address"},
	{netip.MustParsePrefix("3fff::/20"), "a documentation address"},
}

var (
	global = netip.MustParsePrefix("2000::/3")
	nat64  = netip.MustParsePrefix("64:ff9b::/96") // an IPv4 address behind a translator: that is what counts
)

// notPublic says what ip is, if no public receiver can be there.
func notPublic(ip netip.Addr) string {
	ip = ip.Unmap()
	if nat64.Contains(ip) {
		b := ip.As16()
		ip = netip.AddrFrom4([4]byte(b[12:]))
	}
	if ip.Zone() != "" {
		return "a link-local address"
	}
	for _, s := range special {
		if s.net.Contains(ip) {
			return s.what
		}
	}
	if !ip.IsValid() || ip.Is6() && !global.Contains(ip) {
		return "a reserved address"
	}
	return ""
}

// judge says why there may be no connection to at for the sake of host, or nil.
func (g guard) judge(host string, plain bool, at netip.AddrPort) error {
	ip := at.Addr().Unmap()
	if g.allow.host(host) || g.allow.address(ip) {
		return nil
	}
	const ask = "To allow it, start the program with --webhook-allow %s (PRECEPTOR_WEBHOOK_ALLOW)."
	switch what := notPublic(ip); {
	case what != "" && host == ip.String():
		return &refused{fmt.Sprintf("%s is %s. "+ask, ip, what, ip)}
	case what != "":
		return &refused{fmt.Sprintf("%s is at %s, which is %s. "+ask, host, ip, what, ip)}
	case plain:
		return &refused{fmt.Sprintf("Plain http can be read in transit; use https. "+ask, host)}
	case at.Port() != 443 && at.Port() < 1024:
		return &refused{fmt.Sprintf("Port %d belongs to another service; use 443, or 1024 and above. "+ask, at.Port(),
			host)}
	}
	return nil
}

// Client is for another service's calls to an address that somebody set, by the rules of deliveries: no redirect is
// followed, and nothing is reached that is not public and that a does not allow. wait is how long the head of an answer
// may take.
func Client(a Allow, wait time.Duration) *http.Client {
	return newClient(guard{allow: a, resolver: net.DefaultResolver}, nil, wait, true)
}

// Refusal says why such a client made no connection; "" when err is another failure.
func Refusal(err error) string {
	if r, ok := errors.AsType[*refused](err); ok {
		return r.why
	}
	return ""
}

// newClient makes an HTTP client: no redirects, no proxy, and every address judged as it is dialled. keep keeps
// connections open, which were judged when they were made.
func newClient(g guard, roots *x509.CertPool, wait time.Duration, keep bool) *http.Client {
	dial := func(plain bool) func(context.Context, string, string) (net.Conn, error) {
		return func(ctx context.Context, network, address string) (net.Conn, error) {
			host, _, err := net.SplitHostPort(address)
			if err != nil {
				return nil, err
			}
			d := net.Dialer{Resolver: g.resolver, Control: func(_, dialled string, _ syscall.RawConn) error {
				at, err := netip.ParseAddrPort(dialled)
				if err != nil {
					return &refused{"The address can't be read."}
				}
				return g.judge(host, plain, at)
			}}
			return d.DialContext(ctx, network, address)
		}
	}
	config := func() *tls.Config { return &tls.Config{MinVersion: tls.VersionTLS12, RootCAs: roots} }
	over := func(plain bool) *http.Transport {
		return &http.Transport{
			DialContext: dial(plain), TLSClientConfig: config(), DisableKeepAlives: !keep, DisableCompression: true,
			IdleConnTimeout:        time.Minute,
			MaxResponseHeaderBytes: maxAnswer, TLSHandshakeTimeout: timeout, ResponseHeaderTimeout: wait,
		}
	}
	return &http.Client{
		Transport:     bySchemes{plain: over(true), secure: over(false)},
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}
}

// bySchemes keeps http and https apart, because the guard judges them differently and a dial does not know which it is.
type bySchemes struct{ plain, secure *http.Transport }

// RoundTrip implements http.RoundTripper.
func (t bySchemes) RoundTrip(r *http.Request) (*http.Response, error) {
	if r.URL.Scheme == "https" {
		return t.secure.RoundTrip(r)
	}
	return t.plain.RoundTrip(r)
}

// reach looks an endpoint's name up and says what keeps it from being used, before it is saved.
func (g guard) reach(ctx context.Context, host string, plain bool, port uint16) error {
	if ip, err := netip.ParseAddr(host); err == nil {
		return g.judge(host, plain, netip.AddrPortFrom(ip, port))
	}
	ctx, cancel := context.WithTimeout(ctx, 5*time.Second)
	defer cancel()
	ips, err := g.resolver.LookupNetIP(ctx, "ip", host)
	if err != nil {
		var no *net.DNSError
		if errors.As(err, &no) && no.IsNotFound {
			return &refused{fmt.Sprintf("There is no host called %s. Check the spelling.", host)}
		}
		return &refused{fmt.Sprintf("We couldn't look up %s. Check the spelling, or try again when the network is up.",
			host)}
	}
	for _, ip := range ips {
		if err := g.judge(host, plain, netip.AddrPortFrom(ip, port)); err != nil {
			return err
		}
	}
	return nil
}

// faultOf is a refusal as what is wrong with a field.
func faultOf(err error) error {
	if r, ok := errors.AsType[*refused](err); ok {
		return fault.Wrong(r.why, "url", r.why)
	}
	return err
}
