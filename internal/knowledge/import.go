package knowledge

import (
	"context"
	"io/fs"

	"preceptor/internal/audit"
)

// ImportOptions of Import.
type ImportOptions struct {
	AgentID  string // "" shares the cases with all agents
	By       audit.Actor
	Progress func(done, total int, file string) // may be nil
}

// ImportReport says what became of every file.
type ImportReport struct {
	Files      int        `json:"files"` // that gave at least one case
	Imported   int        `json:"imported"`
	Updated    int        `json:"updated"`
	Unchanged  int        `json:"unchanged"`
	Retired    int        `json:"retired"` // sections that are gone
	Skipped    []Skipped  `json:"skipped"`
	Flagged    []Flagging `json:"flagged"`
	Duplicates []Pair     `json:"near_duplicates"`
}

// Skipped is a file or section that gave no case.
type Skipped struct {
	File string `json:"file"`
	Line int    `json:"line,omitempty"` // 0: the whole file
	Why  string `json:"why"`
	Bad  bool   `json:"broken,omitempty"` // it was broken, rather than no guidance
}

// Flagging is a section that a person should look at.
type Flagging struct {
	Source string `json:"source"`
	Flags  []Flag `json:"flags"`
}

// Pair is two sections that say nearly the same.
type Pair struct {
	A          string  `json:"a"`
	B          string  `json:"b"`
	Similarity float64 `json:"similarity"`
}

// Import reads every file under root: a case for each section of a Markdown document, a reason for all else. It may be
// repeated: what changed gets a new version, what is gone is retired. A broken file does not stop it.
func (b *Base) Import(ctx context.Context, root fs.FS, o ImportOptions) (ImportReport, error) {
	return ImportReport{}, nil
}
