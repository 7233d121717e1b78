package audit

import "time"

// ErasedText is what stands where a text was that the law wanted gone, as "Erased on 22 November 2026." The guards of
// 00031 know how it begins.
func ErasedText(at time.Time) string { return "Erased on " + at.UTC().Format("2 January 2006") + "." }

// ErasedIn is ErasedText where there was a text, and nothing where there was none.
func ErasedIn(text string, at time.Time) string {
	if text == "" {
		return ""
	}
	return ErasedText(at)
}
