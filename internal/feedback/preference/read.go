package preference

import (
	"context"

	"preceptor/internal/platform/db"
	"preceptor/internal/platform/db/keyset"
	"preceptor/internal/platform/fault"
)

const columns = `SELECT id, origin, source_id, agent_id, interaction_id, task, prompt, left_text, left_maker,
	right_text, right_maker, chosen, state,
	answers, lefts, rights, ties, bad, at, by_id, by_name FROM preference_pair`

func scan(row db.Row) (p Pair, err error) {
	err = row.Scan(&p.ID, &p.Origin, &p.SourceID, &p.AgentID, &p.InteractionID, &p.Task, &p.Prompt, &p.Left.Text,
		&p.Left.Maker, &p.Right.Text, &p.Right.Maker,
		&p.Chosen, &p.State, &p.Counter.Answers, &p.Counter.Lefts, &p.Counter.Rights, &p.Counter.Ties, &p.Counter.Bad,
		db.At(&p.At), &p.By.ID, &p.By.Name)
	return p, err
}

// maybeTx reads one pair, or none.
func maybeTx(tx *db.Tx, where string, args ...any) (p Pair, found bool, err error) {
	return db.First(tx, "preference: read", scan, columns+where, args...)
}

func getTx(tx *db.Tx, id string) (*Pair, error) {
	p, found, err := maybeTx(tx, ` WHERE id = $1`, id)
	if err != nil {
		return nil, err
	}
	if !found {
		return nil, fault.New(fault.NotFound, "There is no such pair.")
	}
	return &p, nil
}

// Counts are how many pairs there are by origin, and what the judges said in all.
type Counts struct {
	Revisions, Given, API  int // that stand open, with their texts
	Answers, Ties, BothBad int
	Judged                 int // pairs with Enough answers
}

const countPairs = `SELECT count(*) FILTER (WHERE origin = 'revision'), count(*) FILTER (WHERE origin = 'given'),
	count(*) FILTER (WHERE origin = 'api'),
	coalesce(sum(answers), 0), coalesce(sum(ties), 0), coalesce(sum(bad), 0), count(*) FILTER (WHERE answers >= $1)
		FROM preference_pair WHERE state = 'open'`

// Counts counts.
func (s *Store) Counts(ctx context.Context) (c Counts, err error) {
	err = s.db.Read(ctx, func(tx *db.Tx) error {
		return db.One(tx, "preference: count", countPairs, Enough).
			Scan(&c.Revisions, &c.Given, &c.API, &c.Answers, &c.Ties, &c.BothBad, &c.Judged)
	})
	return c, err
}

const pageSize = keyset.Standard

// Page is a part of the list of pairs.
type Page struct {
	Items []Pair
	Next  string // cursor; "" on the last page
}

// List reads a page of pairs, newest first, with texts.
func (s *Store) List(ctx context.Context, cursor string) (page Page, err error) {
	from, err := keyset.Parse(cursor)
	if err != nil {
		return page, err
	}
	where, args := keyset.Order{At: `at`, ID: `id`}.Page(` WHERE 1 = 1`, nil, from, pageSize+1)
	err = s.db.Read(ctx, func(tx *db.Tx) error {
		page.Items, err = listTx(tx, where, args...)
		return err
	})
	page.Items, page.Next = keyset.Cut(page.Items, pageSize, func(p *Pair) string {
		return keyset.At(p.At, p.ID).Cursor()
	})
	return page, err
}

func listTx(tx *db.Tx, where string, args ...any) (list []Pair, err error) {
	return db.List(tx, "preference: list", scan, columns+where, args...)
}

// contests are the standing answers about two makers, whichever side each stood on. Two texts of one maker say nothing
// about makers; what judges said of a pair stays counted when its texts go. All origins that are judged and all states
// are named, so that an index finds the few.
const contests = `SELECT CASE WHEN left_maker < right_maker THEN left_maker ELSE right_maker END, CASE
	WHEN left_maker < right_maker THEN right_maker ELSE left_maker END,
		sum(CASE WHEN left_maker < right_maker THEN lefts ELSE rights END),
		sum(CASE WHEN left_maker < right_maker THEN rights ELSE lefts END), sum(ties + bad)
	FROM preference_pair WHERE origin IN ('given', 'api') AND state IN ('open', 'withdrawn', 'erased') AND answers > 0
		AND left_maker <> right_maker GROUP BY 1, 2 ORDER BY 1, 2`

// Ranking ranks the makers by the standing answers.
func (s *Store) Ranking(ctx context.Context) (Ranking, error) {
	list, err := db.Read(ctx, s.db, func(tx *db.Tx) ([]Contest, error) {
		return db.Rows(tx, "preference: read contests", func(c *Contest) []any {
			return []any{&c.One, &c.Two, &c.Ones, &c.Twos, &c.Ties}
		}, contests)
	})
	if err != nil {
		return Ranking{}, err
	}
	return Rank(list), nil
}
