package privacy

import (
	"regexp"
	"strings"
	"unicode"
)

// References are what a scheme, provider or employer calls somebody by. Their shapes differ too much for one
// expression: a word that announces one is looked for, and what follows is read group by group.

const (
	refNouns   = `policy|polices|policies|plan|member(?:ship)?|references?|refs?|scheme|customer|account|acc|acct|claim|payroll|employee|staff|client|roll|contract|cert(?:ificate)?|app(?:lication)?|passport|licence|avc|utr|pstr|reg(?:istration)?|complaint|enquiry|tax`
	refNumbers = `numbers?|nos?|nums?|refs?|references?|ids?|codes?`
)

var (
	// announceRE is a word that announces a reference; group 1 is there when it says outright that a number follows.
	announceRE = regexp.MustCompile(`(?i)\b(?:` + refNouns + `)(?:(?:[ -](?:policy|plan|scheme|account|` + refNumbers +
		`)\b)*((?:[ -](?:` + refNumbers +
		`)\b)|['’]s\b)?)\.?(?: ?\([^()\d]{0,24}\))?(?:['’]s| is| was| are| of| given as)?(?: ?[:=#,-]+)?[ \n]?#?`)
	groupRE = regexp.MustCompile(`^[A-Za-z0-9]+(?:[-/.][A-Za-z0-9]+)*`)
	alsoRE  = regexp.MustCompile(`^(?:,? (?:and|or|&) |, |; | / )`)
	// shapes need no announcement: RM-440921, HL/RM/0091, 44-771-220.
	shapeRE = regexp.MustCompile(
		`\b(?:[A-Z]{1,5}(?:[-/][A-Z0-9]{1,9}){1,4}|[A-Z]{1,5}\d{2,}(?:[-/][A-Z0-9]{1,9}){1,3}|\d{2,6}(?:[-/]\d{2,6}){2,4}[A-Z]?)\b`)
	pairRE = regexp.MustCompile(`\b\d{4,8}[-/]\d{3,8}\b`)
	nearRE = regexp.MustCompile(`(?i)\b(?:` + refNouns + `)\b[^.!?\n]*$`)
	dateRE = regexp.MustCompile(`^\d{1,2}[-/.]\d{1,2}[-/.](?:\d{4}|\d{2})$|^\d{4}-\d{2}-\d{2}$`)
)

// asideRE is an announcement with some words before the number: "the account with them is", "number on the letter
// says".
var asideRE = regexp.MustCompile(`(?i)\b(?:` + refNouns +
	`|number)(?: [a-z']{1,10}){1,5} (?:is|was|says|said|are|as)[: ]+#?`)

// refStarts are how refNouns begin.
var refStarts = []string{"polic", "plan", "member", "ref", "scheme", "customer", "acc", "claim", "payroll", "employee",
	"staff", "client", "roll", "contract", "cert", "app",
	"passport", "licence", "avc", "utr", "pstr", "reg", "complaint", "enquiry", "tax", "number"}

// beforeRef and afterRef bound what is looked at around one of refStarts, in bytes.
const beforeRef, afterRef = 40, 140

// refAhead is how soon after such a word the first digit of a reference comes, in bytes.
const refAhead = 72

// references finds them.
func references(l look) (out []hit) {
	if l.digits < 3 {
		return nil
	}
	stretches := [][2]int{{0, len(l.text)}}
	if len(l.lower) == len(l.text) {
		stretches = around(l, refStarts, beforeRef, afterRef, false, func(after string) bool {
			return strings.ContainsFunc(after[:min(len(after), refAhead)], unicode.IsDigit)
		})
	}
	for _, w := range stretches {
		if strings.IndexFunc(l.text[w[0]:w[1]], unicode.IsDigit) >= 0 {
			out = append(out, announcedIn(l.text, w)...)
		}
	}
	if !joined(l.text) {
		return out
	}
	for _, m := range shapeRE.FindAllStringIndex(l.text, -1) {
		if shaped(l.text, m[0], m[1]) {
			out = append(out, hit{kindPolicy, m[0], m[1]})
		}
	}
	for _, m := range pairRE.FindAllStringIndex(l.text, -1) {
		// Two groups are as often a span of years or of pounds: they count where the sentence spoke of a policy.
		s := l.text[m[0]:m[1]]
		if shapedPair(s) && nearRE.MatchString(l.text[max(0, m[0]-60):m[0]]) && !strings.HasSuffix(l.text[:m[0]], "£") {
			out = append(out, hit{kindPolicy, m[0], m[1]})
		}
	}
	return out
}

// announcedIn finds those that are announced in a stretch of text.
func announcedIn(text string, w [2]int) (out []hit) {
	part := text[w[0]:w[1]]
	for _, m := range announceRE.FindAllStringIndex(part, -1) {
		out = append(out, announced(text, w[0]+m[0], w[0]+m[1])...)
	}
	for _, m := range asideRE.FindAllStringIndex(part, -1) {
		for _, h := range announced(text, w[0]+m[0], w[0]+m[1]) {
			s := text[h.start:h.end]
			if digits := len(strings.Map(onlyDigits, s)); digits >= 6 ||
				digits >= 4 && strings.ContainsFunc(s, unicode.IsUpper) {
				out = append(out, h)
			}
		}
	}
	return out
}

