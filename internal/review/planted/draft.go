package planted

import (
	_ "embed"
	"encoding/json"
	"fmt"
	"regexp"
	"strings"
	"time"

	"preceptor/internal/pack"
)

// Draft is one known-bad draft of the library. Question, Guidance, Reasoning and the patterns may hold the variables
// {age}, {dc}, {db}, {age-33} (less so many years) and {dc:25} (so many per cent of it), which are filled when it is
// mixed in.
type Draft struct {
	ID        string  `json:"id"`
	Builtin   bool    `json:"-"`
	Version   int     `json:"version"`
	Task      string  `json:"task"`
	Problem   string  `json:"problem"`  // a code of a pack's reasons
	Expected  string  `json:"expected"` // Revise, Reject or Return
	Title     string  `json:"title"`
	What      string  `json:"what"` // what is wrong with it
	Question  string  `json:"question"`
	Customer  Profile `json:"customer"`
	Guidance  string  `json:"guidance"`
	Reasoning string  `json:"reasoning"`
	// regular expressions; for one's own drafts phrases, with | between alternatives
	Absent  []string `json:"absent"`
	Present []string `json:"present"` // likewise

	Retired   bool      `json:"-"`
	Used      int       `json:"-"` // how often it was mixed in
	UsedAt    time.Time `json:"-"`
	CreatedAt time.Time `json:"-"`
	ByName    string    `json:"-"` // who wrote or changed it last; "" for the program
}

// For reports whether a draft is for agents of a pack. Those that come with the program are of pensions; own ones from
// before they had a domain are for all.
func (d Draft) For(name string) bool {
	if d.Builtin {
		return name == pack.Pension
	}
	return d.Customer.Pack == "" || d.Customer.Pack == name
}

// Range is from the first to the second, both included; the zero value: not said.
type Range [2]int

// Profile is the customer of a draft; where it gives a range, a value is drawn each time.
type Profile struct {
	Pack       string         `json:"pack,omitempty"` // whose agents the draft is for
	Age        Range          `json:"age,omitzero"`
	Literacy   string         `json:"literacy,omitempty"`
	Vulnerable bool           `json:"vulnerable,omitempty"`
	Goal       string         `json:"goal,omitempty"`
	Pensions   []Pot          `json:"pensions,omitempty"`
	Extra      map[string]any `json:"extra,omitempty"`
}

// Pot is one pension of a profile.
type Pot struct {
	Kind     string   `json:"kind"`
	Value    Range    `json:"value_gbp,omitzero"` // pounds
	Features []string `json:"features,omitempty"`
}

//go:embed library.json
var libraryJSON []byte

// library is what comes with the program.
func library() ([]Draft, error) {
	var list []Draft
	if err := json.Unmarshal(libraryJSON, &list); err != nil {
		return nil, fmt.Errorf("planted: read the library: %w", err)
	}
	for i := range list {
		list[i].Builtin = true
	}
	return list, nil
}

// patterns are Absent and Present as regular expressions: the library's as they are, a person's phrases taken
// literally.
func (d Draft) patterns() (absent, present []string) {
	if d.Builtin {
		return d.Absent, d.Present
	}
	return literal(d.Absent), literal(d.Present)
}

func literal(phrases []string) (out []string) {
	for _, p := range phrases {
		var parts []string
		for _, alternative := range strings.Split(p, "|") {
			if words := strings.Fields(alternative); len(words) > 0 {
				for i := range words {
					words[i] = quote(words[i])
				}
				parts = append(parts, strings.Join(words, `\s+`))
			}
		}
		if len(parts) > 0 {
			out = append(out, strings.Join(parts, "|"))
		}
	}
	return out
}

// quote leaves the braces of variables alone.
func quote(word string) string {
	return strings.NewReplacer(`\{`, `{`, `\}`, `}`).Replace(regexp.QuoteMeta(word))
}

// gone reports whether a text is without the problem: it matches none of absent and all of present. With neither, every
// revision counts.
func gone(text string, absent, present []string) (bool, error) {
	text = strings.NewReplacer("\u2019", "'", "\u2018", "'", "\u00a0", " ").Replace(text)
	for _, want := range []struct {
		patterns []string
		found    bool
	}{{absent, false}, {present, true}} {
		for _, p := range want.patterns {
			re, err := regexp.Compile(`(?is)` + p)
			if err != nil {
				return false, fmt.Errorf("planted: the pattern %q can't be read: %w", p, err)
			}
			if re.MatchString(text) != want.found {
				return false, nil
			}
		}
	}
	return true, nil
}
