package delivery_test

import (
	"context"
	"crypto/tls"
	"net"
	"net/http"
	"net/netip"
	"strings"
	"sync/atomic"
	"testing"

	"golang.org/x/net/dns/dnsmessage"
	"pgregory.net/rapid"

	"preceptor/internal/delivery"
	"preceptor/internal/platform/db"
	"preceptor/internal/platform/fault"
)

// names is a DNS server whose answers change.
type names struct {
	*net.Resolver
	ip    atomic.Value // netip.Addr
	asked atomic.Int32
}

func resolve(t *testing.T, ip string) *names {
	t.Helper()
	pc, err := net.ListenPacket("udp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	n := &names{}
	n.ip.Store(netip.MustParseAddr(ip))
	n.Resolver = &net.Resolver{PreferGo: true, Dial: func(ctx context.Context, _, _ string) (net.Conn, error) {
		return new(net.Dialer).DialContext(ctx, "udp", pc.LocalAddr().String())
	}}
	done := make(chan struct{})
	go func() { defer close(done); n.serve(pc) }()
	t.Cleanup(func() { pc.Close(); <-done })
	return n
}

func (n *names) serve(pc net.PacketConn) {
	buf := make([]byte, 1500)
	for {
		size, from, err := pc.ReadFrom(buf)
		if err != nil {
			return
		}
		var q dnsmessage.Message
		if q.Unpack(buf[:size]) != nil || len(q.Questions) == 0 {
			continue
		}
		n.asked.Add(1)
		a := dnsmessage.Message{Header: dnsmessage.Header{ID: q.ID, Response: true, Authoritative: true},
			Questions: q.Questions}
		h := dnsmessage.ResourceHeader{Name: q.Questions[0].Name, Class: dnsmessage.ClassINET}
		switch ip := n.ip.Load().(netip.Addr); {
		case strings.HasPrefix(q.Questions[0].Name.String(), "none."):
			a.RCode = dnsmessage.RCodeNameError
		case ip.Is4() && q.Questions[0].Type == dnsmessage.TypeA:
			a.Answers = []dnsmessage.Resource{{Header: h, Body: &dnsmessage.AResource{A: ip.As4()}}}
		case ip.Is6() && q.Questions[0].Type == dnsmessage.TypeAAAA:
			a.Answers = []dnsmessage.Resource{{Header: h, Body: &dnsmessage.AAAAResource{AAAA: ip.As16()}}}
		}
		if b, err := a.Pack(); err == nil {
			pc.WriteTo(b, from)
		}
	}
}

// quiet is a listener on this machine that nobody may reach; it counts who does.
func quiet(t *testing.T) (port string, reached *atomic.Int32) {
	t.Helper()
	ln, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	reached = &atomic.Int32{}
	done := make(chan struct{})
	go func() {
		defer close(done)
		for {
			c, err := ln.Accept()
			if err != nil {
				return
			}
			reached.Add(1)
			c.Close()
		}
	}()
	t.Cleanup(func() { ln.Close(); <-done })
	_, port, _ = net.SplitHostPort(ln.Addr().String())
	return port, reached
}

// Every way to write an address that is not public, and forms that are no address: refused when saved, and with the row
// written past the check, when sent. A listener on this machine sees no connection.
func TestNoWayIntoTheHouse(t *testing.T) {
	port, reached := quiet(t)
	n := resolve(t, "127.0.0.1")
	b := open(t, delivery.Options{Resolver: n.Resolver})
	for i, host := range []string{
		"127.0.0.1", "127.1", "127.0.1", "2130706433", "0x7f000001", "0x7f.1", "0177.0.0.1", "017700000001",
		"127.0.0.1.", "0", "0.0.0.0", "[::]", "[::1]",
		"[0:0:0:0:0:0:0:1]", "[::ffff:127.0.0.1]", "[::ffff:7f00:1]", "[::127.0.0.1]", "[64:ff9b::7f00:1]",
		"[64:ff9b::127.0.0.1]", "[64:ff9b:1::7f00:1]",
		"[2002:7f00:1::]", "[2001:0:4136:e378:8000:63bf:80ff:fffe]", "[fe80::1]", "[fe80::1%25lo]", "[fc00::1]",
		"[fd00:ec2::254]", "[ff02::1]", "[fec0::1]",
		"[2001:db8::1]", "[5f00::1]", "[100::1]", "10.0.0.1", "10.255.255.255", "172.16.0.1", "172.31.255.255",
		"192.168.1.1", "100.64.0.1", "100.100.100.200",
		"169.254.169.254", "168.63.129.16", "192.0.0.192", "192.0.2.1", "198.18.0.1", "198.51.100.7", "203.0.113.9",
		"224.0.0.1", "255.255.255.255", "240.0.0.1",
		"localhost", "LOCALHOST", "localhost.", "inside.example", "inside.example.", "１２７.0.0.1", "①②⑦.0.0.1",
		"127。0。0。1", "a b", "inside.example%00.org", "-", "a..b", "*",
	} {
		for _, scheme := range []string{"https", "http"} {
			url := scheme + "://" + host + ":" + port + "/"
			if _, err := b.Save(ctx, "a1", url, true, boss, ""); !fault.Is(err, fault.Invalid) ||
				len(fault.Fields(err)) != 1 || fault.Fields(err)[0].Name != "url" {
				t.Errorf("%s could be saved: %v", url, err)
			}
			agent := "x" + string(rune('A'+i)) + scheme
			b.force(t, agent, url)
			b.emit(t, agent, "guidance.released", "g1")
		}
	}
	b.drain(t)
	if got := reached.Load(); got != 0 {
		t.Fatalf("%d connections to this machine", got)
	}
	n.ip.Store(netip.MustParseAddr("::ffff:127.0.0.1"))
	list, err := b.Endpoints(ctx)
	if err != nil || len(list) < 100 {
		t.Fatalf("%d endpoints (%v)", len(list), err)
	}
	for _, e := range list {
		if e.Failures != 1 || e.Failure == "" {
			t.Errorf("%s: %d failures, %q", e.URL, e.Failures, e.Failure)
		}
	}
}

// force writes an endpoint past the check: what was public when it was saved need not be now.
func (b *bench) force(t *testing.T, agent, url string) {
	t.Helper()
	err := b.d.Write(ctx, func(tx *db.Tx) error {
		_, err := tx.Exec(`INSERT INTO webhook_endpoint (agent_id, url, include_text, state, created_at)
			VALUES ($1, $2, 1, 'enabled', $3)`, agent, url, tx.NowMs())
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
}

// A name that was public when it was saved, and is this machine when it is dialled, reaches nothing.
func TestRebindingGainsNothing(t *testing.T) {
	port, reached := quiet(t)
	n := resolve(t, "93.184.215.14")
	b := open(t, delivery.Options{Resolver: n.Resolver})
	b.save(t, "a1", "https://rebind.example:"+port+"/hook")
	for _, ip := range []string{"127.0.0.1", "::ffff:127.0.0.1", "::1", "64:ff9b::7f00:1"} {
		n.ip.Store(netip.MustParseAddr(ip))
		before := n.asked.Load()
		b.emit(t, "a1", "guidance.released", "to "+ip)
		b.drain(t)
		d := b.list(t, "a1", "")[0]
		if d.Last.Outcome != delivery.Refused || !strings.Contains(d.Last.Note, "--webhook-allow") ||
			strings.Contains(d.Last.Note, "/hook") {
			t.Errorf("%s: %+v", ip, d.Last)
		}
		if n.asked.Load() == before {
			t.Errorf("%s: the name was not looked up again", ip)
		}
	}
	if got := reached.Load(); got != 0 {
		t.Fatalf("%d connections to this machine", got)
	}
}

// A redirect to this machine is not followed either.
func TestRedirectsLeadNowhere(t *testing.T) {
	port, reached := quiet(t)
	b, _, _ := one(t, status(http.StatusTemporaryRedirect, "Location", "https://127.0.0.1:"+port+"/"))
	b.emit(t, "a1", "guidance.released", "g1")
	b.drain(t)
	if d := b.only(t); d.Last.Outcome != delivery.Redirect || reached.Load() != 0 {
		t.Errorf("%+v, %d connections", d.Last, reached.Load())
	}
}

func TestWhatMayBeSaved(t *testing.T) {
	n := resolve(t, "93.184.215.14")
	allow := delivery.Allow{Networks: []netip.Prefix{netip.MustParsePrefix("10.0.0.0/8")},
		Hosts: []string{"hooks.internal"}}
	b := open(t, delivery.Options{Resolver: n.Resolver, Allow: allow})
	for url, want := range map[string]string{
		"https://receiver.example/hook":       "",
		"https://receiver.example:8443/x?a=b": "",
		" https://RECEIVER.example ":          "",
		"https://93.184.215.14/":              "",
		"https://[2606:2800:21f:cb07::1]/":    "",
		"https://[64:ff9b::5db8:d70e]/":       "", // a public IPv4 address behind a translator
		"http://10.1.2.3:81/":                 "",
		"https://hooks.internal:25/":          "",
		"http://hooks.internal/":              "",
		"":                                    "https://host/path",
		"receiver.example":                    "https://host/path",
		"ftp://receiver.example/":             "https://host/path",
		"https:receiver.example":              "https://host/path",
		"https://":                            "https://host/path",
		"https:///path":                       "https://host/path",
		"https://receiver.example\n/":         "https://host/path",
		"http://receiver.example/":            "use https",
		"https://ann:pw@receiver.example/":    "name and password",
		"https://ann@receiver.example/":       "name and password",
		"https://receiver.example/#part":      "after #",
		"https://receiver.example:22/":        "Port 22",
		"https://receiver.example:80/":        "Port 80",
		"https://receiver.example:0/":         "1 to 65535",
		"https://receiver.example:70000/":     "1 to 65535",
		"https://none.example/":               "no host called none.example",
		"https://11.0.0/":                     "four decimal numbers",
		"https://bücher.example/":             "xn--",
		"https://192.168.0.7/": "192.168.0.7 is a private address. To allow it, start the program " +
			"with --webhook-allow 192.168.0.7",
		"https://" + strings.Repeat("a", 2000): "too long",
	} {
		_, err := b.Save(ctx, "a1", url, true, boss, "")
		if want == "" && err != nil || want != "" &&
			(!fault.Is(err, fault.Invalid) || !strings.Contains(fault.Message(err), want)) {
			t.Errorf("%q: %v, want %q", url, err, want)
		}
	}
	n.ip.Store(netip.MustParseAddr("10.20.30.40"))
	b2 := open(t, delivery.Options{Resolver: n.Resolver})
	if _, err := b2.Save(ctx, "a1", "https://receiver.example/", true, boss, ""); !strings.Contains(fault.Message(err),
		"receiver.example is at 10.20.30.40, which is a private address") {
		t.Errorf("a name of the house: %v", err)
	}
}

// What is not public stays so however it is written as IPv6.
func TestEmbeddedAddressesAreNotPublic(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var v4 [4]byte
		copy(v4[:], rapid.SliceOfN(rapid.Byte(), 4, 4).Draw(t, "ip"))
		ip := netip.AddrFrom4(v4)
		mapped, translated := netip.AddrFrom16(ip.As16()), netip.MustParseAddr("64:ff9b::").As16()
		copy(translated[12:], v4[:])
		plain := delivery.NotPublic(ip)
		if delivery.NotPublic(mapped) != plain || delivery.NotPublic(netip.AddrFrom16(translated)) != plain {
			t.Fatalf("%s is %q, mapped %q, translated %q", ip, plain, delivery.NotPublic(mapped),
				delivery.NotPublic(netip.AddrFrom16(translated)))
		}
		six := [16]byte{0x20, 0x02, v4[0], v4[1], v4[2], v4[3]}
		teredo := [16]byte{0x20, 0x01, 0, 0, v4[0], v4[1], v4[2], v4[3]}
		for _, other := range [][16]byte{six, teredo, {12: v4[0], v4[1], v4[2], v4[3]}} {
			if delivery.NotPublic(netip.AddrFrom16(other)) == "" {
				t.Fatalf("%s is public", netip.AddrFrom16(other))
			}
		}
		if plain == "" && (ip.IsPrivate() || ip.IsLoopback() || ip.IsMulticast() || ip.IsLinkLocalUnicast() ||
			ip.IsUnspecified()) {
			t.Fatalf("%s is public", ip)
		}
	})
	if delivery.NotPublic(netip.Addr{}) == "" {
		t.Error("no address is public")
	}
}

// A receiver that can't show who it is gets nothing, nor one with an old protocol.
func TestTheReceiverMustShowWhoItIs(t *testing.T) {
	r, old := listen(t, status(200)), listen(t, status(200))
	old.TLS.MaxVersion = tls.VersionTLS11 // taken from the next handshake on
	allow := delivery.Allow{Networks: loopback.Networks, Hosts: []string{"localhost"}}
	nobody, b := open(t, delivery.Options{Allow: allow}), open(t, delivery.Options{Allow: allow}, r)
	for _, c := range []struct {
		b             *bench
		agent, url    string
		outcome, note string
	}{
		{nobody, "stranger", r.URL, delivery.Certificate, "can't be trusted"},
		{b, "old", old.URL, delivery.Connection, "failed"},
		{b, "name", strings.Replace(r.URL, "127.0.0.1", "localhost", 1), delivery.Certificate, "another name"},
	} {
		c.b.save(t, c.agent, c.url)
		c.b.emit(t, c.agent, "guidance.released", "g1")
		c.b.drain(t)
		if d := c.b.list(t, c.agent, "")[0]; d.Last.Outcome != c.outcome || !strings.Contains(d.Last.Note, c.note) {
			t.Errorf("%s: %+v", c.agent, d.Last)
		}
	}
	if len(r.requests())+len(old.requests()) != 0 {
		t.Error("something was sent")
	}
}

func TestTheEnvironmentsProxyIsNotUsed(t *testing.T) {
	port, reached := quiet(t)
	for _, name := range []string{"HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY", "http_proxy", "https_proxy"} {
		t.Setenv(name, "http://127.0.0.1:"+port)
	}
	b, _, _ := one(t, status(200))
	b.emit(t, "a1", "guidance.released", "g1")
	b.drain(t)
	if d := b.only(t); d.State != delivery.Done || reached.Load() != 0 {
		t.Errorf("%+v, the proxy was asked %d times", d, reached.Load())
	}
}
