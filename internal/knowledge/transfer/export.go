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
	"preceptor/internal/knowledge"
	"preceptor/internal/platform/db"
	"preceptor/internal/platform/table"
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
			return audit.Record(tx, audit.Entry{Actor: by, Action: "knowledge.exported", ObjectKind: "knowledge",
				Content: f.Header})
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
	h := &f.Header
	err := s.db.Read(ctx, func(tx *db.Tx) (err error) {
		if h.Cases, h.CaseVersions, err = s.writeItems(ctx, tx, knowledge.KindCase, enc, name); err != nil {
			return err
		}
		h.Rules, h.RuleVersions, err = s.writeItems(ctx, tx, knowledge.KindRule, enc, name)
		return err
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

// writeItems writes all items of a kind, in batches, and returns how many they were and how many versions they have.
func (s *Service) writeItems(ctx context.Context, tx *db.Tx, kind string, enc *json.Encoder,
	name func(string) (string, error)) (items, versions int, err error) {
	for after := 0; ; {
		if err := ctx.Err(); err != nil {
			return 0, 0, err
		}
		list, err := s.kb.StoredTx(tx, kind, after, batchItems)
		if err != nil || len(list) == 0 {
			return items, versions, err
		}
		for _, item := range list {
			if item.AgentID, err = name(item.AgentID); err != nil {
				return 0, 0, err
			}
			for _, v := range item.Versions {
				if v.Rule != nil && v.Rule.Untested() {
					v.Rule.Confidence = 0 // left out, and put back by parseLine
				}
			}
			if err := enc.Encode(item); err != nil {
				return 0, 0, err
			}
			items, versions, after = items+1, versions+len(item.Versions), item.Number
		}
	}
}
