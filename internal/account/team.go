package account

import (
	"cmp"
	"context"
	"database/sql"
	"errors"
	"slices"
	"strings"
	"time"

	"preceptor/internal/audit"
	"preceptor/internal/platform/db"
	"preceptor/internal/platform/fault"
	"preceptor/internal/platform/id"
	"preceptor/internal/platform/lists"
)

// maxTeams bounds how many teams are open: the list is whole, like that of people.
const maxTeams = 200

// Team is some people to whom cases are given together, and who share filters. A closed one keeps its row, because
// cases were given to it.
type Team struct {
	ID        string
	Name      string
	Members   []Member // by name; disabled ones too
	CreatedAt time.Time
	Version   int
}

// Member is a person of a team.
type Member struct {
	ID, Name string
	Disabled bool
}

// Has reports whether an account is of the team.
func (t Team) Has(accountID string) bool {
	return slices.ContainsFunc(t.Members, func(m Member) bool { return m.ID == accountID })
}

// Teams lists the open teams by name, with their members.
func (dir *Directory) Teams(ctx context.Context) ([]Team, error) {
	return db.Read(ctx, dir.db, func(tx *db.Tx) ([]Team, error) { return teamsTx(tx, ``) })
}

// TeamsOf lists the open teams that an account is of.
func (dir *Directory) TeamsOf(ctx context.Context, accountID string) ([]Team, error) {
	return db.Read(ctx, dir.db, func(tx *db.Tx) ([]Team, error) {
		return teamsTx(tx, ` AND t.id IN (SELECT team_id FROM team_member WHERE account_id = $1)`, accountID)
	})
}

// TeamsOfTx lists the ids of the open teams that an account is of.
func (dir *Directory) TeamsOfTx(tx *db.Tx, accountID string) (ids []string, err error) {
	return db.Column[string](tx, "account: teams of a person", `SELECT t.id
		FROM team_member m JOIN team t ON t.id = m.team_id
		WHERE m.account_id = $1 AND t.closed_at = 0
		ORDER BY t.id`, accountID)
}

// TeamTx reads one open team; NotFound when there is none.
func (dir *Directory) TeamTx(tx *db.Tx, teamID string) (Team, error) {
	list, err := teamsTx(tx, ` AND t.id = $1`, teamID)
	if err != nil {
		return Team{}, err
	}
	if len(list) == 0 {
		return Team{}, fault.New(fault.NotFound, "This team no longer exists.")
	}
	return list[0], nil
}

// TeamMembersTx lists the accounts of an open team that may sign in; none for a team that is not there.
func (dir *Directory) TeamMembersTx(tx *db.Tx, teamID string) (ids []string, err error) {
	return db.Column[string](tx, "account: members of a team", `SELECT m.account_id
		FROM team_member m JOIN team t ON t.id = m.team_id JOIN account a ON a.id = m.account_id
		WHERE m.team_id = $1 AND t.closed_at = 0 AND a.disabled_at = 0 ORDER BY m.account_id`, teamID)
}

// AddTeam makes a team.
func (dir *Directory) AddTeam(ctx context.Context, name string, by audit.Actor) (t Team, err error) {
	if name, err = teamName(name); err != nil {
		return Team{}, err
	}
	err = dir.db.Write(ctx, func(tx *db.Tx) error {
		var open int
		if err := db.One(tx, "account: count teams", `SELECT COUNT(*) FROM team
			WHERE closed_at = 0`).Scan(&open); err != nil {
			return err
		}
		if open >= maxTeams {
			return fault.New(fault.Conflict, "There are already %d teams, the maximum. Close one you don't need first.",
				maxTeams)
		}
		t = Team{ID: id.New(), Name: name, CreatedAt: tx.Now, Version: 1}
		_, err := tx.Exec(`INSERT INTO team (id, name, name_key, created_at) VALUES ($1, $2, $3, $4)`, t.ID, name,
			strings.ToLower(name), tx.NowMs())
		if err != nil {
			return takenName(err)
		}
		return record(tx, by, "team.added", "team", t.ID, map[string]any{"name": name})
	})
	return t, err
}

