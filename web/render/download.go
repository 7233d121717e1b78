package render

import (
	"compress/gzip"
	"context"
	"errors"
	"io"
	"log/slog"
	"mime"
	"net/http"
	"strings"
	"time"

	"github.com/labstack/echo/v4"
)

// Patience is how long a client may take no bytes before it is let go.
const Patience = 30 * time.Second

// Sent ends a download. What failed cuts the connection, so that nobody takes half a file for the whole.
func Sent(c echo.Context, err error, finish func() error, rows int) error {
	if err == nil {
		err = finish()
	}
	if err == nil {
		return nil
	}
	if log, ok := c.Get(logKey).(*slog.Logger); ok && !errors.Is(err, context.Canceled) {
		log.Warn("an export was not sent to its end", "rows", rows, "error", err.Error())
	}
	panic(http.ErrAbortHandler)
}

// Download begins an answer that is a file, made while it is sent. It sets the head and gives what the rows go to, what
// to call after each piece, which sends it and gives the client time for the next, and what to call at the end. A file
// that is text is compressed as fast as can be, if the client takes it: it shrinks to a fifth.
func Download(c echo.Context, kind, name string, text bool) (w io.Writer, wrote, finish func() error) {
	h := c.Response().Header()
	h.Set("Content-Type", kind)
	h.Set("Content-Disposition", mime.FormatMediaType("attachment", map[string]string{"filename": name}))
	h.Set("Vary", "Accept-Encoding")
	rc := http.NewResponseController(c.Response())
	extend := func() error {
		if err := rc.SetWriteDeadline(time.Now().Add(Patience)); err != nil && !errors.Is(err, http.ErrNotSupported) {
			return err
		}
		return nil
	}
	w, finish = c.Response(), func() error { return nil }
	flush := rc.Flush
	if text && strings.Contains(c.Request().Header.Get("Accept-Encoding"), "gzip") {
		h.Set("Content-Encoding", "gzip")
		z, _ := gzip.NewWriterLevel(c.Response(), gzip.BestSpeed) // fails for an unknown level only
		w, finish = z, z.Close
		flush = func() error { return errors.Join(z.Flush(), rc.Flush()) }
	}
	_ = extend() // the first piece; a connection that is gone shows at its first write
	c.Response().WriteHeader(http.StatusOK)
	return w, func() error { return errors.Join(extend(), flush()) }, finish
}
