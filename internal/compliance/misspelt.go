package compliance

import (
	"strings"
	"unicode/utf8"
)

// steeringWords are the words that a steer hangs on and that are typed wrongly often enough to matter. A reader takes
// "you shoud transfer" as it was meant, and so do the checks and the judges.
var steeringWords = []string{"should", "transfer", "recommend", "recommended", "recommendation", "consolidate",
	"withdraw", "guarantee", "guaranteed", "definitely", "annuity", "drawdown", "suggest", "advise", "pension"}

// mistypes leads from a slip of the fingers to the word that was meant: a letter left out, two changed round, one
// doubled, or one vowel for another. None of them is a word.
var mistypes = func() map[string]string {
	m := map[string]string{}
	for _, w := range steeringWords {
		for i := 1; i < len(w); i++ { // the first letter is hardly ever wrong
			m[w[:i]+w[i+1:]] = w
			m[w[:i]+w[i:i+1]+w[i:]] = w
			if i+1 < len(w) {
				m[w[:i]+w[i+1:i+2]+w[i:i+1]+w[i+2:]] = w
			}
			if strings.IndexByte("aeiou", w[i]) >= 0 {
				for _, v := range "aeiou" {
					m[w[:i]+string(v)+w[i+1:]] = w
				}
			}
		}
	}
	for _, w := range append([]string{"pensions", "pensioner", "guarantees", "transfers", "advice", "shoulder",
		"recommends", "withdrew", "withdraws"}, steeringWords...) {
		delete(m, w)
	}
	return m
}()

// mayBeSlip marks the sums of all slips, so that other words, which are nearly all, are seen off without being looked
// up.
var mayBeSlip = func() *[1 << 12]bool {
	var out [1 << 12]bool
	for w := range mistypes {
		sum := uint32(0)
		for i := range len(w) {
			sum = nextSum(sum, w[i])
		}
		out[sum%uint32(len(out))] = true
	}
	return &out
}()

// nextSum takes a letter into a word's sum, whatever its case.
func nextSum(sum uint32, c byte) uint32 { return sum*31 + uint32(c|0x20) }

// modalRank orders the words of permission and duty that people join with a stroke; the harder of two is what is read.
var modalRank = map[string]int{"may": 1, "might": 1, "could": 2, "can": 3, "would": 4, "should": 5, "must": 6}

// Lengths of what mistypes knows.
const (
	shortestSlip = 5
	longestSlip  = 15
)

// meant is a text with slips of the fingers read as they were meant, and "should/must" as its harder half. places leads
// from its code points to where they stood before, and goes on to the same original. Nearly every text comes back as it
// was.
func meant(text string, places []int) (string, []int) {
	var out strings.Builder
	var moved []int
	done, point := 0, 0 // what is written, in bytes and in code points
	replace := func(start, end int, by string) {
		out.WriteString(text[done:start])
		n := utf8.RuneCountInString(text[done:start])
		moved = append(moved, places[point:point+n]...)
		point += n
		for k := range len(by) {
			moved = append(moved, places[point+min(k, end-start-1)])
		}
		if n := len(moved); len(by) > 0 {
			moved[n-1] = places[point+end-start-1]
		}
		out.WriteString(by)
		point += end - start
		done = end
	}
	for i := 0; i < len(text); {
		if !letter(text[i]) {
			i++
			continue
		}
		start, sum := i, uint32(0)
		for ; i < len(text) && letter(text[i]); i++ {
			sum = nextSum(sum, text[i])
		}
		if i < len(text) && text[i] == '/' {
			if end, word := joined(text, start, i); word != "" {
				replace(start, end, word)
				i = end
				continue
			}
		}
		if n := i - start; n < shortestSlip || n > longestSlip || !mayBeSlip[sum%uint32(len(mayBeSlip))] {
			continue
		}
		if by, ok := mistypes[strings.ToLower(text[start:i])]; ok {
			replace(start, i, by)
		}
	}
	if done == 0 {
		return text, places
	}
	out.WriteString(text[done:])
	return out.String(), append(moved, places[point:]...)
}

// joined is the harder of two modal words with a stroke between them, and where they end; "" when that is something
// else.
func joined(text string, start, stroke int) (end int, word string) {
	end = stroke + 1
	for end < len(text) && letter(text[end]) {
		end++
	}
	a, b := strings.ToLower(text[start:stroke]), strings.ToLower(text[stroke+1:end])
	if modalRank[a] == 0 || modalRank[b] == 0 {
		return 0, ""
	}
	if modalRank[b] > modalRank[a] {
		return end, b
	}
	return end, a
}

func letter(c byte) bool { return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' }
