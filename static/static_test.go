package static

import (
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"encoding/hex"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"regexp"
	"strings"
	"testing"
)

func get(t *testing.T, target string, header ...string) *http.Response {
	t.Helper()
	r := httptest.NewRequest(http.MethodGet, target, nil)
	for i := 0; i+1 < len(header); i += 2 {
		r.Header.Set(header[i], header[i+1])
	}
	w := httptest.NewRecorder()
	Handler().ServeHTTP(w, r)
	return w.Result()
}

func TestFilesAreServedUnderHashedNames(t *testing.T) {
	for _, name := range []string{"app.css", Script, "icon.svg", "fonts/source-sans-3.woff2"} {
		res := get(t, Path(name))
		if res.StatusCode != http.StatusOK || res.Header.Get("Content-Type") == "" {
			t.Errorf("%s: %d %q", name, res.StatusCode, res.Header.Get("Content-Type"))
		}
		if !strings.Contains(res.Header.Get("Cache-Control"), "immutable") {
			t.Errorf("%s: not cached for ever: %q", name, res.Header.Get("Cache-Control"))
		}
		if got := get(t, Prefix+name).StatusCode; got != http.StatusNotFound {
			t.Errorf("%s without its hash: %d, want 404", name, got)
		}
		if got := get(t, Path(name), "If-None-Match", res.Header.Get("ETag")).
			StatusCode; got != http.StatusNotModified {
			t.Errorf("%s unchanged: %d, want 304", name, got)
		}
	}
}

// A browser refuses a font that is longer than its header says.
func TestAFontIsServedAsItIs(t *testing.T) {
	const name = "fonts/source-sans-3.woff2"
	served, _ := io.ReadAll(get(t, Path(name)).Body)
	if kept, err := files.ReadFile(name); err != nil || !bytes.Equal(served, kept) {
		t.Errorf("%d bytes are served, %d are kept (%v)", len(served), len(kept), err)
	}
}

func TestGzipCarriesTheSameBytes(t *testing.T) {
	plain, _ := io.ReadAll(get(t, Path("app.css")).Body)
	res := get(t, Path("app.css"), "Accept-Encoding", "gzip")
	if res.Header.Get("Content-Encoding") != "gzip" {
		t.Fatal("not packed")
	}
	zr, err := gzip.NewReader(res.Body)
	if err != nil {
		t.Fatal(err)
	}
	unpacked, err := io.ReadAll(zr)
	if err != nil || !bytes.Equal(plain, unpacked) {
		t.Fatalf("packed and plain differ (%v)", err)
	}
}

func TestSizesStayWithinTheirBudget(t *testing.T) {
	size := func(name string) int {
		b, _ := io.ReadAll(get(t, Path(name), "Accept-Encoding", "gzip").Body)
		return len(b)
	}
	if n := size("app.css"); n > 20_000 {
		t.Errorf("app.css is %d bytes packed, budget 20,000", n)
	}
	if js := size(Script); js > 60_000 {
		t.Errorf("scripts are %d bytes packed, budget 60,000", js)
	}
}

// htmx starts before the next file of a page has come, so what it needs at its start has to be in the same one.
func TestEveryScriptOfAPageComesAtOnce(t *testing.T) {
	body, _ := io.ReadAll(get(t, Path(Script)).Body)
	at := -1
	for _, name := range scripts {
		b, err := files.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		i := bytes.Index(body, b)
		if i <= at {
			t.Errorf("%s stands at %d, after what stands at %d", name, i, at)
		}
		at = i
	}
}

func TestTheWidgetHasAnAddressForPagesOfOthers(t *testing.T) {
	res := get(t, Prefix+Widget)
	h := res.Header
	if res.StatusCode != http.StatusOK || h.Get("Cross-Origin-Resource-Policy") != "cross-origin" ||
		strings.Contains(h.Get("Cache-Control"), "immutable") || h.Get("ETag") == "" {
		t.Errorf("%d %v", res.StatusCode, h)
	}
	if got := get(t, Prefix+Widget, "If-None-Match", h.Get("ETag")).StatusCode; got != http.StatusNotModified {
		t.Errorf("unchanged: %d", got)
	}
	if other := get(t, Path(Script)).Header.Get("Cross-Origin-Resource-Policy"); other != "" {
		t.Errorf("another file may be loaded by others: %q", other)
	}
	body, _ := io.ReadAll(get(t, Prefix+Widget, "Accept-Encoding", "gzip").Body)
	if len(body) > 2_000 {
		t.Errorf("%d bytes packed, budget 2,000", len(body))
	}
}

func TestTheSheetNamesOnlyFilesThatAreThere(t *testing.T) {
	b, _ := io.ReadAll(get(t, Path("app.css")).Body)
	for _, m := range regexp.MustCompile(`url\("([^"]+)"\)`).FindAllStringSubmatch(string(b), -1) {
		if strings.HasPrefix(m[1], "data:") {
			t.Errorf("%.40s: the policy refuses data addresses", m[1])
		} else if got := get(t, m[1]).StatusCode; got != http.StatusOK {
			t.Errorf("%s: %d", m[1], got)
		}
	}
}

func TestVendoredFilesAreTheRecordedOnes(t *testing.T) {
	record, err := os.ReadFile("vendor/README.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"vendor/htmx-4.0.1.min.js", "vendor/hx-sse-4.0.1.min.js",
		"fonts/source-sans-3.woff2"} {
		b, err := files.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		sum := sha256.Sum256(b)
		if !strings.Contains(string(record), hex.EncodeToString(sum[:])) {
			t.Errorf("%s: its SHA-256 %x is not in vendor/README.md", name, sum)
		}
	}
}

func TestAnUnknownNameIsADefect(t *testing.T) {
	defer func() {
		if recover() == nil {
			t.Error("no panic")
		}
	}()
	Path("nothing.css")
}
