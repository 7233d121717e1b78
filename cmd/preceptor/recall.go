package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"strings"

	"preceptor/internal/account"
	"preceptor/internal/app"
	"preceptor/internal/interaction"
	"preceptor/internal/knowledge"
	"preceptor/internal/pack"
	"preceptor/internal/platform/config"
	"preceptor/internal/platform/fault"
	"preceptor/internal/platform/lists"
	"preceptor/internal/platform/table"
	"preceptor/internal/platform/terminal"
	"preceptor/internal/platform/text"
)

// maxQueryLine bounds one line of --jsonl, in bytes.
const maxQueryLine = 1 << 20

type recallCmd struct {
	config.Base
	Agent       string `placeholder:"NAME" help:"The agent whose knowledge to use besides what all agents share; created if it does not exist. By default only what is shared."`
	Pack        string `placeholder:"PACK" help:"The domain of the question, and of a new agent: ${packs}. By default the agent's, or the one in which all agents work."`
	Query       string `xor:"what" required:"" placeholder:"Q" help:"The question."`
	JSONL       bool   `name:"jsonl" xor:"what" required:"" help:"Read {\"id\",\"query\",\"messages\",\"task_type\"} lines from standard input, write one answer per line."`
	Interaction string `xor:"what" required:"" placeholder:"ID" help:"Show the prompt of this draft and compare it with its hash."`
	Task        string `placeholder:"T" help:"Only cases of this task, such as tax_free_cash; by default all."`
	TopK        int    `default:"10" placeholder:"N" help:"Show at most so many results; by default 10."`
	JSON        bool   `name:"json" help:"As JSON."`
}

// found is one item as programs get it.
type found struct {
	Kind   string  `json:"kind"`
	ID     string  `json:"id"`
	Source string  `json:"source"`
	Score  float64 `json:"score"`
	Text   string  `json:"text"`
}

// Run answers one query, or one a line, best item first.
func (c *recallCmd) Run(t *terminal.Terminal) error {
	if c.JSONL && (c.Task != "" || c.JSON) {
		return fault.New(fault.Invalid, "With --jsonl, each line has its own task_type, and the answer is always JSON.")
	}
	if !c.JSONL && c.Interaction == "" && strings.TrimSpace(c.Query) == "" {
		return fault.New(fault.Invalid, "The query is empty.")
	}
	if c.TopK < 1 {
		return fault.New(fault.Invalid, "Ask for at least one result with --top-k.")
	}
	return reading(t, c.With, "POST /api/recall, /ask, or the page of a prompt at /interactions/ID/recall",
		func(a *app.App) error {
			if c.Interaction != "" {
				return printPrompt(t, a.Knowledge, c.Interaction, c.JSON)
			}
			agent, err := agentNamed(t, a, c.Agent, c.Pack)
			if err != nil {
				return err
			}
			r := recaller{t: t, a: a, agent: agent, most: c.TopK}
			if c.JSONL {
				return r.lines(t.In)
			}
			items, err := r.ask(c.Query, c.Task)
			if err != nil {
				return err
			}
			if c.JSON {
				return t.JSON(struct {
					Query string  `json:"query"`
					Items []found `json:"items"`
					Note  string  `json:"note,omitempty"`
				}{c.Query, plain(items), noteOf(items)})
			}
			return printItems(t, items)
		})
}

type recaller struct {
	t     *terminal.Terminal
	a     *app.App
	agent account.Agent
	most  int // items
}

func (r recaller) ask(query, task string, said ...interaction.Message) ([]knowledge.Item, error) {
	c := interaction.Consultation{Question: query, Messages: said, Pack: r.agent.Pack}
	if wrong := c.Converse(""); len(wrong) > 0 {
		return nil, fault.New(fault.Invalid, "The messages can't be read. %s", wrong[0].Msg)
	}
	if strings.TrimSpace(c.Question) == "" {
		return nil, fault.New(fault.Invalid, "The query is empty.")
	}
	q := knowledge.Query{AgentID: r.agent.ID, Text: c.Question, Task: interaction.TaskForm(task),
		Situation: c.Situation()}
	items, err := r.a.Knowledge.Search(r.t.Ctx, q, r.most)
	if err != nil {
		return nil, err
	}
	liked, err := r.a.Liked(r.t.Ctx, q)
	items = append(items, liked...)
	return items[:min(len(items), r.most)], err
}

// question is one line of --jsonl. An id is echoed as it came, whatever its type.
type question struct {
	ID    json.RawMessage `json:"id"`
	Query *string         `json:"query"`
	Task  string          `json:"task_type"`
	Said  json.RawMessage `json:"messages"`
}

type answer struct {
	ID    json.RawMessage `json:"id"`
	Items []found         `json:"items"`
	Note  string          `json:"note,omitempty"` // that nothing related was found
}

func noteOf(items []knowledge.Item) string { return (&knowledge.Recall{Items: items}).Note() }

type complaint struct {
	ID    json.RawMessage `json:"id"`
	Error string          `json:"error"`
}

// lines answers every line. A bad one is reported by its number and as a line of the output, and the rest is answered;
// the exit code tells that there was one.
func (r recaller) lines(in io.Reader) error {
	lines := table.NewLines(in, maxQueryLine)
	bad := 0
	for line, err := range lines.All() {
		var q question
		var items []knowledge.Item
		if err == nil {
			items, err = r.line(line, &q)
		}
		if err != nil {
			if fault.KindOf(err) != fault.Invalid {
				return err
			}
			bad++
			r.t.Say("line %d: %s", lines.N, fault.Message(err))
			if err := r.t.Line(complaint{q.ID, fault.Message(err)}); err != nil {
				return err
			}
			continue
		}
		if err := r.t.Line(answer{q.ID, plain(items), noteOf(items)}); err != nil {
			return err
		}
	}
	if bad > 0 {
		return fault.New(fault.Invalid, "Lines that could not be answered: %d.", bad)
	}
	return nil
}

func (r recaller) line(line []byte, q *question) ([]knowledge.Item, error) {
	if err := json.Unmarshal(line, q); err != nil {
		return nil, fault.Wrap(fault.Invalid, err, `This is not a JSON object such as {"id": 1, "query": "..."}.`)
	}
	if q.Query == nil && len(q.Said) > 0 {
		q.Query = new(string)
	}
	if q.Query == nil {
		return nil, fault.New(fault.Invalid, `The line has no "query".`)
	}
	return r.ask(*q.Query, q.Task, pack.MessagesLoosely(q.Said)...)
}

func plain(items []knowledge.Item) []found {
	return lists.Map(items, func(item knowledge.Item) found {
		return found{Kind: item.Kind, ID: item.ID, Source: item.Source, Score: item.Score, Text: item.Text}
	})
}

func printItems(t *terminal.Terminal, items []knowledge.Item) error {
	if len(items) == 0 {
		t.Say(knowledge.NothingRelated)
		return nil
	}
	w := bufio.NewWriter(t.Out)
	for i, item := range items {
		fmt.Fprintf(w, "%2d. %.3f  %s  %s\n", i+1, item.Score, item.Label, item.Source)
		fmt.Fprintf(w, "    %s\n", text.Opening(item.Text, 160))
		if len(item.Why) > 0 {
			fmt.Fprintf(w, "    why: %s\n", strings.Join(item.Why, "; "))
		}
	}
	return w.Flush()
}
