package observe

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"preceptor/internal/platform/fault"
	"preceptor/internal/platform/strict"
	"preceptor/internal/rule"
)

// Session is what .cerberus/agent_observations.json has.
type Session struct {
	ID           string
	Observations []Observation
	Proposals    []Proposal
}

// ReadFile reads the seed's file of at most limit bytes. What is wrong is said with its line and field; nothing is
// skipped.
func ReadFile(r io.Reader, limit int64) (Session, error) {
	raw, err := io.ReadAll(io.LimitReader(r, limit+1))
	switch {
	case err != nil:
		return Session{}, fault.Wrap(fault.Invalid, err, "The observation file can't be read.")
	case int64(len(raw)) > limit:
		return Session{}, fault.New(fault.Invalid, "The observation file is larger than %d bytes.", limit)
	}
	raw = bytes.TrimPrefix(raw, []byte("\xEF\xBB\xBF"))
	var f struct {
		ID           string            `json:"session_id"`
		Observations []json.RawMessage `json:"observations"`
		Proposals    []json.RawMessage `json:"proposals"`
	}
	if s, ok := errors.AsType[*json.SyntaxError](json.Unmarshal(raw, &f)); ok {
		return Session{}, wrong(raw, int(s.Offset), "the file is not valid JSON here, or is cut off")
	}
	s := Session{ID: f.ID}
	if s.Observations, err = records(raw, "observation", f.Observations, Observation.wrong); err != nil {
		return Session{}, err
	}
	if s.Proposals, err = records(raw, "proposal", f.Proposals, Proposal.wrong); err != nil {
		return Session{}, err
	}
	if err := strict.Into(raw, &f); err != nil { // what is wrong around the records
		return Session{}, wrong(raw, 0, "the file %s", err)
	}
	if s.ID == "" {
		return Session{}, wrong(raw, 0, "the file has no session_id")
	}
	for i := range s.Observations {
		s.Observations[i].Session, s.Observations[i].At = s.ID, s.Observations[i].At.UTC()
	}
	return s, nil
}

// Ready says that there is nothing to import or more than most, or what of it can't have happened by now; clocks may
// differ by a day.
func (s Session) Ready(now time.Time, most int) error {
	switch n := len(s.Observations) + len(s.Proposals); {
	case n == 0:
		return fault.New(fault.Invalid, "The file has no observations and no proposals, so nothing was imported.")
	case n > most:
		return fault.New(fault.Invalid, "The file has %d observations and proposals. Send at most %d at a time.",
			n, most)
	}
	for n, o := range s.Observations {
		if o.At.After(now.Add(24 * time.Hour)) {
			return fault.New(fault.Invalid, "ts of observation %d, %s, is in the future.", n+1,
				o.At.Format(time.RFC3339))
		}
	}
	return nil
}

// UnmarshalJSON keeps numbers as they were written.
func (c *Context) UnmarshalJSON(raw []byte) error { return strict.Tree(raw, (*map[string]any)(c)) }

func (o Observation) wrong() (field, what string) {
	switch {
	case !slices.Contains(Kinds, o.Kind):
		return "type", "is not one of " + strings.Join(Kinds, ", ")
	case o.Action == "":
		return "action", "is empty"
	case o.Context == nil:
		return "ctx", "is not an object"
	case o.Confidence < 0 || o.Confidence > 1:
		return "conf", "is not between 0 and 1"
	case o.At.UTC().Year() < 1 || o.At.UTC().Year() > 9999:
		return "ts", "is missing or out of range"
	}
	return "", ""
}

func (p Proposal) wrong() (field, what string) {
	kind, of, _ := strings.Cut(p.Scope, ":")
	switch {
	case !slices.Contains(Categories, p.Category):
		return "cat", "is not one of " + strings.Join(Categories, ", ")
	case p.Scope != rule.Universal && (kind == "" || of == ""):
		return "scope", "is not a scope such as universal, language:go or project:hydra"
	case p.Content == "":
		return "rule", "is empty"
	case p.Confidence < 0 || p.Confidence > 1:
		return "conf", "is not between 0 and 1"
	case p.Priority < 1 || p.Priority > 3:
		return "pri", "is not 1, 2 or 3"
	}
	return "", ""
}

