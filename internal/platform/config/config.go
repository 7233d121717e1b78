// Package config is every setting of the program, in one struct.
//
// A setting is a flag, or an environment variable PRECEPTOR_*, or its default; a flag wins. Secrets are the exception:
// a command line is readable by every process of the machine, so a secret comes from its variable or from a file, named
// by a flag or by the variable's name with _FILE. The defaults are a program that works offline: the embedded advisor,
// the embedded embedder, plain http on the loopback.
//
// Everything is checked once, by Check, before anything is opened, and what is wrong is reported all at once. The
// struct is passed down and never global. It prints itself with its secrets hidden, whoever prints it.
//
// Decided against: a configuration file (flags and variables are what systemd, containers and people already have), and
// settings that change while the program runs.
package config

import (
	"time"
)

// Config is what serve and demo run on. The groups are structs so that a command asks for the settings it uses only.
type Config struct {
	Base
	Server
	Desk
	Feedback
	// Demo is set by the demo command, never by a flag: one-click sign-in must not be a setting that one can leave on.
	Demo bool `kong:"-" json:"demo"`
}

// File is what every command that opens the database needs.
type File struct {
	DB string `name:"db" env:"PRECEPTOR_DB" default:"preceptor.db" placeholder:"FILE" help:"The database file; created if it does not exist. Or postgres://user@host/database, on trial."`
	// Notify is of a PostgreSQL server.
	Notify string `name:"db-notify" env:"PRECEPTOR_DB_NOTIFY" default:"listen" placeholder:"HOW" help:"How servers on one PostgreSQL database learn of changes: listen, or poll (every second)."`
	Read   string `name:"db-read" env:"PRECEPTOR_DB_READ" placeholder:"ADDRESS" help:"A replica of the PostgreSQL database, from which statistics and exports are read."`
	Zone   string `name:"zone" env:"PRECEPTOR_ZONE" placeholder:"NAME" help:"The time zone for days in statistics, such as Europe/Paris; stored in the file, Europe/London in a new one. Changing it recounts everything."`
	Log    Log    `embed:"" prefix:"log-" group:"Log"`
}

// Base is what a command needs that works with the knowledge too.
type Base struct {
	File
	Recall     string `name:"recall" env:"PRECEPTOR_RECALL" default:"hybrid" placeholder:"MODE" help:"How knowledge is found: hybrid (full text and vectors, fused) or seed (plain cosine)." group:"Knowledge"`
	Gate       string `name:"gate" env:"PRECEPTOR_GATE" default:"wilson" placeholder:"GATE" help:"When a rule counts as proven: wilson (the lower bound of its helpful share reaches 0.7) or seed (7 of 10 cases, for comparison)." group:"Knowledge"`
	Confidence string `name:"learn-confidence" env:"PRECEPTOR_LEARN_CONFIDENCE" default:"on" placeholder:"ON" help:"Whether to learn from the confidence of compliance verdicts: on or off." group:"Knowledge"`
	LLM        LLM    `embed:"" prefix:"llm-" group:"Language model"`
	// Judge are the judges of the compliance panel that ask a model; JudgeList reads them.
	Judge     []string          `name:"judge" env:"PRECEPTOR_JUDGES" sep:"none" placeholder:"NAME=PROVIDER/MODEL" help:"A model judge for the compliance panel; repeat for more. Add ,base-url=URL and ,key-file=FILE for its own server." group:"Language model"`
	JudgeKeys map[string]Secret `kong:"-"`
}

// LLM says which model answers; the default needs no network.
type LLM struct {
	Provider   string        `name:"provider" env:"PRECEPTOR_LLM_PROVIDER" default:"embedded" placeholder:"NAME" help:"embedded (no network), openai (any OpenAI-compatible server) or anthropic."`
	BaseURL    string        `name:"base-url" env:"PRECEPTOR_LLM_BASE_URL" placeholder:"URL" help:"The address of your own OpenAI-compatible server, such as http://127.0.0.1:11434/v1."`
	Model      string        `name:"model" env:"PRECEPTOR_LLM_MODEL" placeholder:"NAME" help:"The model that drafts, reflects and judges."`
	EmbedModel string        `name:"embed-model" env:"PRECEPTOR_LLM_EMBED_MODEL" placeholder:"NAME" help:"The embedding model of an OpenAI-compatible server; if empty, the built-in one."`
	EmbedDims  int           `name:"embed-dims" env:"PRECEPTOR_LLM_EMBED_DIMS" default:"0" placeholder:"N" help:"Numbers per vector of --llm-embed-model; 0 asks the model once."`
	Timeout    time.Duration `name:"timeout" env:"PRECEPTOR_LLM_TIMEOUT" default:"60s" placeholder:"DURATION" help:"How long one answer may take."`
	APIKeyFile string        `name:"api-key-file" env:"PRECEPTOR_LLM_API_KEY_FILE" placeholder:"FILE" help:"The file with the model's key; or set PRECEPTOR_LLM_API_KEY."`
	APIKey     Secret        `kong:"-" env:"PRECEPTOR_LLM_API_KEY"`
}

