package home

import (
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/labstack/echo/v4"

	"preceptor/web/render"
)

// The topics that pages may follow.
var topics = []string{"reviews", "learning", "knowledge", "interactions", "jobs", "comments", "notices", "webhooks",
	"policies", "approvals", "borderline", "datasets", "judges", "checks", "reflections", "imports", "practice",
	"experiments", "signals"}

const (
	heartbeat  = 20 * time.Second       // below every proxy's idle limit
	gather     = 100 * time.Millisecond // one event for a burst of commits
	drawing    = 2 * time.Second        // a page says when it was drawn; what it shows was read a little before
	writeLimit = 10 * time.Second       // a reader that takes nothing for so long is let go
)

// Events tells the browser which topics changed, and nothing else: it fetches its own parts again. A browser that comes
// back after a break is told of everything, since it can't know what it missed.
func (p *Pages) Events(c echo.Context, in struct {
	Topics string `form:"topics"`
	At     int64  `form:"at"` // when the page was drawn, in milliseconds
}) error {
	wanted := map[string]bool{}
	for _, t := range strings.Split(in.Topics, ",") {
		wanted[t] = slices.Contains(topics, t)
	}
	changes, stop := p.Subscribe()
	defer stop()
	s := stream{w: c.Response()}
	h := c.Response().Header()
	h.Set(echo.HeaderContentType, "text/event-stream")
	h.Set("X-Accel-Buffering", "no")
	c.Response().WriteHeader(http.StatusOK)
	if s.send("retry: 1000\n\n") != nil {
		return nil
	}
	told := p.missed(c, wanted, in.At)
	if s.announce(told) != nil {
		return nil
	}
	p.follow(c, changes, wanted, told, &s)
	return nil
}

// missed are the topics that changed before this browser listened: any of them after a break; else those that changed
// since its page was drawn.
func (p *Pages) missed(c echo.Context, wanted map[string]bool, at int64) map[string]bool {
	if c.Request().Header.Get("Last-Event-ID") != "" {
		return wanted
	}
	if at == 0 {
		return nil
	}
	drawn := time.UnixMilli(at).Add(-drawing)
	missed := map[string]bool{}
	for t, w := range wanted {
		missed[t] = w && p.Touched(t).After(drawn)
	}
	return missed
}

// news is what a page has to be told.
type news struct {
	fresh map[string]bool // changed, and not told yet
	again map[string]bool // told since the last heartbeat
}

// due is what to tell now.
func (n *news) due() map[string]bool {
	now := n.fresh
	n.fresh = map[string]bool{}
	maps.Copy(n.again, now)
	return now
}

// repeat is what was told since the last heartbeat, to be told once more: a page that lost it, in the middle of a swap
// or for want of time, is old for seconds and not until something else changes.
func (n *news) repeat() map[string]bool {
	told := n.again
	n.again = map[string]bool{}
	return told
}

// follow passes on what changed until the browser goes, its session ends, the server stops or the feed ends. told is
// what it was told already.
func (p *Pages) follow(c echo.Context, changes <-chan string, wanted, told map[string]bool, s *stream) {
	beat := time.NewTicker(heartbeat)
	defer beat.Stop()
	n := news{fresh: map[string]bool{}, again: map[string]bool{}}
	maps.Copy(n.again, told)
	var soon <-chan time.Time
	for {
		var err error
		select {
		case <-c.Request().Context().Done():
			return
		case <-p.Stopping:
			return
		case t, ok := <-changes:
			if !ok {
				return
			}
			if wanted[t] {
				n.fresh[t] = true
				if soon == nil {
					soon = time.After(gather)
				}
			}
		case <-soon:
			if !p.Sessions.Lives(c) {
				return
			}
			soon, err = nil, s.announce(n.due())
		case <-beat.C:
			if !p.Sessions.Lives(c) {
				return
			}
			if err = s.send(": beat\n\n"); err == nil {
				err = s.announce(n.repeat())
			}
		}
		if err != nil {
			return
		}
	}
}

// stream writes server-sent events.
type stream struct {
	w http.ResponseWriter
	n int
}

// announce sends one event for each topic that is set.
func (s *stream) announce(set map[string]bool) error {
	for _, t := range topics {
		if !set[t] {
			continue
		}
		s.n++
		if err := s.send(fmt.Sprintf("id: %d\nevent: %s\ndata: changed\n\n", s.n, t)); err != nil {
			return err
		}
	}
	return nil
}

func (s *stream) send(text string) error { return render.Part(s.w, writeLimit, text) }
