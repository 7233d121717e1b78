package stats

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"preceptor/internal/platform/db"
	"preceptor/internal/stats/counter"
)

// Compliance reads the page of verdicts and rulings. A team narrows nothing: verdicts are on drafts.
func (r *Reader) Compliance(ctx context.Context, f Filter) (p CompliancePage, err error) {
	f = r.zoned(f)
	p.Filter = f
	err = r.read(ctx, func(tx *db.Tx) error {
		s, err := scopeOf(tx, f, false)
		if err != nil {
			return err
		}
		var opened, ruled []string
		for _, c := range counter.Causes {
			opened = append(opened, counter.Borderline+c)
		}
		for _, l := range counter.Labels {
			ruled = append(ruled, counter.Ruling+l)
		}
		days, err := s.read(tx,
			slices.Concat(opened, ruled, []string{counter.Draft, counter.Missed, counter.Otherwise,
				counter.FalseAlarm, counter.Panel})...)
		if err != nil {
			return err
		}
		p.figures(f, days, opened, ruled)
		if p.Open, err = waitingCases(tx, s, f); err != nil {
			return err
		}
		if p.Judges, err = judges(tx, s, f); err != nil {
			return err
		}
		rate := func(m map[string]sums) (Figure, int) {
			return m[counter.Draft].share("compliance"), int(m[counter.Draft].n)
		}
		if p.Agents, err = s.slices(tx, f, byAgent, rate, counter.Draft); err != nil {
			return err
		}
		p.Tasks, err = s.slices(tx, f, byTopic, rate, counter.Draft)
		return err
	})
	return p, err
}

func (p *CompliancePage) figures(f Filter, days sheet, opened, ruled []string) {
	rate, panel, asked := days.part("compliance", counter.Draft), days.part(counter.Panel, counter.Panel),
		days.count("borderline", opened...)
	p.Drafts, p.Rate, p.Series = f.with(days.count("drafts", counter.Draft)), f.with(rate),
		f.series("compliance", "", Ratio, rate)
	p.Missed, p.FalseAlarms = f.with(days.part(counter.Missed, counter.Missed)),
		f.with(days.part(counter.FalseAlarm, counter.FalseAlarm))
	p.Otherwise = f.with(days.count(counter.Otherwise, counter.Otherwise))
	p.Borderline, p.Volume = f.with(asked), f.series("borderline", "", Count, asked)
	p.Rulings = f.with(days.count("rulings", ruled...))
	p.Panel, p.PanelSeries = f.with(panel), f.series(counter.Panel, "", Ratio, panel)
	for _, list := range []struct {
		into     *[]Slice
		measures []string
	}{{&p.Causes, opened}, {&p.Labels, ruled}} {
		whole := int(days.over(f.Range, list.measures...).n)
		for _, m := range list.measures {
			_, name, _ := strings.Cut(m, ".")
			n := int(days.over(f.Range, m).n)
			*list.into = append(*list.into, Slice{Key: m, Name: name, Figure: ShareOf(m, n, whole), Volume: n})
		}
	}
}

// waitingCases counts the borderline cases that wait for experts now.
func waitingCases(tx *db.Tx, s scope, f Filter) (Figure, error) {
	topic, ok := f.subject()
	if !ok {
		return counting("borderline_open", 0), nil
	}
	names := s.agentNames()
	n, err := db.Value[int](tx, "stats: what waits for experts", waitingSQL(len(names)),
		append([]any{topic}, args(names)...)...)
	if err != nil {
		return Figure{}, err
	}
	return counting("borderline_open", n), nil
}

func waitingSQL(agents int) string {
	return `SELECT count(*) FROM borderline_case WHERE state IN ('waiting', 'adjudication') AND ` +
		isTopic(`task`, `$1`) + counter.IsAgent(`agent_name`, 2, agents)
}

// judges is how often each judge said what the experts ruled, by name.
func judges(tx *db.Tx, s scope, f Filter) (out []Slice, err error) {
	names, err := s.names(tx, byWho, counter.Judge)
	if err != nil {
		return nil, err
	}
	found, err := s.split(tx, f, byWho, names, counter.Judge)
	if err != nil {
		return nil, err
	}
	for set, m := range found {
		name := strings.TrimPrefix(set, counter.JudgeSet(""))
		out = append(out, Slice{Key: name, Name: name, Figure: m[counter.Judge].share(counter.Judge),
			Volume: int(m[counter.Judge].n)})
	}
	slices.SortFunc(out, func(a, b Slice) int { return cmp.Compare(a.Name, b.Name) })
	return out, nil
}
