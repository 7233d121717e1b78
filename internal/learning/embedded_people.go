package learning

import (
	"strings"

	"preceptor/internal/pack"
)

// A statement in a draft speaks to "you"; in a rule it has to hold for whoever asks.

// ofPeople turns words to the customer into words about people: "you can take your pot" is "people can take their pot". In a draft
// that does what the rule asks the words stand as they are: they tell nobody what to do.
func ofPeople(s string) string {
	ws := strings.Fields(s)
	named := false
	for i, w := range ws {
		word, tail := splitTail(w)
		low := strings.ToLower(strings.ReplaceAll(word, "’", "'"))
		var now string
		switch low {
		case "you", "you're", "you've", "you'll", "you'd":
			now = peopleFor(low, named, i+1 < len(ws) && takesSubject(ws, i))
			named = true
		case "your":
			now = "their"
			if !named {
				now = "the customer's"
				named = true
			}
		case "yourself":
			now = "themselves"
		case "yours":
			now = "theirs"
		default:
			continue
		}
		ws[i] = now + tail
	}
	return strings.Join(ws, " ")
}

func peopleFor(word string, named, subject bool) string {
	who := "people"
	switch {
	case named && subject || named && word != "you":
		who = "they"
	case named:
		who = "them"
	}
	rest := map[string]string{"you're": "are", "you've": "have", "you'll": "will", "you'd": "would"}[word]
	if rest == "" {
		return who
	}
	return who + " " + rest
}

// takesSubject tells whether the "you" at i is who does something: a verb or a word before one follows it.
func takesSubject(ws []string, i int) bool {
	if _, tail := splitTail(ws[i]); tail != "" {
		return false
	}
	next, _ := splitTail(ws[i+1])
	next = strings.ToLower(next)
	if smallWords[next] && !subjectVerbs[next] {
		return false
	}
	if i > 0 {
		before, _ := splitTail(ws[i-1])
		if objectBefore[strings.ToLower(before)] {
			return false
		}
	}
	return len(pack.Words(next)) > 0
}

var (
	subjectVerbs = wordSet(`are were have had do did will can get got`)
	objectBefore = wordSet(`give gives giving pay pays paying tell tells offer offers let lets help helps for to from of with by allow allows give cost costs leave leaves charge charges`)
)

func wordSet(list string) map[string]bool {
	out := map[string]bool{}
	for w := range strings.FieldsSeq(list) {
		out[w] = true
	}
	return out
}

// splitTail parts a word from the punctuation behind it.
func splitTail(w string) (word, tail string) {
	word = strings.TrimRight(w, `.,;:!?)"”`)
	return word, w[len(word):]
}
