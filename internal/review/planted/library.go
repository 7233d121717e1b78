package planted

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"preceptor/internal/audit"
	"preceptor/internal/interaction"
	"preceptor/internal/pack"
	"preceptor/internal/platform/db"
	"preceptor/internal/platform/fault"
	"preceptor/internal/platform/id"
	"preceptor/internal/platform/text"
)

// Sync brings the library that comes with the program into the database: new drafts are added, changed ones get their
// new version, and what was retired stays retired. It writes nothing when nothing changed.
func (s *Store) Sync(ctx context.Context) error {
	ours, err := library()
	if err != nil {
		return err
	}
	have := map[string]int{}
	err = s.db.Read(ctx, func(tx *db.Tx) error {
		stored, err := readDrafts(tx, `WHERE builtin = 1`)
		for _, d := range stored {
			have[d.ID] = d.Version
		}
		return err
	})
	if err != nil {
		return err
	}
	ours = slices.DeleteFunc(ours, func(d Draft) bool { return have[d.ID] >= d.Version })
	if len(ours) == 0 {
		return nil
	}
	return s.db.Write(ctx, func(tx *db.Tx) error {
		for _, d := range ours {
			if err := put(tx, d, audit.Actor{}); err != nil {
				return err
			}
		}
		return nil
	})
}

// put writes a draft, new or changed.
func put(tx *db.Tx, d Draft, by audit.Actor) error {
	return db.Exec(tx, fmt.Sprintf("planted: write draft %s", d.ID), `INSERT INTO planted_draft (id, builtin, version,
			task, problem, expected, title, what, question, customer, guidance, reasoning, absent, present,
			created_at, by_id, by_name)
		VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17)
		ON CONFLICT (id) DO UPDATE SET version = excluded.version, task = excluded.task, problem = excluded.problem,
			expected = excluded.expected,
			title = excluded.title, what = excluded.what, question = excluded.question, customer = excluded.customer,
				guidance = excluded.guidance,
			reasoning = excluded.reasoning, absent = excluded.absent, present = excluded.present,
				by_id = excluded.by_id, by_name = excluded.by_name`,
		d.ID, d.Builtin, d.Version, d.Task, d.Problem, d.Expected, d.Title, d.What, d.Question, written(d.Customer),
		d.Guidance, d.Reasoning,
		written(d.Absent), written(d.Present), tx.NowMs(), by.ID, by.Name)
}

// Library lists all drafts: in use first, then by task and title. It is small.
func (s *Store) Library(ctx context.Context) ([]Draft, error) {
	return db.Read(ctx, s.db, func(tx *db.Tx) ([]Draft, error) {
		return readDrafts(tx, `ORDER BY retired, builtin, task, title, id`)
	})
}

// Draft reads one; NotFound when there is none.
func (s *Store) Draft(ctx context.Context, draftID string) (Draft, error) {
	return db.Read(ctx, s.db, func(tx *db.Tx) (Draft, error) { return draftTx(tx, draftID) })
}

func draftTx(tx *db.Tx, draftID string) (Draft, error) {
	found, err := readDrafts(tx, `WHERE id = $1`, draftID)
	if err != nil {
		return Draft{}, err
	}
	if len(found) == 0 {
		return Draft{}, fault.New(fault.NotFound, "There is no such draft in the library.")
	}
	return found[0], nil
}

// Add puts a draft of one's own into the library.
func (s *Store) Add(ctx context.Context, d Draft, by audit.Actor) (string, error) {
	d.ID, d.Builtin, d.Version = id.New(), false, 1
	if err := d.check(); err != nil {
		return "", err
	}
	return d.ID, s.db.Write(ctx, func(tx *db.Tx) error {
		if err := put(tx, d, by); err != nil {
			return err
		}
		return recordChange(tx, by, "planted.draft_added", d)
	})
}

// Change replaces the text of a draft of one's own. d carries the version that was on the screen. What was planted
// already keeps what it was.
func (s *Store) Change(ctx context.Context, d Draft, by audit.Actor) error {
	if err := d.check(); err != nil {
		return err
	}
	return s.db.Write(ctx, func(tx *db.Tx) error {
		now, err := draftTx(tx, d.ID)
		switch {
		case err != nil:
			return err
		case now.Builtin:
			return fault.New(fault.Denied, "This draft is built in and can't be changed. Retire it and write your own.")
		case now.Version != d.Version:
			return fault.New(fault.Conflict,
				"Someone has changed this draft since you opened it. Nothing was saved. Reload to see the latest "+
					"version.")
		}
		d.Version++
		if err := put(tx, d, by); err != nil {
			return err
		}
		return recordChange(tx, by, "planted.draft_changed", d)
	})
}

