package turn

import (
	"path"
	"strings"
)

// languages are what files of an extension are written in; seed 002's four, and others.
var languages = map[string]string{".py": "python", ".go": "go", ".ts": "typescript", ".tsx": "typescript",
	".js": "javascript", ".jsx": "javascript", ".java": "java",
	".rs": "rust", ".rb": "ruby", ".c": "c", ".cpp": "c++", ".cs": "c#", ".php": "php", ".sql": "sql"}

// OfFile is the language of a file by its extension; "" for one that is not known. What is proposed and what is
// recalled go by it.
func OfFile(file string) string {
	return languages[strings.ToLower(path.Ext(strings.ReplaceAll(file, `\`, "/")))]
}

// Language is the language of what a context is about: its key, or else its file's by the extension; "" where nothing
// says.
func Language(context map[string]any) string {
	if name, _ := context["language"].(string); strings.TrimSpace(name) != "" {
		return strings.ToLower(strings.TrimSpace(name))
	}
	file, _ := context["file"].(string)
	return OfFile(file)
}

// Project is the project of a context; "" where nothing says.
func Project(context map[string]any) string {
	name, _ := context["project"].(string)
	return strings.TrimSpace(name)
}

// Scopes are what holds for an agent at work, in the words of rules: agent:NAME, and task, language and project where
// they are known.
func Scopes(agent, task string, context map[string]any) (out []string) {
	for _, s := range []struct{ kind, name string }{{"agent", agent}, {"task", task}, {"language", Language(context)},
		{"project", Project(context)}} {
		if s.name != "" {
			out = append(out, s.kind+":"+s.name)
		}
	}
	return out
}
