package config

import (
	"errors"
	"io"
	"log/slog"
	"os"
	"strings"

	"preceptor/internal/platform/fault"
)

// hidden is what a secret prints as, so that one can see that it is set.
const hidden = "(hidden)"

// maxSecret bounds a secret's file, in bytes: a wrong file name must not become a password.
const maxSecret = 8 << 10

// Secret is a setting that prints as "(hidden)" wherever it is printed. Reveal is the only way to its text.
type Secret string

// Reveal is the secret itself.
func (s Secret) Reveal() string { return string(s) }

// Set reports whether there is one.
func (s Secret) Set() bool { return s != "" }

func (s Secret) String() string {
	if s == "" {
		return ""
	}
	return hidden
}

// GoString keeps %#v from showing it.
func (s Secret) GoString() string { return s.String() }

// LogValue keeps slog from showing it.
func (s Secret) LogValue() slog.Value { return slog.StringValue(s.String()) }

// MarshalText keeps encoding/json from showing it.
func (s Secret) MarshalText() ([]byte, error) { return []byte(s.String()), nil }

// ReadSecret reads one from the environment variable env or from file (flag names it); both at once is a mistake that
// would hide which one is used.
func ReadSecret(env, file, flag string) (Secret, error) {
	value := os.Getenv(env)
	if file == "" {
		return Secret(strings.TrimSpace(value)), nil
	}
	if value != "" {
		return "", fault.New(fault.Invalid, "Both %s and %s are set; unset one of them.", env, flag)
	}
	b, err := readSmall(file)
	if err != nil {
		return "", fault.Wrap(fault.Invalid, err, "The file %s of %s can't be read; check its name and permissions.",
			file, flag)
	}
	text := strings.TrimSpace(string(b))
	if text == "" {
		return "", fault.New(fault.Invalid, "The file %s of %s is empty.", file, flag)
	}
	return Secret(text), nil
}

func readSmall(name string) ([]byte, error) {
	f, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	b, err := io.ReadAll(io.LimitReader(f, maxSecret+1))
	if err != nil {
		return nil, err
	}
	if len(b) > maxSecret {
		return nil, errors.New("longer than any secret")
	}
	return b, nil
}

// LoadSecrets reads every secret from its variable or file.
func (c *Config) LoadSecrets() (err error) {
	if c.LLM.APIKey, err = ReadSecret("PRECEPTOR_LLM_API_KEY", c.LLM.APIKeyFile, "--llm-api-key-file"); err != nil {
		return err
	}
	if c.MetricsToken, err = ReadSecret("PRECEPTOR_METRICS_TOKEN", c.MetricsTokenFile,
		"--metrics-token-file"); err != nil {
		return err
	}
	return c.loadJudgeKeys()
}
