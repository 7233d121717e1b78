// Package datasets holds the pages of gold sets: labelling, rulings, versions, files, and the judges that are measured
// on them.
package datasets

import "preceptor/web/frame"

// Pages are the handlers.
type Pages struct {
	*frame.Maker
	uploads uploads
}
