package privacy

import (
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"
)

const (
	properName = `\p{Lu}[\p{L}'’-]+`
	fullName   = properName + `(?: (?:de|van|von|der|al|bin|O'|Mc)? ?` + properName + `){0,2}`
	relatives  = `(?:wife|husband|partner|spouse|son|daughter|mum|mother|dad|father|sister|brother|friend|adviser|advisor|boss|solicitor|neighbour|carer|nephew|niece|uncle|aunt|ex|colleague|accountant|executor)`
)

// introduction is a way in which a text says somebody's name.
type introduction struct {
	may gate
	re  *regexp.Regexp
}

var introductions = []introduction{
	{written("Mr", "Ms", "Miss", "Mx", "Dr", "Prof", "Sir", "Dame", "Lord", "Lady", "Rev"),
		regexp.MustCompile(`\b(?:Mr|Mrs|Ms|Miss|Mx|Dr|Prof|Professor|Sir|Dame|Lord|Lady|Rev|Reverend)\.? (` + fullName + `)`)},
	{words("name is", "my name's", "i'm called", "i am called", "call me", "name:", "customer:", "signed", "regards,", "sincerely,", "faithfully,", "thanks,", "cheers,"),
		regexp.MustCompile(`\b(?i:my (?:full )?name is|my name's|i'm called|i am called|call me|name:|full name:|customer:|signed:?|regards,|sincerely,|faithfully,|thanks,|cheers,)\s+(` + fullName + `)`)},
	{written("I'm ", "I am ", "This is ", "this is "),
		regexp.MustCompile(`\b(?:I'm|I am|This is|this is) (` + properName + ` ` + properName + `)`)},
	{both(words("my ", "his ", "her ", "our ", "their ", "late "), written("wife", "husband", "partner", "spouse", "son", "daughter", "mum", "mother", "dad", "father", "sister", "brother",
		"friend", "advis", "boss", "solicitor", "neighbour", "carer", "nephew", "niece", "uncle", "aunt", " ex", "colleague", "accountant", "executor")),
		regexp.MustCompile(`\b(?i:my|his|her|our|their|late) (?:late )?` + relatives + `(?:'s name is| is called| called| named|,)? (` + properName + `)`)},
	{written("Dear ", "Hello ", "Hi ", "Good "),
		regexp.MustCompile(`(?m)^\s*(?:Dear|Hello|Hi|Good morning|Good afternoon) (` + fullName + `)\s*[,!.\n-]`)},
	{written("called ", "named ", "spoke ", "speak to ", "rang from ", "contact ", "ask for ", "nominated ", "beneficiary is ", "married to ", "divorcing ", "looking after "),
		regexp.MustCompile(`\b(?:called|named|spoke to|spoke with|speak to|rang from|contact|ask for|nominated|beneficiary is|married to|divorcing|looking after) (` + properName + ` ` + properName + `)`)},
}

// lowerIntroRE is a name in lower case after an introduction that leaves no doubt.
var lowerIntroRE = regexp.MustCompile(`\b(?i:my (?:full )?name is|my name's) (\p{Ll}[\p{L}'’-]+(?: \p{Ll}[\p{L}'’-]+)?)`)

// notNames are capitalised words that are nobody.
var notNames = func() map[string]bool {
	m := map[string]bool{}
	for w := range strings.FieldsSeq(`Pension Pensions Wise State NHS HMRC DWP MoneyHelper Universal Credit Scheme Fund Service Plan Council Bank Team Sir Madam Customer All There Everyone
 January February March April May June July August September October November December Monday Tuesday Wednesday Thursday Friday Saturday Sunday Christmas Easter
 Aviva Prudential Scottish Widows Legal General Standard Life Royal London Nest Aegon Zurich Phoenix Fidelity Citizens Advice Government England Scotland Wales Ireland
 The This That It He She They We You And But If When What Why How Is Are My Your Our Not No Yes Both DB DC SIPP ISA UK FCA GP MS TUPE AVC GAR I I'm I've Annuity Drawdown Income Tax National Insurance
 Interested Wondering Worried Happy Sure Thinking Looking Currently Divorced Married Retired Defined Final Salary Armed Forces Teachers Civil Local Financial Ombudsman Tracing Protection Pot`) {
		m[w] = true
	}
	return m
}()

// stopLower end a lower-case name: "my name is john and i am".
var stopLower = map[string]bool{"and": true, "i": true, "i'm": true, "but": true, "from": true, "my": true, "with": true, "not": true, "on": true, "in": true, "a": true, "the": true, "for": true, "so": true, "is": true, "can": true, "who": true}

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
		for _, m := range in.re.FindAllStringSubmatchIndex(text, -1) {
			if s, e := trimName(text, m[2], m[3]); e > s {
				out = append(out, hit{kindName, s, e})
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

// trimName cuts a match where a word is no name: "Mrs Jones Can you".
func trimName(text string, start, end int) (int, int) {
	pos := start
	last := start
	for _, w := range strings.SplitAfter(text[start:end], " ") {
		bare := strings.TrimSuffix(strings.TrimSuffix(strings.TrimSuffix(strings.TrimSpace(w), "'s"), "’s"), "'")
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
			if r, _ := utf8.DecodeRuneInString(part); utf8.RuneCountInString(part) > 2 && unicode.IsUpper(r) && !notNames[part] && !title(part) && part != "Will" {
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
