package checklist

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"preceptor/internal/compliance"
	"preceptor/internal/dataset/version"
	"preceptor/internal/interaction"
	"preceptor/internal/platform/db"
	"preceptor/internal/platform/fault"
)

// Kinds of what a check is tried on.
const (
	Gold = "gold" // a frozen version of a gold set
	Desk = "desk" // the newest drafts that people decided on
)

// Bounds of a trial.
const (
	maxTexts        = 5000 // of one's own check, evenly over the source
	maxShippedTexts = 1000 // a shipped check reads the whole text
	maxReviewed     = 300
	maxLooked       = 1500 // drafts that are looked through for those
	deskPage        = 100
)

// Source is something that a check can be tried on.
type Source struct {
	Kind  string // Gold or Desk
	ID    string // of Gold: the dataset version
	Name  string // as people read it
	Items int    // of Gold
}

// Value is the source as a form sends it.
func (s Source) Value() string { return strings.TrimSuffix(s.Kind+":"+s.ID, ":") }

// Sources are what a check can be tried on now: the newest two versions of every gold set, those of the most items
// first, then the desk.
func (s *Store) Sources(ctx context.Context) (list []Source, err error) {
	sets, err := s.sets.List(ctx)
	if err != nil {
		return nil, err
	}
	for _, set := range sets {
		versions, err := s.versions.List(ctx, set.ID)
		if err != nil {
			return nil, err
		}
		for i := range min(2, len(versions)) {
			list = append(list, goldSource(&versions[i]))
		}
	}
	slices.SortStableFunc(list, func(a, b Source) int { return b.Items - a.Items })
	return append(list, deskSource), nil
}

var deskSource = Source{Kind: Desk, Name: fmt.Sprintf("the newest %d drafts that people decided on", maxReviewed)}

func goldSource(v *version.Version) Source {
	return Source{Kind: Gold, ID: v.ID, Name: fmt.Sprintf("%s, version %d", v.Head.Dataset, v.Number), Items: v.Items}
}

// source finds what a form named.
func (s *Store) source(ctx context.Context, value string) (Source, error) {
	kind, versionID, _ := strings.Cut(value, ":")
	switch kind {
	case Desk:
		return deskSource, nil
	case Gold:
		v, err := s.versions.ByID(ctx, versionID)
		if err != nil {
			return Source{}, err
		}
		return goldSource(v), nil
	}
	return Source{}, fault.Wrong("Choose what to try it on.", "source", "Choose what to try it on.")
}

// How a text was judged, beside the labels of gold sets.
const (
	Approved = "approved as it was"
	Revised  = "revised"
	Rejected = "rejected"
)

// Sample is a text that was judged before.
type Sample struct {
	Ref          string // of Gold, its number in the version; of Desk, the interaction
	Text         string
	Consultation interaction.Consultation
	Label        string // of the gold set, or Approved ...
	Codes        []string
}

// each hands samples to f, evenly over the source and at most n of them; of is how many the source has.
func (s *Store) each(ctx context.Context, src Source, n int, f func(*Sample) error) (of int, err error) {
	if src.Kind == Desk {
		return s.eachDecided(ctx, f)
	}
	step := max(1, (src.Items+n-1)/n)
	return src.Items, s.versions.Each(ctx, src.ID, "", func(r *version.Row) error {
		if r.Erased || (r.N-1)%step != 0 {
			return nil
		}
		return f(sampleOf(r))
	})
}

func sampleOf(r *version.Row) *Sample {
	sample := &Sample{Ref: strconv.Itoa(r.N), Text: r.Guidance, Label: r.Label, Codes: r.Answer.Codes()}
	sample.Consultation.Question = r.Question
	if len(r.Customer) > 0 && json.Unmarshal(r.Customer, &sample.Consultation.Customer) != nil {
		var free map[string]any
		if json.Unmarshal(r.Customer, &free) == nil { // sets take customers of any shape
			sample.Consultation.Customer = interaction.Customer{Extra: free}
		}
	}
	return sample
}

// eachDecided hands out the newest drafts that people decided on. Planted checks are no drafts.
func (s *Store) eachDecided(ctx context.Context, f func(*Sample) error) (n int, err error) {
	filter := interaction.Filter{Limit: deskPage}
	for looked := 0; looked < maxLooked; {
		page, err := s.interactions.List(ctx, filter)
		if err != nil {
			return n, err
		}
		for i := range page.Items {
			in := &page.Items[i]
			if in.Planted || in.Guidance == "" {
				continue
			}
			looked++
			how, err := s.hooks.Decided(ctx, in.ID)
			if err != nil {
				return n, err
			}
			label := map[string]string{"approve": Approved, "revise": Revised, "reject": Rejected,
				"return": Rejected}[how]
			if label == "" {
				continue
			}
			n++
			if err := f(&Sample{Ref: in.ID, Text: in.Guidance, Consultation: in.Consultation,
				Label: label}); err != nil || n == maxReviewed {
				return n, err
			}
		}
		if filter.Cursor = page.Next; filter.Cursor == "" {
			break
		}
	}
	return n, nil
}

// Texts are the samples that a trial points at, by Sample.Ref. Those that were erased since are left out.
func (s *Store) Texts(ctx context.Context, t *Trial) (map[string]*Sample, error) {
	out := map[string]*Sample{}
	err := s.db.Read(ctx, func(tx *db.Tx) error {
		for _, h := range t.Hits {
			if t.Source.Kind == Desk {
				in, err := s.interactions.GetTx(tx, h.Ref)
				if err == nil {
					out[h.Ref] = &Sample{Ref: h.Ref, Text: in.Guidance, Consultation: in.Consultation, Label: h.Label}
				} else if !fault.Is(err, fault.NotFound) {
					return err
				}
				continue
			}
			n, err := strconv.Atoi(h.Ref)
			if err != nil {
				return fmt.Errorf("checklist: read a trial: %w", err)
			}
			rows, err := version.Rows(tx, t.Source.ID, "", n-1, 1)
			if err != nil {
				return err
			}
			if len(rows) == 1 && rows[0].N == n && !rows[0].Erased {
				out[h.Ref] = sampleOf(rows[0])
			}
		}
		return nil
	})
	return out, err
}

// Counted is in how many of the newest drafts each check found something when they came in, by check, and over how many
// that is. Of several own checks with one code, each has its own explanation, by which it is told.
func Counted(list []Check, recent []compliance.Recorded) (hits map[string]int, of int) {
	type key struct{ code, why string }
	own := map[key]string{}
	for _, c := range list {
		if c.InForce != nil {
			own[key{c.InForce.Code, c.InForce.Why}] = c.ID
		}
	}
	hits = map[string]int{}
	for _, r := range recent {
		found := map[string]bool{}
		for _, i := range r.Issues {
			if i.By != "" {
				continue // the judges named it, and no check
			}
			checkID := i.Code
			if mine, ok := own[key{i.Code, i.Why}]; ok {
				checkID = mine
			}
			found[checkID] = true
		}
		for checkID := range found {
			hits[checkID]++
		}
	}
	return hits, len(recent)
}