// Log says how the program speaks to its operator.
type Log struct {
	Format string `name:"format" env:"PRECEPTOR_LOG_FORMAT" default:"text" placeholder:"FORM" help:"text or json."`
	Level  string `name:"level" env:"PRECEPTOR_LOG_LEVEL" default:"info" placeholder:"LEVEL" help:"debug, info, warn or error."`
}

// Server is how the program is reached.
type Server struct {
	Addr             string        `name:"addr" env:"PRECEPTOR_ADDR" default:"127.0.0.1:8080" placeholder:"HOST:PORT" help:"Where to listen; port 0 picks a free one." group:"Server"`
	PublicURL        string        `name:"public-url" env:"PRECEPTOR_PUBLIC_URL" placeholder:"URL" help:"The address people type, if a proxy is in front." group:"Server"`
	TrustedProxy     []string      `name:"trusted-proxy" env:"PRECEPTOR_TRUSTED_PROXY" placeholder:"CIDR" help:"Networks whose X-Forwarded-For is trusted." group:"Server"`
	TLSCert          string        `name:"tls-cert" env:"PRECEPTOR_TLS_CERT" placeholder:"FILE" help:"Certificate chain in PEM." group:"Server"`
	TLSKey           string        `name:"tls-key" env:"PRECEPTOR_TLS_KEY" placeholder:"FILE" help:"Its key in PEM." group:"Server"`
	InsecureHTTP     bool          `name:"insecure-http" env:"PRECEPTOR_INSECURE_HTTP" help:"Serve plain http beyond this machine anyway." group:"Server"`
	SessionIdle      time.Duration `name:"session-idle" env:"PRECEPTOR_SESSION_IDLE" default:"45m" placeholder:"DURATION" help:"How long a session lasts without a request." group:"Server"`
	SessionAbsolute  time.Duration `name:"session-absolute" env:"PRECEPTOR_SESSION_ABSOLUTE" default:"12h" placeholder:"DURATION" help:"How long a session lasts at most." group:"Server"`
	WebhookAllow     []string      `name:"webhook-allow" env:"PRECEPTOR_WEBHOOK_ALLOW" placeholder:"CIDR|HOST" help:"Non-public networks and hosts that webhooks may call, also over plain http." group:"Server"`
	WidgetOrigins    []string      `name:"widget-origin" env:"PRECEPTOR_WIDGET_ORIGINS" placeholder:"ORIGIN" help:"Sites that may show the feedback widget, such as https://www.example.org; by default only this one." group:"Server"`
	Proxy            bool          `name:"proxy" env:"PRECEPTOR_PROXY" help:"Let agents call the model at /v1/chat/completions with their token; calls are billed to the key in --llm-api-key-file." group:"Server"`
	TokenRate        int           `name:"token-rate" env:"PRECEPTOR_TOKEN_RATE" default:"50" placeholder:"N" help:"Requests a second that each token may make; ten times as many at once after a pause." group:"Server"`
	MetricsTokenFile string        `name:"metrics-token-file" env:"PRECEPTOR_METRICS_TOKEN_FILE" placeholder:"FILE" help:"The file with the token for /metrics from other machines; or set PRECEPTOR_METRICS_TOKEN." group:"Server"`
	MetricsToken     Secret        `kong:"-" env:"PRECEPTOR_METRICS_TOKEN"`
}

// Desk is the policy of review and learning.
type Desk struct {
	Hold       time.Duration `name:"hold" env:"PRECEPTOR_HOLD" default:"30s" placeholder:"DURATION" help:"How long a decision can be undone before the text is released." group:"Desk"`
	ClaimFor   time.Duration `name:"claim-for" env:"PRECEPTOR_CLAIM_FOR" default:"10m" placeholder:"DURATION" help:"How long a claim lasts without activity." group:"Desk"`
	AutoAccept []string      `name:"auto-accept" env:"PRECEPTOR_AUTO_ACCEPT" placeholder:"DOMAIN" help:"Domains whose rules are accepted without a person; never regulatory_compliance." group:"Desk"`
}
