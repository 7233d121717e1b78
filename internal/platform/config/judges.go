package config

import (
	"regexp"
	"strings"

	"preceptor/internal/platform/fault"
	"preceptor/internal/platform/strict"
)

// Judge is one configured judge of the compliance panel: a model under a name.
type Judge struct {
	Name     string `json:"name"`
	Provider string `json:"provider"` // openai or anthropic
	Model    string `json:"model"`
	BaseURL  string `json:"base_url"` // the model settings' when empty and the provider is theirs
	KeyFile  string `json:"key_file"` // the model settings' key when empty and the server is theirs
}

var judgeName = regexp.MustCompile(`^[a-z][a-z0-9-]{0,39}$`)

// JudgeList reads the judges of --judge or PRECEPTOR_JUDGES. Each value is a JSON list of them, or entries of the form
// name=provider/model[,base-url=URL][,key-file=FILE], separated by semicolons. It is an Invalid fault when one can't be
// read.
func (b Base) JudgeList() ([]Judge, error) {
	var out []Judge
	for _, value := range b.Judge {
		value = strings.TrimSpace(value)
		if strings.HasPrefix(value, "[") {
			var list []Judge
			if err := strict.Into([]byte(value), &list); err != nil {
				return nil, fault.Wrap(fault.Invalid, err,
					`The JSON of the judges can't be read; write [{"name":"strict","provider":"openai","model":"gpt-5-mini"}].`)
			}
			out = append(out, list...)
			continue
		}
		for entry := range strings.SplitSeq(value, ";") {
			if strings.TrimSpace(entry) == "" {
				continue
			}
			j, err := judgeOf(entry)
			if err != nil {
				return nil, err
			}
			out = append(out, j)
		}
	}
	return b.completed(out)
}

func judgeOf(entry string) (j Judge, err error) {
	what, more, _ := strings.Cut(entry, ",")
	name, model, ok := strings.Cut(what, "=")
	provider, model, ok2 := strings.Cut(model, "/")
	if !ok || !ok2 {
		return j, fault.New(fault.Invalid,
			"%q isn't a judge; write name=provider/model, for example strict=openai/gpt-5-mini.",
			strings.TrimSpace(what))
	}
	j = Judge{Name: strings.TrimSpace(name), Provider: strings.TrimSpace(provider), Model: strings.TrimSpace(model)}
	for more != "" {
		var option string
		option, more, _ = strings.Cut(more, ",")
		key, value, _ := strings.Cut(option, "=")
		switch strings.TrimSpace(key) {
		case "base-url":
			j.BaseURL = strings.TrimSpace(value)
		case "key-file":
			j.KeyFile = strings.TrimSpace(value)
		default:
			return j, fault.New(fault.Invalid,
				"The judge %s has an unknown option %q; the options are base-url and key-file.", j.Name,
				strings.TrimSpace(key))
		}
	}
	return j, nil
}

// completed checks the judges and gives those of the model settings' provider its address.
func (b Base) completed(list []Judge) ([]Judge, error) {
	seen := map[string]bool{}
	for i := range list {
		j := &list[i]
		switch {
		case !judgeName.MatchString(j.Name):
			return nil, fault.New(fault.Invalid,
				"%q isn't a valid judge name; use lower-case letters, digits and hyphens.", j.Name)
		case seen[j.Name]:
			return nil, fault.New(fault.Invalid, "There are two judges called %s; each needs its own name.", j.Name)
		case j.Provider != "openai" && j.Provider != "anthropic":
			return nil, fault.New(fault.Invalid, "The judge %s has an unknown provider %q; use openai or anthropic.",
				j.Name, j.Provider)
		case j.Model == "":
			return nil, fault.New(fault.Invalid, "The judge %s names no model.", j.Name)
		case j.BaseURL != "" && !isWebAddress(j.BaseURL):
			return nil, fault.New(fault.Invalid,
				"The judge %s has the invalid address %q; use the form http://host:port/v1.", j.Name, j.BaseURL)
		}
		seen[j.Name] = true
		if j.BaseURL == "" && j.Provider == b.LLM.Provider {
			j.BaseURL = b.LLM.BaseURL
		}
	}
	return list, nil
}

// JudgeKey is the key of a judge: its own, or that of the model settings where it asks the same server. A key is never
// sent to a server that it was not given for.
func (b Base) JudgeKey(j Judge) Secret {
	if key, own := b.JudgeKeys[j.Name]; own {
		return key
	}
	if j.Provider == b.LLM.Provider && j.BaseURL == b.LLM.BaseURL {
		return b.LLM.APIKey
	}
	return ""
}

func (b Base) checkJudges(p *problems) {
	list, err := b.JudgeList()
	if err != nil {
		p.add("judge", "%s", fault.Message(err))
		return
	}
	for _, j := range list {
		if key := b.JudgeKey(j); !key.Set() && (j.BaseURL == "" || j.Provider == "anthropic") {
			p.add("judge",
				"The judge %s needs a key: add ,key-file=FILE, or set the model settings for the same provider.",
				j.Name)
		}
	}
}

// loadJudgeKeys reads the judges' key files.
func (c *Config) loadJudgeKeys() error {
	list, err := c.JudgeList()
	if err != nil {
		return nil // Check says so, with everything else
	}
	c.JudgeKeys = nil
	for _, j := range list {
		if j.KeyFile == "" {
			continue
		}
		key, err := ReadSecret("", j.KeyFile, "the judge "+j.Name)
		if err != nil {
			return err
		}
		if c.JudgeKeys == nil {
			c.JudgeKeys = map[string]Secret{}
		}
		c.JudgeKeys[j.Name] = key
	}
	return nil
}
