package gallery

import (
	"net/http"
	"os"
	"testing"
	"time"

	"preceptor/static"
)

func TestZZServe(t *testing.T) {
	if os.Getenv("SERVE") == "" {
		t.Skip()
	}
	mux := http.NewServeMux()
	mux.Handle("/static/", static.Handler())
	for _, s := range Samples() {
		mux.HandleFunc("/ui/"+s.Name, func(w http.ResponseWriter, r *http.Request) {
			f := frame()
			f.Topics, f.Wide, f.Title, f.Theme = "", true, s.Label, r.URL.Query().Get("theme")
			_ = s.View(f, Plain(time.Now())).Render(r.Context(), w)
		})
	}
	go http.ListenAndServe("127.0.0.1:8099", mux)
	time.Sleep(20 * time.Minute)
}
