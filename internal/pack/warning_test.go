package pack

import "testing"

// Supervisors write the warning in words of their own; none of these is from a wording of ours.
func TestWarningsInOtherWords(t *testing.T) {
	for _, c := range []struct {
		text string
		want bool
	}{
		{"Your defined benefit pension gives you valuable guarantees, such as an income for life, that you would lose by transferring it.", true},
		{"Please note that your DB pension provides guaranteed benefits which would be lost on transfer.", true},
		{"If you leave the scheme you lose an income that is guaranteed for life and rises each year.", true},
		{"Important: moving your final salary pension means losing its guarantees.", true},
		{"Your council pension is guaranteed. If you move it you cannot get that back.", true},
		{"A final salary pension pays a set income for life. Giving it up is permanent, and most people are better off staying in.", true},
		{"Once you transfer out of a defined benefit scheme there is no going back, and you give up a promised income.", true},
		{"Most people who transfer out of a final salary scheme end up worse off.", true},
		{"The regulator's view is that most people should keep their defined benefit pension because of its guarantees.", true},
		{"You would be giving up a secure income for life that rises with inflation if you transferred your DB pension.", true},
		{"Think hard before moving it: your workplace pension promises an income for life, and that promise ends when you transfer.", true},
		{"Transferring your DB pension is usually not in your best interests.", true},
		{"Your DB pension comes with guarantees you can't replace elsewhere, so transferring could leave you with less in retirement.", true},
		{"Warning: a defined benefit pension has valuable guarantees that would be lost if you combined it with other pensions.", true},
		{"Guarantees that come with a DB pension, such as a pension for your husband or wife, end if you move.", true},
		{"A defined benefit pension pays an income for life.", false},
		{"You can transfer your DB pension to a SIPP.", false},
		{"Transferring takes three months and the value is guaranteed for that time.", false},
		{"If you miss the deadline you lose the transfer value quoted.", false},
		{"You could lose money if the market falls after you transfer.", false},
		{"An annuity is guaranteed for life. You cannot change it once you have bought it.", false},
		{"You lose track of fewer pensions if you combine them.", false},
		{"Combining pensions means one set of charges. You will not lose out.", false},
		{"The scheme's guarantees mean that your pension is paid even if markets fall.", false},
	} {
		if got, _, _ := WarnedOfGuarantees(c.text); got != c.want {
			t.Errorf("%q warns: %v, want %v", c.text, got, c.want)
		}
	}
}
