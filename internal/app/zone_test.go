package app_test

import (
	"io"
	"log/slog"
	"path/filepath"
	"testing"

	"preceptor/internal/app"
	"preceptor/internal/audit"
	"preceptor/internal/platform/config"
)

func TestAChangeOfTheTimeZoneIsOnRecord(t *testing.T) {
	cfg, err := config.Default()
	if err != nil {
		t.Fatal(err)
	}
	cfg.DB = filepath.Join(t.TempDir(), "zone.db")
	for _, c := range []struct {
		zone string
		rows int
	}{{"Europe/London", 0}, {"Europe/Paris", 1}, {"", 1}, {"Asia/Kathmandu", 2}} {
		cfg.Zone = c.zone
		a, err := app.Open(t.Context(), cfg, app.WithLog(slog.New(slog.DiscardHandler)), app.WithTerminal(io.Discard))
		if err != nil {
			t.Fatal(err)
		}
		page, err := audit.List(t.Context(), a.DB, audit.Filter{Action: "settings.zone"})
		if err != nil || len(page.Rows) != c.rows {
			t.Errorf("after %q there are %d rows, want %d: %v", c.zone, len(page.Rows), c.rows, err)
		}
		if err := a.Close(); err != nil {
			t.Fatal(err)
		}
	}
}
