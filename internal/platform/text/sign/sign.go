package sign

import (
	"regexp"
	"strconv"
	"strings"
)

// Symbols are the signs of fonts that have no letters, by their place in the font.
var Symbols = map[string]map[int64]string{
	"symbol": {0xa2: "′", 0xa3: "≤", 0xa5: "∞", 0xac: "←", 0xae: "→", 0xb0: "°", 0xb1: "±", 0xb2: "″", 0xb3: "≥",
		0xb4: "×", 0xb7: "•", 0xb8: "÷", 0xb9: "≠", 0xba: "≡", 0xbb: "≈", 0xd6: "√", 0xde: "⇒"},
	"wingdings": {0x6c: "•", 0x6e: "•", 0x6f: "☐", 0x71: "☐", 0x72: "☐", 0x75: "•", 0x76: "•", 0x77: "•", 0x9f: "•",
		0xa7: "•", 0xa8: "☐", 0xd8: "•", 0xe0: "→", 0xfb: "✗", 0xfc: "✓", 0xfd: "☒", 0xfe: "☑"},
	"wingdings 2": {0x4f: "✗", 0x50: "✓", 0x52: "☑", 0x53: "☒", 0x54: "☒", 0xa3: "☐"},
}

const Unknown = "[symbol]" // one that isn't known

// Symbol is the sign that a font has at a place, which Word writes as a hexadecimal number.
func Symbol(font, place string) string {
	n, err := strconv.ParseInt(place, 16, 32)
	font = strings.ToLower(font)
	switch known := Symbols[font][n&0xfff]; {
	case err != nil:
	case known != "":
		return known
	case n > 0xff && n < 0xe000, n > ' ' && n < 0xe000 && Symbols[font] == nil && !strings.Contains(font, "dings"):
		return string(rune(n))
	}
	return Unknown
}

const (
	NoLine  = "[formula]"    // one that can't be written on a line
	NoField = "[field]"      // what a field shows and a file doesn't have
	NoText  = "[unreadable]" // in a font that doesn't say its letters
)

var oneTerm = regexp.MustCompile(`^([\d.,]+|\pL|\([^()]*\)|)$`)

// Formula writes a fraction, a power or the like on one line, by the name that Word or MathML has for it; before is
// the character in front of it.
func Formula(name, before string, parts []string) string {
	if name == "msqrt" {
		name, parts = "rad", []string{"", strings.Join(parts, "")}
	} else if name == "mroot" && len(parts) == 2 {
		parts[0], parts[1] = parts[1], parts[0]
	}
	for i, p := range parts {
		if !oneTerm.MatchString(p) {
			parts[i] = "(" + p + ")"
		}
	}
	switch two := len(parts) == 2; {
	case two && (name == "f" || name == "mfrac"):
		if before >= "0" && before <= "9" {
			return " " + parts[0] + "/" + parts[1] // 2 1/4
		}
		return parts[0] + "/" + parts[1]
	case two && (name == "sSup" || name == "msup"):
		return parts[0] + "^" + parts[1]
	case two && (name == "sSub" || name == "msub"):
		return parts[0] + "_" + parts[1]
	case two && (name == "rad" || name == "mroot") && (parts[0] == "" || parts[0] == "2"):
		return "√" + parts[1]
	case two && (name == "func"):
		return parts[0] + " " + parts[1]
	}
	return NoLine
}

// What a section or an item of a list begins with.
var (
	Numbered = regexp.MustCompile(`^(\d{1,2}(?:\.\d{1,2}){0,4})[.)]?\s+(\p{Lu}.*)$`)
	Bullet   = regexp.MustCompile(`^\s*[•◦▪●‣·*\x{F0B7}\x{2013}-]\s+(.*)$`)
	Ordinal  = regexp.MustCompile(`^\s*(?:\d{1,2}|[a-z]|[ivx]{1,4})[.)]\s+(.*)$`)
)
