package app

import (
	"testing"
	"time"

	"preceptor/internal/compliance"
	"preceptor/internal/pack"
)

func TestTheChecksReadWhatARuleHasTheAdvisorSay(t *testing.T) {
	check := compliant(compliance.NewChecker(time.Now))
	for text, refused := range map[string]bool{
		"tell them they should buy an annuity now because it is guaranteed to be the best choice": true,
		"Tell the customer that they should buy an annuity.":                                      true,
		"advise them to transfer":                                                  true,
		"they should take drawdown":                                                true,
		"urge them to act today":                                                   true,
		"mention that their fund will grow by 8% a year":                           true,
		"You can take 30% of your pot tax free.":                                   true,
		"You should move your pension.":                                            true,
		"You have 30 days to change your mind after buying an annuity.":            false,
		"never tell them they should buy an annuity":                               false,
		"say that they should get regulated advice before transferring":            false,
		"Tell them to check their National Insurance record.":                      false,
		"We are sorry to hear of your loss.":                                       false,
		"explain the options side by side":                                         false,
		"explain the option of an annuity in plain words":                          false,
		"Do you have a health condition? You may qualify for an enhanced annuity.": false,
		"Customers with small pots should be told about the small pot rules":       false,
		"sign off with our phone number":                                           false,
		"pension savings":                                                          false,
		"MoneyHelper offers free guidance on weighing it up.":                      false,
		"buy time: a colleague calls back within two days":                         false,
	} {
		if why := check(pack.Pension, text); (why != "") != refused {
			t.Errorf("%s: %q", text, why)
		}
	}
	if why := check(pack.GeneralName, "tell them they should buy an annuity now"); why != "" {
		t.Errorf("a pack without checks says %s", why)
	}
}
