package mcp

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strings"

	"github.com/labstack/echo/v4"
	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/tidwall/gjson"

	"preceptor/web/api/inproc"
)

const (
	mostBatch   = 20
	noBatches   = "2025-06-18" // the first version of the protocol without batches
	ownNotFound = "2026-07-28" // from this one on the SDK answers an unknown method as the protocol asks
)

// methods are what the SDK's server answers. Others it refuses in plain text, which is no answer to a JSON-RPC call.
var methods = []string{"initialize", "ping", "tools/list", "tools/call", "resources/list", "resources/templates/list",
	"resources/read",
	"resources/subscribe", "resources/unsubscribe", "prompts/list", "prompts/get", "completion/complete",
	"logging/setLevel",
	"server/discover", "subscriptions/listen", "notifications/initialized", "notifications/cancelled",
	"notifications/progress",
	"notifications/roots/list_changed"}

// serve answers a call, or the calls of a batch one after another.
func serve(c echo.Context, h http.Handler) error {
	r := c.Request()
	raw, err := io.ReadAll(r.Body)
	if err != nil {
		return err
	}
	version := r.Header.Get("Mcp-Protocol-Version")
	if r.Method == http.MethodPost && !gjson.ValidBytes(raw) {
		return c.JSONBlob(http.StatusBadRequest,
			failure("null", jsonrpc.CodeParseError, "The body isn't JSON. Send a JSON-RPC call, in UTF-8."))
	}
	list := gjson.ParseBytes(raw)
	if refusal := refusalOf(list, version); refusal != nil {
		return c.JSONBlob(http.StatusOK, refusal)
	}
	if !list.IsArray() || version >= noBatches {
		r.Body = io.NopCloser(bytes.NewReader(raw))
		h.ServeHTTP(c.Response(), r)
		return nil
	}
	calls := list.Array()
	if len(calls) == 0 || len(calls) > mostBatch {
		return c.JSONBlob(http.StatusOK,
			failure("null", jsonrpc.CodeInvalidRequest, fmt.Sprintf("Send 1 to %d calls in a batch.", mostBatch)))
	}
	var answers []string
	for _, one := range calls {
		answer := refusalOf(one, version)
		if answer == nil {
			again, w := r.Clone(r.Context()), inproc.NewKept()
			again.Body, again.ContentLength = io.NopCloser(strings.NewReader(one.Raw)), int64(len(one.Raw))
			h.ServeHTTP(w, again)
			if answer = bytes.TrimSpace(w.Bytes()); len(answer) > 0 && !gjson.ValidBytes(answer) {
				answer = failure(one.Get("id").Raw, jsonrpc.CodeInvalidRequest, string(answer))
			}
		}
		if len(answer) > 0 {
			answers = append(answers, string(answer))
		}
	}
	if len(answers) == 0 {
		return c.NoContent(http.StatusAccepted)
	}
	return c.JSONBlob(http.StatusOK, []byte("["+strings.Join(answers, ",")+"]"))
}

// refusalOf is the answer to a call of a method that there is not; nil to any other.
func refusalOf(call gjson.Result, version string) []byte {
	method := call.Get("method")
	if version >= ownNotFound || method.Type != gjson.String || !call.Get("id").Exists() ||
		slices.Contains(methods, method.Str) {
		return nil
	}
	return failure(call.Get("id").Raw, jsonrpc.CodeMethodNotFound, "method not found: "+method.Str)
}

func failure(id string, code int, message string) []byte {
	b, _ := json.Marshal(map[string]any{"jsonrpc": "2.0",
		"id":    json.RawMessage(cmp.Or(id, "null")), // an id is JSON that was valid
		"error": map[string]any{"code": code, "message": message}})
	return b
}
