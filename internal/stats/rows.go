package stats

import (
	"context"
	"errors"
	"slices"
	"strings"

	"preceptor/internal/platform/db"
	"preceptor/internal/platform/db/keyset"
	"preceptor/internal/platform/fault"
	"preceptor/internal/stats/counter"
)

// How far a page of rows walks.
const (
	rowLimit  = 50
	rowsMost  = 200
	walkPiece = 1_000
	walkMost  = 10_000 // rows looked at for a page; then the cursor is handed out, with fewer rows or none
)

// HasRows reports whether Rows knows the figure of a key.
func HasRows(key string) bool { return sources[key].kind != "" }

// OwnRows reports whether the rows of a figure are one person's when a person is asked for: what everybody may see of
// themselves.
func OwnRows(key string) bool {
	switch key {
	case counter.Hasty, counter.Second, counter.Planted, counter.OnCase, "decisions":
		return true
	}
	return slices.Contains(standing, key)
}

// Rows reads the rows behind a figure, newest first: of a share, its whole; of "rule:" and the id of a rule, the votes
// that Change.With counts. A page may hold fewer rows than its limit, or none, and have a next one all the same.
// Invalid for a figure or a cursor that there isn't.
func (r *Reader) Rows(ctx context.Context, f Filter, q RowQuery) (RowPage, error) {
	f = r.zoned(f)
	s := sources[q.Of]
	if id, ok := strings.CutPrefix(q.Of, "rule:"); ok {
		s = ruleSource(id, q)
		if from := midnight(q.Since, f.zone()); !q.Since.IsZero() && from.After(f.From) {
			f.From = from
		}
	}
	if q.Of == counter.Planted && (q.Person != "" || f.Team != "") {
		s = sources[counter.MyChecks]
	}
	if s.kind == "" {
		return RowPage{}, fault.New(fault.Invalid, "There are no rows for %q.", q.Of)
	}
	return r.list(ctx, s, f, q)
}

// Comments reads the votes with words of a range, newest first: q.Of is "", vote.positive, vote.negative or
// vote.neutral.
func (r *Reader) Comments(ctx context.Context, f Filter, q RowQuery) (RowPage, error) {
	if q.Of != "" && !slices.Contains(votes, q.Of) {
		return RowPage{}, fault.New(fault.Invalid, "There are no comments for %q.", q.Of)
	}
	return r.list(ctx, commentSource(q.Of), r.zoned(f), q)
}

func commentSource(of string) source {
	s := voteSource.only(sources[of].keep)
	s.from += ` AND text <> ''`
	return s
}

// ruleSource are the votes on answers that were made with a rule, the newest answers of them.
func ruleSource(id string, q RowQuery) source {
	s := voteSource
	s.from = `FROM (SELECT interaction_id FROM knowledge_usage WHERE item_id = $1 AND created_at >= $2
			ORDER BY created_at DESC, interaction_id DESC LIMIT $3) u
		CROSS JOIN vote ON subject_id = u.interaction_id WHERE norm <> 0.5`
	s.args = []any{id, max(db.Ms(q.Since), 0), maxUses}
	return s
}

func (r *Reader) list(ctx context.Context, s source, f Filter, q RowQuery) (p RowPage, err error) {
	if _, ok := f.subject(); !ok {
		return p, nil
	}
	err = r.read(ctx, func(tx *db.Tx) error {
		p, err = s.page(tx, f, q)
		for i := 0; err == nil && q.Of == counter.SLA && i < len(p.Rows); i++ {
			err = r.sums.InTime(tx, &p.Rows[i].What, &p.Rows[i].Value.Value)
		}
		return err
	})
	return p, err
}

// piece is one piece of the walk: of what is since a time, in milliseconds, the rows behind a place. A person's are
// found by an index.
func (s source) piece(since int64, person string, from keyset.Place) (query string, args []any) {
	columns := slices.DeleteFunc([]string{s.at, s.id, s.columns, s.who, s.value, s.keep}, func(c string) bool {
		return c == ""
	})
	query = `SELECT ` + strings.Join(columns, `, `) + ` ` + s.from
	args = slices.Clone(s.args)
	if person != "" && s.who != "" {
		args = append(args, person)
		query += ` AND ` + s.who + ` = ` + db.In(len(args), 1)
	}
	args = append(args, since)
	return keyset.Order{At: s.at, ID: s.id}.Page(query+` AND `+s.at+` >= `+db.In(len(args), 1), args, from, walkPiece)
}

