package render

import (
	"net/http"
	"strings"

	"github.com/labstack/echo/v4"
)

// openAI begins the addresses that clients of OpenAI's API use.
const openAI = "/v1/"

// ForPrograms tells the addresses that programs use, with a token, from pages, which have sessions.
func ForPrograms(path string) bool {
	return path == "/mcp" || strings.HasPrefix(path, "/api/") || strings.HasPrefix(path, openAI)
}

// openAIError is a fault in the form that clients of OpenAI's API read.
type openAIError struct {
	Message string  `json:"message"`
	Type    string  `json:"type"`
	Param   *string `json:"param"`
	Code    *string `json:"code"`
}

// openAITypes are the types of errors by status; others are of the caller's request below 500, and of the server from
// there on.
var openAITypes = map[int]string{
	http.StatusUnauthorized: "authentication_error", http.StatusForbidden: "permission_error",
	http.StatusTooManyRequests: "rate_limit_error",
}

func openAIJSON(c echo.Context, p Problem) error {
	e := openAIError{Message: p.Body().Text(), Type: openAITypes[p.Status]}
	switch {
	case e.Type != "":
	case p.Status >= http.StatusInternalServerError:
		e.Type = "server_error"
	default:
		e.Type = "invalid_request_error"
	}
	return c.JSON(p.Status, map[string]openAIError{"error": e})
}

// Text is the whole problem in words: what happened, and each wrong field on a line of its own.
func (b ProblemBody) Text() string {
	lines := []string{b.Detail}
	for _, f := range b.Errors {
		lines = append(lines, f.Pointer+f.Parameter+": "+f.Detail)
	}
	return strings.Join(lines, "\n")
}
