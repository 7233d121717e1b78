package web

import (
	"context"
	"log/slog"
	"net/netip"

	"github.com/labstack/echo/v4"

	"preceptor/internal/account"
	"preceptor/internal/delivery"
	"preceptor/internal/platform/job"
	"preceptor/web/admin"
	"preceptor/web/datasets"
	"preceptor/web/desk"
	"preceptor/web/experts"
	"preceptor/web/frame"
	"preceptor/web/guest"
	"preceptor/web/hidden"
	"preceptor/web/home"
	"preceptor/web/knowledge"
	"preceptor/web/session"
	"preceptor/web/stats"
	"preceptor/web/teach"
)

// Deps is what the server is made of: what it needs itself, and what each room works with. The database is not among
// it: rooms talk to the domain.
type Deps struct {
	Accounts *account.Directory
	Sessions *session.Keeper
	Jobs     *job.Queue              // counted for the metrics
	Delivery *delivery.Service       // likewise
	Model    func() map[string]int64 // what models were asked, likewise: calls, errors, input_tokens, output_tokens
	Log      *slog.Logger

	Frame frame.Deps
	Teach teach.Deps

	Admin     admin.Deps
	Datasets  datasets.Deps
	Desk      desk.Deps
	Experts   experts.Deps
	Guest     guest.Deps
	Home      home.Deps
	Knowledge knowledge.Deps
	Stats     stats.Deps

	// API mounts the JSON API's routes.
	API func(e *echo.Echo) error
	// Ready says what keeps the program from working, or nil.
	Ready func(ctx context.Context) error
	// Busy, while it says something, is all that anybody is answered.
	Busy func() string

	TokenRate    int            // calls a second that a token may make
	Secure       bool           // people come over TLS, to us or to a proxy before us
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

func newRooms(d Deps) rooms {
	m, g, t := frame.New(d.Frame), hidden.New(d.Desk.Reviews), teach.New(d.Teach)
	return rooms{
		admin:     admin.New(d.Admin, m),
		datasets:  datasets.New(d.Datasets, m),
		desk:      desk.New(d.Desk, m, g, t),
		experts:   experts.New(d.Experts, m, t),
		guest:     guest.New(d.Guest),
		home:      home.New(d.Home, m, g),
		knowledge: knowledge.New(d.Knowledge, m, g, t),
		stats:     stats.New(d.Stats, m, g),
	}
}
