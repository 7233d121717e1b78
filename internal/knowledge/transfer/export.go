package transfer

import (
	"bufio"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"

	"preceptor/internal/audit"
	"preceptor/internal/db"
	"preceptor/internal/knowledge"
	"preceptor/internal/table"
)

// File is an exported base on its way out.
type File struct {
	Header Header
	Size   int64 // in bytes
	head   []byte
	body   *os.File
}

// WriteTo writes the file.
func (f *File) WriteTo(w io.Writer) (int64, error) {
	n, err := w.Write(f.head)
	if err != nil {
		return int64(n), err
	}
	m, err := io.Copy(w, io.NewSectionReader(f.body, 0, f.Size-int64(len(f.head))))
	return int64(n) + m, err
}

// Close lets go of it.
func (f *File) Close() error { return f.body.Close() }

// Export writes the whole base, as it is at one moment, to a file without a name, and keeps record of who asked for it.
func (s *Service) Export(ctx context.Context, by audit.Actor) (*File, error) {
	names, err := s.names(ctx)
	if err != nil {
		return nil, err
	}
	body, err := table.Unnamed()
	if err != nil {
		return nil, err
	}
	f := &File{Header: Header{Format: Format, Version: FormatVersion, Packs: map[string]string{}}, body: body}
	err = s.write(ctx, f, names)
	if err == nil {
		err = s.db.Write(ctx, func(tx *db.Tx) error {
			return audit.Record(tx, audit.Entry{Actor: by, Action: "knowledge.exported", ObjectKind: "knowledge", Content: f.Header})
		})
	}
	if err != nil {
		return nil, errors.Join(err, f.Close())
	}
	return f, nil
}

func (s *Service) names(ctx context.Context) (map[string]Agent, error) {
	if s.agents.Names == nil {
		return nil, nil
	}
	return s.agents.Names(ctx)
}

func (s *Service) write(ctx context.Context, f *File, names map[string]Agent) error {
	sum := sha256.New()
	buf := bufio.NewWriterSize(io.MultiWriter(f.body, sum), 1<<16)
	enc := json.NewEncoder(buf)
	name := func(agentID string) (string, error) {
		if agentID == "" || s.agents.Names == nil {
			return agentID, nil
		}
		if a := names[agentID]; a.Name != "" {
			if a.Pack != "" {
				f.Header.Packs[a.Name] = a.Pack
			}
			return a.Name, nil
		}
		return "", fmt.Errorf("transfer: there is no agent %s", agentID)
	}
	err := s.db.Read(ctx, func(tx *db.Tx) error {
		if err := s.writeCases(ctx, tx, f, enc, name); err != nil {
			return err
		}
		return s.writeRules(ctx, tx, f, enc, name)
	})
	if err == nil {
		err = buf.Flush()
	}
	if err != nil {
		return err
	}
	f.Header.SHA256 = hex.EncodeToString(sum.Sum(nil))
	if f.head, err = json.Marshal(f.Header); err != nil {
		return err
	}
	f.head = append(f.head, '\n')
	size, err := f.body.Seek(0, io.SeekEnd)
	f.Size = size + int64(len(f.head))
	return err
}

func (s *Service) writeCases(ctx context.Context, tx *db.Tx, f *File, enc *json.Encoder, name func(string) (string, error)) error {
	return each(ctx, tx, s.kb.StoredCasesTx, func(c knowledge.StoredCase) (int, error) {
		agent, err := name(c.AgentID)
		if err != nil {
			return 0, err
		}
		f.Header.Cases++
		f.Header.CaseVersions += len(c.Versions)
		return c.Number, enc.Encode(line{Kind: kindCase, ID: c.ID, Number: c.Number, Agent: agent, Source: c.Source, Origin: c.Origin, Versions: versionsOf(c.Versions)})
	})
}

func (s *Service) writeRules(ctx context.Context, tx *db.Tx, f *File, enc *json.Encoder, name func(string) (string, error)) error {
	return each(ctx, tx, s.kb.StoredRulesTx, func(r knowledge.StoredRule) (int, error) {
		agent, err := name(r.AgentID)
		if err != nil {
			return 0, err
		}
		f.Header.Rules++
		f.Header.RuleVersions += len(r.Versions)
		return r.Number, enc.Encode(line{Kind: kindRule, ID: r.ID, Number: r.Number, Agent: agent, Versions: versionsOf(r.Versions)})
	})
}

// each reads all items in batches; f returns the number of the one it was given.
func each[T any](ctx context.Context, tx *db.Tx, next func(*db.Tx, int, int) ([]T, error), f func(T) (int, error)) error {
	after := 0
	for {
		if err := ctx.Err(); err != nil {
			return err
		}
		list, err := next(tx, after, batchItems)
		if err != nil || len(list) == 0 {
			return err
		}
		for _, item := range list {
			if after, err = f(item); err != nil {
				return err
			}
		}
	}
}
