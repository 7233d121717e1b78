package evidence

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"

	"preceptor/internal/audit"
)

// maxLinks bounds how many rows of other matters a pack shows to join its own: about 2 MB.
const maxLinks = 10_000

// proof shows that the rows of a pack and its seal are of one chain.
type proof struct {
	Stretches []stretch      `json:"stretches"` // oldest first; what lies between two is not shown
	Seal      audit.Exported `json:"seal"`      // the last row of the last stretch, whole
}

// stretch is a run of the chain: the row before it, and the links that follow.
type stretch struct {
	After audit.Head `json:"after"`
	Links []link     `json:"links"`
}

// link is a row without its number, which follows from the one before, and without its hash, which is computed. As JSON
// it is a list: time, actor kind, actor, action, object kind, object, content hash.
type link struct{ audit.Link }

// MarshalJSON writes the list.
func (l link) MarshalJSON() ([]byte, error) {
	return json.Marshal([]any{l.At, l.ActorKind, l.ActorID, l.Action, l.ObjectKind, l.ObjectID, l.ContentHash})
}

var errLink = errors.New("a link is a time and six texts")

// UnmarshalJSON reads the list.
func (l *link) UnmarshalJSON(b []byte) error {
	var list []json.RawMessage
	if err := json.Unmarshal(b, &list); err != nil || len(list) != 7 {
		return errLink
	}
	for i, into := range []any{&l.At, &l.ActorKind, &l.ActorID, &l.Action, &l.ObjectKind, &l.ObjectID, &l.ContentHash} {
		if err := json.Unmarshal(list[i], into); err != nil {
			return errLink
		}
	}
	return nil
}

// run is a stretch by its numbers.
type run struct{ first, last int64 }

// runs joins the rows that must be shown by filling the gaps between them, the shortest first, with at most most rows.
func runs(must []int64, most int64) []run {
	must = slices.Clone(must)
	slices.Sort(must)
	must = slices.Compact(must)
	type gap struct {
		after int // index into must
		size  int64
	}
	var gaps []gap
	for i := 1; i < len(must); i++ {
		gaps = append(gaps, gap{i - 1, must[i] - must[i-1] - 1})
	}
	slices.SortStableFunc(gaps, func(a, b gap) int { return int(min(max(a.size-b.size, -1), 1)) })
	filled := map[int]bool{}
	for _, g := range gaps {
		if g.size > most {
			break
		}
		most -= g.size
		filled[g.after] = true
	}
	var out []run
	for i, seq := range must {
		if i > 0 && filled[i-1] {
			out[len(out)-1].last = seq
			continue
		}
		out = append(out, run{seq, seq})
	}
	return out
}

// prove is the proof as JSON.
func (m *Maker) prove(ctx context.Context, man Manifest, sealed audit.Exported) ([]byte, error) {
	must := []int64{sealed.Seq}
	if man.Head.Seq > 0 {
		must = append(must, man.Head.Seq)
	}
	for _, r := range man.Rows {
		must = append(must, r.Seq)
	}
	p := proof{Seal: sealed}
	for _, r := range runs(must, m.most) {
		before, list, err := audit.Links(ctx, m.db, r.first, r.last)
		if err != nil {
			return nil, err
		}
		if int64(len(list)) != r.last-r.first+1 {
			return nil, fmt.Errorf("evidence: the log has %d rows from %d to %d: it is not whole", len(list), r.first,
				r.last)
		}
		s := stretch{After: audit.Head{Seq: r.first - 1, Hash: before}}
		for _, l := range list {
			s.Links = append(s.Links, link{l})
		}
		p.Stretches = append(p.Stretches, s)
	}
	b, err := json.Marshal(p)
	if err != nil {
		return nil, fmt.Errorf("evidence: write the proof: %w", err)
	}
	return b, nil
}
