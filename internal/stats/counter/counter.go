// Package counter keeps the sums that the managers' pages read, of each local day: one row per measure, block of 32
// days and set of agent, topic and person.
//
// It owns the tables stat_block, stat_hist, stat_case, stat_found, stat_edit, stat_due and stat_state.
//
// What it promises.
//   - No figure lags: votes, outcomes and reports are summed in the transaction of their cause; a case is noted there
//     (stat_due), and counted before anybody reads the sums (CatchUp), or within a minute. Rebuild makes byte for byte
//     the same tables from the raw rows (a property test holds it on random histories). For that everything is a whole
//     number, a row that comes to nothing goes, and both ways run through the same two functions: what a row adds
//     (casesTx, Vote.adds, ...), and adding it (sheet).
//   - What changes about a case (decided, undone, overruled, recalled, ruled on, rated) has it read anew as a whole,
//     and what it added before (stat_case) is taken out first. So a hook need not know what exactly changed, and
//     calling it twice has one effect. Votes and outcomes bring what they replace; reports never change.
//   - Days are the desk's local days. When the zone is another one than that of the tables, Ready rebuilds them.
//   - What is not a decision of a person about real guidance is in no figure of such: releases by sampling and planted
//     checks have their own measures, decisions that wait for a second signature, were undone, overruled or recalled
//     have none.
//
// It reads the tables of others and knows their columns, as the design allows to statistics alone.
//
// What it decided against: counting a case while its decision keeps other writes waiting (a third of the statements,
// and many cases together cost little more than one), counting from raw rows on each page (a year of 200,000 decisions
// takes a second), summaries by hour (nobody asked, and a zone with half hours would still need its own), a histogram
// of exact seconds (ten times the rows for a median that is 2.5 % closer), sets of agent, topic and person summed up
// while reading (a page over a year would read a hundred thousand rows), a row per day (a row is read some ten times
// slower than a day out of a packed one, so that a year of ten people took a fifth of a second), and the lessons (an
// index answers, and they have no hook).
package counter

import (
	"sync"
	"time"

	"preceptor/internal/platform/db"
)

// The measures. Of each stands here what n counts and what sum is. Where it says "part" sum counts those of n that are
// so.
const (
	Positive = "vote.positive" // votes; sum and sq are of their norm, in Unit
	Neutral  = "vote.neutral"
	Negative = "vote.negative"
	Rating   = "rating" // ratings; of 0 to 10, in Unit; a histogram by whole numbers
	Logged   = "logged" // observed interactions

	Outcomes      = "outcome" // outcomes
	Satisfaction  = "outcome.satisfaction"
	Comprehension = "outcome.comprehension"
	GoalAlignment = "outcome.goal_alignment" // of 0 to 10, in Unit
	GoalsMet      = "outcome.goals_met"      // where somebody said; part: yes. So the next three
	Understanding = "outcome.understanding_checked"
	Signposted    = "outcome.signposted"
	DBWarning     = "outcome.db_warning_given"

	Arrived = "arrived" // cases, by when they were queued
	Left    = "left"    // cases that are decided or ended, by when
	// cases that nobody decided: their deadline passed, or their agent took them back
	Expired, Withdrawn = "expired", "withdrawn"

	Planted  = "planted"          // closed planted checks; part: caught
	MyChecks = "my_checks"        // the same, by person only
	Sampled  = "decision.sampled" // let go by a policy

	// All of these by person, too: of a decision its author.
	Approve = "decision.approve"
	Revise  = "decision.revise"
	Reject  = "decision.reject"
	Return  = "decision.return"
	Waited  = "waited"  // decisions; seconds from arrival; a histogram by Bucket
	SLA     = "sla"     // decisions; part: within the policy's later target
	OnCase  = "on_case" // decisions, recalled ones too; seconds; a histogram by Bucket
	// approvals and, of who gave it, second signatures, recalled ones too; part: faster than can be read
	Hasty    = "hasty"
	Recalled = "recalled"  // approvals and revisions; part: recalled after delivery
	Second   = "second"    // second signatures, of who gave it
	Edit     = "edit"      // revisions; share of words changed, in Unit
	Rewrote  = "rewritten" // revisions; part: more than half of the words changed
	Agreed   = "agreement" // first signatures that a second supervisor looked at; part: they agreed
	Quality  = "quality"   // experts' ratings of what went out; 1 to 5

	Draft      = "draft"       // drafts with a verdict; part: compliant
	Missed     = "missed"      // drafts found compliant, without flags, that people found right or wrong; part: wrong
	Otherwise  = "otherwise"   // those that people changed or didn't send, and not for a breach
	FalseAlarm = "false_alarm" // flagged drafts that a person decided; part: approved unchanged
	Borderline = "borderline." // and the cause: cases that experts were asked about (AskedSQL)
	Ruling     = "ruling."     // and the label: rulings
	Panel      = "panel"       // rulings; part: the panel's label was the same
	Judge      = "judge"       // by judge only: rulings on what it voted on; part: it was right
)

// Unit is one, where a measure with fractions is kept as a whole number.
const Unit = 10_000

// shape is raised when a measure changes what it means, so that the tables are made anew.
const shape = 10

// Causes and labels that Borderline and Ruling are followed by.
var (
	Causes = []string{"dissent", "unsure", "sent"}
	Labels = []string{"COMPLIANT_GUIDANCE", "BORDERLINE", "NON_COMPLIANT"}
)

// Compliant is the label of a draft that keeps to the line.
const Compliant = "COMPLIANT_GUIDANCE"

// NotJudged is the label of a draft of which nobody can say whether it does. It is in no rate.
const NotJudged = "NOT_JUDGED"

// All is the name of a set that leaves nothing out; One is that of one agent or topic.
const All = ""

// One names the set of one agent or one topic.
func One(name string) string { return "=" + name }

// Name is the inverse of One.
func Name(set string) string { return set[1:] }

// JudgeSet names the set of one judge.
func JudgeSet(name string) string { return "judge:" + name }

// Day is the number of the local day of a moment: days since 1970-01-01 on a calendar in the zone.
func Day(t time.Time, zone *time.Location) int {
	y, m, d := t.In(zone).Date()
	return int(time.Date(y, m, d, 0, 0, 0, 0, time.UTC).Unix() / 86400)
}

// Midnight is the first moment of a local day. Some zones put their clocks forward at midnight, and the day begins
// after the gap; or back across it, and the day has two midnights, of which it is the first.
func Midnight(day int, zone *time.Location) time.Time {
	y, m, d := time.Unix(int64(day)*86400, 0).UTC().Date()
	t := time.Date(y, m, d, 0, 0, 0, 0, zone)
	if Day(t, zone) < day {
		t, _ = time.Date(y, m, d, 12, 0, 0, 0, zone).ZoneBounds()
	}
	for half := 30 * time.Minute; Day(t.Add(-half), zone) == day; {
		t = t.Add(-half)
	}
	return t
}

// Keeper keeps the sums.
type Keeper struct {
	db      *db.DB
	zone    *time.Location
	targets sync.Map // version of a policy -> its later target in milliseconds; a version never changes
}

// New keeps the sums of the zone's days.
func New(d *db.DB, zone *time.Location) *Keeper {
	if zone == nil {
		zone = time.UTC
	}
	return &Keeper{db: d, zone: zone}
}

func (k *Keeper) day(ms int64) int { return Day(time.UnixMilli(ms), k.zone) }
