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
	writtenDay = `\d{1,2}(?:st|nd|rd|th)?(?: of)? ` + monthNames + `,? (?:19|20)\d{2}|` + monthNames +
		` \d{1,2}(?:st|nd|rd|th)?,? (?:19|20)\d{2}`
	shortDay = `\d{1,2}[/.-]\d{1,2}[/.-](?:\d{4}|\d{2})|(?:19|20)\d{2}-\d{2}-\d{2}`
	streets  = `(?:Street|St|Road|Rd|Avenue|Ave|Lane|Drive|Close|Way|Court|Crescent|Place|Terrace|Gardens|Grove|Hill|Square|Mews|Row|Walk|View|Rise|Parade|Park|Green|Approach|Brae|Wharf|Quay|Croft|Fold|Gate|Vale|Meadow|Meadows|Mount|Embankment|Villas|Cottages|Buildings|Maltings)`
)

var detectors = []detector{
	{kind: kindEmail, may: written("@"),
		re: regexp.MustCompile(`[\p{L}\p{N}._%+'-]+(?: ?@ ?[A-Za-z0-9-]+|@ ?[\p{L}\p{N}-]+)(?:\.[\p{L}\p{N}-]+)+`)},
	{kind: kindEmail, may: both(words("at"), words("dot")),
		re: regexp.MustCompile(
			`(?i)\b[a-z0-9_-]+(?:(?: dot |\.)[a-z0-9_-]+){0,3} (?:at|\(at\)|\[at\]) [a-z0-9-]+(?: dot [a-z0-9-]+){1,3}\b`)},
	{kind: kindNI, may: digits(6),
		re: regexp.MustCompile(`(?i)\b[a-z][ ./-]?[a-z](?:[ ./-]{0,2}\d){6}[ ./-]{0,2}[a-d]\b`), accept: likelyNI},
	{kind: kindNI, may: both(words("ni", "n.i", "nat"), digits(6)), group: 1,
		re: regexp.MustCompile(
			`(?i)\b(?:ni|n\.i\.?|nino|nat[a-z]{0,6} ins[a-z]{0,8})\b[^\n\d]{0,30}?\b([a-z][ ./-]?[a-z](?:[ ./-]{0,2}\d){6,7}(?:[ ./-]{0,2}[a-z])?)\b`), accept: likelyNI},
	{kind: kindPostcode, may: func(l look) bool {
		return l.capitalOne || strings.Contains(l.text, "GIR")
	}, re: regexp.MustCompile(`\b(?:[A-Z]{1,2}\d[A-Z\d]? ?\d[ABD-HJLNP-UW-Z]{2}|GIR ?0AA)\b`)},
	{kind: kindPostcode, may: func(l look) bool {
		return l.smallOne
	}, re: regexp.MustCompile(`\b[a-z]{1,2}\d[a-z\d]? ?\d[abd-hjlnp-uw-z]{2}\b`), accept: likelyPostcode},
	{kind: kindSort, may: both(words("sort", "s/c"), digits(6)), group: 1,
		re: regexp.MustCompile(`(?i)\b(?:sort ?code|s/c)(?: is|:|=)? ?(\d{2}[ -]?\d{2}[ -]?\d{2})\b`)},
	{kind: kindSort, may: digits(6), re: regexp.MustCompile(`\b\d{2}-\d{2}-\d{2}\b`)},
	{kind: kindAccount, may: both(words("acc", "a/c"), digits(7)), group: 1,
		re: regexp.MustCompile(
			`(?i)\b(?:account|a/c|acc(?:t|ount)?\.?)(?: (?:number|no\.?|num))?(?: is|:|=)? ?(\d{4} ?\d{4}|\d{7,8})\b`)},
	{kind: kindPolicy, may: unbroken(5), re: regexp.MustCompile(`\b[A-Z]{1,5}[-/]?\d{5,}[A-Z0-9/-]*\b`),
		accept: likelyReference},
	{kind: kindPolicy, may: unbroken(7), re: regexp.MustCompile(`\b\d{7,}\b`), accept: likelyReference},
	{kind: kindAddress, may: func(l look) bool {
		return l.addressed
	}, re: regexp.MustCompile(
		`\b(?:(?:Flat|Apartment|Unit|Apt) \w{1,4},? (?:[A-Z][A-Za-z'’-]+ (?:House|Court|Lodge|Building|Mansions|Point|Heights),? )?)?\d{1,4}[A-Za-z]?,? (?:The |(?:[A-Z][A-Za-z'’-]+ ){1,3})` + streets + `\b(?:, [A-Z][a-z]+(?: [A-Z][a-z]+)?)?`)},
	{kind: kindAddress,
		may: both(anyDigit, written("Heol", "Ffordd", "Stryd", "Rhodfa", "Maes", "Clos", "Rue", "Calle")),
		re: regexp.MustCompile(
			`\b\d{1,4}[A-Za-z]?,? (?:Heol|Ffordd|Stryd|Rhodfa|Maes|Clos|Rue|Calle)(?: (?:[A-Z][\p{L}'-]+|y|yr|de|la|des|du)){1,4}`)},
	{kind: kindAddress,
		may: both(anyDigit, words("the green", "the close", "the avenue", "the crescent", "the square", "the mews",
			"the drive", "the grove", "the terrace", "the maltings", "the paddock", "the orchard", "the hollow",
			"the spinney")),
		re: regexp.MustCompile(
			`(?i)\b\d{1,4}[a-z]? the (?:green|close|avenue|crescent|square|mews|drive|grove|terrace|maltings|paddock|paddocks|orchard|hollow|spinney)\b`)},
	{kind: kindAddress,
		may: both(anyDigit, written("street", "road", "avenue", "lane", "crescent", "terrace", "mews", "grove")),
		re: regexp.MustCompile(
			`\b\d{1,4}[a-z]? (?:[a-z'-]+ ){1,2}(?:street|road|avenue|lane|crescent|terrace|mews|grove)\b`),
		accept: likelyStreet},
	{kind: kindAddress, may: words("i live at", "my address is", "address:"), group: 1,
		re: regexp.MustCompile(`(?i)\b(?:i live at|my address is|address:) ([^\n.;]{5,70})`)},
	{kind: kindBorn, may: both(words("born", "dob", "d.o.b", "birth"), anyDigit), group: 1,
		re: regexp.MustCompile(
			`(?i)\b(?:i was born|was born|born|dob|d\.o\.b\.?|date of birth|birthday|birth date)(?: is| was| on|:)*,? ?(` + writtenDay + `|` + shortDay + `)\b`), accept: personalBirth},
	{kind: kindBorn, may: both(words("birth", "dob", "d.o.b"), anyDigit), group: 1,
		re: regexp.MustCompile(`(?i)\b(?:date of birth|dob\b|d\.o\.b\b\.?)[^\d\n]{0,30}?(` + writtenDay + `|` +
			shortDay + `)\b`)},
	{kind: kindBorn, may: both(written("19"), written("/", ".")),
		re: regexp.MustCompile(`\b\d{1,2}[/.]\d{1,2}[/.]19(?:[2-7]\d|8[0-5])\b`)},
}

