package page

import (
	"net/http"
	"strconv"
	"strings"

	"github.com/labstack/echo/v4"

	"preceptor/internal/account"
	"preceptor/internal/review"
	"preceptor/views/accounts"
)

// keptFields are the fields of a form of the desk that go over a sign-in with it, when its session had ended: they stand
// hidden on the sign-in page, and are a draft of their author afterwards. Nothing is sent: whoever signs in looks at the
// case as it is then, and decides.
var keptFields = []string{"case", "as", "mode", "version", "text", "reason", "reason_code", "stated", "filter"}

const keptPrefix = "kept_"

// keptOf is what a form of the desk carries; nil when the request is none.
func keptOf(c echo.Context) []accounts.Kept {
	if c.Request().Method != http.MethodPost || c.FormValue("case") == "" || c.FormValue("mode") == "" {
		return nil
	}
	return collect(c, "")
}

// keptAgain is what a sign-in that was refused carries on.
func keptAgain(c echo.Context) []accounts.Kept {
	if c.FormValue(keptPrefix+"case") == "" {
		return nil
	}
	return collect(c, keptPrefix)
}

func collect(c echo.Context, prefix string) (list []accounts.Kept) {
	for _, name := range keptFields {
		value := c.FormValue(prefix + name)
		if name == "stated" && prefix == "" {
			value = keepStatement(statementOf(c)) // of many fields
		}
		list = append(list, accounts.Kept{Name: keptPrefix + name, Value: value})
	}
	return list
}

// takeIn saves what was typed before the sign-in as a draft of who typed it, and says where it stands. What somebody else
// typed at this browser is not theirs and is dropped.
func (p *Pages) takeIn(c echo.Context, a account.Account) (to string) {
	form := func(name string) string { return c.FormValue(keptPrefix + name) }
	id := form("case")
	if id == "" || form("as") != a.ID || !a.Has(account.Supervisor) {
		return ""
	}
	d := review.Draft{CaseID: id, Mode: form("mode"), Text: form("text"), Reason: form("reason"), ReasonCode: form("reason_code"), Stated: form("stated")}
	d.Version, _ = strconv.Atoi(form("version")) // a wrong one is a version that nobody saw; it is kept as such
	if _, err := p.Reviews.SaveDraft(c.Request().Context(), review.Person{ID: a.ID, Name: a.Name}, d); err != nil {
		p.Log.Info("what was typed before a sign-in is not saved", "error", err.Error())
	}
	filter := strings.TrimPrefix(form("filter"), "?")
	if filter != "" {
		filter += "&"
	}
	return "/reviews/" + id + "?" + filter + "mode=" + d.Mode
}
