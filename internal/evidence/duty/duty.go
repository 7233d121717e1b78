// Package duty is the report on a period: one file on its outcomes, for those who govern the firm. Where an agent's
// pack has a duty to report (pack.Report), as the Consumer Duty of UK pensions, law and figures are that pack's. It
// owns no table.
//
// It says how it went for customers, for vulnerable ones beside the others; what was found wrong and what was done
// about it; how people oversaw it; and names guidance drawn at random, whose evidence packs anybody may ask for. The
// figures are those of package stats, so that the pack and the pages say the same, and what only this report asks for
// is counted here, from walks over the owners' tables.
//
// What it promises. Every share has its Wilson interval and how many it is of, every mean too; where there was
// nothing the pack says "no data", never 0. Nobody at the desk is named but who made
// the report, and no customer is quoted: words that somebody wrote freely (reasons, issues) are counted and not shown.
// The draw can be repeated: the seed is the hash of the audit log's last row when the report was begun, which nobody
// chooses, and the order is that of the SHA-256 of seed and id. The report is sealed as every pack (package evidence):
// what was shown to whom is on record with its hash.
//
// What it can't say is in the pack itself (method): votes are of those who vote; vulnerability is what the agent was
// told; an association is no cause.
//
// What it decided against: a judgement of its own ("good outcomes"), which is the governing body's to make; a test of
// significance beside each difference (with so many, some differ by chance; intervals show how much is known); keeping
// the reports (the log has their hashes, whoever made one has it).
package duty

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"time"

	"preceptor/internal/audit"
	"preceptor/internal/evidence"
	"preceptor/internal/feedback"
	"preceptor/internal/interaction"
	"preceptor/internal/pack"
	"preceptor/internal/platform/db"
	"preceptor/internal/platform/decimal"
	"preceptor/internal/platform/fault"
	"preceptor/internal/review"
	"preceptor/internal/stats"
)

// Drawn is how many pieces of guidance are drawn for the index.
const Drawn = 25

// maxDays bounds a period: a report is for a board, and five years are more than one looks at.
const maxDays = 5 * 366

// Reporter makes reports on periods. All fields must be set.
type Reporter struct {
	DB           *db.DB
	Maker        *evidence.Maker
	Stats        *stats.Reader
	Reviews      *review.Queue
	Interactions *interaction.Store
	Feedback     *feedback.Book
	// the names of all agents, whose customers are counted, and the packs in which they work
	Agents func(ctx context.Context) (names, packs []string, err error)
	Zone   *time.Location // the desk's: days begin at its midnights
}

// Period is the local days from First to Last, both included.
type Period struct {
	First, Last time.Time // any moment of the day, in the desk's zone
}

// ParsePeriod reads two days as people type them. Invalid names the field: from or to.
func (r *Reporter) ParsePeriod(from, to string) (p Period, err error) {
	var wrong []fault.Field
	day := func(name, s string) time.Time {
		t, err := decimal.Day(s, r.Zone)
		if err != nil {
			wrong = append(wrong, fault.Field{Name: name, Msg: err.Error()})
		}
		return t
	}
	p.First, p.Last = day("from", from), day("to", to)
	if len(wrong) > 0 {
		return p, fault.WithFields("A date isn't valid.", wrong...)
	}
	return p, r.check(p)
}

func (r *Reporter) check(p Period) error {
	switch {
	case p.Last.Before(p.First):
		return fault.Wrong("The period can't be used.", "to", "The last day must not be before the first.")
	case p.First.After(r.DB.Now()):
		return fault.Wrong("The period can't be used.", "from", "The first day is in the future.")
	case stats.Between(p.First, p.Last, r.Zone).Len() > maxDays:
		return fault.Wrong("The period can't be used.", "from", "A report covers at most five years.")
	}
	return nil
}