// likelyPostcode refuses lower-case words that only look like one: the outward part needs a known shape and a digit.
func likelyPostcode(text string, start, end int) bool {
	s := text[start:end]
	return len(strings.ReplaceAll(s, " ", "")) >= 5 && !strings.HasSuffix(s, "st") && !strings.HasSuffix(s, "nd") &&
		!strings.HasSuffix(s, "rd") && !strings.HasSuffix(s, "th")
}

var (
	yearRE  = regexp.MustCompile(`^(?:(?:19|20)\d{2})(?:[/-]\d{2,4})?$`)
	legalRE = regexp.MustCompile(
		`(?i)(?:£ ?|\bSI |section |\bs|reg(?:ulation)? |PERG |COBS |PRIN |rule |case #?|article |para(?:graph)? )$`)
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

// shortWords are pairs of letters that begin a sentence more often than an NI number: "on 12/03/26 a ...".
var shortWords = map[string]bool{"at": true, "by": true, "as": true, "on": true, "my": true, "we": true, "he": true,
	"me": true, "am": true, "an": true, "or": true, "us": true,
	"it": true, "up": true, "in": true, "is": true, "of": true, "to": true, "no": true, "so": true, "if": true,
	"do": true, "be": true, "go": true, "id": true, "ni": true, "st": true, "nd": true, "rd": true, "th": true}

// likelyNI refuses words and dates: an ordinary pair of letters counts when it stands right before the digits, or in
// capitals.
func likelyNI(text string, start, end int) bool {
	prefix := text[start : start+2]
	if !shortWords[strings.ToLower(prefix)] {
		return true
	}
	return digit(text[start+2]) || prefix == strings.ToUpper(prefix) && !strings.ContainsAny(text[start:end], "/.")
}

// likelyStreet refuses "10 minutes down the road".
func likelyStreet(text string, start, end int) bool {
	for _, w := range strings.Fields(text[start:end])[1:] {
		switch w {
		case "years", "year", "minutes", "minute", "months", "miles", "mile", "days", "weeks", "the", "a", "on", "down",
			"of", "more", "per", "or", "and", "in", "to", "pensions", "pots":
			return false
		}
	}
	return true
}

// personalBirth refuses the law's "people born on or after 6 April 1960".
func personalBirth(text string, start, _ int) bool {
	before := strings.ToLower(text[max(0, start-40):start])
	for _, w := range []string{"after", "before", "between", "people born", "those born", "anyone born",
		"everyone born", "women born", "men born"} {
		if strings.Contains(before, w) {
			return false
		}
	}
	return true
}

// leastPhone is how many digits a number has that belongs to somebody.
const leastPhone = 10

var phoneRE = regexp.MustCompile(`(?:\+\d{1,3}|\b00\d{2}|\(0\d{2,5}\)|\b0)[\d() ./-]{7,22}\d\b`)

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
		if start > 0 && digit(text[start]) && (digit(text[start-1]) || text[start-1] == ',') {
			// the end of a greater number
			at = start + 1
			continue
		}
		kept, personal := phoneAt(text[start:end])
		if kept == 0 && misdialled(text[start:end]) {
			kept, personal = end-start, true
		}
		if personal {
			out = append(out, hit{kindPhone, start, start + kept})
		}
		at = start + max(kept, 1)
	}
	return out
}

// misdialled tells what was meant as a number here, although it is a digit too long or too short to be one.
func misdialled(s string) bool {
	digits := strings.Map(onlyDigits, s)
	return len(digits) >= leastPhone && len(digits) <= 13 && len(digits) > 1 &&
		(strings.HasPrefix(s, "+") || digits[0] == '0' && strings.IndexByte("127", digits[1]) >= 0) && !looksLikeDate(s)
}

// phoneAt is how much of a candidate is a number: two that stand side by side are one candidate, cut at its spaces
// until what is left is possible.
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
