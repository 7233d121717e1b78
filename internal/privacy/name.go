package privacy

import (
	"regexp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

const (
	properName = `\p{Lu}[\p{L}'’-]+`
	fullName   = `(?:\p{Lu}\.? ){0,3}` + properName +
		`(?:(?: (?:de|da|dos|van|von|der|al|bin|O'|Mc|Ó|Ní|St)| \p{Lu}\.?){0,2} ` + properName + `){0,3}`
	twoNames = properName + `(?: \p{Lu}\.?)? (?:(?:de|da|dos|van|von|der|al|bin|Ó|Ní|St) )?` + properName + `(?: ` +
		properName + `)?`
	relatives = `(?:wife|husband|partner|spouse|son|daughter|mum|mother|dad|father|sister|brother|friend|adviser|advisor|boss|solicitor|neighbour|carer|nephew|niece|uncle|aunt|ex|colleague|accountant|executor)`
)

// introduction is a way in which a text says somebody's name. near are words that it can't do without, in small
// letters: the expression is only held against what stands around one of them, unless it needs to see where lines
// begin.
type introduction struct {
	near []string
	re   *regexp.Regexp
	line bool
}

func (in introduction) may(l look) bool { return anyOf(l.lower, in.near) }

// beforeName and afterName bound what stands around a word of near, in bytes; a name of four words is shorter.
const beforeName, afterName = 72, 120

// nameAhead is how soon after such a word a name begins, in bytes.
const nameAhead = 32

var introductions = []introduction{
	{near: []string{"mr", "mrs", "professor", "reverend", "ms", "miss", "mx", "dr", "prof", "sir", "dame", "lord",
		"lady", "rev"},
		re: regexp.MustCompile(`\b(?:Mr|Mrs|Ms|Miss|Mx|Dr|Prof|Professor|Sir|Dame|Lord|Lady|Rev|Reverend)\.? (` +
			fullName + `)`)},
	{near: []string{"messrs"},
		re: regexp.MustCompile(`\bMessrs\.? (` + properName + `(?:,? (?:and|&) ` + properName + `)*)`)},
	{near: []string{"name is", "my name's", "i'm called", "i am called", "call me", "name:", "customer:", "signed",
		"regards,", "sincerely", "faithfully", "thanks,", "cheers,", "wishes,", "truly"},
		re: regexp.MustCompile(
			`\b(?i:my (?:full |maiden )?name is|my name's|i'm called|i am called|call me|name:|full name:|customer:|signed:?|regards,|sincerely,?|faithfully,?|thanks,|cheers,|wishes,|truly,?)\s+(` + fullName + `)`)},
	{near: []string{"member", "caller", "cust", "client", "insured", "beneficiary", "executor", "claimant", "attn",
		"name", "fao"},
		re: regexp.MustCompile(
			`\b(?i:member|caller|cust|client|life insured|beneficiary|executor|claimant|attn|maiden name|fao)(?i: is| was)?:? (` + twoNames + `)`)},
	{near: []string{"i'm ", "im ", "i am ", "this is ", "its ", "it's "},
		re: regexp.MustCompile(`\b(?i:i'm|im|i am|this is|it's|its) (` + twoNames + `)`)},
	{near: []string{" from ", " again", " here"},
		re: regexp.MustCompile(`(?:\A|[.!?,\n] ?|\b(?i:i'm|im|i am|this is|it's|its|hi|hello) )(` + properName +
			`(?: ` + properName + `)?)(?: from \p{Lu}| again\b| here\b)`)},
	{near: []string{"wife", "husband", "partner", "spouse", "son", "daughter", "mum", "mother", "dad", "father",
		"sister", "brother",
		"friend", "advis", "boss", "solicitor", "neighbour", "carer", "nephew", "niece", "uncle", "aunt", "ex",
		"colleague", "accountant"},
		re: regexp.MustCompile(`\b(?i:(?:ex-?|late |step)?` + relatives +
			`)(?:'s name is| is called| is| called| named|,|:)? (` + properName + `(?: ` + properName + `)?)`)},
	{line: true, near: []string{"dear ", "hello ", "hi ", "good "},
		re: regexp.MustCompile(`(?m)^\s*(?:Dear|Hello|Hi|Good morning|Good afternoon) (` + fullName + `)\s*[,!.\n-]`)},
	{near: []string{"called ", "named ", "spoke ", "speak to ", "rang from ", "ring ", "contact ", "ask for ",
		"nominated ", "beneficiary is ", "married to ", "divorcing ", "looking after ", "on behalf of ", "issued to ",
		"i, ", "name ", "authorise "},
		re: regexp.MustCompile(
			`\b(?i:called|named|spoke to|spoke with|speak to|rang from|ring|contact|ask for|nominated|beneficiary is|married to|divorcing|looking after|on behalf of|issued to|i,|maiden name|authorise) (` + twoNames + `)`)},
}

// lowerIntroRE is a name in lower case after an introduction that leaves no doubt.
var lowerIntroRE = regexp.MustCompile(
	`\b(?i:my (?:full )?name is|my name's) (\p{Ll}[\p{L}'’-]+(?: \p{Ll}[\p{L}'’-]+)?)`)

// notNames are capitalised words that are nobody.
var notNames = func() map[string]bool {
	m := map[string]bool{}
	for w := range strings.FieldsSeq(
		`Pension Pensions Wise State NHS HMRC DWP MoneyHelper Universal Credit Scheme Fund Service Plan Council Bank Team Sir Madam Customer All There Everyone
 January February March April May June July August September October November December Monday Tuesday Wednesday Thursday Friday Saturday Sunday Christmas Easter
 Aviva Prudential Scottish Widows Legal General Standard Life Royal London Nest Aegon Zurich Phoenix Fidelity Citizens Advice Government England Scotland Wales Ireland
 The This That It He She They We You And But If When What Why How Is Are My Your Our Not No Yes Both DB DC SIPP ISA UK FCA GP MS TUPE AVC GAR I I'm I've Annuity Drawdown Income Tax National Insurance
 Member Members Customers Trustee Trustees Policyholder Pensioner Applicant Client Tenant Colleague Colleagues Madams Sirs Resident Occupier Guaranteed Annual Monthly Form Forms Letter Bank Building Society Lasting Power Money Helper Company Limited Ltd Group Equitable Revenue Customs
 Interested Wondering Worried Happy Sure Thinking Looking Currently Divorced Married Retired Defined Final Salary Armed Forces Teachers Civil Local Financial Ombudsman Tracing Protection Pot`) {
		m[w] = true
	}
	return m
}()

// months are names too, between two others.
var months = map[string]bool{"April": true, "May": true, "June": true, "August": true}

// stopLower end a lower-case name: "my name is john and i am".
var stopLower = map[string]bool{"and": true, "i": true, "i'm": true, "but": true, "from": true, "my": true,
	"with": true, "not": true, "on": true, "in": true, "a": true, "the": true, "for": true, "so": true, "is": true,
	"can": true, "who": true}

// mayLower is lowerIntroRE's gate.
var mayLower = words("name is", "my name's")

// introduced finds names by how they are introduced.
func introduced(l look) []hit {
	text := l.text
	var out []hit
	for _, in := range introductions {
		if !in.may(l) {
			continue
		}
		for _, w := range in.windows(l) {
			for _, m := range in.re.FindAllStringSubmatchIndex(text[w[0]:w[1]], -1) {
				if strings.HasPrefix(in.re.String(), atStart) && m[0] == 0 && w[0] > 0 && m[0] == m[2] {
					continue // the beginning of what was cut out is not the beginning of the text
				}
				if s, e := trimName(text, w[0]+m[2], w[0]+m[3]); e > s {
					out = append(out, hit{kindName, s, e})
				}
			}
		}
	}
	if !mayLower(l) {
		return out
	}
	for _, m := range lowerIntroRE.FindAllStringSubmatchIndex(text, -1) {
		words := strings.Fields(text[m[2]:m[3]])
		end := m[2]
		for i, w := range words {
			if stopLower[strings.ToLower(w)] {
				break
			}
			if i > 0 {
				end++
			}
			end += len(w)
		}
		if end > m[2] {
			out = append(out, hit{kindName, m[2], end})
		}
	}
	return out
}

// atStart begins an expression that looks at the beginning of the text.
const atStart = `(?:\A`

func (in introduction) windows(l look) [][2]int {
	if in.line || len(l.lower) != len(l.text) { // places in small letters are not those in the text
		return [][2]int{{0, len(l.text)}}
	}
	ahead := func(after string) bool {
		return strings.ContainsFunc(after[:min(len(after), nameAhead)], unicode.IsUpper)
	}
	if strings.HasPrefix(in.re.String(), atStart) { // the name stands before
		ahead = func(string) bool { return true }
	}
	return around(l, in.near, beforeName, afterName, true, ahead)
}

// around are the stretches of text about words of near, none twice, each from the beginning of a word to the end of
// one. The words stand at the beginning of one; with whole, short ones stand alone; and ahead likes what comes after.
func around(l look, near []string, before, after int, whole bool, ahead func(after string) bool) (list [][2]int) {
	for _, word := range near {
		for at := 0; ; {
			i := strings.Index(l.lower[at:], word)
			if i < 0 {
				break
			}
			start, end := at+i, at+i+len(word)
			at = end
			if start > 0 && small(word[0]) && small(l.lower[start-1]) ||
				whole && len(word) <= 4 && end < len(l.lower) && small(word[len(word)-1]) && small(l.lower[end]) {
				continue // a part of another word: the son of person
			}
			if !ahead(l.text[end:]) {
				continue
			}
			list = append(list, [2]int{max(0, start-before), min(len(l.text), end+after)})
		}
	}
	slices.SortFunc(list, func(a, b [2]int) int { return a[0] - b[0] })
	merged := list[:0]
	for _, w := range list {
		for w[0] > 0 && !cut(l.text, w[0]) {
			w[0]--
		}
		for w[1] < len(l.text) && !cut(l.text, w[1]) {
			w[1]++
		}
		if n := len(merged); n > 0 && w[0] <= merged[n-1][1] {
			merged[n-1][1] = max(merged[n-1][1], w[1])
			continue
		}
		merged = append(merged, w)
	}
	return merged
}

// cut reports whether text may be cut at i: before a blank or a line's end.
func cut(text string, i int) bool { return text[i] == ' ' || text[i] == '\n' }

// trimName cuts a match where a word is no name: "Mrs Jones Can you".
func trimName(text string, start, end int) (int, int) {
	pos := start
	last := start
	for _, w := range strings.SplitAfter(text[start:end], " ") {
		bare := strings.TrimSuffix(strings.TrimSuffix(strings.TrimSuffix(strings.TrimSpace(w), "'s"), "’s"), "'")
		if months[bare] && last > start && pos+len(w) < end { // Rose May Carter
			pos += len(w)
			continue
		}
		if notNames[bare] || len(bare) > 2 && strings.ToUpper(bare) == bare && !strings.ContainsAny(bare, "-'") {
			break
		}
		last = pos + len(bare)
		pos += len(w)
	}
	return start, last
}

// again finds the names that were introduced, and their parts, elsewhere in the text.
func again(text string, names []hit) []hit {
	var out []hit
	seen := map[string]bool{}
	for _, n := range names {
		full := text[n.start:n.end]
		for _, part := range append([]string{full}, strings.Fields(full)...) {
			if !seen[part] {
				seen[part] = true
				out = append(out, occurrences(text, part, kindName, false)...)
			}
		}
	}
	return out
}

// knownIn finds values of the customer's: whole in any case, and a name also by its parts, as they are written.
func knownIn(text string, known []string) []hit {
	var out []hit
	for _, k := range known {
		k = strings.TrimSpace(strings.ToValidUTF8(k, ""))
		if utf8.RuneCountInString(k) < 2 {
			continue
		}
		kind := kindOfKnown(k)
		out = append(out, occurrences(text, k, kind, true)...)
		if kind != kindName {
			continue
		}
		for _, part := range strings.Fields(k) {
			if r, _ := utf8.DecodeRuneInString(part); utf8.RuneCountInString(part) > 2 && unicode.IsUpper(r) &&
				!notNames[part] && !title(part) && part != "Will" {
				out = append(out, occurrences(text, part, kindName, false)...)
			}
		}
	}
	return out
}

func title(s string) bool {
	switch strings.TrimRight(s, ".") {
	case "Mr", "Mrs", "Ms", "Miss", "Mx", "Dr", "Prof", "Professor", "Sir", "Dame", "Lord", "Lady", "Rev":
		return true
	}
	return false
}

// kindOfKnown is what a known value is, by its form.
func kindOfKnown(k string) string {
	l := lookAt(k)
	for _, d := range detectors {
		for _, h := range d.find(l) {
			if h.end-h.start == len(k) {
				return d.kind
			}
		}
	}
	if len(phones(l)) > 0 {
		return kindPhone
	}
	if strings.IndexFunc(k, unicode.IsDigit) >= 0 {
		return kindOther
	}
	return kindName
}

// occurrences finds what as a whole word.
func occurrences(text, what, kind string, anyCase bool) []hit {
	if what == "" {
		return nil
	}
	expr := regexp.QuoteMeta(what)
	if anyCase {
		expr = `(?i)` + expr
	}
	var out []hit
	for _, m := range regexp.MustCompile(expr).FindAllStringIndex(text, -1) {
		before, _ := utf8.DecodeLastRuneInString(text[:m[0]])
		after, _ := utf8.DecodeRuneInString(text[m[1]:])
		if !wordRune(before) && !wordRune(after) {
			out = append(out, hit{kind, m[0], m[1]})
		}
	}
	return out
}

func wordRune(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) }