// records reads each of list, and has check say which of its fields is wrong.
func records[T any](raw []byte, name string, list []json.RawMessage,
	check func(T) (field, what string)) (out []T, err error) {
	at := 0
	for n, one := range list {
		at += bytes.Index(raw[at:], one)
		var v T
		if err := strict.Into(one, &v); err != nil {
			field := ""
			if e, ok := errors.AsType[*strict.Error](err); ok && len(e.At) > 0 {
				field = strings.TrimPrefix(e.At[0], "/")
			} else if strings.Contains(err.Error(), "parsing time") ||
				strings.Contains(err.Error(), "Time.UnmarshalJSON") { // a number, such as seconds since 1970
				field, err = "ts", errors.New(`has no time as "2026-01-22T13:35:14Z" in the field ts`)
			}
			return nil, wrong(raw, at+fieldAt(one, field), "%s %d %s", name, n+1, err)
		}
		if field, what := check(v); field != "" {
			return nil, wrong(raw, at+fieldAt(one, field), "%s of %s %d %s", field, name, n+1, what)
		}
		at, out = at+len(one), append(out, v)
	}
	return out, nil
}

// wrong names the line of what is wrong.
func wrong(raw []byte, at int, format string, args ...any) error {
	return fault.New(fault.Invalid, "Line %d: %s.", 1+bytes.Count(raw[:min(at, len(raw))], []byte("\n")),
		fmt.Sprintf(format, args...))
}

// fieldAt is where a field stands that begins a line; otherwise where its record begins.
func fieldAt(record []byte, field string) int {
	if at := regexp.MustCompile(`\n\s*"` + regexp.QuoteMeta(field) + `"\s*:`).FindIndex(record); at != nil {
		return at[1]
	}
	return 0
}

// WriteFile writes the seed's file. What it wrote and ReadFile read is written again byte by byte.
func WriteFile(w io.Writer, s Session) error {
	var observations, proposals []string
	for _, o := range s.Observations {
		if o.Context == nil {
			o.Context = Context{}
		}
		ctx, err := inline(o.Context)
		if err != nil {
			return err
		}
		observations = append(observations,
			record("type", quote(o.Kind), "action", quote(o.Action), "user", quote(o.Said), "ctx", ctx,
				"conf", decimal(o.Confidence), "ts", quote(o.At.UTC().Format(time.RFC3339Nano))))
	}
	for _, p := range s.Proposals {
		evidence, err := inline(append([]string{}, p.Evidence...))
		if err != nil {
			return err
		}
		proposals = append(proposals,
			record("id", quote(p.ID), "cat", quote(p.Category), "scope", quote(p.Scope), "rule", quote(p.Content),
				"evidence", evidence, "conf", decimal(p.Confidence), "pri", strconv.Itoa(p.Priority)))
	}
	_, err := fmt.Fprintf(w, "{\n  \"session_id\": %s,\n  \"observations\": %s,\n  \"proposals\": %s\n}\n", quote(s.ID),
		several(observations), several(proposals))
	return err
}

func several(all []string) string {
	if len(all) == 0 {
		return "[]"
	}
	return "[\n    " + strings.Join(all, ",\n    ") + "\n  ]"
}

// record is an object over several lines, of names and values in turn.
func record(parts ...string) string {
	var lines []string
	for i := 0; i < len(parts); i += 2 {
		lines = append(lines, "      "+quote(parts[i])+": "+parts[i+1])
	}
	return "{\n" + strings.Join(lines, ",\n") + "\n    }"
}

// decimal is a number as Python writes it: 1.0.
func decimal(f float64) string {
	s := strconv.FormatFloat(f, 'f', -1, 64)
	if !strings.Contains(s, ".") {
		s += ".0"
	}
	return s
}

func quote(s string) string {
	var b strings.Builder
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	_ = enc.Encode(s) // a text can always be written
	return strings.TrimSuffix(b.String(), "\n")
}

// inline is a value on one line with a space behind each comma and colon, as in the seed; names are sorted.
func inline(v any) (string, error) {
	var compact strings.Builder
	enc := json.NewEncoder(&compact)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(v); err != nil {
		return "", fault.Wrap(fault.Invalid, err, "The context of an observation can't be written as JSON.")
	}
	var b strings.Builder
	text := strings.TrimSuffix(compact.String(), "\n")
	for i, inside := 0, false; i < len(text); i++ {
		b.WriteByte(text[i])
		switch {
		case inside && text[i] == '\\':
			i++
			b.WriteByte(text[i])
		case text[i] == '"':
			inside = !inside
		case !inside && (text[i] == ',' || text[i] == ':'):
			b.WriteByte(' ')
		}
	}
	return b.String(), nil
}
