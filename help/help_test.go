package help

import (
	"regexp"
	"strings"
	"testing"
	"testing/fstest"
)

func TestEveryPageHasATitleASummaryAndABody(t *testing.T) {
	if len(Pages()) < 8 {
		t.Fatalf("there are %d pages", len(Pages()))
	}
	for _, p := range Pages() {
		if p.Title == "" || len(p.Summary) < 20 || len(p.HTML) < 300 || strings.ContainsAny(p.Summary, "#*[|`") {
			t.Errorf("page %q: title %q, summary %q, %d bytes", p.Slug, p.Title, p.Summary, len(p.HTML))
		}
		if got, ok := Find(p.Slug); !ok || got.Title != p.Title {
			t.Errorf("page %q can't be found by its address", p.Slug)
		}
	}
	if _, ok := Find("nothing"); ok {
		t.Error("found a page that is not there")
	}
}

// A link from one page to another must lead somewhere.
func TestLinksBetweenPages(t *testing.T) {
	link := regexp.MustCompile(`href="/help/([a-z-]+)"`)
	for _, p := range Pages() {
		for _, m := range link.FindAllStringSubmatch(p.HTML, -1) {
			if _, ok := Find(m[1]); !ok {
				t.Errorf("%s links to /help/%s, which is not there", p.Slug, m[1])
			}
		}
	}
}

// The demo prints one line that sets what the requests need: each takes its address and its token from there.
func TestRequestsTakeWhatTheDemoSets(t *testing.T) {
	names, err := files.ReadDir(".")
	if err != nil {
		t.Fatal(err)
	}
	seen := 0
	for _, f := range names {
		text, err := files.ReadFile(f.Name())
		if err != nil {
			t.Fatal(err)
		}
		for i, line := range strings.Split(string(text), "\n") {
			if code := strings.HasPrefix(line, "    "); code && strings.Contains(line, "curl -") {
				if seen++; !strings.Contains(line, `"$PRECEPTOR`) {
					t.Errorf("%s, line %d has an address of its own: %s", f.Name(), i+1, line)
				}
			}
			if strings.Contains(line, "-H \"Authorization") && !strings.Contains(line, "Bearer $PRECEPTOR_TOKEN") {
				t.Errorf("%s, line %d has a token of its own: %s", f.Name(), i+1, line)
			}
		}
	}
	if seen < 6 {
		t.Errorf("only %d requests were found", seen)
	}
}

func TestBrokenFilesAreNamed(t *testing.T) {
	for name, text := range map[string]string{"keys.md": "# Keys\n\nText.", "10-keys.md": "Keys\n\nText."} {
		_, err := load(fstest.MapFS{name: {Data: []byte(text)}})
		if err == nil || !strings.Contains(err.Error(), name) {
			t.Errorf("%s gave %v", name, err)
		}
	}
}

func TestRawHTMLIsDropped(t *testing.T) {
	list, err := load(fstest.MapFS{"10-x.md": {Data: []byte("# X\n\nText <script>alert(1)</script>.\n")}})
	if err != nil || strings.Contains(list[0].HTML, "<script") {
		t.Errorf("%v, %v", list, err)
	}
}
