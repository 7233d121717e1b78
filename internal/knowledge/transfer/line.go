package transfer

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"preceptor/internal/audit"
	"preceptor/internal/id"
	"preceptor/internal/knowledge"
	"preceptor/internal/strict"
)

const (
	kindCase = "case"
	kindRule = "rule"
)

// line is one item of a file.
type line struct {
	Kind     string    `json:"kind"`
	ID       string    `json:"id"`
	Number   int       `json:"number"`
	Agent    string    `json:"agent,omitempty"`  // a name; none is shared by all
	Source   string    `json:"source,omitempty"` // cases
	Origin   string    `json:"origin,omitempty"` // cases
	Versions []version `json:"versions"`
}

type version struct {
	Version   int                 `json:"version"`
	Status    string              `json:"status"`
	Task      string              `json:"task,omitempty"`
	Domain    string              `json:"domain,omitempty"`
	Exemplar  bool                `json:"exemplar,omitempty"`
	Approved  bool                `json:"approved,omitempty"`
	ValidFrom time.Time           `json:"valid_from,omitzero"`
	ValidTo   time.Time           `json:"valid_to,omitzero"`
	ReviewBy  time.Time           `json:"review_by,omitzero"`
	ErasedAt  time.Time           `json:"erased_at,omitzero"`
	At        time.Time           `json:"at"`
	By        author              `json:"by"`
	Reason    string              `json:"reason,omitempty"`
	Case      *knowledge.CaseText `json:"case,omitempty"`
	Rule      *knowledge.RuleText `json:"rule,omitempty"`
}

type author struct {
	Kind string `json:"kind"`
	ID   string `json:"id"`
}

func versionsOf(list []knowledge.StoredVersion) []version {
	out := make([]version, len(list))
	for i, v := range list {
		out[i] = version{Version: v.Version, Status: v.Status, Task: v.Task, Domain: v.Domain, Exemplar: v.Exemplar, Approved: v.Approved,
			ValidFrom: v.ValidFrom, ValidTo: v.ValidTo, ReviewBy: v.ReviewBy, ErasedAt: v.ErasedAt, At: v.At, By: author{v.By.Kind, v.By.ID},
			Reason: v.Reason, Case: v.Case, Rule: v.Rule}
	}
	return out
}

func (l *line) stored() []knowledge.StoredVersion {
	out := make([]knowledge.StoredVersion, len(l.Versions))
	for i, v := range l.Versions {
		out[i] = knowledge.StoredVersion{Version: v.Version, Status: v.Status, Task: v.Task, Domain: v.Domain, Exemplar: v.Exemplar, Approved: v.Approved,
			Validity: knowledge.Validity{ValidFrom: v.ValidFrom, ValidTo: v.ValidTo, ErasedAt: v.ErasedAt}, ReviewBy: v.ReviewBy, At: v.At,
			By: audit.Actor{Kind: v.By.Kind, ID: v.By.ID}, Reason: v.Reason, Case: v.Case, Rule: v.Rule}
	}
	return out
}

// last is the version that holds.
func (l *line) last() version { return l.Versions[len(l.Versions)-1] }

// label is how people call the item.
func (l *line) label(number int) string {
	if l.Kind == kindRule {
		return knowledge.Rule{Number: number}.Label()
	}
	return knowledge.Case{Number: number}.Label()
}

// parseHeader reads a first line. The error's text is for a person.
func parseHeader(b []byte) (h Header, err error) {
	if err := strict.Into(b, &h); err != nil {
		return h, fmt.Errorf("the first line is not the header of an exported base: it %w", err)
	}
	switch {
	case h.Format != Format:
		return h, fmt.Errorf("the file says that it is %q, and not %q", h.Format, Format)
	case h.Version != FormatVersion:
		return h, fmt.Errorf("the file has version %d of the format; this program reads version %d", h.Version, FormatVersion)
	case h.Cases < 0 || h.Rules < 0 || h.CaseVersions < 0 || h.RuleVersions < 0 || h.Cases > MaxItems || h.Rules > MaxItems || h.Cases+h.Rules > MaxItems:
		return h, fmt.Errorf("the header's counts can't be; a file holds at most %d items", MaxItems)
	case len(h.SHA256) != 64:
		return h, errors.New("the header has no SHA-256")
	}
	return h, nil
}

