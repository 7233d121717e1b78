package knowledge

import (
	"context"
	"strings"

	"preceptor/internal/pack"
	"preceptor/internal/platform/db"
	"preceptor/internal/platform/fault"
	"preceptor/internal/platform/id"
	"preceptor/internal/platform/text"
)

// Section is a section of guidance that a person writes here, as if it stood in an imported document.
type Section struct {
	CaseID  string // of the one that is edited; "" for a new one
	Version int    // that the person saw
	Title   string
	When    string // the questions that it answers, a line each
	Text    string
	AgentID string // "" shares it with all agents of the pack
	Pack    string
}

// writtenHere begins the origin of sections that no document has.
const writtenHere = "written#"

// Bounds of a section, in characters.
const (
	maxSectionTitle = 200
	maxSectionWhen  = 2000
	maxSectionText  = 20000
)

// Written reports whether a case is a section that a person wrote here, which can be edited here.
func (c Case) Written() bool {
	return c.Source == FromDocument && strings.HasPrefix(c.Origin, writtenHere)
}

// Rewritable reports whether a case is a text that people released, which a section for everybody can be made of.
func (c Case) Rewritable() bool {
	return c.Source == FromReview && c.Status == Active && c.Guidance != ""
}

// WriteSection brings a section into use. It refuses what is empty, what names a customer, figures that the dated facts
// contradict, and what the compliance check finds fault with. then follows in the transaction.
func (b *Base) WriteSection(ctx context.Context, s Section, by Person, then func(tx *db.Tx) error) (c Case, err error) {
	if err := by.May("write guidance"); err != nil {
		return c, err
	}
	var old *Case
	if s.CaseID != "" {
		if old, err = b.Case(ctx, s.CaseID); err != nil {
			return c, err
		}
		if err := s.stillHolds(old); err != nil {
			return c, err
		}
		if s.AgentID, s.Pack = old.AgentID, old.Pack; old.Pack == "" {
			if s.Pack, err = b.PackOf(ctx, old.AgentID); err != nil {
				return c, err
			}
		}
	}
	if err := pack.CheckName(s.Pack); err != nil {
		return c, err
	}
	if wrong := b.checkSection(&s); len(wrong) > 0 {
		return c, fault.WithFields("This section can't be saved yet.", wrong...)
	}
	c = Case{Source: FromDocument, Origin: writtenHere + id.New(), AgentID: s.AgentID, Approved: true, By: by.Actor(),
		Reason: "Written here.",
		Task:   sectionTask(pack.Of(s.Pack), s.Title, s.Title, s.Text)}
	c.CaseText = CaseText{Title: s.Title, Heading: s.Title, Situation: s.When, Guidance: s.Text,
		Outcome: "Guidance written by " + by.Name}
	if s.AgentID == "" {
		c.Pack = pack.Of(s.Pack).Name
	}
	if old != nil {
		c.Origin, c.Reason = old.Origin, "Edited here."
	}
	if err := b.PrepareCase(ctx, &c); err != nil {
		return c, err
	}
	return db.Write(ctx, b.db, func(tx *db.Tx) (Case, error) {
		if old != nil {
			now, err := b.CaseTx(tx, old.ID)
			if err != nil {
				return c, err
			}
			if err := s.stillHolds(now); err != nil {
				return c, err
			}
		}
		stored, err := b.AddCaseTx(tx, c)
		if err != nil {
			return stored, err
		}
		tx.Touch("knowledge")
		return stored, then(tx)
	})
}

// stillHolds refuses an edit of what isn't in use any more as the person saw it.
func (s Section) stillHolds(c *Case) error {
	if !c.Written() || c.Status != Active || c.Version != s.Version {
		return fault.New(fault.Conflict, "The section was changed or retired meanwhile. Open it again.")
	}
	return nil
}

// checkSection tidies a section and says what is wrong with it.
func (b *Base) checkSection(s *Section) (wrong []fault.Field) {
	for _, f := range []struct {
		name, none string
		text       *string
		most       int
	}{
		{"title", "Give it a title.", &s.Title, maxSectionTitle},
		{"when", "Say which question it answers.", &s.When, maxSectionWhen},
		{"text", "Write the guidance.", &s.Text, maxSectionText},
	} {
		add := func(msg string) { wrong = append(wrong, fault.Field{Name: f.name, Msg: msg}) }
		*f.text = text.Typed(*f.text)
		if *f.text == "" {
			add(f.none)
		} else if long := text.TooLong(*f.text, f.most); long != "" {
			add(long)
		}
		if words := b.personal(*f.text, nil); len(words) > 0 {
			add("Remove what is about one person, or make it general: “" + strings.Join(words, "”, “") + "”.")
		}
	}
	if pack.Of(s.Pack).Checks {
		for _, f := range factFlags(s.Title+"\n"+s.Text, b.db.Now()) {
			wrong = append(wrong, fault.Field{Name: "text", Msg: "“" + f.Quote + "”: " + f.Why})
		}
	}
	if why := b.compliant(s.Pack, s.Text); why != "" {
		wrong = append(wrong, fault.Field{Name: "text", Msg: "It would not pass the compliance check: " + why})
	}
	return wrong
}
