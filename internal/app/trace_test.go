package app_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/PuerkitoBio/goquery"

	"preceptor/internal/review"
	"preceptor/internal/review/export"
)

// What an agent did on the way stands beside its draft, with what evaluators found at the step; its own fields are
// shown, found by, and go with exports, the API and events.
func TestStepsAndMetadataAreSeen(t *testing.T) {
	h := openHook(t, true)
	sue := h.SignIn(t, h.sue)
	id := h.hand(t, fmt.Sprintf(`,"steps":[{"tool":"get_pot","arguments":{"member":77},"result":{"value":42000},`+
		`"at":"09:01","duration_ms":120},"a thought",{"tool":"sql_db_query","input":{"query":%q},"error":"timeout",`+
		`"output":%q}],"metadata":{"case_ref":"KX-4711","branch":{"city":"Leeds"}}`, wrongSQL,
		strings.Repeat("row ", 200)))
	page, err := goquery.NewDocumentFromReader(strings.NewReader(sue.Get(t, "/reviews/"+id).Body))
	if err != nil {
		t.Fatal(err)
	}
	steps := page.Find("#trace > ul > li")
	for i, words := range [][]string{{"1. get_pot", "Member: 77", `{"value":42000}`, "09:01 · 120 ms"}, {"a thought"},
		{"2. sql_db_query", "failed", "timeout", "sqlvalidator"}} {
		for _, w := range words {
			if !strings.Contains(steps.Eq(i).Text(), w) {
				t.Errorf("step %d doesn't say %q: %s", i, w, steps.Eq(i).Text())
			}
		}
	}
	if steps.Length() != 3 || steps.Eq(0).Find("details").Length() != 0 || steps.Eq(2).Find("details").Length() == 0 ||
		strings.Contains(steps.Eq(0).Text(), "sqlvalidator") {
		t.Errorf("%d steps, %s", steps.Length(), steps.Text())
	}
	if text := page.Find("#metadata").Text(); !strings.Contains(text, "Case ref") || !strings.Contains(text, "KX-4711") {
		t.Errorf("metadata: %s", text)
	}
	for _, words := range []string{"KX-4711", "leeds"} {
		if found, err := h.Reviews.List(t.Context(), review.Filter{Search: words}); err != nil || len(found.Items) != 1 {
			t.Errorf("%q finds %d, %v", words, len(found.Items), err)
		}
	}
	said(t, h.api.JSON(t, http.MethodGet, "/api/guidance/"+id, ""), 200, `"metadata":{`, "KX-4711")
	h.decide(t, id, review.Approve, "")
	if e := h.last(t, "guidance.released"); !strings.Contains(e.raw, `"case_ref":"KX-4711"`) {
		t.Errorf("%s", e.raw)
	}
	for format, words := range map[export.Format][]string{export.CSV: {",metadata", "KX-4711"}, export.JSONL: {`"metadata":{"case_ref`,
		`"steps":[{"tool":"get_pot"`}} {
		var b strings.Builder
		if _, err := h.Exports.Write(t.Context(), &b, export.Options{Set: export.Decisions, Format: format}); err != nil {
			t.Fatal(err)
		}
		for _, w := range words {
			if !strings.Contains(b.String(), w) {
				t.Errorf("%s has no %q: %s", format, w, b.String())
			}
		}
	}
}
