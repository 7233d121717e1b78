package api

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"mime"
	"net/http"
	"strings"
	"unicode/utf8"

	"preceptor/internal/platform/fault"
	"preceptor/internal/platform/lists"
	"preceptor/internal/platform/strict"
)

// maxDepth is how deep objects and lists may be nested in a body.
const maxDepth = 64

// read takes in the whole body of a request that says it is JSON.
func (c *call) read() ([]byte, error) {
	r := c.Request()
	if ct := r.Header.Get("Content-Type"); ct != "" {
		kind, params, err := mime.ParseMediaType(ct)
		charset := strings.ToLower(params["charset"])
		if err != nil || kind != "application/json" && !strings.HasSuffix(kind, "+json") ||
			charset != "" && charset != "utf-8" {
			return nil, &unreadable{http.StatusUnsupportedMediaType,
				"Send JSON in UTF-8, with the header Content-Type: application/json."}
		}
	}
	b, err := io.ReadAll(http.MaxBytesReader(c.Response(), r.Body, maxBody))
	if _, ok := errors.AsType[*http.MaxBytesError](err); ok {
		return nil, &unreadable{http.StatusRequestEntityTooLarge,
			fmt.Sprintf("The body is larger than %d bytes. Shorten it.", maxBody)}
	}
	if err != nil {
		return nil, &unreadable{http.StatusBadRequest, "The body is incomplete. Send it again."}
	}
	return b, nil
}

// parse reads one JSON value into maps, lists, strings, bools, json.Number and nil. Beyond what encoding/json refuses
// it refuses a name that stands twice in an object (two readers could take two different values) and nesting without
// end.
func parse(b []byte) (any, error) {
	if len(bytes.TrimSpace(b)) == 0 {
		return nil, &unreadable{http.StatusBadRequest, "The body is empty. Send a JSON object."}
	}
	if !utf8.Valid(b) {
		return nil, &unreadable{http.StatusBadRequest, "The body is not UTF-8. Encode it as UTF-8 and send it again."}
	}
	var whole json.RawMessage
	if err := json.Unmarshal(b, &whole); err != nil {
		return nil, &unreadable{http.StatusBadRequest, "The body is not JSON: " + syntax(b, err) + "."}
	}
	if doubt, ok := errors.AsType[*strict.Error](strict.Check(b, maxDepth+1)); ok {
		if doubt.Twice() {
			return nil, fault.WithFields("The body has a duplicate field.",
				lists.Map(doubt.At, func(at string) fault.Field {
					return fault.Field{Name: at, Msg: "This field appears twice in its object. Send it once."}
				})...)
		}
		return nil, fault.Wrong("The body is nested too deeply.", doubt.At[0],
			fmt.Sprintf("Use at most %d levels.", maxDepth))
	}
	var v any
	if err := strict.Tree(b, &v); err != nil {
		return nil, fmt.Errorf("api: read a body that was valid: %w", err)
	}
	return v, nil
}

// syntax says what is wrong and where, in lines and columns. It quotes nothing of the body but single characters.
func syntax(b []byte, err error) string {
	s, ok := errors.AsType[*json.SyntaxError](err)
	if !ok {
		return "it ends too early"
	}
	before := b[:min(max(int(s.Offset)-1, 0), len(b))]
	line := bytes.Count(before, []byte("\n")) + 1
	column := utf8.RuneCount(before[bytes.LastIndexByte(before, '\n')+1:]) + 1
	return fmt.Sprintf("%s, at line %d, column %d", s.Error(), line, column)
}

// digest is the hash of what was asked and of where, for the idempotency key: blanks and the order of names don't
// count.
func digest(route string, v any) (string, error) {
	b, err := json.Marshal(v)
	if err != nil {
		return "", fmt.Errorf("api: hash the body: %w", err)
	}
	sum := sha256.Sum256(append([]byte(route+"\n"), b...))
	return hex.EncodeToString(sum[:]), nil
}
