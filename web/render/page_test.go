package render_test

import (
	"errors"
	"net/http"
	"net/http/httptest"
	"testing"

	"github.com/a-h/templ"
	"github.com/labstack/echo/v4"

	"preceptor/internal/platform/fault"
	"preceptor/web/render"
)

// A page is shown again for what its reader can mend, and for what it says that it can say; anything else goes on.
func TestPageSaysWhatItCan(t *testing.T) {
	for _, c := range []struct {
		err   error
		also  []fault.Kind
		shown int // 0: not
	}{{nil, nil, http.StatusOK}, {fault.New(fault.Invalid, "No."), nil, http.StatusUnprocessableEntity},
		{fault.New(fault.Denied, "No."), nil, 0},
		{fault.New(fault.Denied, "No."), []fault.Kind{fault.Denied}, http.StatusForbidden},
		{errors.New("broken"), nil, 0}} {
		rec := httptest.NewRecorder()
		e := echo.New().NewContext(httptest.NewRequest(http.MethodPost, "/", nil), rec)
		err := render.Page(e, c.err, templ.Raw("page"), c.also...)
		if shown := err == nil && rec.Body.Len() > 0; shown != (c.shown > 0) || shown && rec.Code != c.shown ||
			!shown && !errors.Is(err, c.err) {
			t.Errorf("%v %v: %d, %v", c.err, c.also, rec.Code, err)
		}
	}
}
