package llm

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"net/url"

	"preceptor/internal/platform/fault"
)

// ErrTooLong is an answer that is longer than MaxBody.
var ErrTooLong = errors.New("llm: the answer is too long")

// client follows no redirect, which would carry the key elsewhere.
var client = &http.Client{CheckRedirect: func(*http.Request, []*http.Request) error {
	return fault.New(fault.Invalid, "The model server sends requests on to another address. Set "+
		"PRECEPTOR_LLM_BASE_URL to that address if you trust it.")
}}

// Post is one try of Do: it sends JSON to a path below the server's address and reads the JSON that comes back into
// answer.
func Post(ctx context.Context, name, base, path string, header http.Header, question []byte, answer any) error {
	address, err := url.JoinPath(base, path)
	if err != nil {
		return fault.New(fault.Invalid, "PRECEPTOR_LLM_BASE_URL can't be read as an address.") // which may hold a key
	}
	r, err := http.NewRequestWithContext(ctx, http.MethodPost, address, bytes.NewReader(question))
	if err != nil {
		return fault.New(fault.Invalid, "PRECEPTOR_LLM_BASE_URL can't be read as an address.")
	}
	r.Header = header.Clone()
	r.Header.Set("Accept", "application/json")
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set("User-Agent", "preceptor")
	resp, err := client.Do(r)
	if e, ok := errors.AsType[*url.Error](err); ok {
		return e.Err // without the address
	}
	if err != nil {
		return err
	}
	defer resp.Body.Close()
	if resp.StatusCode >= 400 {
		return StatusFault(name, resp.StatusCode, resp.Header)
	}
	body, err := io.ReadAll(io.LimitReader(resp.Body, MaxBody+1))
	if err != nil {
		return err
	}
	if len(body) > MaxBody {
		return ErrTooLong
	}
	return json.Unmarshal(body, answer)
}
