package compliance

import (
	"crypto/sha256"
	"fmt"
	"strings"
	"time"

	"preceptor/internal/pack"
	"preceptor/internal/platform/id"
)

// process tells this run of the program from others: another build may check otherwise.
var process = id.Secret(12)

// Rules names all that Glance goes by beside the text and the case: the program, the day, the experts' checks, who
// votes, what was ruled on sentences, the packs' rubrics and the routing. Under one name, one text of one case has one
// verdict; so what was found when a draft came in need not be found again when it is decided. Whatever else comes to
// shape a verdict must be part of the name; a test lists the fields.
func (v *Validator) Rules() string {
	name := []string{process, v.checks.today().Format(time.DateOnly)}
	book := v.checks.inForce()
	name = append(name, book.name())
	for _, p := range book.Patterns {
		name = append(name, fmt.Sprintf("%s %d %x", p.ID, p.Version,
			sha256.Sum256(fmt.Appendf(nil, "%q",
				[]string{p.Code, p.Title, p.Pattern, p.Severity, p.Why, p.Reference}))))
	}
	for _, j := range v.local().Judges {
		name = append(name, j.Name())
		if k, ok := j.(interface{ Knows() string }); ok { // what people taught it
			name = append(name, k.Knows())
		}
	}
	if r := v.ruled.Load(); r != nil {
		name = append(name, "sentences "+r.name)
	}
	if v.Rubric != nil {
		for _, p := range pack.All() {
			name = append(name, fmt.Sprintf("rubric %d", v.Rubric(p.Name).Version))
		}
	}
	if v.Routing != nil {
		name = append(name, fmt.Sprintf("routing %d", v.Routing().Version))
	}
	return strings.Join(name, "/")
}

// today is the day whose figures the dated checks hold a text against: no finer than Rules names it.
func (c *Checker) today() time.Time {
	if c.clock == nil {
		return time.Time{}
	}
	return c.clock().UTC().Truncate(24 * time.Hour)
}
