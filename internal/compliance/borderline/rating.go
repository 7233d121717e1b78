package borderline

import (
	"context"
	"time"

	"preceptor/internal/audit"
	"preceptor/internal/interaction"
	"preceptor/internal/platform/db"
	"preceptor/internal/platform/fault"
	"preceptor/internal/platform/id"
	"preceptor/internal/platform/text"
)

// Rating is one text that went out, and how good an expert finds it: seed 000's expert_quality_rating. It does not say
// who decided.
type Rating struct {
	ID            string
	InteractionID string
	AgentName     string
	Task          string
	Who           string
	Opening       string
	Text          string
	Rated         bool
	Stars         int // 1 to 5
	Note          string
	By            Person
	CreatedAt     time.Time
	RatedAt       time.Time
}

// SampleTx draws from the texts that supervisors let go, in the transaction of the release: about ratedPercent in a
// hundred, by the decision's id. Those who decided may not rate it; secondBy is "" when one did.
func (s *Store) SampleTx(tx *db.Tx, decisionID string, in *interaction.Interaction,
	released, decidedBy, secondBy string) error {
	if !sampledForRating(decisionID) || released == "" {
		return nil
	}
	err := db.Exec(tx, "borderline: sample decision "+decisionID, `INSERT INTO borderline_rating (id, decision_id,
			decided_by, second_by, interaction_id, agent_name, task, who, opening, text, state, created_at)
		VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, 'waiting', $11) ON CONFLICT (decision_id) DO NOTHING`,
		id.New(), decisionID, decidedBy, secondBy, in.ID, in.AgentName, in.Consultation.TaskType,
		in.Consultation.Customer.Who(),
		text.Opening(in.Consultation.Question, longestOpening), released, tx.NowMs())
	if err != nil {
		return err
	}
	tx.Touch("borderline")
	return nil
}

// DropTx leaves out what was recalled, unless it was rated already.
func (s *Store) DropTx(tx *db.Tx, decisionID string) error {
	_, err := tx.Exec(`UPDATE borderline_rating SET state = 'dropped'
		WHERE decision_id = $1 AND state = 'waiting'`, decisionID)
	tx.Touch("borderline")
	return err
}

const ratingColumns = `id, interaction_id, agent_name, task, who, opening, text, state, rating, note, by_id, by_name,
	created_at, rated_at`

func scanRating(row db.Row) (r Rating, err error) {
	var state string
	err = row.Scan(&r.ID, &r.InteractionID, &r.AgentName, &r.Task, &r.Who, &r.Opening, &r.Text, &state, &r.Stars,
		&r.Note, &r.By.ID, &r.By.Name, db.At(&r.CreatedAt), db.At(&r.RatedAt))
	r.Rated = state == "rated"
	return r, err
}

// Ratings are the texts that this expert can rate, oldest first, at most n; or with rated those that they did rate,
// newest first.
func (s *Store) Ratings(ctx context.Context, by Person, rated bool, n int) ([]Rating, error) {
	query := `SELECT ` + ratingColumns + ` FROM borderline_rating
		WHERE state = 'waiting' AND decided_by <> $1 AND second_by <> $1
		ORDER BY created_at, id LIMIT $2`
	if rated {
		query = `SELECT ` + ratingColumns + ` FROM borderline_rating
			WHERE state = 'rated' AND by_id = $1 ORDER BY rated_at DESC, id DESC LIMIT $2`
	}
	return db.Read(ctx, s.db, func(tx *db.Tx) ([]Rating, error) {
		return db.List(tx, "borderline: read ratings", scanRating, query, by.ID, n)
	})
}

// Rating is one of them; Denied to somebody who signed the decision.
func (s *Store) Rating(ctx context.Context, ratingID string, by Person) (Rating, error) {
	return db.Read(ctx, s.db, func(tx *db.Tx) (Rating, error) { return ratingTx(tx, ratingID, by) })
}

func ratingTx(tx *db.Tx, ratingID string, by Person) (r Rating, err error) {
	var first, second string
	r, err = scanRating(
		db.More(db.One(tx, "borderline: read what is to be rated",
			`SELECT `+ratingColumns+
				`, decided_by, second_by FROM borderline_rating WHERE id = $1 AND state <> 'dropped'`, ratingID).
			Or(fault.New(fault.NotFound, "This text no longer needs a rating. Go back to the list and pick another.")),
			&first, &second))
	if err == nil && (by.ID == first || by.ID == second) {
		err = fault.New(fault.Denied, "You took part in this decision, so someone else has to rate it.")
	}
	return r, err
}

// RateInput is a rating as it was given.
type RateInput struct {
	ID    string
	By    Person
	Stars int
	Note  string
}

// Rate stores a rating from 1 to 5, with a note. Conflict when somebody else rated it; one's own can be changed for
// UndoFor.
func (s *Store) Rate(ctx context.Context, in RateInput) error {
	in.Note = text.Typed(in.Note)
	if in.Stars < 1 || in.Stars > 5 {
		return fault.Wrong("Choose a rating from 1 to 5.", "rating", "Choose a rating from 1 to 5.")
	}
	if in.Stars <= 2 && in.Note == "" {
		return fault.Wrong("Say what is not good enough.", "note", "Say what is not good enough about it.")
	}
	if long := text.TooLong(in.Note, maxNote); long != "" {
		return fault.Wrong("The note is too long.", "note", long)
	}
	return s.db.Write(ctx, func(tx *db.Tx) error {
		if err := s.mayRule(tx, in.By.ID); err != nil {
			return err
		}
		r, err := ratingTx(tx, in.ID, in.By)
		if err != nil {
			return err
		}
		if r.Rated && (r.By.ID != in.By.ID || tx.Now.After(r.RatedAt.Add(UndoFor))) {
			return fault.New(fault.Conflict, "%s rated this. Take another.", r.By.As(in.By.ID))
		}
		if err := db.Exec(tx, "borderline: rate "+in.ID, `UPDATE borderline_rating SET state = 'rated', rating = $1,
			note = $2, by_id = $3, by_name = $4, rated_at = $5
			WHERE id = $6`,
			in.Stars, in.Note, in.By.ID, in.By.Name, tx.NowMs(), in.ID); err != nil {
			return err
		}
		tx.Touch("borderline")
		if err := audit.Note(tx, in.By.Actor(), "borderline.rated", "interaction", r.InteractionID,
			map[string]any{"rating": r.ID, "stars": in.Stars}); err != nil {
			return err
		}
		return s.hooks.OnRated(tx, r.InteractionID)
	})
}

// Quality is what experts found of what went out, from a time on.
type Quality struct {
	Rated int
	Mean  float64 // 1 to 5; 0 when none was rated
	By    [5]int  // how often 1, 2, 3, 4, 5
}

// Quality sums the ratings that were given since a time.
func (s *Store) Quality(ctx context.Context, since time.Time) (q Quality, err error) {
	err = s.db.Read(ctx, func(tx *db.Tx) error {
		sum := 0
		err := db.Each(tx, "borderline: sum the ratings", func(row db.Row) error {
			var stars, n int
			if err := row.Scan(&stars, &n); err != nil {
				return err
			}
			q.By[stars-1] = n
			q.Rated += n
			sum += stars * n
			return nil
		}, `SELECT rating, count(*) FROM borderline_rating
			WHERE state = 'rated' AND rated_at >= $1
			GROUP BY rating`, db.Ms(since))
		if err != nil {
			return err
		}
		if q.Rated > 0 {
			q.Mean = float64(sum) / float64(q.Rated)
		}
		return nil
	})
	return q, err
}
