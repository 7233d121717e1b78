package config

import (
	"strconv"
	"strings"
	"time"
)

// Feedback says when votes make an example. Both names of seed 001's variables are known, with ours first.
type Feedback struct {
	MinPositive    int    `name:"min-positive-for-example" env:"PRECEPTOR_MIN_POSITIVE_FOR_EXAMPLE,MIN_POSITIVE_FOR_EXAMPLE" default:"2" placeholder:"N" help:"How many more users must like than dislike an answer before it becomes an example." group:"Desk"`
	CacheTTL       string `name:"feedback-cache-ttl" env:"PRECEPTOR_FEEDBACK_CACHE_TTL,FEEDBACK_CACHE_TTL" default:"300" placeholder:"SECONDS" help:"How long examples are cached, in seconds or as 5m; 0 turns the cache off. Changes still show at once." group:"Desk"`
	FeedbackDigest bool   `name:"feedback-digest" env:"PRECEPTOR_FEEDBACK_DIGEST" help:"Send agents with a webhook a summary of each day's feedback." group:"Desk"`
}

// longestCache bounds CacheTTL.
const longestCache = 24 * time.Hour

// FeedbackCacheTTL is CacheTTL as a duration; below 0 for none. Check has refused what it can't read.
func (f Feedback) FeedbackCacheTTL() time.Duration {
	d, ok := seconds(f.CacheTTL)
	if !ok || d == 0 {
		return -1
	}
	return d
}

// seconds reads a whole number of seconds, or a duration with its unit.
func seconds(text string) (time.Duration, bool) {
	text = strings.TrimSpace(text)
	if n, err := strconv.Atoi(text); err == nil {
		return time.Duration(n) * time.Second, n >= 0 && n <= int(longestCache/time.Second)
	}
	d, err := time.ParseDuration(text)
	return d, err == nil && d >= 0 && d <= longestCache
}

func (f Feedback) check(p *problems) {
	if f.MinPositive < 1 || f.MinPositive > 1000 {
		p.add("min-positive-for-example", "%d is not between 1 and 1000.", f.MinPositive)
	}
	if _, ok := seconds(f.CacheTTL); !ok {
		p.add("feedback-cache-ttl", "%q is neither seconds nor a duration such as 5m, up to a day.", f.CacheTTL)
	}
}
