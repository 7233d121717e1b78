package stats

import "time"

// SatisfactionPage is what users say about answers (seed 001) and how it went for customers (seed 000's OutcomeResult).
//
// A vote counts in the local day of its present version, with its present value, under the agent and the topic of what
// it judges.
type SatisfactionPage struct {
	Filter  Filter
	Rate    Figure // positive / (positive + negative); neutral votes are in neither
	Average Figure // avg_feedback: the mean of all votes mapped to 0 to 1
	Rating  Figure // the mean of the 0 to 10 ratings
	Votes   Figure // count
	// Positive, Negative and Neutral are counts; their Keys drill down to the votes.
	Positive, Negative, Neutral Figure
	Logged                      Figure  // interactions that agents reported (observed)
	Series                      Series  // Rate over time
	Volume                      Series  // Votes over time
	Scale                       [11]int // ratings from 0 to 10, rounded to whole ones
	ScaleBefore                 [11]int
	Topics                      []Slice // Rate by topic, most votes first (seed 001: top_topics); at most 1,000
	Agents                      []Slice // Rate by agent, most votes first
	Worst                       []WorstTopic
	// satisfaction, comprehension, goal alignment (of 10); goals met, understanding checked, signposted, DB warning
	// given (shares of those where somebody said)
	Outcomes []Figure
	OutcomeN Figure // count of outcomes
}

// WorstTopic is a topic significantly below all others together, worst first; of those, at most 5.
type WorstTopic struct {
	Slice
	Quotes []Row // its newest negative votes with words, at most 3
}

// Row is one of the rows that a figure is made of.
type Row struct {
	Kind    string // vote, decision, second, outcome, observed, guidance, ruling, borderline, planted, rating, lesson
	ID      string
	CaseID  string // of the interaction or observed interaction that it is about; "" for none
	Desk    bool   // CaseID is a case of the desk, /reviews/{id}
	At      time.Time
	Agent   string
	Topic   string
	Person  string // who did it: name; "" where nobody is to be named (customers, planted checks)
	What    string // positive, approve, NON_COMPLIANT, ...
	Value   Figure // a rating, a time; not Known where there is none
	Text    string // of votes: the user's words. Foreign: shown as text only
	Channel string // of votes and outcomes
}

// RowPage is one page of rows, newest first.
type RowPage struct {
	Rows []Row
	Next string // cursor of what follows; "" at the end
}

// RowQuery asks for the rows of a figure.
type RowQuery struct {
	Of     string    // Figure.Key
	Since  time.Time // of a rule: only answers made from then on; zero: all
	Person string    // account, for figures of one person; "" for all
	Search string    // only rows whose words contain this, whatever its case; for votes
	After  string    // cursor
	Limit  int       // 50 when 0, at most 200
}
