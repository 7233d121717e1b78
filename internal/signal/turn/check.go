package turn

import (
	"encoding/json"
	"fmt"
	"strings"
	"unicode/utf8"

	"preceptor/internal/platform/fault"
	"preceptor/internal/platform/text"
)

// Bounds of a turn, in bytes.
const (
	MaxText    = 100_000 // of the question, of the answer, of what the user said to it
	MaxAction  = 2_000
	MaxName    = 200
	MaxSteps   = 256 << 10
	MaxContext = 16 << 10
	MostSteps  = 200
)

// Checked tidies a turn, or says what is wrong with it, by the names that the API gives its fields.
func (t Turn) Checked() (Turn, error) {
	var wrong []fault.Field
	add := func(name, msg string, args ...any) {
		wrong = append(wrong, fault.Field{Name: name, Msg: fmt.Sprintf(msg, args...)})
	}
	for _, f := range []struct {
		name string
		text *string
		most int
	}{{"/id", &t.Ref, MaxName}, {"/session_id", &t.Session, MaxName}, {"/user_id", &t.User, MaxName},
		{"/query", &t.Query, MaxText}, {"/response", &t.Response, MaxText},
		{"/model", &t.Model, MaxName}, {"/task", &t.Task, MaxName}, {"/action", &t.Action, MaxAction},
		{"/reaction", &t.Reaction, MaxText}} {
		*f.text = strings.TrimSpace(strings.ReplaceAll(*f.text, "\x00", ""))
		switch {
		case !utf8.ValidString(*f.text):
			add(f.name, "Send UTF-8.")
		case len(*f.text) > f.most:
			add(f.name, "%s", text.TooBig(*f.text, f.most))
		}
	}
	if t.Query == "" && t.Response == "" && t.Action == "" && len(t.Steps) == 0 {
		add("/query", "Send what was asked, what was answered, what the agent did, or its steps.")
	}
	if len(t.Steps) > MostSteps || sizeOf(t.Steps) > MaxSteps {
		add("/steps", "Send at most %d steps, and 256 kB of them.", MostSteps)
	}
	if sizeOf(t.Context) > MaxContext {
		add("/context", "Send at most 16 kB.")
	}
	if len(wrong) > 0 {
		return t, fault.WithFields("This turn can't be recorded.", wrong...)
	}
	return t, nil
}

func sizeOf(v any) int {
	b, _ := json.Marshal(v) // of plain values
	return len(b)
}
