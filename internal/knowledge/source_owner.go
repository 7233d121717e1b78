package knowledge

import (
	"context"
	"slices"
	"strings"

	"preceptor/internal/audit"
	"preceptor/internal/pack"
	"preceptor/internal/platform/db"
	"preceptor/internal/platform/fault"
	"preceptor/internal/platform/text"
)

// WithdrawSource retires all sections of a document for a reason, until it is uploaded again; or empties them for good
// where their words must go from the file, as of one that names a customer. Drafts that quoted it keep their words.
func (b *Base) WithdrawSource(ctx context.Context, sourceID, reason string, erase bool, by Person) error {
	if err := by.May("withdraw a document"); err != nil {
		return err
	}
	if erase && !slices.Contains(by.Roles, "admin") {
		return fault.New(fault.Denied, "Only an administrator can erase texts. Ask one of them.")
	}
	reason, err := text.Reason(reason, "reason", "Say why, for people who read the history.")
	if err != nil {
		return err
	}
	err = b.db.Write(ctx, func(tx *db.Tx) error {
		s, err := b.sourceTx(tx, sourceID)
		if err != nil {
			return err
		}
		var n ImportReport
		if err := b.retireGone(tx, s.AgentID, s.Path, nil, Change{By: by.Actor(),
			Reason: "The document was withdrawn: " + reason}, &n); err != nil {
			return err
		}
		if err := db.Exec(tx, "knowledge: forget a source", `DELETE FROM knowledge_source
			WHERE id = $1`, s.ID); err != nil {
			return err
		}
		erased := 0
		if erase {
			if erased, err = b.eraseSectionsTx(tx, s, by.Actor()); err != nil {
				return err
			}
		}
		return record(tx, by.Actor(), "knowledge.source_withdrawn", "document", s.Path,
			map[string]any{"retired": n.Retired, "erased": erased, "reason": reason})
	})
	if err == nil && erase {
		_, err = b.db.Scrub(ctx)
	}
	return err
}

// eraseSectionsTx empties every section that a document ever had, and counts their versions.
func (b *Base) eraseSectionsTx(tx *db.Tx, s Source, by audit.Actor) (n int, err error) {
	ids, err := db.Column[string](tx, "knowledge: find the sections of a document", `SELECT id FROM knowledge_case
		WHERE agent_id = $1 AND source = 'document' AND origin >= $2 AND origin < $3 ORDER BY id`, s.AgentID,
		s.Path+"#", s.Path+"$")
	for _, id := range ids {
		one, err := b.EraseCaseTx(tx, id, "The document was withdrawn and erased.", by)
		if err != nil {
			return n, err
		}
		n += one
	}
	return n, err
}

// SetSource changes how often a document is read again, and whose it is: one agent's, or all agents' of a pack.
func (b *Base) SetSource(ctx context.Context, sourceID string, every int, agentID, packName string, by Person) error {
	if err := by.May("change whose a document is"); err != nil {
		return err
	}
	if every < 0 || every > 365 {
		return fault.Wrong("Choose how often it is read again.", "every", "Choose from the list.")
	}
	if agentID == "" {
		if err := pack.CheckName(packName); err != nil {
			return err
		}
		packName = pack.Of(packName).Name
	} else {
		packName = ""
	}
	return b.db.Write(ctx, func(tx *db.Tx) error {
		s, err := b.sourceTx(tx, sourceID)
		if err != nil {
			return err
		}
		if !s.Again() {
			every = 0
		}
		if s.AgentID != agentID || s.Pack != packName {
			if err := b.moveTx(tx, s, agentID, packName, by.Actor()); err != nil {
				return err
			}
		}
		return db.Exec(tx, "knowledge: set a source", `UPDATE knowledge_source SET every = $1, agent_id = $2, pack = $3
			WHERE id = $4`, every, agentID, packName, s.ID)
	})
}

// moveTx gives the sections of a document, those that were retired too, to another owner. What was withdrawn there
// makes room, and a withdrawn one that is in use there stays behind.
func (b *Base) moveTx(tx *db.Tx, s Source, agentID, packName string, by audit.Actor) error {
	cases, err := casesTx(tx, `WHERE c.agent_id = $1 AND c.source = 'document'
		AND c.origin >= $2 AND c.origin < $3 AND c.origin <> '' ORDER BY c.number`, s.AgentID, s.Path+"#", s.Path+"$")
	if err != nil {
		return err
	}
	for _, c := range cases {
		if agentID != s.AgentID {
			other, err := b.CaseOfOriginTx(tx, agentID, c.Source, c.Origin)
			if err != nil {
				return err
			}
			switch {
			case other == nil:
			case c.Status != Active:
				continue
			case other.Status == Active:
				return fault.New(fault.Conflict, "%s is imported there already. Withdraw one of the two.", c.Path)
			default:
				if err := db.Exec(tx, "knowledge: make room for a section", `UPDATE knowledge_case SET origin = ''
					WHERE id = $1`, other.ID); err != nil {
					return err
				}
			}
		}
		if err := db.Exec(tx, "knowledge: move a section", `UPDATE knowledge_case SET agent_id = $1
			WHERE id = $2`, agentID, c.ID); err != nil {
			return err
		}
		c.AgentID, c.Pack, c.By, c.Reason, c.Version = agentID, packName, by, "Given to other agents.", c.Version+1
		if err := b.writeCaseVersion(tx, &c); err != nil {
			return err
		}
	}
	if err := db.Exec(tx, "knowledge: take a source's place", `DELETE FROM knowledge_source
		WHERE agent_id = $1 AND path = $2 AND id <> $3`, agentID, s.Path, s.ID); err != nil {
		return err
	}
	return record(tx, by, "knowledge.source_moved", "document", s.Path,
		map[string]any{"agent": agentID, "pack": packName, "sections": len(cases)})
}

// quarantineRestingTx takes rules out of use that rest on cases of which none is in use any more, until a person looks.
func (b *Base) quarantineRestingTx(tx *db.Tx, gone []string, why string) error {
	rules, err := b.LivingTx(tx)
	if err != nil {
		return err
	}
	for _, r := range rules {
		if r.Status != Active ||
			!slices.ContainsFunc(r.Supporting, func(c string) bool { return slices.Contains(gone, c) }) {
			continue
		}
		rests := false
		for _, caseID := range r.Supporting {
			c, err := b.CaseTx(tx, caseID)
			if err != nil && !fault.Is(err, fault.NotFound) {
				return err
			}
			rests = rests || err == nil && c.Status == Active
		}
		if !rests {
			if _, err := b.SetRuleStatusTx(tx, r.ID, Quarantined, Change{By: audit.System(importer),
				Reason: strings.TrimSuffix(why, ".") + ", and nothing else supports it."}); err != nil {
				return err
			}
		}
	}
	return nil
}