// Retire keeps a draft from being mixed in from now on, or brings it back. What is on the desk stays there.
func (s *Store) Retire(ctx context.Context, draftID string, retired bool, by audit.Actor) error {
	return s.db.Write(ctx, func(tx *db.Tx) error {
		d, err := draftTx(tx, draftID)
		if err != nil || d.Retired == retired {
			return err
		}
		if err := db.Exec(tx, "planted: retire "+draftID, `UPDATE planted_draft SET retired = $1
			WHERE id = $2`, retired, draftID); err != nil {
			return err
		}
		act := "planted.draft_restored"
		if retired {
			act = "planted.draft_retired"
		}
		return recordChange(tx, by, act, d)
	})
}

func recordChange(tx *db.Tx, by audit.Actor, act string, d Draft) error {
	return audit.Note(tx, by, act, "planted_draft", d.ID,
		map[string]any{"title": d.Title, "version": d.Version, "problem": d.Problem})
}

// check lists what is wrong with a draft of one's own. The names are those of the form.
func (d *Draft) check() error {
	var wrong []fault.Field
	add := func(name, msg string) { wrong = append(wrong, fault.Field{Name: name, Msg: msg}) }
	for _, f := range []struct {
		name, msg string
		text      *string
		most      int
	}{
		{"title", "Give it a title.", &d.Title, 200},
		{"what", "Say what is wrong with it. It is shown afterwards.", &d.What, 2_000},
		{"question", "Enter the customer's question.", &d.Question, interaction.MaxQuestion},
		{"guidance", "Enter the bad draft.", &d.Guidance, 20_000},
	} {
		*f.text = text.Typed(*f.text)
		switch {
		case *f.text == "":
			add(f.name, f.msg)
		case len(*f.text) > f.most:
			add(f.name, text.TooBig(*f.text, f.most))
		}
	}
	if d.Customer.Pack != "" && pack.CheckName(d.Customer.Pack) != nil {
		add("pack", "Choose a domain.")
	}
	if pack.ReasonOf(d.Problem).Code == "" {
		add("problem", "Choose what is wrong.")
	}
	if !slices.Contains([]string{Revise, Reject, Return}, d.Expected) {
		add("expected", "Choose what a supervisor should do.")
	}
	if d.Task = interaction.TaskForm(d.Task); d.Task == "" {
		add("task", "Choose a task.")
	}
	wrong = append(wrong, d.checkMade()...)
	if len(wrong) == 0 {
		return nil
	}
	return fault.Unready(wrong)
}

// checkMade fills the draft once: no variable may be left over, and the problem has to be in the draft itself.
func (d *Draft) checkMade() (wrong []fault.Field) {
	m := d.fill(source(d.ID), true)
	for name, text := range map[string]string{"question": m.consultation.Question, "guidance": m.guidance,
		"reasoning": m.reasoning,
		"absent":    strings.Join(m.absent, " "), "present": strings.Join(m.present, " ")} {
		if v := braces.FindString(text); variable.MatchString(v) {
			wrong = append(wrong,
				fault.Field{Name: name, Msg: "The customer has no value for " + v + ". Give one, or remove it."})
		} else if v != "" {
			wrong = append(wrong,
				fault.Field{Name: name, Msg: "Nothing fills in " + v +
					". Use {age}, {dc} or {db}, or remove the braces."})
		}
	}
	for _, f := range m.consultation.Customer.Check() {
		wrong = append(wrong, fault.Field{Name: "customer", Msg: f.Msg})
	}
	if len(m.absent)+len(m.present) == 0 {
		return wrong
	}
	if ok, err := gone(m.guidance, m.absent, m.present); err != nil {
		wrong = append(wrong, fault.Field{Name: "absent", Msg: "A phrase isn't valid."})
	} else if ok {
		wrong = append(wrong,
			fault.Field{Name: "absent",
				Msg: "With these phrases the draft has no problem. Enter words in the draft that must go, or words " +
					"it lacks."})
	}
	return wrong
}

const draftColumns = `SELECT id, builtin, version, task, problem, expected, title, what, question, customer, guidance,
	reasoning, absent, present, retired, used, used_at,
	created_at, by_name FROM planted_draft `

func readDrafts(tx *db.Tx, where string, args ...any) ([]Draft, error) {
	return db.Rows(tx, "planted: read the library", func(d *Draft) []any {
		return []any{&d.ID, &d.Builtin, &d.Version, &d.Task, &d.Problem, &d.Expected, &d.Title, &d.What, &d.Question,
			db.JSON(&d.Customer), &d.Guidance, &d.Reasoning,
			db.JSON(&d.Absent), db.JSON(&d.Present), &d.Retired, &d.Used, db.At(&d.UsedAt), db.At(&d.CreatedAt),
			&d.ByName}
	}, draftColumns+where, args...)
}