// joined reports whether a text has a digit right beside a hyphen or stroke, as every shape has.
func joined(text string) bool {
	for i := 1; i+1 < len(text); i++ {
		if (text[i] == '-' || text[i] == '/') && (digit(text[i-1]) || digit(text[i+1])) {
			return true
		}
	}
	return false
}

// shapedPair refuses years: 1978-1997, 2024/25.
func shapedPair(s string) bool {
	first, second, _ := strings.Cut(strings.Replace(s, "/", "-", 1), "-")
	return !yearRE.MatchString(s) && !(yearRE.MatchString(first) && yearRE.MatchString(second)) &&
		len(first)+len(second) >= 8
}

// explicitRE tells an announcement that says outright that a number follows.
var explicitRE = regexp.MustCompile(`(?i)(?:\b(?:` + refNumbers + `)\b|['’]s|[:=#])`)

// announced reads what follows an announcement, and whatever is listed with it.
func announced(text string, start, at int) (out []hit) {
	explicit := explicitRE.MatchString(text[start:at])
	for {
		end := readReference(text, at, explicit)
		if end == at {
			return out
		}
		out = append(out, hit{kindPolicy, at, end})
		also := alsoRE.FindString(text[end:])
		if also == "" {
			return out
		}
		at, explicit = end+len(also), false
	}
}

// readReference reads a reference that begins at from; to is from where none does. Groups go on over single blanks as
// long as they have a digit, or are one capital at the end.
func readReference(text string, from int, explicit bool) (to int) {
	to = from
	for at := from; ; {
		group := groupRE.FindString(text[at:])
		if group == "" || dateRE.MatchString(group) && at > from {
			break
		}
		digits := strings.ContainsFunc(group, unicode.IsDigit)
		first := at == from
		switch {
		case digits:
			to = at + len(group)
		case first && len(group) <= 6 && strings.ToUpper(group) == group && nextHasDigit(text[at+len(group):]):
		case !first && len(group) == 1 && unicode.IsUpper(rune(group[0])) && group != "I" && group != "A":
			to = at + len(group)
		default:
			group = ""
		}
		if group == "" {
			break
		}
		at += len(group)
		if at+1 >= len(text) || text[at] != ' ' || text[at+1] == ' ' {
			break
		}
		at++
		if digits && !explicit && !strings.ContainsFunc(text[from:to], unicode.IsUpper) &&
			!strings.ContainsAny(text[from:to], "-/") {
			break // "plan 12345 in 2019": only what is announced outright goes on over blanks
		}
		if unit(text[at:]) {
			break
		}
	}
	if !plausible(text, from, to, explicit) {
		return from
	}
	return to
}

// nextHasDigit reports whether the next group, over one blank, has a digit.
func nextHasDigit(rest string) bool {
	if !strings.HasPrefix(rest, " ") {
		return false
	}
	return strings.ContainsFunc(groupRE.FindString(rest[1:]), unicode.IsDigit)
}

// unit tells that what follows counts something: "2 years", "3%".
func unit(rest string) bool {
	group := groupRE.FindString(rest)
	return yearRE.MatchString(group) || strings.HasPrefix(rest[len(group):], "%")
}

// plausible tells a reference from years, dates, money, percentages and counts.
func plausible(text string, from, to int, explicit bool) bool {
	s := text[from:to]
	digits := len(strings.Map(onlyDigits, s))
	mixed := strings.ContainsFunc(s, unicode.IsLetter) || strings.ContainsAny(s, "-/")
	least := 5
	if mixed {
		least = 3
	} else if explicit {
		least = 4
	}
	if digits < least || yearRE.MatchString(s) || dateRE.MatchString(s) || ordinalRE.MatchString(s) ||
		legalRE.MatchString(text[max(0, from-12):from]) {
		return false
	}
	rest := text[to:]
	return !strings.HasPrefix(rest, "%") && (!thousandRE.MatchString(rest) || digits > 6)
}

var (
	ordinalRE  = regexp.MustCompile(`(?i)^\d+(?:st|nd|rd|th|k|m|pm|am|p|x)$`)
	thousandRE = regexp.MustCompile(`^,\d{3}\b`)
)

// shaped reports whether what nobody announced can hardly be anything but a reference.
func shaped(text string, start, end int) bool {
	s := text[start:end]
	digits := len(strings.Map(onlyDigits, s))
	letters := strings.ContainsFunc(s, unicode.IsLetter)
	switch {
	case dateRE.MatchString(s) || legalRE.MatchString(text[max(0, start-12):start]) ||
		start > 0 && strings.ContainsRune("£.,/-", rune(text[start-1])):
		return false
	case letters:
		return digits >= 4
	}
	return digits >= 7
}