// Subject names the period in the log: 2026-10-01/2026-10-31.
func (p Period) Subject() string {
	return p.First.Format(time.DateOnly) + "/" + p.Last.Format(time.DateOnly)
}

// String is the period for people.
func (p Period) String() string {
	const form = "2 January 2006"
	if p.First.Format(form) == p.Last.Format(form) {
		return p.First.Format(form)
	}
	return p.First.Format(form) + " to " + p.Last.Format(form)
}

// Make makes the pack of a period. That it was made, and by whom, is on record with its hash.
func (r *Reporter) Make(ctx context.Context, p Period, by audit.Actor) (*evidence.Pack, error) {
	if err := r.check(p); err != nil {
		return nil, err
	}
	agents, packs, err := r.Agents(ctx)
	if err != nil {
		return nil, err
	}
	rep, err := r.read(ctx, p, pack.ReportOf(packs...))
	if err != nil {
		return nil, err
	}
	parts, err := rep.parts()
	if err != nil {
		return nil, err
	}
	lead := rep.Law.Lead + " Days are those of " + rep.Zone + ". All agents of this server are counted: " +
		strings.Join(agents, ", ") + "."
	if rep.To.After(r.DB.Now()) {
		lead += " The period was not over when this was made."
	}
	return r.Maker.Make(ctx, evidence.Content{Kind: evidence.Period, Name: rep.Law.Name, Subject: p.Subject(),
		Title: "Outcomes of " + p.String(), Lead: lead,
		File: rep.Law.File + "-" + p.First.Format(time.DateOnly) + "-" + p.Last.Format(time.DateOnly), Parts: parts,
		Facts: rep,
		Notes: map[string]any{"seed": rep.Seed, "decisions": rep.Population}}, by)
}

// Made is a pack on record.
type Made struct {
	Subject string // as Period.Subject
	File    string
	At      time.Time
	By      audit.Actor
	Seal    audit.Head
	Hash    string // SHA-256 of its body, the first Bytes of the file
	Bytes   int
}

// Past lists the packs that were made, newest first, at most n.
func (r *Reporter) Past(ctx context.Context, n int) (list []Made, err error) {
	page, err := audit.List(ctx, r.DB,
		audit.Filter{Action: evidence.ActionPacked, ObjectKind: evidence.Period, Limit: n})
	for _, row := range page.Rows {
		m := Made{Subject: row.ObjectID, At: row.At, By: row.Actor, Seal: audit.Head{Seq: row.Seq, Hash: row.Hash}}
		var content struct {
			SHA256 string `json:"sha256"`
			File   string `json:"file"`
			Bytes  int    `json:"bytes"`
		}
		if json.Unmarshal(row.Content, &content) == nil {
			m.Hash, m.File, m.Bytes = content.SHA256, content.File, content.Bytes
		}
		list = append(list, m)
	}
	return list, err
}

// Offered are the periods that a page offers, newest first: whole months and quarters that have ended, and the last
// twelve months.
func (r *Reporter) Offered(now time.Time) (list []Offer) {
	now = now.In(r.Zone)
	month := time.Date(now.Year(), now.Month(), 1, 0, 0, 0, 0, r.Zone)
	quarter := month.AddDate(0, -int(month.Month()-1)%3, 0)
	span := func(name string, from, to time.Time) {
		list = append(list, Offer{Name: name, Period: Period{from, to.AddDate(0, 0, -1)}})
	}
	for i := range 3 {
		from := month.AddDate(0, -i-1, 0)
		span(from.Format("January 2006"), from, from.AddDate(0, 1, 0))
	}
	for i := range 4 {
		from := quarter.AddDate(0, -3*(i+1), 0)
		span(fmt.Sprintf("Quarter %d of %d", (int(from.Month())+2)/3, from.Year()), from, from.AddDate(0, 3, 0))
	}
	span("Twelve months", month.AddDate(-1, 0, 0), month)
	return list
}

// Offer is a period with a name.
type Offer struct {
	Name string
	Period
}
