package review_test

import (
	"fmt"
	"strings"
	"testing"

	"preceptor/internal/platform/db"
	"preceptor/internal/platform/fault"
	"preceptor/internal/review"
)

func TestSavedFilters(t *testing.T) {
	k := open(t)
	team := review.TeamKey("t1")
	k.TeamsOf = func(_ *db.Tx, who string) ([]string, error) {
		return map[string][]string{"ann": {team}, "bob": {team}}[who], nil
	}
	save := func(by review.Person, name, query, team string) review.SavedFilter {
		t.Helper()
		f, err := k.SaveFilter(ctx, by, review.SavedFilter{Name: name, Query: query, Team: team})
		if err != nil {
			t.Fatal(err)
		}
		return f
	}
	names := func(who string) string {
		t.Helper()
		list, err := k.SavedFilters(ctx, who)
		if err != nil {
			t.Fatal(err)
		}
		var out []string
		for _, f := range list {
			out = append(out, fmt.Sprint(f.Name, "=", f.Query, map[bool]string{true: "*"}[f.Pinned]))
		}
		return strings.Join(out, " ")
	}
	shared, own := save(ann, "  Late   DB ", "age=late", team), save(ann, "Mine", "assigned=me", "")
	if got := names("ann"); got != "Late DB=age=late Mine=assigned=me" {
		t.Error(got)
	}
	if got := names("bob") + "|" + names("cy"); got != "Late DB=age=late|" {
		t.Error(got)
	}
	if again := save(ann, "late db", "age=late&agent=gone", team); again.ID != shared.ID {
		t.Error("the same name is kept twice")
	}
	if err := k.PinFilter(ctx, bob, shared.ID); err != nil || names("bob") != "late db=age=late&agent=gone*" ||
		strings.Contains(names("ann"), "*") {
		t.Errorf("%v: %s / %s", err, names("bob"), names("ann"))
	}
	for what, err := range map[string]error{
		"rename another's": k.RenameFilter(ctx, bob, shared.ID, "x"),
		"share another's":  k.ShareFilter(ctx, bob, own.ID, ""),
		"pin a stranger's": k.PinFilter(ctx, bob, own.ID), "rename what is gone": k.RenameFilter(ctx, ann, "gone", "x"),
	} {
		if !fault.Is(err, fault.NotFound) {
			t.Errorf("%s: %v", what, err)
		}
	}
	wantFields(t, k.RenameFilter(ctx, ann, own.ID, "LATE DB"), "name")
	wantFields(t, k.RenameFilter(ctx, ann, own.ID, " "), "name")
	wantFields(t, k.ShareFilter(ctx, ann, own.ID, "team:other"), "team")
	_, err := k.SaveFilter(ctx, ann, review.SavedFilter{Name: "empty"})
	wantFields(t, err, "name")
	if err := k.RenameFilter(ctx, ann, own.ID, "My own"); err != nil ||
		!strings.Contains(names("ann"), "My own=assigned=me") {
		t.Errorf("%v: %s", err, names("ann"))
	}
	for _, id := range []string{shared.ID, shared.ID, "gone"} {
		if err := k.DeleteFilter(ctx, bob, id); err != nil { // not his
			t.Error(err)
		}
	}
	if names("bob") == "" {
		t.Error("Bob deleted what is Ann's")
	}
	for range 2 {
		if err := k.DeleteFilter(ctx, ann, shared.ID); err != nil || names("bob") != "" {
			t.Errorf("%v: %s", err, names("bob"))
		}
	}
	if err := k.PinFilter(ctx, bob, shared.ID); err != nil {
		t.Errorf("pinning what is gone: %v", err)
	}
	for i := range 49 {
		save(ann, fmt.Sprint("f", i), "age=late", "")
	}
	_, err = k.SaveFilter(ctx, ann, review.SavedFilter{Name: "one more", Query: "age=late"})
	wantFields(t, err, "name")
}
