package home

import (
	"net/http"
	"slices"
	"strconv"
	"strings"

	"github.com/labstack/echo/v4"

	"preceptor/internal/account"
	"preceptor/internal/review"
	"preceptor/views/accounts"
	"preceptor/views/ui"
	"preceptor/web/form"
	"preceptor/web/teach"
)

// atDesk is a form of the desk, as far as it goes over a sign-in when its session had ended.
type atDesk struct {
	Case       string        `form:"case"`
	As         string        `form:"as"`
	Mode       string        `form:"mode"`
	Version    string        `form:"version"`
	Text       form.Verbatim `form:"text"`
	Reason     string        `form:"reason"`
	ReasonCode string        `form:"reason_code"`
	Filter     string        `form:"filter"`
}

// kept is the same on the sign-in page, where it stands hidden. It is a draft of its author afterwards: nothing is
// sent, and whoever signs in looks at the case as it is then, and decides.
type kept struct {
	Case       string        `form:"kept_case"`
	As         string        `form:"kept_as"`
	Mode       string        `form:"kept_mode"`
	Version    string        `form:"kept_version"`
	Text       form.Verbatim `form:"kept_text"`
	Reason     string        `form:"kept_reason"`
	ReasonCode string        `form:"kept_reason_code"`
	Filter     string        `form:"kept_filter"`
	Stated     string        `form:"kept_stated"` // one field of many
}

// keptOf is what a form of the desk carries; nil when the request is none.
func keptOf(c echo.Context) []accounts.Kept {
	var in atDesk
	if c.Request().Method != http.MethodPost || form.Bind(c, &in) != nil || in.Mode == "" {
		return nil
	}
	k := kept{in.Case, in.As, in.Mode, in.Version, in.Text, in.Reason, in.ReasonCode, in.Filter,
		teach.Keep(teach.Of(c))}
	return k.fields()
}

// fields are the hidden ones; none without a case.
func (k kept) fields() (list []accounts.Kept) {
	if k.Case == "" {
		return nil
	}
	for name, values := range ui.Query(k) {
		list = append(list, accounts.Kept{Name: name, Value: values[0]})
	}
	slices.SortFunc(list, func(a, b accounts.Kept) int { return strings.Compare(a.Name, b.Name) })
	return list
}

// takeIn saves what was typed before the sign-in as a draft of who typed it, and says where it stands. What somebody
// else typed at this browser is not theirs and is dropped.
func (p *Pages) takeIn(c echo.Context, a account.Account, k kept) (to string) {
	if k.Case == "" || k.As != a.ID || !a.Has(account.Supervisor) {
		return ""
	}
	d := review.Draft{CaseID: k.Case, Mode: k.Mode, Text: string(k.Text), Reason: k.Reason, ReasonCode: k.ReasonCode,
		Stated: k.Stated}
	d.Version, _ = strconv.Atoi(k.Version) // a wrong one is a version that nobody saw; it is kept as such
	if _, err := p.Reviews.SaveDraft(c.Request().Context(), review.Person{ID: a.ID, Name: a.Name}, d); err != nil {
		p.Log.Info("what was typed before a sign-in is not saved", "error", err.Error())
	}
	filter := strings.TrimPrefix(k.Filter, "?")
	if filter != "" {
		filter += "&"
	}
	return "/reviews/" + k.Case + "?" + filter + "mode=" + d.Mode
}
