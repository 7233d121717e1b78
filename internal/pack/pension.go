// Package pack is what the product knows about a domain: packs are embedded data (data/*.json: fields of a profile,
// topics with questions, words, frames, prompts, domains of rules), and the engine that reads them. pension and general
// are shipped.
//
// A pack's classes of phrases, its checks and the signs of its topics are data too (data/NAME/*.rules, see
// phrase.Parse); what they say of a customer's own words (Situation) and the dated figures stand here in Go.
//
// It is pure: no clock, no database, no network; the same input gives the same output.
//
// Offsets are in bytes of the text that was passed in, so that text[Start:End] is the quote.
package pack

import "time"

// Situation is a customer's circumstances and question, as rules, checks and the advisor read them. Zero values mean
// "not known", except for the booleans, where false means "not said".
type Situation struct {
	Question   string
	Task       Task
	Age        int // years; 0 when not known
	HasDB      bool
	HasDC      bool
	HasState   bool
	Unclear    bool    `json:",omitempty"` // they have a pension of a kind that isn't known
	DBValue    float64 // pounds; 0 when not known
	DCValue    float64 // pounds, all pots together; 0 when not known
	Literacy   string  // low, medium, high or ""
	Vulnerable bool
	Goal       string
	Features   []string  // of their pensions, as "protected tax-free cash"
	Text       string    // all free words about the customer, without the question
	Thread     string    `json:"-"` // the text of what was said before, for Facts alone
	Before     []Message `json:"-"` // what was said before the question, oldest first
	At         time.Time // the day that figures are for; the newest table when zero

	Pack   string              `json:",omitempty"` // whose domain it is; "" is pension
	Fields map[string][]string `json:",omitempty"` // what else the profile says, by field; a flag is "yes" or "no"
	Scopes []string            `json:",omitempty"` // where it was asked, as "language:go"

	known *answers // see Known; nil when every question is answered anew
}
