package transfer

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"strings"

	"preceptor/internal/dataset/version"
)

// hfSplits are the names that Hugging Face gives the splits.
var hfSplits = []struct{ split, name string }{{version.Train, "train"}, {version.Accept, "validation"},
	{version.Test, "test"}}

// layout writes README.md and data/*.jsonl; the live set has one split.
func (e *exporting) layout(ctx context.Context, create func(name string) (io.Writer, error)) error {
	var names []string
	for _, s := range hfSplits {
		if e.version != nil && e.version.Head.Splits[s.split] != nil || e.version == nil && s.split == version.Train {
			names = append(names, s.name)
		}
	}
	w, err := create("README.md")
	if err != nil {
		return err
	}
	if _, err := w.Write(e.readme(names)); err != nil {
		return err
	}
	for _, s := range hfSplits {
		if e.version == nil && s.split != version.Train {
			continue
		}
		if w, err = create("data/" + s.name + ".jsonl"); err != nil {
			return err
		}
		split := s.split
		if e.version == nil {
			split = ""
		}
		if err := e.file(ctx, w, HuggingFace, split); err != nil {
			return err
		}
	}
	return nil
}

// readme is the data card behind the head that the hub reads (https://huggingface.co/docs/hub/datasets-cards).
func (e *exporting) readme(splits []string) []byte {
	var b bytes.Buffer
	licence := e.set.Licence
	if e.version != nil {
		licence = e.version.Head.Licence
	}
	fmt.Fprintf(&b, "---\npretty_name: %s\n", yamlText(e.set.Name))
	if id := strings.ToLower(licence); id != "" && !strings.ContainsFunc(id, func(r rune) bool {
		return (r < 'a' || r > 'z') && (r < '0' || r > '9') && r != '-' && r != '.'
	}) {
		fmt.Fprintf(&b, "license: %s\n", id)
	} else {
		fmt.Fprintf(&b, "license: other\nlicense_name: %s\n", yamlText(licence))
	}
	b.WriteString(
		"language:\n- en\ntask_categories:\n- text-classification\nconfigs:\n- config_name: default\n  data_files:\n")
	for _, s := range splits {
		fmt.Fprintf(&b, "  - split: %s\n    path: data/%s.jsonl\n", s, s)
	}
	b.WriteString("---\n\n")
	if e.version != nil {
		b.WriteString(e.version.Card)
		fmt.Fprintf(&b, "\nManifest (SHA-256): `%s`\n", e.version.Manifest)
		return b.Bytes()
	}
	fmt.Fprintf(&b, "# %s\n\n%s\n\nThis is the set as it stood when it was exported, and not a frozen version: items "+
		"may be without a final label, and there are no splits.\n", e.set.Name, e.set.Description)
	return b.Bytes()
}

// yamlText is a text as YAML's double-quoted scalar.
func yamlText(s string) string {
	return `"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`, "\n", " ", "\t", " ").Replace(s) + `"`
}
