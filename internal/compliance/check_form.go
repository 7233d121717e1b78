package compliance

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"unicode/utf8"

	"preceptor/internal/privacy"
)

// Codes of the checks of form, which hold in every domain. They are all that a pack without checks of its own has,
// beside what its people write.
const (
	EmptyText    = "EMPTY_TEXT"
	TextTooLong  = "TEXT_TOO_LONG"
	PersonalData = "PERSONAL_DATA"
)

// maxReadable is from how many characters on nobody reads an answer to its end.
const maxReadable = 20_000

// telling are the kinds of personal data that an answer to their own customer seldom needs. Names, addresses and phone
// numbers it does.
var telling = map[string]string{"NI": "a National Insurance number", "SORTCODE": "a sort code",
	"ACCOUNT": "an account number", "BORN": "a date of birth"}

var detector = privacy.New()

// checkForm finds what is wrong with a text whatever it is about.
func checkForm(d draft) (found []finding) {
	if strings.TrimSpace(d.text) == "" {
		return []finding{{code: EmptyText, severity: Critical, why: "There is no text."}}
	}
	if n := utf8.RuneCountInString(d.text); n > maxReadable {
		found = append(found, finding{code: TextTooLong, severity: Minor,
			why: fmt.Sprintf("The text has %d characters; few people read that much.", n), end: len(d.text)})
	}
	_, key := detector.Pseudonymise(d.text)
	for _, token := range slices.Sorted(maps.Keys(key)) {
		kind, _, _ := strings.Cut(strings.TrimPrefix(token, "["), "-")
		at := strings.Index(d.text, key[token])
		if what := telling[kind]; what != "" && at >= 0 {
			found = append(found, finding{code: PersonalData, severity: Major, why: "This looks like " + what + ".",
				start: at, end: at + len(key[token])})
		}
	}
	return found
}
