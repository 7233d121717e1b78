package admin

import (
	"archive/zip"
	"bytes"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"preceptor/internal/platform/fault"
)

func zipped(t testing.TB, fill func(z *zip.Writer)) *bytes.Reader {
	t.Helper()
	var b bytes.Buffer
	z := zip.NewWriter(&b)
	fill(z)
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	return bytes.NewReader(b.Bytes())
}

func TestZipBombs(t *testing.T) {
	t.Setenv("TMPDIR", t.TempDir())
	many := zipped(t, func(z *zip.Writer) {
		for i := range maxEntries + 1 {
			z.Create(strconv.Itoa(i))
		}
	})
	if _, err := openUpload(many, "docs.zip"); !fault.Is(err, fault.Invalid) {
		t.Errorf("many files: %v", err)
	}
	large := zipped(t, func(z *zip.Writer) {
		for i := range maxUnpacked/(maxEntry) + 1 {
			w, _ := z.Create(strconv.Itoa(i))
			w.Write(make([]byte, maxEntry))
		}
	})
	if _, err := openUpload(large, "docs.zip"); !fault.Is(err, fault.Invalid) {
		t.Errorf("much text: %v", err)
	}
	over := zipped(t, func(z *zip.Writer) { // two claims whose sum is small again
		for i := range 2 {
			z.CreateRaw(&zip.FileHeader{Name: strconv.Itoa(i), Method: zip.Deflate, UncompressedSize64: 1 << 63})
		}
	})
	if _, err := openUpload(over, "docs.zip"); !fault.Is(err, fault.Invalid) {
		t.Errorf("sizes that run over: %v", err)
	}
	one := zipped(t, func(z *zip.Writer) {
		w, _ := z.Create("large.md")
		w.Write(make([]byte, maxEntry+1))
	})
	u, err := openUpload(one, "docs.zip")
	if err != nil {
		t.Fatal(err)
	}
	if b, err := fs.ReadFile(u, "large.md"); err == nil || len(b) > maxEntry {
		t.Errorf("one large file: %d bytes, %v", len(b), err)
	}
	if err := u.Close(); err != nil {
		t.Error(err)
	}
	if left, _ := filepath.Glob(filepath.Join(os.TempDir(), "*")); len(left) > 0 {
		t.Errorf("left behind: %v", left)
	}
}

func TestZipPathsStayInside(t *testing.T) {
	t.Setenv("TMPDIR", t.TempDir())
	u, err := openUpload(zipped(t, func(z *zip.Writer) {
		for _, name := range []string{"../up.md", "/etc/root.md", `..\back.md`, "good/a.md", "__MACOSX/good/._a.md"} {
			w, _ := z.Create(name)
			w.Write([]byte("# a"))
		}
	}), "docs.zip")
	if err != nil {
		t.Fatal(err)
	}
	defer u.Close()
	fs.WalkDir(u, ".", func(name string, _ fs.DirEntry, _ error) error {
		if slices.Contains(strings.Split(name, "/"), "..") || strings.HasPrefix(name, "/") {
			t.Errorf("the file system shows %q", name)
		}
		return nil
	})
	for i, name := range []string{"../up.md", `..\back.md`, "__MACOSX"} {
		if i >= len(u.left) || u.left[i].File != name {
			t.Fatalf("%s isn't among what was left out: %+v", name, u.left)
		}
	}
	if b, err := fs.ReadFile(u, "good/a.md"); err != nil || string(b) != "# a" {
		t.Errorf("%q, %v", b, err)
	}
}

func FuzzOpenUpload(f *testing.F) {
	var b bytes.Buffer
	z := zip.NewWriter(&b)
	w, _ := z.Create("a.md")
	w.Write([]byte("# a"))
	z.Close()
	f.Add(b.Bytes())
	f.Add([]byte("PK\x05\x06" + strings.Repeat("\x00", 18)))
	f.Fuzz(func(t *testing.T, data []byte) {
		u, err := openUpload(bytes.NewReader(data), "docs.zip")
		if err != nil {
			if k := fault.KindOf(err); k != fault.Invalid {
				t.Fatalf("%v", err)
			}
			return
		}
		defer u.Close()
		fs.WalkDir(u, ".", func(name string, d fs.DirEntry, err error) error {
			if err == nil && !d.IsDir() {
				fs.ReadFile(u, name) // must not panic or grow without bound
			}
			return nil
		})
	})
}

// A workbook is one, and no zip file of documents.
func TestAWorkbookIsNoZipOfDocuments(t *testing.T) {
	t.Setenv("TMPDIR", t.TempDir())
	book := zipped(t, func(z *zip.Writer) { z.Create("[Content_Types].xml"); z.Create("xl/workbook.xml") })
	if _, err := openUpload(book, "fees.xlsx"); !fault.Is(err, fault.Invalid) ||
		!strings.Contains(fault.Message(err), "Office") {
		t.Errorf("%v", err)
	}
}

// A zip file that names a file twice, or a file and a folder alike, gives the others, and says which it doesn't.
func TestAZipThatNamesAFileTwice(t *testing.T) {
	t.Setenv("TMPDIR", t.TempDir())
	u, err := openUpload(zipped(t, func(z *zip.Writer) {
		for _, name := range []string{"a.md", "sub/", "sub/c.md", "a.md", "./a.md", `sub\c.md`, "sub/", "sub", "b.md"} {
			w, _ := z.Create(name)
			if !strings.HasSuffix(name, "/") {
				w.Write([]byte("# " + name))
			}
		}
	}), "docs.zip")
	if err != nil {
		t.Fatal(err)
	}
	defer u.Close()
	var files, left []string
	if err := fs.WalkDir(u, ".", func(name string, d fs.DirEntry, err error) error {
		if err == nil && !d.IsDir() {
			files = append(files, name)
		}
		return err
	}); err != nil || !slices.Equal(files, []string{"a.md", "b.md", "sub/c.md"}) {
		t.Errorf("%v, %v", files, err)
	}
	for _, s := range u.left {
		left = append(left, s.File+": "+s.Why)
	}
	if got := strings.Join(left, "\n"); got != "a.md: the zip file has it more than once; the first was read\n"+
		"sub/c.md: the zip file has it more than once; the first was read\n"+
		"sub: the zip file has a folder of this name, too" {
		t.Error(got)
	}
}
