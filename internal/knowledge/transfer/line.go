package transfer

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"preceptor/internal/audit"
	"preceptor/internal/knowledge"
	"preceptor/internal/platform/id"
	"preceptor/internal/platform/strict"
)

// labelOf is how people call an item.
func labelOf(kind string, number int) string {
	if kind == knowledge.KindRule {
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
		return h, fmt.Errorf("the file has version %d of the format; this program reads version %d", h.Version,
			FormatVersion)
	case h.Cases < 0 || h.Rules < 0 || h.CaseVersions < 0 || h.RuleVersions < 0 || h.Cases > MaxItems ||
		h.Rules > MaxItems || h.Cases+h.Rules > MaxItems:
		return h, fmt.Errorf("the header's counts can't be; a file holds at most %d items", MaxItems)
	case len(h.SHA256) != 64:
		return h, errors.New("the header has no SHA-256")
	}
	return h, nil
}

// parseLine reads an item, and refuses all that an export would not have written. The error's text is for a person.
func parseLine(b []byte) (l knowledge.Stored, err error) {
	if err := strict.Into(b, &l); err != nil {
		return l, fmt.Errorf("it %w", err)
	}
	for _, v := range l.Versions {
		if v.Rule != nil && v.Rule.Confidence == 0 && len(v.Rule.Counter) == 0 {
			v.Rule.Confidence = knowledge.Untried
		}
	}
	return l, checkItem(l)
}

func checkItem(l knowledge.Stored) error {
	switch {
	case l.Kind != knowledge.KindCase && l.Kind != knowledge.KindRule:
		return fmt.Errorf("it is neither a case nor a rule but %q", l.Kind)
	case !id.Valid(l.ID):
		return errors.New("its id is not a Preceptor id")
	case l.Number < 1 || l.Number > 1<<31:
		return errors.New("its number can't be")
	case utf8.RuneCountInString(l.AgentID) > 80 || l.AgentID != strings.Join(strings.Fields(l.AgentID), " "):
		return errors.New("its agent has no name that an agent can have")
	case l.Kind == knowledge.KindCase && l.Source == "":
		return errors.New("a case needs its source")
	case l.Kind == knowledge.KindRule && (l.Source != "" || l.Origin != ""):
		return errors.New("a rule has no source and no origin")
	case len(l.Versions) == 0:
		return errors.New("it has no version")
	}
	for i, v := range l.Versions {
		if i > 0 && v.Version <= l.Versions[i-1].Version || v.Version < 1 {
			return fmt.Errorf("version %d does not follow version %d", v.Version, l.Versions[max(0, i-1)].Version)
		}
		if err := checkVersion(v, l.Kind); err != nil {
			return fmt.Errorf("version %d: %w", v.Version, err)
		}
	}
	if v := l.Last(); v.Status == knowledge.Active && !v.ErasedAt.IsZero() {
		return errors.New("it was erased and can't be in use")
	}
	return nil
}

func checkVersion(v knowledge.StoredVersion, kind string) error {
	for _, t := range []time.Time{v.At, v.ValidFrom, v.ValidTo, v.ReviewBy, v.ErasedAt} {
		if !t.IsZero() && (t.Year() < 1971 || t.Year() > 2900 || !t.Equal(t.Truncate(time.Millisecond)) ||
			t.Location() != time.UTC) {
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
	if kind == knowledge.KindCase {
		return checkCase(v)
	}
	return checkRule(v)
}

func checkCase(v knowledge.StoredVersion) error {
	switch {
	case v.Case == nil || v.Rule != nil || !v.ReviewBy.IsZero():
		return errors.New("a case's version has the text of a case, and no date to review it")
	case v.Case.Guidance == "" && v.Case.Negative == "" && v.ErasedAt.IsZero():
		return errors.New("it has neither guidance nor a mistake to avoid")
	}
	return nil
}

func checkRule(v knowledge.StoredVersion) error {
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
