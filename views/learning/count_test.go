package learning

import (
	"strings"
	"testing"

	"preceptor/internal/learning"
)

func lesson(tried, helpful int) (l learning.Lesson) {
	l.Tried, l.Helpful = tried, helpful
	return l
}

func trying(tried, helpful, needs int, failing bool) learning.Trying {
	return learning.Trying{Lesson: lesson(tried, helpful), Needs: needs, Failing: failing}
}

// One is written as one.
func TestOneCaseIsNoCases(t *testing.T) {
	for got, want := range map[string]string{
		trialWords(trying(1, 1, 1, false)): "It helped in 1 of 1 case; 1 more that helps would decide it.",
		trialWords(trying(2, 1, 3, false)): "It helped in 1 of 2 cases; 3 more that help would decide it.",
		trialWords(trying(0, 0, 1, false)): "No approved case supports or contradicts it yet; 1 that helps would " +
			"decide it.",
		trialWords(trying(1, 0, 0, true)): "It helped in 0 of 1 case. With ten",
		triedWords(lesson(1, 1)):          "helped in 1 of 1 case",
		triedWords(lesson(1_200, 900)):    "helped in 900 of 1,200 cases",
	} {
		if !strings.HasPrefix(got, want) {
			t.Errorf("%q, want %q", got, want)
		}
	}
}
