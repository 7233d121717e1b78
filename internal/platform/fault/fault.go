// Package fault is the one error model of the program (DESIGN.md section 5).
//
// A fault has a kind, which each edge translates once (HTTP status, exit code, whether a job is retried), and a message
// that is written for a person and says what to do next. The cause is wrapped for the log and is never shown. An error
// that nobody classified is Internal and shows one fixed sentence.
//
// Classify where the meaning is known; add the operation with fmt.Errorf("%w") on the way up; translate at the edge.
package fault

import (
	"errors"
	"fmt"
	"net/http"
	"strings"
	"time"
)

// Kind says what went wrong in terms that every edge understands.
type Kind uint8

// The kinds. Internal is the zero value, so that what is unclassified fails closed.
const (
	Internal    Kind = iota // a defect or a broken machine
	Invalid                 // the input; Fields say where
	Unsigned                // nobody is signed in
	Denied                  // somebody is, but may not
	NotFound                // absent, or not yours to see
	Conflict                // somebody else was first
	Limited                 // too many or too much; try later
	Unavailable             // a part that is needed is down
)

var kinds = [...]struct {
	name   string
	status int
	exit   int
}{
	Internal:    {"internal", http.StatusInternalServerError, 1},
	Invalid:     {"invalid", http.StatusUnprocessableEntity, 2},
	Unsigned:    {"unsigned", http.StatusUnauthorized, 3},
	Denied:      {"denied", http.StatusForbidden, 3},
	NotFound:    {"not_found", http.StatusNotFound, 4},
	Conflict:    {"conflict", http.StatusConflict, 5},
	Limited:     {"limited", http.StatusTooManyRequests, 6},
	Unavailable: {"unavailable", http.StatusServiceUnavailable, 6},
}

func (k Kind) String() string { return kinds[k].name }

// Status is the HTTP status of the kind.
func (k Kind) Status() int { return kinds[k].status }

// ExitCode is what a command ends with.
func (k Kind) ExitCode() int { return kinds[k].exit }

// Retriable reports whether the same call may go through later; a job that fails otherwise is parked at once.
func (k Kind) Retriable() bool { return k == Internal || k == Limited || k == Unavailable }

// InternalMessage is all that is ever shown of an unclassified error.
const InternalMessage = "Something went wrong on our side. Nothing you typed was lost; try again, and tell your " +
	"administrator the request number if it stays."

// Field is one thing that is wrong with an input: where (a form field, or a JSON pointer on the API) and what to do.
type Field struct {
	Name string
	Msg  string
}

// Error is a classified error. Make one with New, Wrap or Fields.
type Error struct {
	Kind   Kind
	Title  string // above Msg, where the kind's own would mislead
	Msg    string
	Fields []Field
	// RetryAfter is how long to wait; set with Limited and Unavailable where it is known.
	RetryAfter time.Duration
	cause      error
}

func (e *Error) Error() string {
	if e.cause != nil {
		return e.Msg + ": " + e.cause.Error()
	}
	return e.Msg
}

func (e *Error) Unwrap() error { return e.cause }

// New makes a fault whose message, made as by fmt.Sprintf, is for a person.
func New(k Kind, format string, args ...any) *Error {
	return &Error{Kind: k, Msg: fmt.Sprintf(format, args...)}
}

// Wrap classifies cause, which is kept for the log, under a message for a person.
func Wrap(k Kind, cause error, format string, args ...any) *Error {
	return &Error{Kind: k, Msg: fmt.Sprintf(format, args...), cause: cause}
}

// WithFields is an Invalid fault that names the fields.
func WithFields(msg string, fields ...Field) *Error {
	return &Error{Kind: Invalid, Msg: msg, Fields: fields}
}

// Wrong is WithFields for a single field.
func Wrong(msg, name, why string) *Error { return WithFields(msg, Field{Name: name, Msg: why}) }

// Stale is a Conflict where what a form was filled in on, base, is no longer what is kept, now; both in words. A
// program that saw nothing before has no base, and isn't stopped.
func Stale(base, now string) error {
	if base == "" || base == now {
		return nil
	}
	return New(Conflict, "Someone changed this after you opened the page: it is now %s. Nothing was saved. "+
		"Your entries are still in the form: check them and save again.", now)
}

// Unready is WithFields for a form that was sent too early: it says all that is wrong.
func Unready(fields []Field) *Error {
	var said strings.Builder
	for _, f := range fields {
		said.WriteString(f.Msg + " ")
	}
	return WithFields(said.String()+"Nothing you typed is lost.", fields...)
}

// KindOf is the kind of the first fault in err's chain; Internal when there is none.
func KindOf(err error) Kind {
	if e, ok := errors.AsType[*Error](err); ok {
		return e.Kind
	}
	return Internal
}

// Is reports whether err is a fault of kind k.
func Is(err error, k Kind) bool { return err != nil && KindOf(err) == k }

// Message is what a person may see of err.
func Message(err error) string {
	if e, ok := errors.AsType[*Error](err); ok && e.Kind != Internal {
		return e.Msg
	}
	return InternalMessage
}

// Title is what stands above the message; "" where the kind says it.
func Title(err error) string {
	if e, ok := errors.AsType[*Error](err); ok {
		return e.Title
	}
	return ""
}

// Fields lists what is wrong with an input, field by field.
func Fields(err error) []Field {
	if e, ok := errors.AsType[*Error](err); ok {
		return e.Fields
	}
	return nil
}

// First is what err says of its first field, or in general where it names none.
func First(err error) string {
	if fields := Fields(err); len(fields) > 0 {
		return fields[0].Msg
	}
	return Message(err)
}

// RetryAfter is how long err asks to wait; zero when it does not say.
func RetryAfter(err error) time.Duration {
	if e, ok := errors.AsType[*Error](err); ok {
		return e.RetryAfter
	}
	return 0
}
