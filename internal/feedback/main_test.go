package feedback_test

import (
	"flag"
	"os"
	"testing"
)

// TestMain lets the property tests run 25 times unless a flag says otherwise; each opens a database.
func TestMain(m *testing.M) {
	if err := flag.Set("rapid.checks", "25"); err != nil {
		panic(err)
	}
	flag.Parse()
	os.Exit(m.Run())
}
