package page_test

import (
	"net/http"
	"regexp"
	"strings"
	"testing"

	"github.com/PuerkitoBio/goquery"

	"preceptor/help"
	"preceptor/internal/account"
	"preceptor/internal/app/apptest"
	"preceptor/internal/pack"
)

// Help calls flags what pages call them, and says what each of them means.
func TestHelpNamesFlagsAsPagesDo(t *testing.T) {
	site := apptest.Open(t)
	doc := page(t, site.SignedIn(t, account.Supervisor).Get(t, "/help/reviewing"), http.StatusOK)
	said := map[string]bool{}
	doc.Find("table td:first-child").Each(func(_ int, c *goquery.Selection) {
		said[strings.TrimSpace(c.Text())] = true
	})
	for _, k := range site.Borderline.Taxonomy(pack.Pension).Issues {
		if name := pack.IssueName(k.Code); k.Code != "OTHER" && !said[name] {
			t.Errorf("%q isn't explained", name)
		}
	}
	code := regexp.MustCompile(`<td>[A-Z]+_[A-Z_]+</td>`)
	for _, p := range help.Pages() {
		if found := code.FindString(p.HTML); found != "" {
			t.Errorf("%s: %s", p.Slug, found)
		}
	}
}