// ChangeTeam gives a team this name and exactly these members. version is the team's as it was on the screen.
func (dir *Directory) ChangeTeam(ctx context.Context, teamID string, version int, name string, members []string,
	by audit.Actor) (t Team, err error) {
	if name, err = teamName(name); err != nil {
		return Team{}, err
	}
	err = dir.db.Write(ctx, func(tx *db.Tx) error {
		before, err := dir.TeamTx(tx, teamID)
		if err != nil {
			return err
		}
		if before.Version != version {
			who := lists.Map(before.Members, func(m Member) string { return m.Name })
			return fault.Stale("another version", before.Name+" with "+cmp.Or(strings.Join(who, ", "), "no members"))
		}
		if _, err := tx.Exec(`UPDATE team SET name = $1, name_key = $2, version = version + 1
			WHERE id = $3`, name, strings.ToLower(name), teamID); err != nil {
			return takenName(err)
		}
		if err := setMembersTx(tx, teamID, members); err != nil {
			return err
		}
		if t, err = dir.TeamTx(tx, teamID); err != nil {
			return err
		}
		return record(tx, by, "team.changed", "team", teamID, map[string]any{
			"name_before": before.Name, "name": name, "members_before": memberIDs(before), "members": memberIDs(t)})
	})
	return t, err
}

// CloseTeam ends a team. What was given to it stays given to nobody in particular.
func (dir *Directory) CloseTeam(ctx context.Context, teamID string, by audit.Actor) (t Team, err error) {
	err = dir.db.Write(ctx, func(tx *db.Tx) error {
		if t, err = dir.TeamTx(tx, teamID); err != nil {
			return err
		}
		if _, err := tx.Exec(`UPDATE team SET closed_at = $1, version = version + 1
			WHERE id = $2`, tx.NowMs(), teamID); err != nil {
			return err
		}
		return record(tx, by, "team.closed", "team", teamID, map[string]any{"name": t.Name, "members": memberIDs(t)})
	})
	return t, err
}

func setMembersTx(tx *db.Tx, teamID string, members []string) error {
	if _, err := tx.Exec(`DELETE FROM team_member WHERE team_id = $1`, teamID); err != nil {
		return err
	}
	slices.Sort(members)
	for _, m := range slices.Compact(members) {
		if _, err := getTx(tx, m); err != nil {
			if errors.Is(err, sql.ErrNoRows) {
				return fault.Wrong("One of these people has no account.", "members", "Choose people from the list.")
			}
			return err
		}
		if _, err := tx.Exec(`INSERT INTO team_member (team_id, account_id) VALUES ($1, $2)`, teamID, m); err != nil {
			return err
		}
	}
	return nil
}

// teamsTx reads open teams with their members, in two statements.
func teamsTx(tx *db.Tx, where string, args ...any) (list []Team, err error) {
	at := map[string]int{}
	err = db.Each(tx, "account: list teams", func(row db.Row) error {
		var t Team
		if err := row.Scan(&t.ID, &t.Name, db.At(&t.CreatedAt), &t.Version); err != nil {
			return err
		}
		at[t.ID] = len(list)
		list = append(list, t)
		return nil
	}, `SELECT t.id, t.name, t.created_at, t.version FROM team t
		WHERE t.closed_at = 0`+where+` ORDER BY t.name_key`, args...)
	if err != nil {
		return nil, err
	}
	err = db.Each(tx, "account: list members", func(row db.Row) error {
		var team string
		var m Member
		var disabled int64
		if err := row.Scan(&team, &m.ID, &m.Name, &disabled); err != nil {
			return err
		}
		m.Disabled = disabled != 0
		list[at[team]].Members = append(list[at[team]].Members, m)
		return nil
	}, `SELECT m.team_id, a.id, a.name, a.disabled_at FROM team t JOIN team_member m ON m.team_id = t.id
		JOIN account a ON a.id = m.account_id
		WHERE t.closed_at = 0`+where+` ORDER BY lower(a.name), a.id`, args...)
	return list, err
}

func teamName(s string) (string, error) {
	s = strings.Join(strings.Fields(s), " ")
	if msg := checkName(s); msg != "" {
		return "", fault.Wrong("The team needs a different name.", "name",
			strings.Replace(msg, "know the person by", "call the team", 1))
	}
	return s, nil
}

func takenName(err error) error {
	if db.IsUnique(err) {
		f := fault.Wrap(fault.Conflict, err, "Another team already has this name. Choose a different one.")
		f.Fields = []fault.Field{{Name: "name", Msg: "Another team has this name."}}
		return f
	}
	return err
}

func memberIDs(t Team) []string {
	return lists.Map(t.Members, func(m Member) string { return m.ID })
}

// ListTx is everybody who may sign in and has the role in effect, by name.
func (dir *Directory) ListTx(tx *db.Tx, r Role) (list []Account, err error) {
	return db.List(tx, "account: list", scanAccount, `SELECT `+accountColumns+` FROM account a
		JOIN account_role r ON r.account_id = a.id
		WHERE a.disabled_at = 0 AND a.password_hash <> '' AND r.role = $1 AND r.counts_at <= $2
			ORDER BY lower(a.name), a.id`,
		string(r), tx.NowMs())
}
