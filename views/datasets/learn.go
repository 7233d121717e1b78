package datasets

import (
	"slices"

	"preceptor/views/layout"
)

// mayLearn reports whether this person may have a version teach; the page behind the button asks again.
func mayLearn(f layout.Frame) bool {
	return f.Person != nil && (slices.Contains(f.Person.Roles, "expert") || slices.Contains(f.Person.Roles, "admin"))
}
