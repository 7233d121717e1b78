package knowledge

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"time"

	"preceptor/internal/audit"
	"preceptor/internal/platform/db"
	"preceptor/internal/search"
)

// The kinds of items.
const (
	KindCase = search.KindCase
	KindRule = search.KindRule
)

// Stored is a case or a rule with its whole life as the tables hold it, and as a line of a file has it.
type Stored struct {
	Kind     string          `json:"kind"`
	ID       string          `json:"id"`
	Number   int             `json:"number"`
	AgentID  string          `json:"agent,omitempty"`  // in a file the agent's name; none is shared by all
	Source   string          `json:"source,omitempty"` // cases
	Origin   string          `json:"origin,omitempty"` // cases
	Versions []StoredVersion `json:"versions"`         // oldest first, at least one
}

// StoredVersion is one version: Case or Rule is set.
type StoredVersion struct {
	Version   int       `json:"version"`
	Status    string    `json:"status"`
	Task      string    `json:"task,omitempty"` // cases
	Domain    string    `json:"domain,omitempty"`
	Exemplar  bool      `json:"exemplar,omitempty"` // cases
	Approved  bool      `json:"approved,omitempty"` // cases
	ValidFrom time.Time `json:"valid_from,omitzero"`
	ValidTo   time.Time `json:"valid_to,omitzero"`
	ReviewBy  time.Time `json:"review_by,omitzero"` // rules; zero: never
	ErasedAt  time.Time `json:"erased_at,omitzero"`
	At        time.Time `json:"at"`
	By        Author    `json:"by"`
	Reason    string    `json:"reason,omitempty"`
	Case      *CaseText `json:"case,omitempty"`
	Rule      *RuleText `json:"rule,omitempty"`
}

// Author is who wrote a version, without the name.
type Author struct {
	Kind string `json:"kind"`
	ID   string `json:"id"`
}

func (v *StoredVersion) by() audit.Actor { return audit.Actor{Kind: v.By.Kind, ID: v.By.ID} }

func (v *StoredVersion) validity() Validity {
	return Validity{ValidFrom: v.ValidFrom, ValidTo: v.ValidTo, ErasedAt: v.ErasedAt}
}

// Last is the version that holds.
func (s Stored) Last() StoredVersion { return s.Versions[len(s.Versions)-1] }

// asCase is the case as its last version has it.
func (s Stored) asCase() Case {
	v := s.Last()
	return Case{ID: s.ID, Number: s.Number, Version: v.Version, Status: v.Status, Source: s.Source, Origin: s.Origin,
		AgentID: s.AgentID, Task: v.Task, Domain: v.Domain,
		Exemplar: v.Exemplar, Approved: v.Approved, Flags: v.Case.Flags, Validity: v.validity(), CaseText: *v.Case,
		CreatedAt: s.Versions[0].At, UpdatedAt: v.At, By: v.by(), Reason: v.Reason}
}

func (s Stored) asRule() Rule {
	v := s.Last()
	return Rule{ID: s.ID, Number: s.Number, Version: v.Version, Status: v.Status, AgentID: s.AgentID, Domain: v.Domain,
		ReviewBy: v.ReviewBy, Validity: v.validity(), RuleText: *v.Rule,
		CreatedAt: s.Versions[0].At, UpdatedAt: v.At, By: v.by(), Reason: v.Reason}
}

func (s Stored) entry() search.Entry {
	if s.Kind == KindRule {
		return s.asRule().entry()
	}
	return s.asCase().entry()
}

// storedColumns are what is read of the items of a kind.
var storedColumns = map[string]string{
	KindCase: `c.id, c.number, c.agent_id, c.source, c.origin, v.version, v.status, v.task, v.domain, v.exemplar,
		v.approved, v.content,
		v.valid_from, v.valid_to, 0, v.erased_at, v.by_kind, v.by_id, v.reason, v.created_at
		FROM knowledge_case c JOIN knowledge_case_version v ON v.case_id = c.id`,
	KindRule: `c.id, c.number, c.agent_id, '', '', v.version, v.status, '', v.domain, 0, 0, v.content,
		v.valid_from, v.valid_to, v.review_by, v.erased_at, v.by_kind, v.by_id, v.reason, v.created_at
		FROM knowledge_rule c JOIN knowledge_rule_version v ON v.rule_id = c.id`,
}

// StoredTx reads the next n items of a kind with numbers above after, by number.
func (b *Base) StoredTx(tx *db.Tx, kind string, after, n int) ([]Stored, error) {
	return storedTx(tx, kind, ` WHERE c.number IN (SELECT number FROM knowledge_`+kind+`
		WHERE number > $1 ORDER BY number LIMIT $2) ORDER BY c.number, v.version`, after, n)
}

// LikeTx finds what is here of an item: by its id, or a case by what it was made from where that is known; nil when
// there is none.
func (b *Base) LikeTx(tx *db.Tx, s Stored) (*Stored, error) {
	list, err := storedTx(tx, s.Kind, ` WHERE c.id = $1 ORDER BY v.version`, s.ID)
	if err == nil && len(list) == 0 && s.Origin != "" {
		list, err = storedTx(tx, s.Kind, caseOfOrigin+` ORDER BY v.version`, s.AgentID, s.Source, s.Origin)
	}
	if err != nil || len(list) == 0 {
		return nil, err
	}
	return &list[0], nil
}

func storedTx(tx *db.Tx, kind, where string, args ...any) (list []Stored, err error) {
	err = db.Each(tx, "knowledge: read what is stored", func(row db.Row) error {
		s, v := Stored{Kind: kind}, StoredVersion{}
		var content string
		if err := row.Scan(&s.ID, &s.Number, &s.AgentID, &s.Source, &s.Origin, &v.Version, &v.Status, &v.Task,
			&v.Domain, &v.Exemplar, &v.Approved, &content,
			db.At(&v.ValidFrom), db.At(&v.ValidTo), db.At(&v.ReviewBy), db.At(&v.ErasedAt), &v.By.Kind, &v.By.ID,
			&v.Reason, db.At(&v.At)); err != nil {
			return err
		}
		var text any
		if kind == KindRule {
			v.Rule = &RuleText{}
			text = v.Rule
		} else {
			v.Case = &CaseText{}
			text = v.Case
		}
		if err := unmarshalKept(content, text); err != nil {
			return fmt.Errorf("%s %s version %d is not readable: %w", kind, s.ID, v.Version, err)
		}
		if n := len(list); n == 0 || list[n-1].ID != s.ID {
			list = append(list, s)
		}
		last := &list[len(list)-1]
		last.Versions = append(last.Versions, v)
		return nil
	}, `SELECT `+storedColumns[kind]+where, args...)
	return list, err
}

// unmarshalKept reads a text; one that was erased may be nothing at all.
func unmarshalKept(content string, to any) error {
	if content == "" {
		return nil
	}
	return json.Unmarshal([]byte(content), to)
}

// freeNumber is n when nothing of the table has it, and else the next one.
func freeNumber(tx *db.Tx, table string, n int) (int, error) {
	var taken bool
	var next int
	err := db.One(tx, "knowledge: find a free number", `SELECT EXISTS (SELECT 1 FROM `+table+`
		WHERE number = $1), (SELECT coalesce(max(number), 0) + 1 FROM `+table+`)`, n).Scan(&taken, &next)
	if err != nil {
		return 0, err
	}
	if taken {
		return next, nil
	}
	return n, nil
}

var errEmptyLife = errors.New("knowledge: an item without versions")

// KnownStatus reports whether items of this program can have the status.
func KnownStatus(status string) bool { return slices.Contains(ruleStatuses, status) }
