package render_test

import (
	"bufio"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"preceptor/web/render"
)

// A stream outlives the time that one part had, over both protocols.
func TestAStreamRestsBetweenItsParts(t *testing.T) {
	for _, http2 := range []bool{true, false} {
		const limit = 200 * time.Millisecond
		srv := httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
			for _, text := range []string{"one\n", "two\n", "three\n"} {
				if err := render.Part(w, limit, text); err != nil {
					t.Error(err)
				}
				time.Sleep(2 * limit)
			}
		}))
		srv.EnableHTTP2 = http2
		srv.StartTLS()
		r, err := srv.Client().Get(srv.URL)
		if err != nil || (r.ProtoMajor == 2) != http2 {
			t.Fatalf("%+v %v", r, err)
		}
		var got []string
		lines := bufio.NewScanner(r.Body)
		for lines.Scan() {
			got = append(got, lines.Text())
		}
		if strings.Join(got, " ") != "one two three" || lines.Err() != nil {
			t.Errorf("HTTP/2 %t: heard %q, %v", http2, got, lines.Err())
		}
		r.Body.Close()
		srv.Close()
	}
}
