package api_test

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"preceptor/internal/account"
)

func TestCheckAnswersOneOrAList(t *testing.T) {
	k := open(t)
	one := k.call("POST", "/api/check",
		`{"id":"a","customer":{"age":"58","pensions":"DB £40k"},"question":"How?","guidance":"To move your final salary pension, ask the scheme for a transfer value and send the forms to the new provider."}`)
	if one.Code != http.StatusOK || one.json["id"] != "a" || one.json["passed"] != false ||
		one.json["label"] != "NON_COMPLIANT" {
		t.Fatalf("%d %s", one.Code, one.Body)
	}
	w := k.call("POST", "/api/check", `{"guidance":" "}`)
	if w.Code != http.StatusUnprocessableEntity || len(w.fields()) != 1 {
		t.Errorf("an empty text: %d %s", w.Code, w.Body)
	}
	if w := k.call("POST", "/api/check", `{"guidance":"x"}`,
		as(k.newToken("reader", time.Time{}, account.Recall))); w.Code != http.StatusForbidden {
		t.Errorf("without the scope: %d", w.Code)
	}
	if w := k.call("POST", "/api/check", `{"guidance":`); w.Code != http.StatusBadRequest {
		t.Errorf("no JSON: %d", w.Code)
	}
	list := checkList(t, k, `[{"id":1,"guidance":"A quarter is usually free of tax."},{"id":2},7]`)
	if len(list) != 3 || list[0]["id"] != float64(1) || list[0]["passed"] != true || list[1]["error"] == nil ||
		list[1]["id"] != float64(2) || list[2]["error"] == nil {
		t.Errorf("%v", list)
	}
	for body, at := range map[string]string{`{"guidance":"a","Guidance":"b"}`: "#/guidance",
		`{"customer":{"age":1,"Age":2},"guidance":"a"}`: "#/customer/age",
		`{"guidance":["a"]}`:                            "#/guidance", `{"guidance":7}`: "#/guidance",
		`{"guidance":"a\u0000"}`: "#/guidance",
		`true`:                   "#/guidance"} {
		if w := k.call("POST", "/api/check", body); w.Code != http.StatusUnprocessableEntity || len(w.fields()) != 1 ||
			w.fields()[0] != at {
			t.Errorf("%s: %d %s", body, w.Code, w.Body)
		}
	}
	many := "[" + strings.Repeat(`{"guidance":"x"},`, 100) + `{"guidance":"x"}]`
	if w := k.call("POST", "/api/check", many); w.Code != http.StatusUnprocessableEntity {
		t.Errorf("too many: %d", w.Code)
	}
}

func checkList(t *testing.T, k *desk, body string) (out []map[string]any) {
	t.Helper()
	r := httptest.NewRequest("POST", "/api/check", strings.NewReader(body))
	r.Header.Set("Content-Type", "application/json")
	as(k.token)(r)
	rec := httptest.NewRecorder()
	k.e.ServeHTTP(rec, r)
	w := rec.Body.String()
	if err := json.Unmarshal([]byte(w), &out); err != nil {
		t.Fatalf("%v: %s", err, w)
	}
	return out
}
