package main

import (
	"context"
	"fmt"
	"io"
	"path/filepath"
	"strings"
	"time"

	"preceptor/internal/platform/db"
	"preceptor/internal/platform/terminal"
	"preceptor/internal/review/export"
)

// exports measures how long 1,000 decisions take in an export of few and of many: 20,000 rows a second are 50 ms. The
// decided cases are written straight into the tables, because deciding so many would take an hour.
func (b *bencher) exports() error {
	d, err := db.Open(b.t.Ctx, filepath.Join(b.dir, "export.db"), db.Options{Holder: "bench"})
	if err != nil {
		return err
	}
	defer d.Close()
	filled := 0
	for _, rows := range []int{b.few, b.many} {
		if err := b.decidedCases(d, filled, rows); err != nil {
			return err
		}
		filled = rows
		for _, format := range export.Formats {
			took := make([]time.Duration, max(1, min(b.n, 200_000/rows)))
			worked := cpu()
			for i := range took {
				began := time.Now()
				rep, err := export.New(d).Write(b.t.Ctx, io.Discard,
					export.Options{Set: export.Decisions, Format: format, By: terminal.Operator})
				if err != nil {
					return err
				}
				if rep.Rows != rows {
					return fmt.Errorf("%d rows came out of %d", rep.Rows, rows)
				}
				took[i] = time.Since(began) * 1000 / time.Duration(rows)
			}
			b.keep("export", string(format)+", 1,000 decisions", rows, took, (cpu()-worked)*1000/time.Duration(rows))
		}
	}
	return nil
}

// decidedCases brings the number of decided cases to rows; a third of them is revised.
func (b *bencher) decidedCases(d *db.DB, filled, rows int) error {
	return b.inBatches("Decided cases", filled, rows, func(ctx context.Context, from, to int) error {
		return d.Write(ctx, func(tx *db.Tx) error {
			insert := make([]func(args ...any) error, len(decidedSQL))
			for i, sql := range decidedSQL {
				st, err := tx.Prepare(sql)
				if err != nil {
					return err
				}
				defer st.Close()
				insert[i] = func(args ...any) error { _, err := st.Exec(args...); return err }
			}
			for i := from; i < to; i++ {
				if err := decidedCase(insert, i, tx.NowMs()-int64(rows-i)); err != nil {
					return err
				}
			}
			return nil
		})
	})
}

var decidedSQL = []string{
	`INSERT INTO interaction (id, agent_id, agent_name, origin, status, task, task_by, question, customer, guidance,
			guidance_hash, reasoning, model, drafter,
		knowledge_used, steps, metadata, created_at)
		VALUES ($1, 'a1', 'bench', 'api', 'waiting', 'tax_free_cash', 'agent', 'How much of my pension is tax free?',
			'{"age":58}', $2, 'h', '', '', '', '[]', '', '', $3)`,
	`INSERT INTO review (id, agent_id, agent_name, task, state, priority, why, who, opening, label, passed, blocked,
			borderline, confidence, flags, source,
		text_hash, decision_id, decided_at, created_at, decided_by)
		VALUES ($1, 'a1', 'bench', 'tax_free_cash', 'decided', 4, '', '58', 'How much', 'COMPLIANT_GUIDANCE', 1, 0, 0,
			0.9, '[]', 'RULE_BASED', 'h', $2, $3, $4, 'p1')`,
	`INSERT INTO decision (id, review_id, kind, state, by_id, by_name, text, text_hash, version, reason, reason_code,
			feedback, confirmation, flags, seconds,
		characters, decided_at, held_until, settled_at)
		VALUES ($1, $2, $3, 'released', 'p1', 'Bench', $4, 'h', 1, 'The sum was missing.', '', 'Give the sum.',
			'I have read the whole text.', '[]', 41, 700, $5, $6, $7)`,
}

func decidedCase(insert []func(args ...any) error, i int, at int64) error {
	id := fmt.Sprintf("case-%08d", i)
	draft, kind := fmt.Sprintf("%s (Copy %d.)", benchGuidance, i), "approve"
	text := draft
	if i%3 == 0 {
		kind, text = "revise", strings.Replace(draft, "Usually a quarter", "Normally 25 %", 1)+
			" Ask again if anything is unclear."
	}
	if err := insert[0](id, draft, at-60_000); err != nil {
		return err
	}
	if err := insert[1](id, "d-"+id, at, at-60_000); err != nil {
		return err
	}
	return insert[2]("d-"+id, id, kind, text, at, at+30_000, at+30_000)
}