// page walks until it has enough rows, or has looked at enough. What the filter leaves out is left out here: a
// statement that did so would walk on until it had found enough.
func (s source) page(tx *db.Tx, f Filter, q RowQuery) (p RowPage, err error) {
	limit := min(q.Limit, rowsMost)
	if limit <= 0 {
		limit = rowLimit
	}
	at := keyset.At(f.To, "") // the end of the range, which is not in it
	if q.After != "" {
		if at, err = keyset.Parse(q.After); err != nil {
			return p, err
		}
	}
	var team []string
	if f.Team != "" && s.who != "" {
		if team, err = members(tx, f.Team); err != nil {
			return p, err
		}
	}
	search := "" // of votes alone
	if s.kind == "vote" {
		search = strings.ToLower(strings.TrimSpace(q.Search))
	}
	at, ended, err := s.walk(tx, f, q.Person, at, walkMost, func(r Row, who string, value *float64) error {
		if team != nil && !slices.Contains(team, who) || !strings.Contains(strings.ToLower(r.Text), search) {
			return nil
		}
		if value != nil {
			r.Value = measured(q.Of, s.unit, *value, 1)
		}
		if p.Rows = append(p.Rows, r); len(p.Rows) == limit {
			return db.ErrEnough
		}
		return nil
	})
	if !ended {
		p.Next = at.Cursor()
	}
	return p, err
}

// walk hands on the rows behind a place, until each has enough (db.ErrEnough), most were looked at, or they end. at is
// the last one's place.
func (s source) walk(tx *db.Tx, f Filter, person string, at keyset.Place, most int,
	each func(r Row, who string, value *float64) error) (_ keyset.Place, ended bool, err error) {
	names, err := readCalled(tx)
	if err != nil {
		return at, false, err
	}
	f.Agent = names.of(f.Agent)
	enough := false
	for seen := 0; seen < most && !enough; {
		piece := 0
		query, args := s.piece(db.Ms(f.From), person, at)
		if err := db.Each(tx, "stats: list rows", func(row db.Row) error {
			r := Row{Kind: s.kind}
			var who string
			var value *float64
			keep := true
			into := []any{db.At(&r.At), &r.ID, &r.CaseID, &r.Agent, &r.Topic, &r.Person, &r.What, &r.Text, &r.Channel,
				&r.Desk}
			for _, more := range []struct {
				column string
				into   any
			}{{s.who, &who}, {s.value, &value}, {s.keep, &keep}} {
				if more.column != "" {
					into = append(into, more.into)
				}
			}
			if err := row.Scan(into...); err != nil {
				return err
			}
			at, piece, r.Agent = keyset.At(r.At, r.ID), piece+1, names.of(r.Agent)
			if !keep || !f.fits(r.Agent, r.Topic) {
				return nil
			}
			err := each(r, who, value)
			enough = errors.Is(err, db.ErrEnough)
			return err
		}, query, args...); err != nil {
			return at, false, err
		}
		if seen += piece; !enough && piece < walkPiece {
			return at, true, nil
		}
	}
	return at, false, nil
}

// fits reports whether a row is within the filter's agent and topic.
func (f Filter) fits(agent, topic string) bool {
	want, ok := f.subject()
	return ok && (f.Agent == "" || f.Agent == agent) && (want == "" || topicOf(want) == topic)
}

// Choice is one value that a filter takes.
type Choice struct{ Value, Label string }

// Choices are the values that the filters take: the agents and topics that there was any figure of, by name, and the
// teams.
type Choices struct{ Agents, Topics, Teams []Choice }

// Choices reads what the filters offer.
func (r *Reader) Choices(ctx context.Context) (c Choices, err error) {
	err = r.read(ctx, func(tx *db.Tx) error {
		s, err := everything(tx)
		if err != nil {
			return err
		}
		for by, into := range map[dimension]*[]Choice{byAgent: &c.Agents, byTopic: &c.Topics} {
			names, err := s.names(tx, by, counter.AnyAgents...)
			if err != nil {
				return err
			}
			for _, n := range names {
				name := counter.Name(n)
				if by == byTopic {
					name = topicKey(name)
				} else {
					name = s.called.of(name)
				}
				if one := (Choice{name, name}); name != "" && !slices.Contains(*into, one) {
					*into = append(*into, one)
				}
			}
			slices.SortFunc(*into, func(a, b Choice) int { return strings.Compare(a.Label, b.Label) })
		}
		c.Teams, err = db.Rows(tx, "stats: list teams", func(t *Choice) []any {
			return []any{&t.Value, &t.Label}
		}, `SELECT id, name
			FROM team WHERE closed_at = 0 ORDER BY name_key`)
		return err
	})
	return c, err
}
