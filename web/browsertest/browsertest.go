// Package browsertest tries the pages in a real browser: Debian's Chromium through the DevTools protocol.
//
// It has tests only. They skip with a clear line where no Chromium is installed. What every page is held to: nothing in
// the console, no violation of the content security policy, nothing that axe-core finds, no sideways scroll at 360 px,
// in the light and in the dark. The samples give every page in every state without a database; the flows run against
// the whole program. sample_held_test.go draws the samples with hostile text too, and needs no browser.
//
// PRECEPTOR_SHOTS=DIR writes a screenshot of everything that is visited, for a person to look at; with
// PRECEPTOR_SHOTS_ONLY=WORD of the samples with that word in their name alone.
package browsertest
