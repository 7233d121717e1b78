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
var code = regexp.MustCompile(`(?i)^[a-z][a-z0-9]*([_-][a-z0-9]+)*(:[^\s:]+)+$`)

// thing is a target that is no file, no figure and no letter.
var thing = regexp.MustCompile(`(?i)^[a-z]{2,}([_-][a-z]+)*$`)

// file is a target that is a file: src/parse.go.
var file = regexp.MustCompile(`(?i)^[\w./-]*\.[a-z]\w*$`)

// aFile is a file that something was done to: "split file a.go", "split a.go into 2 files".
var aFile = regexp.MustCompile(`(?i)^([a-z]+)\s+(?:files?\s+)?[\w./-]*\.[a-z]\w*(?:\s+into\s+\w+\s+files)?$`)

// inFile is where something was done, which is evidence and no part of a rule: "for config.go".
var inFile = regexp.MustCompile(`(?i)\s+(?:for|in|of|to|on)\s+[\w/-]+\.[a-z]\w*$`)

// howMany are targets that stand before their object: "run_tests:all".
var howMany = set("all", "every", "each")

// aValue is what something comes to: "summary: 2 sentences".
var aValue = regexp.MustCompile(`^\pL+: \S`)

// spaced is a code's words.
var spaced = strings.NewReplacer("_", " ", "-", " ")

// written is what codes of one behaviour have in common, in their own words: the last one's verb and its object, or
// else the targets that are alike in all; "" for an action that is no code. What changes from time to time, files and
// figures, is evidence and no part of it.
func written(actions []string) string {
	last := actions[len(actions)-1]
	if m := aFile.FindStringSubmatch(last); m != nil {
		if base := encoder.BGE().Base(strings.ToLower(m[1])); base != "" {
			return base + " files"
		}
	}
	if !code.MatchString(last) {
		return ""
	}
	head, rest, _ := strings.Cut(last, ":")
	words := strings.Fields(spaced.Replace(head))
	words[0] = cmp.Or(encoder.BGE().Base(strings.ToLower(words[0])), words[0])
	for n, target := range strings.Split(rest, ":") {
		switch {
		case howMany[target] && len(words) > 1:
			words = slices.Insert(words, 1, target)
		case file.MatchString(target) && len(words) == 1:
			words = append(words, "file")
		case thing.MatchString(target) && !slices.ContainsFunc(actions, func(a string) bool {
			parts := strings.Split(a, ":")
			return parts[0] == head && (len(parts) < n+2 || parts[n+1] != target)
		}):
			words = append(words, spaced.Replace(target))
		}
	}
	if n := len(words) - 1; n > 0 && words[n] == "file" {
		words[n] = "files"
	}
	return strings.Join(words, " ")
}

// continued is what a person may make a rule of: codes written out, or the agent's own words of the last action, as an
// order where the encoder knows how their verb is one. Where it doesn't they stay as they are.
func continued(actions []string) string {
	last := actions[len(actions)-1]
	what, order := ordering(actions)
	if order || aValue.MatchString(last) {
		return pack.Upper(what)
	}
	return "Continue: " + what
}

// ordering is what was done, as an order where that is sure. Files are evidence, unless nothing else is named.
func ordering(actions []string) (what string, order bool) {
	if w := written(actions); w != "" {
		return w, strings.Contains(w, " ")
	}
	what = shown(actions[len(actions)-1])
	if short := inFile.ReplaceAllString(what, ""); strings.Count(short, " ") > 1 {
		what = short
	}
	verb, rest, _ := strings.Cut(what, " ")
	base := encoder.BGE().Base(strings.ToLower(verb))
	if rest == "" || base == "" {
		return what, false
	}
	return base + " " + rest, true
}

// avoided is a code or a file's change written out, or what was done as it was said.
func avoided(actions []string) string {
	return cmp.Or(written(actions), shown(actions[len(actions)-1]))
}

// InWords is an action with a code, or a file's change, written out.
func InWords(action string) string { return cmp.Or(pack.Upper(written([]string{action})), action) }
