package session

import (
	"time"

	"github.com/labstack/echo/v4"
)

// onceFor is how long something that is shown once waits for its page.
const onceFor = 5 * time.Minute

// oncePage is a page of one session.
type oncePage struct{ session, path string }

// Once keeps what the next page at path shows this session, and no page after it: a secret that was just made. A form
// that makes one leads to that page, so that loading it again makes no second one. It is kept in memory only: no file
// and no backup has it, and a restart in between loses it.
func Once(c echo.Context, path string, v any) {
	k, ok := c.Get(keeperKey).(*Keeper)
	s, signedIn := CurrentSession(c)
	if !ok || !signedIn {
		return
	}
	at, kept := oncePage{s.ID, path}, &v
	k.once.Store(at, kept)
	time.AfterFunc(onceFor, func() { k.once.CompareAndDelete(at, kept) })
}

// TakeOnce returns what was kept for this page. A part that the page fetches again is no page: it takes nothing.
func TakeOnce[T any](c echo.Context) (v T) {
	k, ok := c.Get(keeperKey).(*Keeper)
	s, signedIn := CurrentSession(c)
	if !ok || !signedIn || byItself(c.Request()) {
		return v
	}
	if kept, ok := k.once.LoadAndDelete(oncePage{s.ID, c.Request().URL.Path}); ok {
		v, _ = (*kept.(*any)).(T)
	}
	return v
}
