package page_test

import (
	"encoding/json"
	"net/http"
	"regexp"
	"strings"
	"testing"

	"github.com/PuerkitoBio/goquery"

	"preceptor/internal/account"
	"preceptor/internal/app/apptest"
)

// The calls over plain HTTP that the help page offers for copying work as they stand, in their order; its settings are
// JSON.
func TestWhatTheConnectPageShowsWorks(t *testing.T) {
	site := apptest.Open(t)
	agent := site.Nobody(t)
	agent.Header.Set("Authorization", "Bearer "+site.Token(t, account.Scopes...))
	doc, err := goquery.NewDocumentFromReader(
		strings.NewReader(site.SignedIn(t, account.Supervisor).Get(t, "/help/connect").Body))
	if err != nil {
		t.Fatal(err)
	}
	call := regexp.MustCompile(`(?s)call (/api/\S+) '(.*?)'`)
	calls, settings := 0, 0
	doc.Find("pre").Each(func(_ int, s *goquery.Selection) {
		text := s.Text()
		if strings.HasPrefix(text, "{") {
			if settings++; !json.Valid([]byte(text)) {
				t.Errorf("this is not JSON: %s", text)
			}
		}
		for _, c := range call.FindAllStringSubmatch(text, -1) {
			calls++
			if r := agent.JSON(t, http.MethodPost, c[1], c[2]); r.Status/100 != 2 {
				t.Errorf("%s: %d %s", c[1], r.Status, r.Body)
			}
		}
	})
	if calls < 4 || settings < 3 {
		t.Errorf("%d calls and %d settings", calls, settings)
	}
}
