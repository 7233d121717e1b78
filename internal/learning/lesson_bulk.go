package learning

import (
	"context"

	"preceptor/internal/audit"
	"preceptor/internal/knowledge"
	"preceptor/internal/platform/db"
	"preceptor/internal/platform/fault"
)

// MostAtOnce is how many lessons one act settles at most.
const MostAtOnce = 50

// Seen is a lesson as it was on the screen.
type Seen struct {
	ID      string
	Version int
}

// Left is a lesson that an act on many left as it was, and why.
type Left struct {
	Lesson
	Why string
}

// Bulk is what came of an act on many lessons. Each is an act of its own: what changed meanwhile is left and holds
// nothing up.
type Bulk struct {
	Done int
	Left []Left
}

// RejectMany keeps the rules of several lessons out, for one reason.
func (p *Pipeline) RejectMany(ctx context.Context, seen []Seen, reason string, by knowledge.Person) (Bulk, error) {
	return p.many(ctx, seen, by, "lessons.rejected", func(s Seen) error {
		return p.Reject(ctx, s.ID, reason, s.Version, by)
	})
}

// RetryMany tries again what failed of several lessons.
func (p *Pipeline) RetryMany(ctx context.Context, seen []Seen, by knowledge.Person) (Bulk, error) {
	return p.many(ctx, seen, by, "lessons.retried", func(s Seen) error {
		l, err := p.brief(ctx, s.ID)
		if err != nil {
			return err
		}
		if l.Version != s.Version {
			return changedLesson()
		}
		return p.Retry(ctx, s.ID, by)
	})
}

// AcceptMany lets the rules of several lessons in, as they stand. It takes only what one may accept by reading the
// sentence: see Lesson.WhyAlone.
func (p *Pipeline) AcceptMany(ctx context.Context, seen []Seen, by knowledge.Person) (Bulk, error) {
	return p.many(ctx, seen, by, "lessons.accepted", func(s Seen) error {
		l, err := p.brief(ctx, s.ID)
		if err != nil {
			return err
		}
		if err := acceptable(l, s.Version); err != nil {
			return err
		}
		if why := l.WhyAlone(); why != "" {
			return fault.New(fault.Conflict, "%s", why)
		}
		// holds the version again, so what was looked at here still stands
		_, err = p.Accept(ctx, s.ID, nil, s.Version, by)
		return err
	})
}

// WhyAlone says why a lesson's rule must be accepted on its own page and not among others; "" when it need not.
func (l Lesson) WhyAlone() string {
	switch {
	case l.Stage != StageAccept || l.State != Waiting:
		return "It isn't waiting to be accepted."
	case l.Domain == RegulatoryCompliance:
		return "Rules on regulatory compliance have to be accepted on their own page."
	case l.Guessed:
		return "This rule is a guess that nobody stated. Read it on its own page."
	case l.Statement.Empty():
		return "It was written before rules had a set form. State it on its own page."
	}
	return ""
}

// Pick reads several lessons in the order asked for, for a page that shows what an act on them would do. Those that are
// not there any more are left out.
func (p *Pipeline) Pick(ctx context.Context, seen []Seen) (list []Lesson, err error) {
	if err := atMost(seen); err != nil {
		return nil, err
	}
	for _, s := range seen {
		l, err := p.brief(ctx, s.ID)
		if fault.Is(err, fault.NotFound) {
			continue
		}
		if err != nil {
			return nil, err
		}
		list = append(list, l)
	}
	return list, nil
}

func (p *Pipeline) brief(ctx context.Context, lessonID string) (Lesson, error) {
	return db.Read(ctx, p.d, func(tx *db.Tx) (Lesson, error) { return lessonTx(tx, lessonID) })
}

func atMost(seen []Seen) error {
	switch {
	case len(seen) == 0:
		return fault.Wrong("Select the lessons first.", "lesson", "Nothing is selected.")
	case len(seen) > MostAtOnce:
		return fault.Wrong("Too many at once.", "lesson", "Select at most 50.")
	}
	return nil
}

// many does one act on lessons one after another. What is wrong with the act itself ends it; what is wrong with one
// lesson leaves that lesson. One more audit row tells that they were settled together.
func (p *Pipeline) many(ctx context.Context, seen []Seen, by knowledge.Person, action string,
	act func(Seen) error) (b Bulk, err error) {
	if err := by.May("resolve lessons"); err != nil {
		return b, err
	}
	if err := atMost(seen); err != nil {
		return b, err
	}
	var done []string
	for _, s := range seen {
		err := act(s)
		switch {
		case err == nil:
			b.Done++
			done = append(done, s.ID)
		case fault.Is(err, fault.Conflict), fault.Is(err, fault.NotFound):
			l, rerr := p.brief(ctx, s.ID)
			if rerr != nil {
				l = Lesson{ID: s.ID}
			}
			b.Left = append(b.Left, Left{Lesson: l, Why: fault.Message(err)})
		default:
			return b, err
		}
	}
	if len(done) == 0 {
		return b, nil
	}
	return b, p.d.Write(ctx, func(tx *db.Tx) error {
		return audit.Note(tx, by.Actor(), action, "lesson", done[0], map[string]any{"lessons": done})
	})
}
