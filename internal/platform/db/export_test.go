package db

import "errors"

// IsDenied reports whether the authorizer refused the statement.
func IsDenied(err error) bool {
	const codeAuth = 23
	code, ok := engineCode(err)
	return ok && code&0xff == codeAuth || errors.Is(err, errDenied)
}
