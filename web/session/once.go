package session

import (
	"context"
	"crypto/aes"
	"crypto/cipher"
	"crypto/sha256"
	"encoding/json"
	"fmt"

	"github.com/labstack/echo/v4"
)

// Once keeps what the next page at path shows this session, and no page after it: a secret that was just made. A form
// that makes one leads to that page, so that loading it again makes no second one. Only the secret in the browser's
// cookie opens what is kept, so no file and no backup has it.
func Once(c echo.Context, path string, v any) error {
	k, ok := c.Get(keeperKey).(*Keeper)
	s, signedIn := CurrentSession(c)
	if !ok || !signedIn {
		return nil
	}
	plain, err := json.Marshal(v)
	if err != nil {
		return fmt.Errorf("session: keep what %s shows: %w", path, err)
	}
	lock, err := k.lock(c, path)
	if err != nil {
		return err
	}
	ctx := context.WithoutCancel(c.Request().Context())
	return k.accounts.KeepOnce(ctx, s.ID, path, lock.Seal(nil, nil, plain, nil))
}

// TakeOnce returns what was kept for this page. A part that the page fetches again is no page: it takes nothing.
func TakeOnce[T any](c echo.Context) (v T) {
	k, ok := c.Get(keeperKey).(*Keeper)
	s, signedIn := CurrentSession(c)
	if !ok || !signedIn || byItself(c.Request()) {
		return v
	}
	path := c.Request().URL.Path
	sealed, err := k.accounts.TakeOnce(c.Request().Context(), s.ID, path)
	if err != nil || sealed == nil {
		return v // it is shown on the next page instead
	}
	var none T
	if lock, err := k.lock(c, path); err != nil {
		return none
	} else if plain, err := lock.Open(nil, nil, sealed, nil); err != nil || json.Unmarshal(plain, &v) != nil {
		return none
	}
	return v
}

// lock seals with the session's secret, of which the database knows a hash, what a page shows.
func (k *Keeper) lock(c echo.Context, path string) (cipher.AEAD, error) {
	g, err := k.store.Get(c.Request(), k.store.name)
	if err != nil {
		return nil, err
	}
	key := sha256.Sum256([]byte("once\n" + path + "\n" + g.ID))
	block, err := aes.NewCipher(key[:])
	if err != nil {
		return nil, err
	}
	return cipher.NewGCMWithRandomNonce(block)
}
