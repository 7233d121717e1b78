// Package web is HTTP in, HTTP out: the server, the order of its middleware, and every route with who may use it.
//
// What it promises. Every answer, errors and static files included, carries the security headers. Who may use a route
// stands in routes.go and is enforced in one place (gate): a route that is not in the table keeps the server from
// starting. Cookie-authenticated requests that change something must come from our own pages. The client's address is
// the peer's, unless the peer is a proxy that the operator named. A stop lets running requests finish for ten seconds
// and ends event streams at once.
//
// It knows no SQL and no model. What it decided against: echo's own CSRF, secure and logger middleware (their defaults
// are looser than ours, and tokens are not needed where browsers send Sec-Fetch-Site), redirecting http to https (an
// API key would have been sent in the clear by then), and CORS (agents are not browsers).
package web

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"net/netip"
	"sync"
	"time"

	prometheus "github.com/VictoriaMetrics/metrics"
	"github.com/labstack/echo/v4"

	"preceptor/internal/platform/limiter"
	"preceptor/web/render"
	"preceptor/web/session"
)

// Server answers the pages and the API.
type Server struct {
	echo     *echo.Echo
	http     *http.Server
	log      *slog.Logger
	table    map[string]access // by method and path
	metrics  metrics
	quota    *limiter.Quota // of tokens, by their ids
	stopping chan struct{}
	stop     sync.Once
}

// The limits of one exchange. Event streams lift their own write deadline; the rest has writeTimeout to work and to be
// read by a slow client, as years of votes are walked for a Consumer Duty report, and what was stored must be answered.
const (
	readHeaderTimeout = 5 * time.Second
	readTimeout       = 30 * time.Second
	writeTimeout      = 5 * time.Minute
	idleTimeout       = 2 * time.Minute
	drainTimeout      = 10 * time.Second
	maxHeader         = 64 << 10
)

// New builds the server. It fails when a route is mounted that the table does not know.
func New(d Deps) (*Server, error) {
	s := &Server{echo: echo.New(), log: d.Log, quota: limiter.NewQuota(d.TokenRate, d.Pace),
		metrics: metrics{d, prometheus.NewSet()}, stopping: make(chan struct{})}
	if d.Sessions == nil {
		d.Sessions = session.New(d.Accounts, d.Secure)
	}
	d.Stopping, d.Refused = s.stopping, s.quota.Refused
	e := s.echo
	e.HideBanner, e.HidePort = true, true
	e.IPExtractor = extractor(d.Proxies)
	e.HTTPErrorHandler = func(err error, c echo.Context) {
		linger(c.Request())
		if ferr := render.Fault(c, err); ferr != nil {
			d.Log.Error("answer with an error", "request", render.RequestID(c), "error", ferr.Error())
		}
	}
	r := newRooms(d.Parts)
	cross, err := crossOrigin(d.Sessions, d.PublicURL)
	if err != nil {
		return nil, err
	}
	e.Use(s.recoverPanic, requestID, s.accessLog, securityHeaders(d.Secure), render.Use(r.home.Faults(), d.Log),
		busy(r.home, d), bodyLimit, onPages(d.Sessions.Load), onPages(cross), s.gate(d))
	if err := s.mount(r, d); err != nil {
		return nil, err
	}
	s.http = &http.Server{
		Handler:           e,
		ReadHeaderTimeout: readHeaderTimeout,
		ReadTimeout:       readTimeout,
		WriteTimeout:      writeTimeout,
		IdleTimeout:       idleTimeout,
		MaxHeaderBytes:    maxHeader,
		ErrorLog:          slog.NewLogLogger(d.Log.Handler(), slog.LevelDebug),
	}
	return s, nil
}

// Handler is the whole server without a socket, for tests.
func (s *Server) Handler() http.Handler { return s.echo }

// Serve answers on ln until ctx ends, then lets running requests finish for at most ten seconds.
func (s *Server) Serve(ctx context.Context, ln net.Listener, certs *tls.Config) error {
	if certs != nil {
		ln = tls.NewListener(ln, certs)
	}
	failed := make(chan error, 1)
	go func() { failed <- s.http.Serve(ln) }()
	select {
	case err := <-failed:
		s.endStreams()
		return fmt.Errorf("web: serve: %w", err)
	case <-ctx.Done():
	}
	s.endStreams()
	drain, cancel := context.WithTimeout(context.WithoutCancel(ctx), drainTimeout)
	defer cancel()
	if err := s.http.Shutdown(drain); err != nil {
		s.log.Warn("some requests did not finish in time and were cut off", "error", err.Error())
		if cerr := s.http.Close(); cerr != nil {
			return fmt.Errorf("web: close: %w", cerr)
		}
	}
	if err := <-failed; !errors.Is(err, http.ErrServerClosed) {
		return fmt.Errorf("web: serve: %w", err)
	}
	return nil
}

func (s *Server) endStreams() { s.stop.Do(func() { close(s.stopping) }) }

// LoadTLS reads a certificate and its key for TLS 1.2 and newer.
func LoadTLS(certFile, keyFile string) (*tls.Config, error) {
	cert, err := tls.LoadX509KeyPair(certFile, keyFile)
	if err != nil {
		return nil, err
	}
	return &tls.Config{Certificates: []tls.Certificate{cert}, MinVersion: tls.VersionTLS12,
		NextProtos: []string{"h2", "http/1.1"}}, nil
}

// extractor finds the client's address: the peer's, or what proxies of the named networks say.
func extractor(proxies []netip.Prefix) echo.IPExtractor {
	if len(proxies) == 0 {
		return echo.ExtractIPDirect()
	}
	trust := []echo.TrustOption{echo.TrustLoopback(false), echo.TrustLinkLocal(false), echo.TrustPrivateNet(false)}
	for _, p := range proxies {
		p = p.Masked()
		trust = append(trust,
			echo.TrustIPRange(&net.IPNet{IP: p.Addr().AsSlice(), Mask: net.CIDRMask(p.Bits(), p.Addr().BitLen())}))
	}
	return echo.ExtractIPFromXFFHeader(trust...)
}
