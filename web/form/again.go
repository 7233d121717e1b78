package form

import (
	"cmp"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"

	"preceptor/internal/platform/decimal"
	"preceptor/internal/platform/fault"
)

// Again reports whether a form is to be shown again with err beside it: what was typed can be mended, or somebody else
// was first. also are other kinds that its page can say. Without an error there is nothing that a page can't say.
func Again(err error, also ...fault.Kind) bool {
	k := fault.KindOf(err)
	return err == nil || k == fault.Invalid || k == fault.Conflict || slices.Contains(also, k)
}

// Status is what a page answers with that says err.
func Status(err error) int {
	if err == nil {
		return http.StatusOK
	}
	return fault.KindOf(err).Status()
}

// Said is what a page says of err: as a whole, and by field.
func Said(err error) (message string, fields map[string]string) {
	if err == nil {
		return "", nil
	}
	return fault.Message(err), Errors(err)
}

// Errors is what is wrong with a form, by field; several faults of one field are joined.
func Errors(err error) map[string]string {
	out := map[string]string{}
	for _, f := range fault.Fields(err) {
		out[f.Name] = strings.TrimSpace(out[f.Name] + " " + f.Msg)
	}
	return out
}

// PlainErrors are the domain's fields, which are pointers, by their names; those of a list's items count for the list.
func PlainErrors(err error) map[string]string {
	out := map[string]string{}
	for _, f := range fault.Fields(err) {
		name, _, _ := strings.Cut(strings.TrimPrefix(f.Name, "/"), "/")
		out[name] = f.Msg
	}
	return out
}

// Reading reads what was typed and notes what can't be read, so that everything is said at once.
type Reading struct {
	Zone  *time.Location // whose days are meant; nil: the desk's, which main makes the process's
	wrong []fault.Field
}

// Wrong notes what is wrong with a field.
func (r *Reading) Wrong(name, msg string) {
	r.wrong = append(r.wrong, fault.Field{Name: name, Msg: msg})
}

// Wrongs are what was noted.
func (r *Reading) Wrongs() []fault.Field { return r.wrong }

// Err is everything that was noted, under a message for the whole; nil when nothing was.
func (r *Reading) Err(message string) error {
	if len(r.wrong) == 0 {
		return nil
	}
	return fault.WithFields(message, r.wrong...)
}

// Whole reads a whole number of a range; say is what to write instead.
func (r *Reading) Whole(name, typed string, least, most int, say string) int {
	n, err := strconv.Atoi(strings.TrimSpace(typed))
	if err != nil || n < least || n > most {
		r.Wrong(name, say)
	}
	return n
}

// Percent reads a number that may have a percent sign.
func (r *Reading) Percent(name, typed, say string) float64 {
	n, err := decimal.Percent(typed)
	if err != nil {
		r.Wrong(name, decimal.Say(err, say))
	}
	return n
}

// Day reads a day; nothing is the zero time.
func (r *Reading) Day(name, typed string) time.Time {
	if typed == "" {
		return time.Time{}
	}
	t, err := decimal.Day(typed, cmp.Or(r.Zone, time.Local))
	if err != nil {
		r.Wrong(name, err.Error())
	}
	return t
}

// Days reads a first and a last day, and gives the moment after the last: the day itself is meant, too. The last isn't
// before the first.
func (r *Reading) Days(from, to string) (first, end time.Time) {
	first, end = r.Day("from", from), r.Day("to", to)
	if !end.IsZero() {
		if end = end.AddDate(0, 0, 1); !end.After(first) {
			r.Wrong("to", "Enter a day that isn't before the first one.")
		}
	}
	return first, end
}

// OneOf is value if it is one of list, and nothing otherwise.
func OneOf(value string, list []string) string {
	if slices.Contains(list, value) {
		return value
	}
	return ""
}

// Nth is a text of a list that may be shorter.
func Nth(list []string, i int) string {
	if i < len(list) {
		return list[i]
	}
	return ""
}

// Lines are the lines of a text that say something.
func Lines(text string) (out []string) {
	for line := range strings.Lines(text) {
		if line = strings.TrimSpace(line); line != "" {
			out = append(out, line)
		}
	}
	return out
}

// maxSearch is how many characters of a search are looked at.
const maxSearch = 200

// Search is what was typed into a search, in one line.
func Search(q string) string {
	q = strings.Join(strings.Fields(strings.ToValidUTF8(q, "")), " ")
	if r := []rune(q); len(r) > maxSearch {
		return string(r[:maxSearch])
	}
	return q
}
