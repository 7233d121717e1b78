package knowledge_test

import (
	"context"
	"testing"

	"preceptor/internal/knowledge"
	"preceptor/internal/llm/embedded"
	"preceptor/internal/platform/db"
	"preceptor/internal/platform/fault"
)

// interrupted is an embedder during whose work something else happens once.
type interrupted struct {
	*embedded.Embedder
	meanwhile func()
}

func (e *interrupted) Embed(ctx context.Context, texts []string) ([][]float32, error) {
	if f := e.meanwhile; f != nil {
		e.meanwhile = nil
		f()
	}
	return e.Embedder.Embed(ctx, texts)
}

// Of two people who edit a section at the same time the second is told, and a section that was retired meanwhile stays
// retired.
func TestAnEditOfASectionThatChangedMeanwhileIsRefused(t *testing.T) {
	b := setUp(t, knowledge.Options{})
	e := &interrupted{Embedder: embedded.New()}
	base := knowledge.New(b.d, b.index, e, knowledge.Options{})
	edie := knowledge.Person{ID: "p", Name: "Edie", Roles: []string{"expert"}}
	then := func(*db.Tx) error { return nil }
	write := func(s knowledge.Section, text string) (knowledge.Case, error) {
		s.Text = text
		return base.WriteSection(t.Context(), s, edie, then)
	}
	for name, c := range map[string]struct {
		meanwhile    func(s knowledge.Section) error
		text, status string
	}{
		"edited": {func(s knowledge.Section) error {
			_, err := write(s, "The shop opens at nine.")
			return err
		}, "The shop opens at nine.", knowledge.Active},
		"retired": {func(s knowledge.Section) error {
			return b.d.Write(t.Context(), func(tx *db.Tx) error {
				return base.RetireCaseTx(tx, s.CaseID, knowledge.Change{By: by, Reason: "old"})
			})
		}, "The shop opens at eight.", knowledge.Retired},
	} {
		s := knowledge.Section{Title: "Hours", When: "When are you open?", Pack: "general"}
		first, err := write(s, "The shop opens at eight.")
		if err != nil {
			t.Fatal(err)
		}
		s.CaseID, s.Version = first.ID, first.Version
		e.meanwhile = func() {
			if err := c.meanwhile(s); err != nil {
				t.Error(err)
			}
		}
		if _, err := write(s, "The shop opens at ten."); !fault.Is(err, fault.Conflict) {
			t.Errorf("%s meanwhile: %v", name, err)
		}
		now, err := base.Case(t.Context(), first.ID)
		if err != nil || now.Guidance != c.text || now.Status != c.status || now.Version != 2 {
			t.Errorf("%s meanwhile: %+v %v", name, now, err)
		}
	}
}
