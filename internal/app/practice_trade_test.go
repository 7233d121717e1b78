package app_test

import (
	"testing"
	"time"

	"preceptor/internal/app/apptest"
	"preceptor/internal/audit"
	"preceptor/internal/demo"
	"preceptor/internal/knowledge"
	"preceptor/internal/pack"
	"preceptor/internal/platform/db"
	"preceptor/internal/practice"
)

// A pack whose practice customers are of one trade has no agent practise at night of which nobody said that it works in
// it.
func TestNoPracticeAtNightForAnotherTrade(t *testing.T) {
	s := apptest.Open(t)
	shop, err := s.Accounts.EnsureAgent(t.Context(), "Shop", pack.GeneralName)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := s.Knowledge.Import(t.Context(), demo.Documents(pack.GeneralName), knowledge.ImportOptions{
		Source: "documents", AgentID: shop.ID, Pack: shop.Pack, By: audit.System("test")}); err != nil {
		t.Fatal(err)
	}
	now := s.Clock.Now().In(s.Zone)
	s.Clock.Advance(time.Date(now.Year(), now.Month(), now.Day()+1, 2, 0, 0, 0, s.Zone).Sub(now))
	nights := func(want int) {
		t.Helper()
		if err := s.PractiseNightly(t.Context()); err != nil {
			t.Fatal(err)
		}
		if list, err := s.Practice.List(t.Context(), shop.ID, 10); err != nil || len(list) != want {
			t.Errorf("%d runs, want %d; %v", len(list), want, err)
		}
	}
	nights(0)
	if err := s.DB.Write(t.Context(), func(tx *db.Tx) error { return practice.TradeTx(tx, shop.ID) }); err != nil {
		t.Fatal(err)
	}
	nights(1)
}
