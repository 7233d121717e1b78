package pack

import "testing"

func TestClassify(t *testing.T) {
	for _, c := range []struct {
		question string
		want     Task
	}{
		{"A bloke rang me up and says he can get my pension out at 48, is that right?", Scams},
		{"Got a text offering a free pension review, should I ring them back", Scams},
		{"some firm called me out of the blue about an overseas hotel investment for my pension", Scams},
		{"They guaranteed 12% a year if I sign by Friday. Legit?", Scams},
		{"A company says they can release my cash before I'm 55 through a loophole", Scams},
		{"I was cold called about my pension", Scams},
		{"Should I move my final salary pension into a personal one?", DBTransfer},
		{"my old employer is offering £180,000 to give up my defined benefit pension", DBTransfer},
		{"Is it worth transferring out of the NHS pension", DBTransfer},
		{"What is a CETV and should I take it?", DBTransfer},
		{"I've got a career average scheme and want to cash it in", DBTransfer},
		{"Can I swap my DB for drawdown", DBTransfer},
		{"I've four little pensions from old jobs, should I put them all together?", Consolidation},
		{"Would it be simpler to have everything in one pot", Consolidation},
		{"thinking of merging my workplace pots", Consolidation},
		{"What could I do with the £310,000 they've offered me?", DBTransfer},
		{"my old scheme has offered me £48,000, what do I do with it", DBTransfer},
		{"can i join all my pensions up into the new one at work", Consolidation},
		{"Could I join my two pensions together?", Consolidation},
		{"Can I join my workplace pension?", Contributions},
		{"Can I combine my pensions?", Consolidation},
		{"fed up of five different pension statements, can I roll them into one", Consolidation},
		{"consolidating my pensions - what do I lose?", Consolidation},
		{"How do I switch my pension to another provider?", Transfer},
		{"can i transfer my workplace pot to a sipp", Transfer},
		{"I want to move my pension to a different company", Transfer},
		{"How does drawdown work?", Drawdown},
		{"Can I leave it invested and dip into it when I need to", Drawdown},
		{"Will my pot last until I'm 90?", Drawdown},
		{"I'd like to draw an income but keep the rest invested", Drawdown},
		{"what is flexi access", Drawdown},
		{"Is an annuity a good idea these days?", Annuity},
		{"I want a guaranteed income for life", Annuity},
		{"how do i get a regular income until i die", Annuity},
		{"How much of my pension is tax free?", TaxFreeCash},
		{"can i have the 25% now and leave the rest", TaxFreeCash},
		{"Can I take a quarter of it and nothing else?", TaxFreeCash},
		{"What's the biggest lump sum I can have?", TaxFreeCash},
		{"can i get all my money out at once", Access},
		{"when can I get my hands on my pension, what age can I take it", Access},
		{"I want to cash in my pension", Access},
		{"How early can I start to take my pot?", Access},
		{"What can I do with my pot now I'm 60?", Access},
		{"how much tax will i pay on my pension", Tax},
		{"They've put me on an emergency tax code", Tax},
		{"will hmrc take a chunk of it", Tax},
		{"When do I get my state pension", StatePension},
		{"I've only got 28 years of national insurance, can I buy more", StatePension},
		{"How many stamps do I need for the full pension from the government", StatePension},
		{"what's my pension age now they changed it", StatePension},
		{"Should I pay more into my pension?", Contributions},
		{"does my boss have to put anything in? I was auto enrolled", Contributions},
		{"I've taken some cash out, how much can I still pay in", Contributions},
		{"What is the annual allowance", Contributions},
		{"can I opt out of my work pension", Contributions},
		{"What happens to my pension when I die?", DeathBenefits},
		{"can my kids inherit my pot", DeathBenefits},
		{"How do I nominate my partner to get my pension?", DeathBenefits},
		{"My husband passed away and had a pension, what do I do", DeathBenefits},
		{"We're getting divorced, does she get half my pension?", Divorce},
		{"my ex wants a share of the pension", Divorce},
		{"what is a pension sharing order", Divorce},
		{"I've been diagnosed with cancer, can I take my pension early?", IllHealth},
		{"too poorly to work any more, is there ill health retirement", IllHealth},
		{"doctor gave me months to live, what about my pension", IllHealth},
		{"Can I use my pension to pay off my credit card debts", DebtAndBenefits},
		{"will taking a lump sum stop my universal credit", DebtAndBenefits},
		{"bailiffs are coming and I have a pension, can they take it", DebtAndBenefits},
		{"I've lost track of a pension from the 80s", LostPensions},
		{"how do i find my old pensions, no idea who they were with", LostPensions},
		{"What fees will I pay on my pension?", Charges},
		{"is my provider ripping me off", Charges},
		{"I think I was mis-sold my pension", Complaints},
		{"How do I complain about my pension company", Complaints},
		{"I'm moving to Spain, what happens with my pension", LivingAbroad},
		{"Can I get my pension paid if I live abroad", LivingAbroad},
		{"Is my money safe if the stock market crashes?", RiskAssessment},
		{"my pension has gone down, is it too risky", RiskAssessment},
		{"What is my attitude to risk", RiskAssessment},
		{"can i get the lot out in one go and how much tax is it", Access},
		{"They took nearly half my lump sum in tax! Why and can I get it back?", Tax},
		{"Is it better to leave my pension where it is or start taking it at 60?", Access},
		{"Scheme says my deferred benefits have a transfer value of £410,000. Should I take it?", DBTransfer},
		{"Just tell me which of my two pensions to cash in first.", Access},
		{"A nice man from a firm abroad says I can double my pension. He wants the form back by Friday.", Scams},
		{"Is it worth putting my pensions together? I've the council one and two little ones from shops.", Consolidation},
		{"hello can you help me", General},
		{"", General},
	} {
		if got := Classify(c.question); got != c.want {
			t.Errorf("Classify(%q) = %s, want %s", c.question, got, c.want)
		}
		for _, task := range Tasks() {
			if got := IsAbout(c.question, task); got != (task == c.want) {
				t.Errorf("IsAbout(%q, %s) = %v, want %v", c.question, task, got, task == c.want)
			}
		}
	}
}

func TestLabels(t *testing.T) {
	for _, task := range Tasks() {
		if Label(task) == "" || Label(task) == task {
			t.Errorf("%s has no label", task)
		}
	}
	if got := Label("equity_release"); got != "Equity release" {
		t.Errorf("a foreign task is shown as %q", got)
	}
	if got := Label(""); got != "General" {
		t.Errorf("no task is shown as %q", got)
	}
}
