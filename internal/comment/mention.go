package comment

import (
	"fmt"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"preceptor/internal/platform/fault"
)

// Mention is a place in a text where a person is meant: text[Start:End] begins with the @.
type Mention struct {
	Start, End int
	Person     Person
}

// Unclear is an @ whose person can't be told.
type Unclear struct {
	Word string   // what follows the @, as it was typed
	Key  string   // Word in lower case: how an answer names it
	Who  []Person // who could be meant; empty when nobody is called so
}

// Nobody is the answer to an Unclear that is no mention at all: the words stay as they are.
const Nobody = "-"

// UnclearError says that a text was not taken because an @ is unclear. It stands in the chain of an Invalid fault.
type UnclearError struct{ Unclear []Unclear }

func (e *UnclearError) Error() string { return fmt.Sprintf("%d mentions are unclear", len(e.Unclear)) }

// Parse finds who is meant in text among people. An @ means somebody when it begins a word; what follows may be a whole
// name, an e-mail address, the part of it before the @, one word of the name, or the beginning of one of these, in any
// case of letters. The first of these that fits anybody decides; two people whom it fits make it unclear. meant holds
// answers to earlier questions: from an Unclear's Key to the id of a person, or Nobody.
func Parse(text string, people []Person, meant map[string]string) (found []Mention, unclear []Unclear) {
	asked := map[string]bool{}
	for at := 0; at < len(text); {
		next := strings.IndexByte(text[at:], '@')
		if next < 0 {
			break
		}
		at += next
		word := wordAfter(text[at+1:])
		if !beginsWord(text[:at]) || word == "" {
			at++
			continue
		}
		who, n := resolve(text[at+1:], word, people)
		if len(who) == 1 {
			found = append(found, Mention{at, at + 1 + n, who[0]})
			at += 1 + n
			continue
		}
		key := strings.ToLower(word)
		at += 1 + len(word)
		if answer := meant[key]; answer == Nobody {
			continue
		} else if i := slices.IndexFunc(people, func(p Person) bool { return p.ID == answer && answer != "" }); i >= 0 {
			found = append(found, Mention{at - 1 - len(word), at, people[i]})
			continue
		}
		if !asked[key] {
			asked[key] = true
			unclear = append(unclear, Unclear{word, key, who})
		}
	}
	return found, unclear
}

// beginsWord reports whether an @ after before can begin a mention: an address as ann@example.org, or a path, can't.
func beginsWord(before string) bool {
	r, _ := utf8.DecodeLastRuneInString(before)
	return before == "" || !inWord(r) && !strings.ContainsRune("._%+-@/#=&?", r)
}

func inWord(r rune) bool {
	return unicode.IsLetter(r) || unicode.IsDigit(r) || unicode.IsMark(r) || r == '_'
}

// wordAfter is the run of letters, digits and the signs within names and addresses that s begins with. Signs at its end
// belong to the sentence.
func wordAfter(s string) string {
	end := len(s)
	for i, r := range s {
		if !inWord(r) && !strings.ContainsRune(".-+'’", r) {
			end = i
			break
		}
	}
	word := strings.TrimRight(s[:end], ".-+'’")
	for _, tail := range []string{"'s", "’s"} {
		word = strings.TrimSuffix(word, tail)
	}
	if strings.IndexFunc(word, inWord) != 0 {
		return ""
	}
	return word
}

// resolve finds who rest means, which begins with word, and how many bytes of it name them.
func resolve(rest, word string, people []Person) (who []Person, n int) {
	for _, p := range people { // the longest whole name or address
		for _, whole := range []string{p.Name, p.Email} {
			m, ok := foldPrefix(rest, whole)
			if r, _ := utf8.DecodeRuneInString(rest[m:]); !ok || m < n || m < len(rest) && inWord(r) {
				continue
			}
			if m > n {
				who, n = nil, m
			}
			if !slices.Contains(who, p) {
				who = append(who, p)
			}
		}
	}
	if len(who) == 1 {
		return who, n
	}
	if len(who) > 1 && n > len(word) {
		return who, n // of one name: the question is about the word, the answer counts for it
	}
	for _, fits := range []func(p Person) bool{
		func(p Person) bool { return strings.EqualFold(localPart(p.Email), word) },
		func(p Person) bool {
			return slices.ContainsFunc(strings.Fields(p.Name), func(w string) bool {
				return strings.EqualFold(w, word)
			})
		},
		func(p Person) bool {
			return begins(p.Email, word) || slices.ContainsFunc(strings.Fields(p.Name), func(w string) bool {
				return begins(w, word)
			})
		},
	} {
		var list []Person
		for _, p := range people {
			if fits(p) {
				list = append(list, p)
			}
		}
		if len(list) > 0 {
			return list, len(word)
		}
	}
	return who, len(word)
}

func localPart(email string) string { return email[:max(strings.LastIndexByte(email, '@'), 0)] }

func begins(s, prefix string) bool {
	_, ok := foldPrefix(s, prefix)
	return ok
}

// foldPrefix reports whether s begins with prefix in any case of letters, and with how many of its bytes. Blanks in
// prefix stand for one blank or several, but not for a new line.
func foldPrefix(s, prefix string) (n int, ok bool) {
	if strings.TrimSpace(prefix) == "" {
		return 0, false
	}
	for _, want := range strings.Join(strings.Fields(prefix), " ") {
		if want == ' ' {
			blanks := 0
			for n < len(s) && (s[n] == ' ' || s[n] == '\t') {
				n, blanks = n+1, blanks+1
			}
			if blanks == 0 {
				return n, false
			}
			continue
		}
		r, size := utf8.DecodeRuneInString(s[n:])
		if size == 0 || fold(r) != fold(want) {
			return n, false
		}
		n += size
	}
	return n, true
}

// fold is one rune for all cases of a letter.
func fold(r rune) rune {
	least := r
	for next := unicode.SimpleFold(r); next != r; next = unicode.SimpleFold(next) {
		least = min(least, next)
	}
	return least
}

// unclearFault asks who is meant.
func unclearFault(list []Unclear) error {
	var fields []fault.Field
	for _, u := range list {
		msg := fmt.Sprintf("Nobody who can see reviews is called “%s”. Choose who you mean, or leave it as text.",
			u.Word)
		if len(u.Who) > 1 {
			msg = fmt.Sprintf("“@%s” can mean %d people. Choose who is meant.", u.Word, len(u.Who))
		}
		fields = append(fields, fault.Field{Name: "text", Msg: msg})
	}
	f := fault.Wrap(fault.Invalid, &UnclearError{list}, "Choose who you mean. Your comment hasn't been posted yet.")
	f.Fields = fields
	return f
}
