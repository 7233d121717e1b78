// Package frame makes what stands around every page: the navigation that the person's roles allow, with what waits for
// them, their notices and settings.
//
// Every room draws its pages in it, so it knows a little of all of them, and nothing of any page. A count that can't be
// read is left out and logged: no page fails for it.
package frame

import (
	"context"
	"slices"
	"strings"

	"github.com/labstack/echo/v4"

	"preceptor/internal/account"
	"preceptor/internal/compliance/borderline"
	"preceptor/views/accounts"
	"preceptor/views/layout"
	"preceptor/views/stats"
	"preceptor/views/ui"
	"preceptor/web/parts"
	"preceptor/web/render"
	"preceptor/web/session"
)

// Maker makes frames.
type Maker struct{ *parts.Parts }

// Frame is the page around the page that c asks for, as its person may see it.
func (m *Maker) Frame(c echo.Context, title string) layout.Frame {
	f := layout.Frame{Title: title, Path: c.Request().URL.Path, Demo: m.Demo, Now: m.Now()}
	a, ok := session.Current(c)
	if !ok {
		return f
	}
	f.Person = &layout.Person{Name: a.Name, Email: a.Email, Roles: RoleNames(a)}
	if a.Prefs.Theme != "system" {
		f.Theme = a.Prefs.Theme
	}
	f.NoKeys, f.Dense = !a.Prefs.LetterKeys, a.Prefs.Density == "compact"
	f.Packs = m.Packs(c, "")
	f.Waits = m.waits(c.Request().Context(), a)
	f.Nav, f.Own, f.Unread = m.nav(c, a, f), own(a), m.Unread(c)
	if render.IsHTMX(c) {
		return f // a part that is fetched again shows no notice, so it must not use one up
	}
	if len(a.Waiting) > 0 {
		f.Flash = []layout.Flash{{Tone: ui.Neutral, Text: pendingLine(a)}}
	}
	if line := session.TakeFlash(c); line != "" {
		flash := layout.Flash{Tone: ui.Green, Text: line}
		if not, warns := strings.CutPrefix(line, session.Warns); warns {
			flash = layout.Flash{Tone: ui.Amber, Text: not}
		}
		f.Flash = append(f.Flash, flash)
	}
	return f
}

// pendingLine tells a person when roles take effect that are new, or that stopped with a new password.
func pendingLine(a account.Account) string {
	if len(a.Waiting) < len(a.Roles) {
		return "Not in effect yet: " + accounts.Pending(a) + ". Your other roles are as before."
	}
	return "Not in effect yet: " + accounts.Pending(a) +
		". Until then you can ask questions and read Knowledge and Help."
}

// counted is n, unless it could not be counted.
func (m *Maker) counted(n int, err error, what string) int {
	if err != nil {
		m.Log.Warn("count "+what, "error", err.Error())
	}
	return n
}

// waits counts what waits for the account: everything for experts, what is learned and known for administrators.
func (m *Maker) waits(ctx context.Context, a account.Account) (w layout.Waits) {
	if a.Has(account.Expert) {
		n, err := m.Borderline.Counts(ctx,
			borderline.Viewer{Person: borderline.Person{ID: a.ID, Name: a.Name}, Expert: true})
		w.Cases, w.Late, w.Ratings = m.counted(n.Open(), err, "borderline cases"), n.Late, n.Ratings
	} else if !a.Has(account.Admin) {
		return w
	}
	n, err := m.Learning.Counts(ctx)
	w.Rules, w.Unstated, w.Failed = m.counted(n.Accept+n.Unclaimed, err, "lessons"), n.Unstated, n.Failed
	k, err := m.ToLookAt(ctx)
	w.Conflicts, w.Quarantined, w.Due = m.counted(k.Conflicts, err, "knowledge to look at"), k.Quarantined, k.Due
	sizes, err := m.Knowledge.Sizes(ctx)
	w.Documents = m.counted(sizes.Flagged, err, "documents to look at")
	changed, err := m.Knowledge.CountChangedSources(ctx)
	w.Documents += m.counted(changed, err, "documents that changed")
	changes, err := m.Approvals.ForMe(ctx, a.ID)
	w.Changes = m.counted(changes, err, "changes to agree to")
	return w
}

// nav is the navigation that the account's roles allow, with what waits for them. Experts have four areas; the others
// name what they read of the same pages.
func (m *Maker) nav(c echo.Context, a account.Account, f layout.Frame) (items []layout.Item) {
	expert, admin, leads := a.Has(account.Expert), a.Has(account.Admin), session.Leads(c)
	if a.Has(account.Supervisor) {
		n, err := m.Reviews.Counts(c.Request().Context(), a.ID, leads)
		items = append(items, layout.Item{Label: "Reviews", Href: "/reviews",
			Count: m.counted(n.Needs, err, "what waits"), CountLabel: "need review"})
	} else if leads {
		// to see where cases stand, and assign them
		items = append(items, layout.Item{Label: "Reviews", Href: "/reviews"})
	}
	switch {
	case expert:
		items = append(items, layout.Item{Label: "To do", Href: "/todo", Also: "/compliance", Count: f.Waits.All(),
			CountLabel: "to do"}, layout.Item{Label: "Datasets", Href: "/datasets"},
			layout.Item{Label: "Rules and cases", Href: "/knowledge",
				Also: "/learning /practice /feedback/examples /feedback/nightly"},
			layout.Item{Label: "Standards", Href: layout.TabRubric,
				Also: "/compliance/checks /compliance/judges"})
	case leads:
		items = append(items, layout.Item{Label: "Borderline", Href: "/compliance"},
			layout.Item{Label: "Datasets", Href: "/datasets"})
	}
	if !expert {
		items = append(items, layout.Item{Label: "Learning", Href: "/learning", Count: f.Waits.Rules,
			CountLabel: "wait for acceptance"},
			layout.Item{Label: "Knowledge", Href: "/knowledge", Count: f.Waits.Attention(), CountLabel: "to look at"},
			layout.Item{Label: "Ask", Href: "/ask"})
	}
	if leads {
		items = append(items, layout.Item{Label: "Statistics", Href: "/stats",
			Also: "/overview /exports /preferences /experiments /feedback"})
	}
	if admin {
		items = append(items, layout.Item{Label: "Administration", Href: "/admin"})
	}
	return items
}

