package rule

import (
	"regexp"
	"slices"
	"strings"

	"preceptor/internal/pack"
)

// rejection is what a rejection teaches: the sentence typed with it, or words of the draft that a remark says never to
// say.
func (in GuessInput) rejection() (out []Act, nothing string) {
	if say := oneLine(in.Say); say != "" {
		return []Act{in.said(say)}, ""
	}
	var draft []string
	for _, u := range unitsOf(in.Before) {
		draft = append(draft, u.text)
	}
	if phrases := in.forbidden(draft); len(phrases) > 0 {
		return []Act{{Kind: Never, Phrases: phrases}}, ""
	}
	return nil, NothingSaid
}

var quoteRE = regexp.MustCompile(
	`["“”«]([^"“”«»]+)["“”»]|(?:^|[\s(:])['‘]([^'’]*(?:['’]\p{L}[^'’]*)*)['’](?:$|[\s.,;:!?)])`)

func quotes(text string) (out []string) {
	for _, m := range quoteRE.FindAllStringSubmatch(text, 10) {
		if q := oneLine(m[1] + m[2]); q != "" {
			out = append(out, q)
		}
	}
	return out
}

// said is the act of a sentence typed with a rejection. What is addressed to the advisor never reaches a customer.
func (in GuessInput) said(say string) Act {
	for _, f := range []struct {
		kind   string
		frames []string
	}{{Ask, in.Pack.Frames.Ask}, {Point, in.Pack.Frames.Point}} {
		if text, ok := framed(say, f.frames); ok && len(pack.Words(text)) > 3 && endsSentence(text) {
			return Act{Kind: f.kind, Text: text}
		}
	}
	switch {
	case !in.toCustomer(say):
		return Act{Kind: Other, Text: say}
	case strings.HasSuffix(say, "?"):
		return Act{Kind: Ask, Text: say}
	}
	return Act{Kind: Include, Text: say}
}

// framed is the quoted text of a frame with TEXT that a sentence begins with.
func framed(say string, frames []string) (string, bool) {
	for _, f := range frames {
		lead, _, _ := strings.Cut(f, "TEXT")
		list := quotes(say)
		if len(list) == 1 && strings.HasPrefix(strings.ToLower(say), strings.ToLower(strings.TrimSpace(lead))) {
			return list[0], true
		}
	}
	return "", false
}

// toCustomer reports whether a sentence can be sent as it is: it speaks to the customer, and neither about them nor
// about the draft.
func (in GuessInput) toCustomer(say string) bool {
	f := in.Pack.Frames
	if in.hasAny(f.Third, say) {
		return false
	}
	ws := pack.Words(say)
	led := slices.ContainsFunc(f.Instruct, func(verb string) bool {
		lead := pack.Words(verb)
		return len(ws) > len(lead) && slices.Equal(ws[:len(lead)], lead) && !slices.Contains(toYou, ws[len(lead)])
	})
	return !led && slices.ContainsFunc(ws, func(w string) bool {
		return slices.Contains(toYou, w) || w == "we" || w == "please"
	})
}

var toYou = strings.Fields("you your yours us our you'll you're you've")

// shortest is how many words of the draft a remark repeats at least when it means them.
const shortest = 4

// forbidden are the draft's words that the remarks say never to say: in quotation marks, or repeated word by word.
func (in GuessInput) forbidden(draft []string) (out []string) {
	remark := in.remark()
	if !in.Wants.Avoid && !in.hasAny(in.Pack.Frames.Never, remark) {
		return nil
	}
	for _, q := range quotes(remark) {
		if slices.ContainsFunc(draft, func(s string) bool { return pack.HasPhrase(s, q) }) {
			out = append(out, strings.TrimRight(q, ".,;:"))
		}
	}
	if len(out) == 0 {
		if r := repeated(remark, draft); r != "" {
			out = append(out, r)
		}
	}
	return slices.Compact(out)
}

// repeated is the longest run of the draft's words that a remark has too.
func repeated(remark string, draft []string) (best string) {
	have, most := pack.Words(remark), shortest-1
	for _, s := range draft {
		at, ws := pack.WordSpans(s), pack.Words(s)
		for i := range ws {
			for j := i + most + 1; j <= len(ws) && contains(have, ws[i:j]); j++ {
				if telling := slices.DeleteFunc(slices.Clone(ws[i:j]), pack.IsStop); len(telling) > 1 {
					best, most = s[at[i].Start:at[j-1].End], j-i
				}
			}
		}
	}
	return best
}
