package delivery_test

import (
	"net/http"
	"net/http/httptest"
	"net/netip"
	"strings"
	"testing"

	"preceptor/internal/delivery"
	"preceptor/internal/platform/fault"
)

// A page is read by the rules of deliveries: of its redirects, too, and no more of it than is wanted.
func TestFetch(t *testing.T) {
	asked := map[string]int{}
	srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		asked[r.URL.Path]++
		switch r.URL.Path {
		case "/moved":
			http.Redirect(w, r, "/page", http.StatusMovedPermanently)
		case "/inside":
			http.Redirect(w, r, "http://127.0.0.2:9/secret", http.StatusFound)
		case "/metadata":
			http.Redirect(w, r, "https://169.254.169.254/latest", http.StatusFound)
		case "/file":
			http.Redirect(w, r, "file:///etc/passwd", http.StatusFound)
		case "/round":
			http.Redirect(w, r, "/round", http.StatusFound)
		case "/large":
			w.Write(make([]byte, 5000))
		case "/page":
			w.Header().Set("Content-Type", "text/html")
			w.Write([]byte("<h1>Page</h1>"))
		default:
			http.NotFound(w, r)
		}
	}))
	defer srv.Close()
	allow := delivery.Allow{Networks: []netip.Prefix{netip.MustParsePrefix("127.0.0.1/32")}}
	for _, path := range []string{"/page", "/moved", "/page#part"} {
		f, err := delivery.Fetch(t.Context(), allow, srv.URL+path, 1000)
		if err != nil || string(f.Body) != "<h1>Page</h1>" || f.Type != "text/html" {
			t.Errorf("%s: %+v, %v", path, f, err)
		}
	}
	for path, want := range map[string]string{"/inside": "127.0.0.2 is this machine", "/metadata": "link-local",
		"/file": "https://host/path", "/round": "more than 5 times", "/large": "larger than", "/none": "404"} {
		_, err := delivery.Fetch(t.Context(), allow, srv.URL+path, 1000)
		if !fault.Is(err, fault.Invalid) || !strings.Contains(fault.Message(err), want) ||
			strings.Contains(fault.Message(err), "\n") {
			t.Errorf("%s: %v, want %q", path, err, want)
		}
	}
	if asked["/round"] > 6 {
		t.Errorf("asked %d times", asked["/round"])
	}
	before := asked["/page"]
	if _, err := delivery.Fetch(t.Context(), delivery.Allow{}, srv.URL+"/page", 1000); !strings.Contains(
		fault.Message(err), "is this machine") || asked["/page"] != before {
		t.Errorf("this machine was asked: %v", err)
	}
}
