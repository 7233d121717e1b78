package text

import "preceptor/internal/platform/fault"

// MaxReason bounds a reason, in characters.
const MaxReason = 2_000

// Reason is why somebody does something, in their words, as it is kept. None, and a longer one than MaxReason, is
// Invalid at the named field; ask is what such a person is told to do.
func Reason(typed, field, ask string) (string, error) {
	typed = Typed(typed)
	wrong := TooLong(typed, MaxReason)
	if typed == "" {
		wrong = ask
	}
	if wrong != "" {
		return typed, fault.Wrong(wrong, field, wrong)
	}
	return typed, nil
}
