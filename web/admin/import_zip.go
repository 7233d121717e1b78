package admin

import (
	"archive/zip"
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"

	"preceptor/internal/knowledge"
	"preceptor/internal/platform/fault"
	"preceptor/internal/platform/table"
)

// The limits of an uploaded zip file: a small file may unpack to a very large one.
const (
	maxEntries  = 20_000
	maxEntry    = 33 << 20  // bytes of one document
	maxUnpacked = 256 << 20 // bytes of all
)

// upload is a zip file that was uploaded; Close lets go of it.
type upload struct {
	*zip.Reader
	io.Closer
}

// openUpload copies what was uploaded to a file of our own, because the request's goes with the request, and checks
// that what is no document by its name is a zip file of a bearable size.
func openUpload(from io.Reader, name string) (*upload, error) {
	if knowledge.Importable(name) {
		packed, err := packOne(from, name)
		if err != nil {
			return nil, err
		}
		from = packed
	}
	f, size, err := table.Spool(from)
	if err != nil {
		return nil, err
	}
	z, err := readZip(f, size)
	if err != nil {
		return nil, errors.Join(err, f.Close())
	}
	return &upload{z, f}, nil
}

// packOne makes a zip file of a document.
func packOne(from io.Reader, name string) (*bytes.Buffer, error) {
	packed := &bytes.Buffer{}
	z := zip.NewWriter(packed)
	w, err := z.CreateHeader(&zip.FileHeader{Name: name})
	if err == nil {
		_, err = io.Copy(w, io.LimitReader(from, maxEntry))
	}
	return packed, errors.Join(err, z.Close())
}

func readZip(f io.ReaderAt, size int64) (*zip.Reader, error) {
	z, err := zip.NewReader(f, size)
	if err != nil {
		return nil, fault.Wrap(fault.Invalid, err,
			"This is not a zip file, nor a document that can be read (PDF, .docx, .html, .md, .txt).")
	}
	left := uint64(maxUnpacked) // counted down, because sizes that a file claims can run a sum over
	tooLarge := len(z.File) > maxEntries
	for _, e := range z.File {
		if e.UncompressedSize64 > left {
			tooLarge = true
			break
		}
		left -= e.UncompressedSize64
	}
	if tooLarge {
		return nil, fault.New(fault.Invalid,
			"The zip file unpacks to more than 20,000 files or 256 MB. Send it in parts.")
	}
	return z, nil
}

// Open implements fs.FS. What a header says of a size is not believed: reading stops at maxEntry.
func (u *upload) Open(name string) (fs.File, error) {
	f, err := u.Reader.Open(name)
	if err != nil {
		return nil, err
	}
	if d, ok := f.(fs.ReadDirFile); ok {
		return d, nil
	}
	return &bounded{File: f, name: name, left: maxEntry}, nil
}

type bounded struct {
	fs.File
	name string
	left int64
}

func (b *bounded) Read(p []byte) (int, error) {
	if b.left <= 0 {
		return 0, fmt.Errorf("%s is larger than 32 MB", b.name)
	}
	if int64(len(p)) > b.left {
		p = p[:b.left]
	}
	n, err := b.File.Read(p)
	b.left -= int64(n)
	return n, err
}
