package knowledge

import (
	"fmt"
	"math"
	"strings"

	"preceptor/internal/platform/estimate"
	"preceptor/views/ui"
)

// decimal is a count that need not be whole.
func decimal(x float64) string { return strings.TrimSuffix(fmt.Sprintf("%.1f", x), ".0") }

// points is a change of a chance in whole points with its sign.
func points(x float64) string {
	n := int(math.Round(x * 100))
	switch {
	case n < 0:
		return fmt.Sprintf("−%d", -n)
	case n > 0:
		return fmt.Sprintf("+%d", n)
	}
	return "0"
}

// significant reports whether an interval leaves no doubt on which side of 0 an effect is.
func significant(low, high float64) string {
	if low > 0 || high < 0 {
		return "significant"
	}
	return "not significant"
}

// blamed reports whether users' votes are worse with the rule than without it by more than chance.
func (v Rule) blamed() bool { return v.Votes != nil && v.Votes.Suspect }

func (v Rule) votesSay() string {
	return "Positive votes: " + voteShare(v.Votes.With) + " with it, " + voteShare(v.Votes.Without) +
		" without it on the same topics. Significant."
}

func (v Rule) votesDiffer() string {
	w, o := v.Votes.With, v.Votes.Without
	switch {
	case w.Whole < fewVotes || o.Whole < fewVotes:
		return "Too few votes to compare"
	case w.High < o.Low || w.Low > o.High:
		return "The difference is significant"
	}
	return "The difference is not significant"
}

// fewVotes is below how many two shares are not compared.
const fewVotes = 30

// voteShare is "28% of 40 votes (95% CI 16–43%)".
func voteShare(s estimate.Share) string {
	if s.Whole == 0 {
		return "no votes"
	}
	pct := func(x float64) int { return int(math.Round(x * 100)) }
	return fmt.Sprintf("%d%% of %s (95%% CI %d–%d%%)", pct(s.Value()), ui.Count(s.Whole, "vote", "votes"), pct(s.Low),
		pct(s.High))
}
