package browsertest

import (
	"fmt"
	"net/url"
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
)

// id is a row's id in an address: pages that differ only by it are one kind of page.
var id = regexp.MustCompile(`[0-9a-f]{8}-[0-9a-f-]{27}`)

// TestDemoSite follows every link of a running demo (PRECEPTOR_SITE=http://127.0.0.1:8080), as each of its people, and
// holds one page of each kind to what all pages are held to.
func TestDemoSite(t *testing.T) {
	site := os.Getenv("PRECEPTOR_SITE")
	if site == "" {
		t.Skip("PRECEPTOR_SITE is not set: start preceptor demo and name its address to have its pages looked at")
	}
	first := open(t, true)
	first.run(chromedp.Navigate(site+"/sign-in"), chromedp.WaitReady(chromedp.CSS("form")))
	accounts := eval[[]string](first, `[...document.querySelectorAll("input[name=account]")].map(i => i.value)`)
	for i, account := range accounts {
		t.Run(fmt.Sprint(i), func(t *testing.T) { crawl(t, site, account, fmt.Sprintf("site%d", i)) })
	}
}

func crawl(t *testing.T, site, account, prefix string) {
	b := open(t, true)
	b.size(1440, 900, "light")
	b.run(chromedp.Navigate(site+"/sign-in"), chromedp.WaitReady(chromedp.CSS("form")),
		chromedp.Click(chromedp.CSS(fmt.Sprintf(`form:has(input[value="%s"]) button`, account))), chromedp.WaitReady(chromedp.CSS(".nav")))
	todo, seen := []string{"/", "/ui", "/nowhere"}, map[string]bool{}
	for len(todo) > 0 && len(seen) < 80 {
		path := todo[0]
		todo = todo[1:]
		u, err := url.Parse(path)
		if err != nil {
			continue
		}
		kind := id.ReplaceAllString(u.Path, "ID") + "?" + queryKind(u.Query())
		if seen[kind] || strings.HasPrefix(path, "/api") || strings.HasPrefix(path, "/ui/") {
			continue
		}
		seen[kind] = true
		name := prefix + strings.NewReplacer("/", "-", "?", "-", "=", "", "&", "-").Replace(kind)
		for _, look := range []struct {
			width  int64
			scheme string
		}{{1440, "light"}, {360, "dark"}} {
			b.size(look.width, 900, look.scheme)
			b.run(chromedp.Navigate(site+path), chromedp.WaitReady(chromedp.CSS("body")))
			b.shot(fmt.Sprintf("%s-%s-%d", name, look.scheme, look.width))
			b.fits(name)
			b.accessible(name)
			b.quiet(name, "status of 404", "status of 403")
		}
		todo = append(todo, eval[[]string](b, `[...document.querySelectorAll("a[href]")].filter(a => a.origin === location.origin).map(a => a.pathname + a.search)`)...)
	}
	t.Logf("%d kinds of pages", len(seen))
}

// queryKind keeps what changes the kind of a page.
func queryKind(q url.Values) string {
	kept := url.Values{}
	for _, k := range []string{"mode", "state", "kind"} {
		if q.Get(k) != "" {
			kept.Set(k, q.Get(k))
		}
	}
	return kept.Encode()
}
