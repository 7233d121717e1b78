// Package account knows who may do what: people with their roles, passwords, sessions and teams, and agents with their
// tokens.
//
// It owns the tables account, account_role, account_link, session, session_once, setup_link, sign_in_count,
// known_address, agent, agent_former, token, team and team_member.
//
// What it promises. No secret is stored: passwords as argon2id (46 MiB, one pass, one lane: the OWASP minimum, about
// 65 ms here), random secrets as SHA-256. At most two passwords are hashed at a time, so that signing in is not the
// cheapest way to exhaust the server. An unknown e-mail costs the same as a wrong password. Every attempt is counted
// before its password is looked at, so that parallel guesses gain nothing; waits grow and end, and a person is never
// locked out from an address that has signed in before. Roles are read with every request: a change counts at once.
// Sessions are rows: sign-out, disabling and a new password end them on the server. A token with a wrong checksum is
// refused before the database is asked. Each of these acts is an audit row in the same transaction.
//
// Nobody knows another's password: people choose theirs behind a link that works once, for a day. Once the firm has
// decided anything, a role that a person grants, and every role of whoever used a link, counts only a day later, and
// colleagues are told at once: otherwise one administrator could sign twice. Set-up by the server's operator counts at
// once.
//
// Passwords: 12 to 200 characters, verbatim (ASVS 6.2.8; no Unicode normalisation, no truncation), no composition rules
// and no expiry (NIST 800-63B). NIST asks for 15 where a password is the only factor; 12 is the floor here because the
// block list, the rules against repetition and the throttle stand beside it, and the form advises a longer sentence.
//
// Time limits: a session ends 45 minutes after the last request and 12 hours after sign-in. Both can be configured.
//
// What it decided against: signed cookies with the roles in them (they can't be revoked), locking accounts (anybody
// could lock out anybody), and a default password.
package account

import (
	"slices"
	"strings"
	"time"

	"github.com/alexedwards/argon2id"

	"preceptor/internal/audit"
	"preceptor/internal/platform/db"
	"preceptor/internal/platform/fault"
)

// Role is what a person may do; a person may have several.
type Role string

// The roles.
const (
	Supervisor Role = "supervisor" // decides reviews
	Expert     Role = "expert"     // settles borderline cases, accepts rules
	Manager    Role = "manager"    // watches the numbers
	Admin      Role = "admin"      // people, agents, import, jobs, audit, backup
)

// Roles lists all roles, in the order in which pages show them.
var Roles = []Role{Supervisor, Expert, Manager, Admin}

// Valid reports whether r is one of the roles.
func (r Role) Valid() bool { return slices.Contains(Roles, r) }

// ParseRoles reads roles separated by commas or blanks, as the command line takes them.
func ParseRoles(s string) ([]Role, error) {
	var out []Role
	for _, f := range strings.FieldsFunc(s, func(r rune) bool { return r == ',' || r == ' ' }) {
		out = append(out, Role(strings.ToLower(f)))
	}
	return checkRoles(out)
}

// checkRoles returns the roles once each in the usual order.
func checkRoles(in []Role) ([]Role, error) {
	for _, r := range in {
		if !r.Valid() {
			return nil, fault.Wrong("There is no such role. The roles are supervisor, expert, manager and admin.",
				"roles", "Choose from supervisor, expert, manager and admin.")
		}
	}
	var out []Role
	for _, r := range Roles {
		if slices.Contains(in, r) {
			out = append(out, r)
		}
	}
	if len(out) == 0 {
		return nil, fault.Wrong("A person needs at least one role.",
			"roles", "Choose at least one role.")
	}
	return out, nil
}

// Prefs is how a person wants the pages.
type Prefs struct {
	Theme      string // system, light or dark
	Density    string // comfortable or compact
	LetterKeys bool   // whether single letters are commands
}

// Account is a person.
type Account struct {
	ID        string
	Email     string
	Name      string
	Roles     []Role
	Prefs     Prefs
	Disabled  bool
	Invited   bool               // has not chosen a password yet
	Waiting   []Role             // of Roles, those that don't count yet
	CountsAt  time.Time          // when all of Waiting do
	Starts    map[Role]time.Time // when each of Waiting does
	CreatedAt time.Time
	Version   int // goes up by one with every change

	proof string // the stored password that SignIn compared with; "" when it was read otherwise
}

// Has reports whether the account has role r and it has taken effect: what a role lets a person do, it does from then
// on.
func (a Account) Has(r Role) bool {
	return slices.Contains(a.Roles, r) && !slices.Contains(a.Waiting, r)
}

// Actor is the account as the audit log names it.
func (a Account) Actor() audit.Actor { return audit.Actor{Kind: "person", ID: a.ID, Name: a.Name} }

// NewAccount is what it takes to add a person.
type NewAccount struct {
	Email    string
	Name     string
	Password string
	Roles    []Role
}

// Directory is the door to people, sessions, agents and tokens.
type Directory struct {
	db       *db.DB
	hashing  chan struct{}    // a place for each hash that may run
	cost     *argon2id.Params // of new hashes
	idle     time.Duration
	absolute time.Duration
	noted    noted
	hooks    Hooks
}

// Hooks are what an account asks of the product and tells it. Without them nothing was ever decided, and nobody is
// told.
type Hooks struct {
	Decided func(tx *db.Tx) (bool, error) // whether the firm has decided anything
	// roles or a way in were given to a person, and count from g.Who.CountsAt on
	OnGranted func(tx *db.Tx, g Grant) error
	// a person was blocked, or has fewer roles left
	OnTaken   func(tx *db.Tx, before, left Account, by audit.Actor) error
	OnRenamed func(tx *db.Tx, id, name string) error // a person or an agent has another name
	// a person signs in with another address
	OnReaddressed func(tx *db.Tx, a Account, by audit.Actor) error
	// Spoken reports whether votes or reports came under a name, whatever its capitals.
	Spoken func(tx *db.Tx, name string) (bool, error)
	Work   func(tx *db.Tx, agentID string) (Work, error) // what an agent did and has
	// OnAway keeps with an agent's settings whether it is put away.
	OnAway func(tx *db.Tx, agentID string, away bool) error
}

// Grant is what was given to a person.
type Grant struct {
	Who   Account
	Roles []Role // new ones; none: a link with which Who chooses a new password
	By    audit.Actor
}

// WithHooks sets the hooks.
func WithHooks(h Hooks) Option { return func(d *Directory) { d.hooks = h } }

// Option changes a Directory's defaults.
type Option func(*Directory)

// WithLifetimes sets how long a session lasts after its last request and after sign-in. Zero keeps the default.
func WithLifetimes(idle, absolute time.Duration) Option {
	return func(d *Directory) {
		if idle > 0 {
			d.idle = idle
		}
		if absolute > 0 {
			d.absolute = absolute
		}
	}
}

const (
	defaultIdle     = 45 * time.Minute
	defaultAbsolute = 12 * time.Hour
	parallelHashes  = 2
	touchEvery      = time.Minute // sessions and tokens: how fresh "last seen" is kept
)

// New opens the directory on d.
func New(d *db.DB, opts ...Option) *Directory {
	dir := &Directory{db: d, hashing: make(chan struct{}, parallelHashes), cost: params, idle: defaultIdle,
		absolute: defaultAbsolute}
	for _, o := range opts {
		o(dir)
	}
	return dir
}
