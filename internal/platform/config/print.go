package config

import (
	"fmt"
	"log/slog"
	"net/url"
	"reflect"
	"strings"

	"github.com/alecthomas/kong"

	"preceptor/internal/platform/fault"
)

// Setting is one line of what `preceptor config` prints.
type Setting struct {
	Name  string `json:"name"`  // the flag without its dashes; a secret's variable
	Env   string `json:"env"`   // the environment variable
	Value string `json:"value"` // as text; "(hidden)" for a secret that is set
}

// Redacted lists every setting in the order of its declaration, secrets hidden.
func (c Config) Redacted() []Setting { return settings(reflect.ValueOf(c), "") }

func settings(v reflect.Value, prefix string) []Setting {
	var out []Setting
	for i := range v.NumField() {
		f, tag := v.Field(i), v.Type().Field(i).Tag
		_, isSecret := f.Interface().(Secret)
		switch {
		case f.Kind() == reflect.Struct:
			out = append(out, settings(f, prefix+tag.Get("prefix"))...)
		case isSecret:
			env := tag.Get("env")
			name := strings.ReplaceAll(strings.ToLower(strings.TrimPrefix(env, "PRECEPTOR_")), "_", "-")
			out = append(out, Setting{Name: name, Env: env, Value: fmt.Sprint(f.Interface())})
		case tag.Get("name") != "":
			out = append(out, Setting{Name: prefix + tag.Get("name"), Env: tag.Get("env"), Value: text(f)})
		}
	}
	return out
}

func text(v reflect.Value) string {
	if list, ok := v.Interface().([]string); ok {
		return strings.Join(list, ",")
	}
	s := fmt.Sprint(v.Interface())
	if u, err := url.Parse(s); err == nil && u.User != nil {
		return u.Redacted() // of a database
	}
	return s
}

// String keeps a printed Config from showing a secret.
func (c Config) String() string {
	var b strings.Builder
	for _, s := range c.Redacted() {
		fmt.Fprintf(&b, "%s=%q ", s.Name, s.Value)
	}
	return strings.TrimSpace(b.String())
}

// GoString keeps %#v from showing a secret.
func (c Config) GoString() string { return c.String() }

// LogValue keeps slog from showing a secret.
func (c Config) LogValue() slog.Value { return slog.StringValue(c.String()) }

// Default is what the environment and the defaults give without any flag, secrets loaded, checked.
func Default() (Config, error) { return complete(func(*Config) {}) }

// With completes the settings of b, from a command's flags, with the environment and the defaults of all others.
func (b Base) With() (Config, error) { return complete(func(c *Config) { c.Base = b }) }

// With completes the settings of f, from a command's flags, with the environment and the defaults of all others.
func (f File) With() (Config, error) { return complete(func(c *Config) { c.File = f }) }

func complete(set func(*Config)) (Config, error) {
	var c Config
	k, err := kong.New(&c, kong.Exit(func(int) {}), kong.NoDefaultHelp())
	if err != nil {
		return Config{}, fmt.Errorf("config: build the parser: %w", err)
	}
	if _, err := k.Parse(nil); err != nil {
		return Config{}, fault.Wrap(fault.Invalid, err, "A setting in the environment isn't valid: %s.", err)
	}
	set(&c)
	if err := c.LoadSecrets(); err != nil {
		return Config{}, err
	}
	return c, c.Check()
}
