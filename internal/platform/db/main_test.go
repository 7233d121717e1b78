package db_test

import (
	"os"
	"testing"

	"preceptor/internal/platform/db/dbtest"
)

func TestMain(m *testing.M) { os.Exit(dbtest.Main(m)) }
