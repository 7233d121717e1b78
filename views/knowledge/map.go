package knowledge

import (
	"cmp"
	"fmt"
	"math"
	"net/url"
	"slices"
	"strconv"
	"time"

	"preceptor/internal/knowledge/atlas"
	"preceptor/internal/pack"
)

// Map is the map of cases.
type Map struct {
	*atlas.Map
	Now time.Time
}

// marks are how many tasks have a mark of their own; the others share the last.
const marks = 8

// cluster is the cases of one task, or of all that share a mark.
type cluster struct {
	Mark    int
	Task    string
	N       int
	Typical []atlas.Point // nearest to the middle
	x, y    float64
}

func (c cluster) label() string { return pack.Label(c.Task) }

func (c cluster) href() string {
	return "/knowledge?kind=cases&task=" + url.QueryEscape(c.Task)
}

// clusters are the tasks, those with most cases first.
func (v Map) clusters() []cluster {
	at := map[string]int{}
	var out []cluster
	for _, p := range v.Points {
		i, ok := at[p.Task]
		if !ok {
			i = len(out)
			at[p.Task] = i
			out = append(out, cluster{Task: p.Task})
		}
		out[i].N++
		out[i].x += p.X
		out[i].y += p.Y
	}
	slices.SortStableFunc(out, func(a, b cluster) int { return cmp.Or(cmp.Compare(b.N, a.N), cmp.Compare(a.Task, b.Task)) })
	for i := range out {
		out[i].Mark = min(i, marks-1)
		out[i].Typical = v.typical(out[i])
	}
	return out
}

// typical are the three cases of a task that lie nearest to its middle.
func (v Map) typical(c cluster) []atlas.Point {
	x, y := c.x/float64(c.N), c.y/float64(c.N)
	var own []atlas.Point
	for _, p := range v.Points {
		if p.Task == c.Task {
			own = append(own, p)
		}
	}
	slices.SortStableFunc(own, func(a, b atlas.Point) int {
		return cmp.Compare(math.Hypot(a.X-x, a.Y-y), math.Hypot(b.X-x, b.Y-y))
	})
	return own[:min(3, len(own))]
}

// markOf finds the mark of each task.
func markOf(list []cluster) map[string]int {
	out := map[string]int{}
	for _, c := range list {
		out[c.Task] = c.Mark
	}
	return out
}

// shapes are the marks' outlines around 0,0: none differs by colour alone.
var shapes = [marks]string{
	"M0-5A5 5 0 1 0 0 5A5 5 0 1 0 0-5Z", // disc
	"M-4.5-4.5H4.5V4.5H-4.5Z",           // square
	"M0-5.5L5.5 4.5H-5.5Z",              // triangle
	"M0-6L6 0L0 6L-6 0Z",                // diamond
	"M-2-6H2V-2H6V2H2V6H-2V2H-6V-2H-2Z", // cross
	"M0 5.5L-5.5-4.5H5.5Z",              // triangle on its tip
	"M-6-2.5H6V2.5H-6Z",                 // bar
	"M0-5A5 5 0 1 0 0 5A5 5 0 1 0 0-5M0-2.5A2.5 2.5 0 1 1 0 2.5A2.5 2.5 0 1 1 0-2.5Z", // ring
}

func markID(i int) string { return "mark-" + strconv.Itoa(i) }

func place(v float64, shift float64) string {
	return strconv.FormatFloat(shift+mapEdge+v*mapInner, 'f', 1, 64)
}

func pointTitle(p atlas.Point) string {
	if p.Title == "" {
		return p.Label
	}
	return p.Label + ": " + p.Title
}

// summary says in a sentence what the map shows.
func (v Map) summary(list []cluster) string {
	s := fmt.Sprintf("%d cases from %d tasks, one point each. Points close together have similar meanings.", len(v.Points), len(list))
	switch {
	case v.Cases > len(v.Points) && v.Cases <= atlas.MostPoints:
		s = fmt.Sprintf("%d of %d cases, from %d tasks, one point each; warnings have none. Points close together have similar meanings.", len(v.Points), v.Cases, len(list))
	case v.Cases > len(v.Points):
		s = fmt.Sprintf("%d of %d cases, sampled evenly, from %d tasks. Points close together have similar meanings.", len(v.Points), v.Cases, len(list))
	}
	return s + fmt.Sprintf(" The map shows %d%% of the differences between cases, so neighbours may still differ.", int(v.Shown*100+.5))
}
