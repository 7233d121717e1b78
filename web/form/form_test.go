package form_test

import (
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/labstack/echo/v4"

	"preceptor/internal/platform/fault"
	"preceptor/views/ui"
	"preceptor/web/form"
)

type typed struct {
	Name     string        `form:"name"`
	Password form.Verbatim `form:"password"`
	Version  int           `form:"version"`
	Seen     *int64        `form:"seen"`
	Ticked   bool          `form:"ticked"`
	Codes    []string      `form:"code"`
	Secret   string        // has no tag, and so nobody sets it
}

func post(t *testing.T, address string, fields url.Values) echo.Context {
	t.Helper()
	r := httptest.NewRequest(http.MethodPost, address, strings.NewReader(fields.Encode()))
	r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	return echo.New().NewContext(r, httptest.NewRecorder())
}

func TestBind(t *testing.T) {
	seven := int64(7)
	c := post(t, "/x?version=9&name=other&code=q",
		url.Values{"name": {" Ann \r\nB "}, "password": {" blanks  "}, "version": {" 3 "}, "seen": {"7"},
			"ticked": {"on"},
			"code":   {" a", "", "b"}, "Secret": {"x"}, "secret": {"x"}})
	var got typed
	if err := form.Bind(c, &got); err != nil {
		t.Fatal(err)
	}
	want := typed{Name: "Ann \nB", Password: " blanks  ", Version: 3, Seen: &seven, Ticked: true,
		Codes: []string{"a", "", "b"}}
	if d := cmp.Diff(want, got); d != "" {
		t.Error(d)
	}
}

func TestWhatIsNotSentStays(t *testing.T) {
	got := typed{Name: "as it was", Version: 4}
	if err := form.Bind(post(t, "/x?version=9", nil), &got); err != nil || got.Name != "as it was" || got.Version != 9 {
		t.Errorf("%+v, %v", got, err)
	}
}

func TestWrongNumbersAreTold(t *testing.T) {
	var got typed
	err := form.Bind(post(t, "/x", url.Values{"version": {"3x"}, "seen": {"1e3"}}), &got)
	if !fault.Is(err, fault.Invalid) || len(fault.Fields(err)) != 2 {
		t.Fatalf("%v: %v", err, fault.Fields(err))
	}
	if f := fault.Fields(err)[1]; f.Name != "version" || !strings.Contains(f.Msg, "3x") {
		t.Errorf("%+v", f)
	}
	c := echo.New().NewContext(httptest.NewRequest(http.MethodGet, "/x?version=3x", nil), httptest.NewRecorder())
	if err := form.Bind(c, &got); !fault.Is(err, fault.NotFound) {
		t.Errorf("a wrong number in an address: %v", err)
	}
}

func TestBrokenFormsAreRefused(t *testing.T) {
	r := httptest.NewRequest(http.MethodPost, "/x", strings.NewReader("name=%zz"))
	r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	var got typed
	if err := form.Bind(echo.New().NewContext(r, httptest.NewRecorder()), &got); !fault.Is(err, fault.Invalid) {
		t.Errorf("a broken form: %v", err)
	}
	for _, name := range []string{"code[", "code]", "code[99999999]", "code[x]"} {
		got = typed{}
		if err := form.Bind(post(t, "/x", url.Values{name: {"a"}}), &got); err != nil || got.Codes != nil {
			t.Errorf("%s: %v, %v", name, got.Codes, err)
		}
	}
}

func TestAnAddressIsReadAsItIsWritten(t *testing.T) {
	want := typed{Name: "a b&c", Version: 12, Ticked: true}
	to := ui.Address("/list", want)
	if to != "/list?name=a+b%26c&ticked=1&version=12" {
		t.Error(to)
	}
	c := echo.New().NewContext(httptest.NewRequest(http.MethodGet, to, nil), httptest.NewRecorder())
	var got typed
	if err := form.Bind(c, &got); err != nil || cmp.Diff(want, got) != "" {
		t.Error(err, cmp.Diff(want, got))
	}
	if empty := ui.Address("/list", typed{Secret: "x"}); empty != "/list" {
		t.Error(empty)
	}
}

func TestReadingSaysEverythingAtOnce(t *testing.T) {
	var r form.Reading
	if n := r.Whole("age", " 58 ", 0, 120, "Write the age."); n != 58 || r.Err("x") != nil {
		t.Error(n, r.Err("x"))
	}
	r.Whole("age", "", 0, 120, "Write the age.")
	r.Percent("share", "many", "Write a number.")
	first, end := r.Days("2026-11-01", "2026-11-02")
	if end.Sub(first).Hours() != 48 {
		t.Errorf("the last day is left out: %v to %v", first, end)
	}
	var back form.Reading
	back.Days("2026-11-02", "2026-11-01")
	if wrong := form.Errors(back.Err("x")); wrong["to"] == "" {
		t.Errorf("the last day before the first: %v", wrong)
	}
	r.Days("soon", "")
	if wrong := form.Errors(r.Err("x")); len(wrong) != 3 || wrong["from"] == "" {
		t.Error(wrong)
	}
}

func TestAgain(t *testing.T) {
	for kind, want := range map[fault.Kind]bool{fault.Invalid: true, fault.Conflict: true, fault.Denied: false,
		fault.Internal: false, fault.NotFound: true} {
		if got := form.Again(fault.New(kind, "x"), fault.NotFound); got != want {
			t.Errorf("%v: %v", kind, got)
		}
	}
	if !form.Again(nil) || form.Status(nil) != http.StatusOK ||
		form.Status(fault.New(fault.Conflict, "x")) != http.StatusConflict {
		t.Error("a page without a fault is a page")
	}
}
