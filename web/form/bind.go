// Package form reads what people send into tagged structs, and says what of it can't be read.
//
// What it promises. Bind fills the fields that have a form tag and no others, so a view's struct can be bound and what
// else stands in it can't be set from outside. Texts come trimmed, with Unix line ends; a Verbatim comes as it was
// sent. A number that can't be read is an error that names the field, and never a zero. A field of the body goes before
// one of the address. Reading and Again are for forms that are shown again: what was typed stays text in the view, and
// is read beside it.
//
// The way back, a filter as an address, is ui.Address over the same tags.
//
// It decided against the brackets that the decoder knows in names (list[3]): no form of ours has them, and a broken one
// makes it panic, so such fields are left out.
package form

import (
	"errors"
	"fmt"
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"

	decode "github.com/go-playground/form/v4"
	"github.com/labstack/echo/v4"

	"preceptor/internal/pack"
	"preceptor/internal/platform/fault"
)

// Verbatim is a text that counts to the last blank: a password, or words whose places in a text are numbered.
type Verbatim string

var decoder = func() *decode.Decoder {
	d := decode.NewDecoder()
	d.SetMode(decode.ModeExplicit)
	d.RegisterCustomTypeFunc(func(s []string) (any, error) { return tidy(s[0]), nil }, "")
	d.RegisterCustomTypeFunc(func(s []string) (any, error) { return ticked(s[0]), nil }, false)
	d.RegisterCustomTypeFunc(func(s []string) (any, error) { n, err := whole(s[0]); return int(n), err }, 0)
	d.RegisterCustomTypeFunc(func(s []string) (any, error) { return whole(s[0]) }, int64(0))
	return d
}()

func tidy(s string) string { return strings.TrimSpace(strings.ReplaceAll(s, "\r\n", "\n")) }

func ticked(s string) bool { return !slices.Contains([]string{"", "0", "no", "off", "false"}, tidy(s)) }

// whole reads a whole number; nothing is 0.
func whole(s string) (int64, error) {
	if tidy(s) == "" {
		return 0, nil
	}
	n, err := strconv.ParseInt(tidy(s), 10, 64)
	if err != nil {
		return 0, errors.New("enter a whole number")
	}
	return n, nil
}

// Bind reads the request's form and query into the struct that into points to.
func Bind(c echo.Context, into any) error {
	values, err := Values(c)
	if err != nil {
		return err
	}
	err = Decode(values, into)
	if fault.Is(err, fault.Invalid) && c.Request().Method == http.MethodGet {
		return fault.Wrap(fault.NotFound, err, "There is nothing at this address. Start again from the list.")
	}
	return err
}

// Decode reads fields by name, as from an address that was kept.
func Decode(values url.Values, into any) error {
	err := decoder.Decode(into, values)
	wrong, ok := errors.AsType[decode.DecodeErrors](err)
	if !ok {
		return err
	}
	var fields []fault.Field
	for _, name := range slices.Sorted(maps.Keys(wrong)) {
		fields = append(fields,
			fault.Field{Name: name, Msg: fmt.Sprintf("%s for %s: %.40q is none.", pack.Upper(wrong[name].Error()), name,
				values.Get(name))})
	}
	return fault.WithFields("Something isn't valid. Nothing was changed; go back and correct it.", fields...)
}

// Into is a handler that takes what was sent as a struct.
func Into[T any](h func(c echo.Context, in T) error) echo.HandlerFunc {
	return func(c echo.Context) error {
		var in T
		if err := Bind(c, &in); err != nil {
			return err
		}
		return h(c, in)
	}
}

// Values are the fields by name, for forms whose names are data themselves.
func Values(c echo.Context) (url.Values, error) {
	out := url.Values{}
	maps.Copy(out, c.QueryParams())
	if c.Request().Method != http.MethodGet && c.Request().Method != http.MethodHead {
		if _, err := c.FormParams(); err != nil {
			return nil, unread(err)
		}
		maps.Copy(out, c.Request().PostForm)
	}
	maps.DeleteFunc(out, func(name string, _ []string) bool { return strings.ContainsAny(name, "[]") })
	return out, nil
}

// unread keeps the faults of the way here, and classifies the rest: the form is broken.
func unread(err error) error {
	_, large := errors.AsType[*http.MaxBytesError](err)
	_, router := errors.AsType[*echo.HTTPError](err)
	if large || router {
		return err
	}
	return fault.Wrap(fault.Invalid, err, "We couldn't read the form. Reload the page.")
}
