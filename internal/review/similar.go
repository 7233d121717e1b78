package review

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"
	"strings"
	"unicode"

	"preceptor/internal/interaction"
	"preceptor/internal/platform/db"
	"preceptor/internal/platform/text"
)

// similarAmong is how many earlier decisions about the same task are looked at: what was decided lately is what a
// supervisor wants to be consistent with, and the page must not wait.
const similarAmong = 200

// similarShown bounds how many decisions are read to find some that people made.
const similarShown = 20

// Similar is an earlier decision about a case like this one.
type Similar struct {
	Decision Decision
	Who      string   // who was asking, in a few words
	Why      []string // what the two have in common
	score    float64
}

// Similar lists up to n earlier decisions about cases like this one, the nearest first: of the same task, by the words
// of the question and of what it refers to, by who is asking and by what the check found. It reads a fixed number of
// rows along an index and asks no model, so it costs the same however much was decided. What sampling let go, what
// nobody decided, what was erased and what tests the desk is no precedent; the drafts of its own conversation are shown
// with it.
func (q *Queue) Similar(ctx context.Context, id string, n int) (list []Similar, err error) {
	err = q.db.Read(ctx, func(tx *db.Tx) error {
		r, err := getRow(tx, id)
		if err != nil {
			return err
		}
		it, err := q.interactions.GetTx(tx, id)
		if err != nil || !it.ErasedAt.IsZero() {
			return err
		}
		among, err := precedents(tx, r)
		if err != nil {
			return err
		}
		own := likenessOf(refers(it.Consultation)+" "+it.Consultation.Question, r.Who, r.Assessment.Flags)
		for _, c := range nearest(own, among) {
			d, err := getDecision(tx, c.decisionID)
			if err != nil {
				return err
			}
			if d.Kind == Sampled {
				continue
			}
			c.Decision = *d
			if list = append(list, c.Similar); len(list) == n {
				return nil
			}
		}
		return nil
	})
	return list, err
}

// candidate is an earlier case and what it is compared by. Its decision is read only if it is shown: texts can be long.
type candidate struct {
	Similar
	decisionID string
	likeness
}

func precedents(tx *db.Tx, r Row) (list []candidate, err error) {
	return db.List(tx, fmt.Sprintf("review: decisions like %s", r.ID), func(row db.Row) (c candidate, err error) {
		var words, refers string
		var found []Flag
		err = row.Scan(&c.decisionID, &c.Who, &refers, &words, db.JSON(&found))
		c.likeness = likenessOf(refers+" "+words, c.Who, found)
		return c, err
	}, `SELECT decision_id, who, refers, opening, flags FROM review
		WHERE state = 'decided' AND task = $1 AND id <> $2 AND planted = 0
			AND EXISTS (SELECT 1 FROM decision d WHERE d.id = review.decision_id AND d.erased_at = 0)
			AND (thread = '' OR thread <> $3 OR agent_id <> $4)
			ORDER BY decided_at DESC, id DESC
			LIMIT $5`, r.Task, r.ID, r.Thread, r.AgentID, similarAmong)
}

// plainWords is from how many words on a question says by itself what it is about.
const plainWords = 5

// refers is the beginning of what a question of few words refers to, the customer's message before it; "" for others.
func refers(c interaction.Consultation) string {
	if len(significant(c.Question)) >= plainWords {
		return ""
	}
	return text.Opening(c.Situation().Previous(), openingLength)
}

// likeness is what two cases are compared by.
type likeness struct {
	words []string // of the question, each once
	traits,
	codes []string // of who is asking, and of what the check found
}

func likenessOf(question, who string, flags []Flag) (l likeness) {
	l.words = significant(question)
	for name, sign := range map[string]string{"DB pension": "DB", "vulnerable": "vulnerable",
		"low literacy": "literacy low", "State Pension": "State Pension"} {
		if strings.Contains(who, sign) {
			l.traits = append(l.traits, name)
		}
	}
	slices.Sort(l.traits)
	for _, f := range flags {
		if !slices.Contains(l.codes, f.Code) {
			l.codes = append(l.codes, f.Code)
		}
	}
	return l
}

// nearest ranks by shared words, a rare word counting for more, then by what else is alike; ties go to the later
// decision.
func nearest(own likeness, among []candidate) (list []candidate) {
	in := map[string]int{}
	for _, c := range among {
		for _, w := range c.words {
			in[w]++
		}
	}
	weight := func(w string) float64 { return math.Log(1 + float64(len(among)+1)/float64(in[w]+1)) }
	for _, c := range among {
		if c.compare(own, weight); c.score > 0 {
			list = append(list, c)
		}
	}
	slices.SortStableFunc(list, func(a, b candidate) int { return cmp.Compare(b.score, a.score) })
	return list[:min(similarShown, len(list))]
}

// compare says how near the candidate is and why.
func (c *candidate) compare(own likeness, weight func(string) float64) {
	s := &c.Similar
	sum := func(words []string) (n float64) {
		for _, w := range words {
			n += weight(w)
		}
		return n
	}
	words, traits, codes := shared(own.words, c.words), shared(own.traits, c.traits), shared(own.codes, c.codes)
	if both := sum(own.words) + sum(c.words); both > 0 {
		s.score = 2 * sum(words) / both
	}
	s.score += .1*float64(len(traits)) + .15*float64(len(codes))
	if len(words) > 0 {
		slices.SortStableFunc(words, func(a, b string) int { return cmp.Compare(weight(b), weight(a)) })
		s.Why = append(s.Why, "says “"+strings.Join(words[:min(3, len(words))], "”, “")+"”")
	}
	for _, t := range traits {
		s.Why = append(s.Why, t+" too")
	}
	for _, code := range codes {
		s.Why = append(s.Why, "same flag: "+code)
	}
}

func shared(a, b []string) (both []string) {
	for _, x := range a {
		if slices.Contains(b, x) {
			both = append(both, x)
		}
	}
	return both
}

// common are words that say nothing about what is asked.
var common = map[string]bool{}

func init() {
	for _, w := range strings.Fields(
		`about after all and any are before but can could did does don for from get give given had has have her here him his how
		into its just know like make may might more much must not now one only other our out over own put should some still such take than that the their
		them then there these they this those too under until use very want was way were what when where which while who why will with would you your`) {
		common[w] = true
	}
}

// significant are the words of a question that say what it is about, each once, in order.
func significant(text string) (words []string) {
	for _, w := range strings.FieldsFunc(strings.ToLower(text), func(r rune) bool {
		return !unicode.IsLetter(r) && !unicode.IsDigit(r) && !unicode.IsMark(r)
	}) {
		if len([]rune(w)) > 2 && !common[w] && !slices.Contains(words, w) {
			words = append(words, w)
		}
		if len(words) == 60 {
			break
		}
	}
	return words
}
