package render

import (
	"io"
	"net/http"
	"time"
)

// Part sends a part of a stream of news, which the reader has limit to take. Then there is no limit until the next: an
// HTTP/2 stream would be reset once one passes, although nothing is to be written.
func Part(w http.ResponseWriter, limit time.Duration, text string) error {
	out := http.NewResponseController(w)
	if err := out.SetWriteDeadline(time.Now().Add(limit)); err != nil {
		return err
	}
	if _, err := io.WriteString(w, text); err != nil {
		return err
	}
	if err := out.Flush(); err != nil {
		return err
	}
	return out.SetWriteDeadline(time.Time{})
}
