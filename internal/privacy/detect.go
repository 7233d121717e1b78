package privacy

import (
	"regexp"
	"strings"
	"unicode"

	"github.com/nyaruka/phonenumbers"
)

// detector finds one kind by an expression; group is what is personal of a match, and accept may refuse it.
type detector struct {
	kind   string
	may    gate
	re     *regexp.Regexp
	group  int
	accept func(text string, start, end int) bool
}

func (d detector) find(l look) []hit {
	if !d.may(l) {
		return nil
	}
	text := l.text
	var out []hit
	for _, m := range d.re.FindAllStringSubmatchIndex(text, -1) {
		s, e := m[2*d.group], m[2*d.group+1]
		if s < 0 || d.accept != nil && !d.accept(text, s, e) {
			continue
		}
		out = append(out, hit{d.kind, s, e})
	}
	return out
}

const (
	monthNames = `(?:january|february|march|april|may|june|july|august|september|october|november|december|jan|feb|mar|apr|jun|jul|aug|sept?|oct|nov|dec)`
	writtenDay = `\d{1,2}(?:st|nd|rd|th)?(?: of)? ` + monthNames + `,? (?:19|20)\d{2}|` + monthNames + ` \d{1,2}(?:st|nd|rd|th)?,? (?:19|20)\d{2}`
	shortDay   = `\d{1,2}[/.-]\d{1,2}[/.-](?:\d{4}|\d{2})|(?:19|20)\d{2}-\d{2}-\d{2}`
	refWords   = `(?:policy|plan|member(?:ship)?|reference|ref|scheme|customer|account|claim|payroll|employee|client|roll|contract|certificate|application|passport|licence)`
	streets    = `(?:Street|St|Road|Rd|Avenue|Ave|Lane|Drive|Close|Way|Court|Crescent|Place|Terrace|Gardens|Grove|Hill|Square|Mews|Row|Walk|View|Rise|Parade|Park|Green)`
)

// refStarts are how refWords begin.
var refStarts = []string{"policy", "plan", "member", "ref", "scheme", "customer", "account", "claim", "payroll", "employee", "client", "roll", "contract", "certificate", "application", "passport", "licence"}

var detectors = []detector{
	{kind: kindEmail, may: written("@"), re: regexp.MustCompile(`[A-Za-z0-9._%+'-]+@[A-Za-z0-9-]+(?:\.[A-Za-z0-9-]+)+`)},
	{kind: kindNI, may: digits(6), re: regexp.MustCompile(`(?i)\b[a-z]{2}[ -]?\d{2}[ -]?\d{2}[ -]?\d{2}[ -]?[a-d]\b`)},
	{kind: kindNI, may: both(words("ni", "national insurance"), digits(6)), group: 1, re: regexp.MustCompile(`(?i)\b(?:ni|nino|national insurance)(?: (?:number|no\.?))?(?: is|:)? ?\b([a-z]{2}[ -]?\d{2}[ -]?\d{2}[ -]?\d{2})\b`)},
	{kind: kindPostcode, may: func(l look) bool { return l.capitalOne || strings.Contains(l.text, "GIR") }, re: regexp.MustCompile(`\b(?:[A-Z]{1,2}\d[A-Z\d]? ?\d[ABD-HJLNP-UW-Z]{2}|GIR ?0AA)\b`)},
	{kind: kindPostcode, may: func(l look) bool { return l.smallOne }, re: regexp.MustCompile(`\b[a-z]{1,2}\d[a-z\d]? ?\d[abd-hjlnp-uw-z]{2}\b`), accept: likelyPostcode},
	{kind: kindSort, may: both(words("sort"), digits(6)), group: 1, re: regexp.MustCompile(`(?i)\bsort ?code(?: is|:)? ?(\d{2}[ -]?\d{2}[ -]?\d{2})\b`)},
	{kind: kindSort, may: digits(6), re: regexp.MustCompile(`\b\d{2}-\d{2}-\d{2}\b`)},
	{kind: kindAccount, may: both(words("acc"), digits(7)), group: 1, re: regexp.MustCompile(`(?i)\b(?:account|acc(?:t|ount)?\.?)(?: (?:number|no\.?|num))?(?: is|:)? ?(\d{4} ?\d{4}|\d{7,8})\b`)},
	{kind: kindPolicy, may: both(words(refStarts...), func(l look) bool { return l.digits >= 4 }), group: 1, re: regexp.MustCompile(`(?i)\b` + refWords + `(?: (?:number|no\.?|num|ref(?:erence)?|id|code))?(?: is|:|=|,| #)? ?#?([A-Z]{0,4}[-/]?\d[A-Z0-9/-]{2,}[A-Z0-9]|[A-Z]{1,4}(?:[ -]\d{2,}){2,}[A-Z]?)\b`), accept: likelyReference},
	{kind: kindPolicy, may: unbroken(5), re: regexp.MustCompile(`\b[A-Z]{1,5}[-/]?\d{5,}[A-Z0-9/-]*\b`), accept: likelyReference},
	{kind: kindPolicy, may: unbroken(7), re: regexp.MustCompile(`\b\d{7,}\b`), accept: likelyReference},
	{kind: kindAddress, may: func(l look) bool { return l.addressed }, re: regexp.MustCompile(`\b(?:(?:Flat|Apartment|Unit|Apt) \w{1,4},? )?\d{1,4}[A-Za-z]?,? (?:[A-Z][A-Za-z'-]+ ){1,3}` + streets + `\b(?:, [A-Z][a-z]+(?: [A-Z][a-z]+)?)?`)},
	{kind: kindAddress, may: both(anyDigit, written("street", "road", "avenue", "lane", "crescent", "terrace", "mews", "grove")), re: regexp.MustCompile(`\b\d{1,4}[a-z]? (?:[a-z'-]+ ){1,2}(?:street|road|avenue|lane|crescent|terrace|mews|grove)\b`), accept: likelyStreet},
	{kind: kindAddress, may: words("i live at", "my address is", "address:"), group: 1, re: regexp.MustCompile(`(?i)\b(?:i live at|my address is|address:) ([^\n.;]{5,70})`)},
	{kind: kindBorn, may: both(words("born", "dob", "d.o.b", "birth"), anyDigit), group: 1, re: regexp.MustCompile(`(?i)\b(?:i was born|was born|born|dob|d\.o\.b\.?|date of birth|birthday|birth date)(?: is| was| on|:)*,? ?(` + writtenDay + `|` + shortDay + `)\b`), accept: personalBirth},
	{kind: kindBorn, may: both(written("19"), written("/", ".")), re: regexp.MustCompile(`\b\d{1,2}[/.]\d{1,2}[/.]19[2-9]\d\b`)},
}

