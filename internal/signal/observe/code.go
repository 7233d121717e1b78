package observe

import (
	"cmp"
	"regexp"
	"slices"
	"strings"

	"preceptor/internal/llm/encoder"
	"preceptor/internal/pack"
)

// code is an action as seed 002's file writes it, "verb:target:metric": split_file:proxy.go:3.
var code = regexp.MustCompile(`^[a-z]+(_[a-z]+)*(:[^\s:]+)+$`)

// thing is a target that is no file and no figure.
var thing = regexp.MustCompile(`^[a-z]+(_[a-z]+)*$`)

// file is a target that is a file: src/parse.go.
var file = regexp.MustCompile(`^[\w./-]*\.[a-z]\w*$`)

// inFile is where something was done, which is evidence and no part of a rule: "for config.go".
var inFile = regexp.MustCompile(`(?i)\s+(?:for|in|of|to|on)\s+[\w/-]+\.[a-z]\w*$`)

// written is a code as an instruction: its verb, and the object that the verb names, or else its target in the plural;
// "" for an action that is no code. What changes from time to time, files and figures, is evidence and no part of it.
func written(action string) string {
	if !code.MatchString(action) {
		return ""
	}
	parts := strings.Split(action, ":")
	verb, object, _ := strings.Cut(parts[0], "_")
	for _, target := range parts[1:] {
		if object == "" && thing.MatchString(target) {
			object = target
		}
	}
	if object == "" && slices.ContainsFunc(parts[1:], file.MatchString) {
		object = "file"
	}
	if object == "" {
		return ""
	}
	return verb + " " + plural(strings.ReplaceAll(object, "_", " "))
}

// continued is what a person may make a rule of: a code written out, or the agent's own words, as an order where the
// encoder knows how their verb is one.
func continued(action string) string {
	if w := written(action); w != "" {
		return pack.Upper(w)
	}
	action = inFile.ReplaceAllString(action, "")
	verb, rest, _ := strings.Cut(shown(action), " ")
	order := encoder.BGE().Base(strings.ToLower(verb))
	if rest == "" || strings.EqualFold(order, verb) {
		return "Keep doing this: " + shown(action)
	}
	return pack.Upper(order) + " " + rest
}

// avoided is the same of what is to be avoided.
func avoided(action string) string { return cmp.Or(written(action), shown(action)) }

func plural(s string) string {
	switch {
	case strings.HasSuffix(s, "s"):
		return s
	case strings.HasSuffix(s, "x"), strings.HasSuffix(s, "ch"), strings.HasSuffix(s, "sh"):
		return s + "es"
	case strings.HasSuffix(s, "y") && !strings.HasSuffix(s, "ay") && !strings.HasSuffix(s, "ey"):
		return strings.TrimSuffix(s, "y") + "ies"
	}
	return s + "s"
}