// parseLine reads an item, and refuses all that an export would not have written. The error's text is for a person.
func parseLine(b []byte) (*line, error) {
	var l line
	if err := strict.Into(b, &l); err != nil {
		return nil, fmt.Errorf("it %w", err)
	}
	if err := l.check(); err != nil {
		return nil, err
	}
	return &l, nil
}

func (l *line) check() error {
	switch {
	case l.Kind != kindCase && l.Kind != kindRule:
		return fmt.Errorf("it is neither a case nor a rule but %q", l.Kind)
	case !id.Valid(l.ID):
		return errors.New("its id is none of ours")
	case l.Number < 1 || l.Number > 1<<31:
		return errors.New("its number can't be")
	case utf8.RuneCountInString(l.Agent) > 80 || l.Agent != strings.Join(strings.Fields(l.Agent), " "):
		return errors.New("its agent has no name that an agent can have")
	case l.Kind == kindCase && l.Source == "":
		return errors.New("a case needs its source")
	case l.Kind == kindRule && (l.Source != "" || l.Origin != ""):
		return errors.New("a rule has no source and no origin")
	case len(l.Versions) == 0:
		return errors.New("it has no version")
	}
	for i, v := range l.Versions {
		if i > 0 && v.Version <= l.Versions[i-1].Version || v.Version < 1 {
			return fmt.Errorf("version %d does not follow version %d", v.Version, l.Versions[max(0, i-1)].Version)
		}
		if err := v.check(l.Kind); err != nil {
			return fmt.Errorf("version %d: %w", v.Version, err)
		}
	}
	if v := l.last(); v.Status == knowledge.Active && !v.ErasedAt.IsZero() {
		return errors.New("it was erased and can't be in use")
	}
	return nil
}

func (v version) check(kind string) error {
	for _, t := range []time.Time{v.At, v.ValidFrom, v.ValidTo, v.ReviewBy, v.ErasedAt} {
		if !t.IsZero() && (t.Year() < 1971 || t.Year() > 2900 || !t.Equal(t.Truncate(time.Millisecond)) || t.Location() != time.UTC) {
			return errors.New("a time in it is not one of ours")
		}
	}
	switch {
	case v.At.IsZero():
		return errors.New("the time is missing")
	case !knowledge.KnownStatus(v.Status):
		return fmt.Errorf("there is no status %q", v.Status)
	case !v.ValidTo.IsZero() && !v.ValidFrom.Before(v.ValidTo):
		return errors.New("it ends before it begins")
	case v.By.Kind != audit.Person && v.By.Kind != audit.Agent && v.By.Kind != audit.SystemActor:
		return errors.New("it does not say who wrote it")
	}
	if kind == kindCase {
		return v.checkCase()
	}
	return v.checkRule()
}

func (v version) checkCase() error {
	switch {
	case v.Case == nil || v.Rule != nil || !v.ReviewBy.IsZero():
		return errors.New("a case's version has the text of a case, and no date to review it")
	case v.Case.Guidance == "" && v.Case.Negative == "" && v.ErasedAt.IsZero():
		return errors.New("it has neither guidance nor a mistake to avoid")
	}
	return nil
}

func (v version) checkRule() error {
	switch {
	case v.Rule == nil || v.Case != nil || v.Task != "" || v.Exemplar || v.Approved:
		return errors.New("a rule's version has the text of a rule, and no task")
	case strings.TrimSpace(v.Rule.Principle) == "" && v.ErasedAt.IsZero():
		return errors.New("it has no principle")
	case !slices.Contains(knowledge.Domains, v.Domain):
		return fmt.Errorf("there is no domain %q", v.Domain)
	case v.Rule.Confidence < 0 || v.Rule.Confidence > 1:
		return errors.New("its confidence does not lie between 0 and 1")
	}
	return nil
}
