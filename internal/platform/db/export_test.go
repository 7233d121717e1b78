package db

import (
	"context"
	"errors"

	"github.com/jackc/pgx/v5/pgconn"
	"github.com/pressly/goose/v3"
)

// IsDenied reports whether the authorizer refused the statement.
func IsDenied(err error) bool {
	const codeAuth = 23
	code, ok := engineCode(err)
	return ok && code&0xff == codeAuth || errors.Is(err, errDenied)
}

// SchemaAt makes the schema of a number in an empty database of a server, brings it to another, and lists what query
// asks for then.
func SchemaAt(ctx context.Context, url string, number, to int64, query string) ([]string, error) {
	c, err := pgconn.ParseConfig(url)
	if err != nil {
		return nil, err
	}
	d := &DB{server: c}
	w, lite := d.serverPool(1, connector{schema: true}), d.serverPool(1, connector{schema: true, lite: true})
	defer w.Close()
	defer lite.Close()
	if err := createOnServer(ctx, w, number); err != nil {
		return nil, err
	}
	if err := migrateTo(ctx, lite, goose.DialectPostgres, to); err != nil {
		return nil, err
	}
	return pragmaLines(ctx, w, query)
}
