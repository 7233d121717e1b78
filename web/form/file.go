package form

import (
	"errors"
	"mime/multipart"
	"net/http"
	"time"

	"github.com/labstack/echo/v4"

	"preceptor/internal/platform/fault"
)

// File reads a form with one large file in the field file, and gives it time to arrive; say is what to do when there is
// none. What of it stands on disk goes with the request.
func File(c echo.Context, say string) (multipart.File, *multipart.FileHeader, error) {
	rc := http.NewResponseController(c.Response())
	if err := rc.SetReadDeadline(time.Now().Add(10 * time.Minute)); err != nil &&
		!errors.Is(err, http.ErrNotSupported) {
		return nil, nil, err
	}
	err := c.Request().ParseMultipartForm(1 << 20)
	if _, large := errors.AsType[*http.MaxBytesError](err); large {
		return nil, nil, err
	}
	if err != nil && !errors.Is(err, http.ErrNotMultipart) {
		return nil, nil, fault.Wrap(fault.Invalid, err, "The file didn't upload completely. Try again.")
	}
	up, header, err := c.Request().FormFile("file")
	if err != nil {
		return nil, nil, fault.Wrong("There is no file.", "file", say)
	}
	if header.Size == 0 {
		return nil, nil, errors.Join(fault.Wrong("The file is empty.", "file",
			"The file is empty. Choose another file."), up.Close())
	}
	return up, header, nil
}
