// Package browsertest tries the pages in a real browser: Debian's Chromium through the DevTools protocol.
//
// It has tests only. They skip with a clear line where no Chromium is installed. What every page is held to: nothing in
// the console, no violation of the content security policy, nothing that axe-core finds, no sideways scroll at 360 px,
// in the light and in the dark. The gallery gives every page in every state without a database; the flows run against
// the whole program.
//
// PRECEPTOR_SHOTS=DIR writes a screenshot of everything that is visited, for a person to look at.
package browsertest
