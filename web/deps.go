package web

import (
	"context"
	"net/netip"

	"github.com/labstack/echo/v4"

	"preceptor/web/admin"
	"preceptor/web/datasets"
	"preceptor/web/desk"
	"preceptor/web/experts"
	"preceptor/web/frame"
	"preceptor/web/guest"
	"preceptor/web/hidden"
	"preceptor/web/home"
	"preceptor/web/knowledge"
	"preceptor/web/parts"
	"preceptor/web/stats"
	"preceptor/web/teach"
)

// Deps is what the server is made of: the parts that rooms work with, and what it needs itself.
type Deps struct {
	*parts.Parts
	Model func() map[string]int64 // what models were asked: calls, errors, input_tokens, output_tokens

	// API mounts the JSON API's routes.
	API func(e *echo.Echo)
	// Ready says what keeps the program from working, or nil.
	Ready func(ctx context.Context) error
	// Busy, while it says something, is all that anybody is answered.
	Busy func() string

	TokenRate    int            // calls a second that a token may make
	PublicURL    string         // the origin people type, when a proxy stands in front
	Proxies      []netip.Prefix // whose X-Forwarded-For is believed
	MetricsToken string         // opens /metrics beyond the loopback; "" is nobody
}

// rooms are the handlers that answer with HTML, by who uses them.
type rooms struct {
	admin     *admin.Pages
	datasets  *datasets.Pages
	desk      *desk.Pages
	experts   *experts.Pages
	guest     *guest.Pages
	home      *home.Pages
	knowledge *knowledge.Pages
	stats     *stats.Pages
}

func newRooms(p *parts.Parts) rooms {
	m, g, t := &frame.Maker{Parts: p}, hidden.New(p.Reviews), teach.New(p)
	return rooms{
		admin:     &admin.Pages{Maker: m},
		datasets:  &datasets.Pages{Maker: m},
		desk:      &desk.Pages{Maker: m, Guard: g, Teacher: t},
		experts:   &experts.Pages{Maker: m, Teacher: t},
		guest:     guest.New(p),
		home:      &home.Pages{Maker: m, Guard: g},
		knowledge: &knowledge.Pages{Maker: m, Guard: g, Teacher: t},
		stats:     &stats.Pages{Maker: m, Guard: g},
	}
}