// own are the pages about oneself, for the account menu.
func own(a account.Account) []layout.Item {
	list := []layout.Item{{Label: "Inbox", Href: "/inbox"}}
	if a.Has(account.Supervisor) || a.Has(account.Manager) || a.Has(account.Admin) {
		list = append(list, layout.Item{Label: "Progress", Href: "/progress"})
	}
	list = append(list, layout.Item{Label: "Compare answers", Href: "/preferences"})
	if a.Has(account.Expert) {
		list = append(list, layout.Item{Label: "Ask the advisor", Href: "/ask"})
	}
	if a.Has(account.Supervisor) {
		list = append(list, layout.Item{Label: "Comments", Href: "/comments"},
			layout.Item{Label: "My statistics", Href: "/stats/mine"},
			layout.Item{Label: "Practice cases", Href: "/reviews/practice"},
			layout.Item{Label: "Saved replies", Href: "/reviews/replies"})
	}
	if a.Has(account.Supervisor) || a.Has(account.Manager) || a.Has(account.Admin) {
		list = append(list, layout.Item{Label: "Exports", Href: "/exports"})
	}
	return list
}

// Unread counts my notices.
func (m *Maker) Unread(c echo.Context) int {
	n, err := m.Comments.Unread(c.Request().Context(), session.Me(c).ID)
	return m.counted(n, err, "notices")
}

// ToLookAt counts the knowledge that waits for an expert.
func (m *Maker) ToLookAt(ctx context.Context) (w stats.Waiting, err error) {
	n, err := m.Conflicts.Counts(ctx)
	if err != nil {
		return w, err
	}
	w.Conflicts, w.Oldest = n.Open, n.Oldest
	if w.Quarantined, err = m.Knowledge.CountQuarantined(ctx); err != nil {
		return w, err
	}
	w.Due, err = m.Knowledge.CountDue(ctx)
	return w, err
}

// Packs lists the packs that the desk's agents in use work in, or the one agent's. If they can't be read there is none.
func (m *Maker) Packs(c echo.Context, agentID string) (names []string) {
	list, err := m.Accounts.AllAgents(c.Request().Context())
	m.counted(len(list), err, "the agents")
	for _, a := range list {
		if (agentID == "" && !a.Away || agentID == a.ID) && !slices.Contains(names, a.Pack) {
			names = append(names, a.Pack)
		}
	}
	return names
}

// UsualPack is the pack that a form begins with.
func (m *Maker) UsualPack(c echo.Context) string {
	return layout.Frame{Packs: m.Packs(c, "")}.UsualPack()
}

// AgentOptions are the agents by which to narrow a list, after others by label: what one did that is put away counts.
func (m *Maker) AgentOptions(ctx context.Context, before ...string) ([]ui.Option, error) {
	return agentOptions(ctx, m.Accounts.AllAgents, before)
}

// AgentsInUse are the agents to choose for something new, after others by label.
func (m *Maker) AgentsInUse(ctx context.Context, before ...string) ([]ui.Option, error) {
	return agentOptions(ctx, m.Accounts.Agents, before)
}

func agentOptions(ctx context.Context, list func(context.Context) ([]account.Agent, error),
	before []string) (out []ui.Option, err error) {
	for _, label := range before {
		out = append(out, ui.Option{Label: label})
	}
	agents, err := list(ctx)
	for _, a := range agents {
		out = append(out, ui.Option{Value: a.ID, Label: a.Label()})
	}
	return out, err
}

// AgentNames are the agents by id, for pages that name several, and those in use.
func (m *Maker) AgentNames(ctx context.Context) (map[string]string, []account.Agent, error) {
	list, err := m.Accounts.AllAgents(ctx)
	names := map[string]string{"": "every agent"}
	for _, a := range list {
		names[a.ID] = a.Name
	}
	return names, slices.DeleteFunc(list, func(a account.Agent) bool { return a.Away }), err
}

// Names are everybody's, by account. A desk has tens of people.
func (m *Maker) Names(ctx context.Context) (map[string]string, error) {
	list, err := m.Accounts.List(ctx)
	names := make(map[string]string, len(list))
	for _, a := range list {
		names[a.ID] = a.Name
	}
	return names, err
}

// RoleNames are an account's roles as texts.
func RoleNames(a account.Account) []string {
	names := make([]string, len(a.Roles))
	for i, r := range a.Roles {
		names[i] = string(r)
	}
	return names
}