// likelyPostcode refuses lower-case words that only look like one: the outward part needs a known shape and a digit.
func likelyPostcode(text string, start, end int) bool {
	s := text[start:end]
	return len(strings.ReplaceAll(s, " ", "")) >= 5 && !strings.HasSuffix(s, "st") && !strings.HasSuffix(s, "nd") && !strings.HasSuffix(s, "rd") && !strings.HasSuffix(s, "th")
}

var (
	yearRE  = regexp.MustCompile(`^(?:(?:19|20)\d{2})(?:[/-]\d{2,4})?$`)
	legalRE = regexp.MustCompile(`(?i)(?:£ ?|\bSI |section |\bs|reg(?:ulation)? |PERG |COBS |PRIN |rule |case #?|article |para(?:graph)? )$`)
)

// likelyReference refuses years, tax years, money, percentages and the numbers of laws.
func likelyReference(text string, start, end int) bool {
	s := text[start:end]
	digits := 0
	for _, r := range s {
		if unicode.IsDigit(r) {
			digits++
		}
	}
	if digits < 4 || yearRE.MatchString(s) || legalRE.MatchString(text[max(0, start-12):start]) {
		return false
	}
	rest := text[end:]
	return !strings.HasPrefix(rest, "%") && !strings.HasPrefix(rest, ",") || digits > 6
}

// likelyStreet refuses "10 minutes down the road".
func likelyStreet(text string, start, end int) bool {
	for _, w := range strings.Fields(text[start:end])[1:] {
		switch w {
		case "years", "year", "minutes", "minute", "months", "miles", "mile", "days", "weeks", "the", "a", "on", "down", "of", "more", "per", "or", "and", "in", "to", "pensions", "pots":
			return false
		}
	}
	return true
}

// personalBirth refuses the law's "people born on or after 6 April 1960".
func personalBirth(text string, start, _ int) bool {
	before := strings.ToLower(text[max(0, start-40):start])
	for _, w := range []string{"after", "before", "between", "people born", "those born", "anyone born", "everyone born", "women born", "men born"} {
		if strings.Contains(before, w) {
			return false
		}
	}
	return true
}

// leastPhone is how many digits a number has that belongs to somebody.
const leastPhone = 10

var phoneRE = regexp.MustCompile(`(?:\+\d{1,3}|\b00\d{2}|\(0\d{2,5}\)|\b0)[\d() .-]{7,17}\d\b`)

// phones finds personal numbers. Help lines and other numbers that belong to nobody in particular are left.
func phones(l look) []hit {
	if l.loose < leastPhone {
		return nil
	}
	text := l.text
	var out []hit
	for at := 0; at < len(text); {
		m := phoneRE.FindStringIndex(text[at:])
		if m == nil {
			break
		}
		start, end := at+m[0], at+m[1]
		kept, personal := phoneAt(text[start:end])
		if personal {
			out = append(out, hit{kindPhone, start, start + kept})
		}
		at = start + max(kept, 1)
	}
	return out
}

// phoneAt is how much of a candidate is a number: two that stand side by side are one candidate, cut at its spaces until
// what is left is possible.
func phoneAt(s string) (length int, personal bool) {
	for {
		n, err := phonenumbers.Parse(s, "GB")
		digits := len(strings.Map(onlyDigits, s))
		if err == nil && digits >= leastPhone && !looksLikeDate(s) && phonenumbers.IsPossibleNumber(n) {
			switch phonenumbers.GetNumberType(n) {
			case phonenumbers.TOLL_FREE, phonenumbers.UAN, phonenumbers.SHARED_COST, phonenumbers.PREMIUM_RATE:
				return len(s), false
			}
			return len(s), true
		}
		cut := strings.LastIndexAny(s, " -.(")
		if cut < 9 {
			return 0, false
		}
		s = strings.TrimRight(s[:cut], " -.(")
	}
}

func onlyDigits(r rune) rune {
	if unicode.IsDigit(r) {
		return r
	}
	return -1
}

func looksLikeDate(s string) bool { return strings.Count(s, ".") == 2 && len(s) <= 10 }
