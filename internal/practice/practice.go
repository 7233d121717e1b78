// Package practice lets an advisor practise with customers that don't exist (seed 000, "Virtual Training"), measures
// what it learned on others, and takes the memory apart to see which part of it helps.
//
// A simulator that rewards what the rules say measures itself. So customers are made and judged apart from the memory.
// What a person must come away with, their needs, hangs on who they are and what they ask (need.go), and is settled
// before any draft. The judge sees needs, dialogue and the checks, and never rules, cases or the arm: it recognises a
// need by phrases of another author than the one whose sentences reflection may use (recognise.go). Reflection sees who
// missed what, never the conditions under which a need is one: it finds out from the customers for whom a sentence is
// meant (reflect.go). Situations and wordings are parted into training, validation and test by situation and by the
// wording's author (split.go).
//
// What it promises. Practice touches no interaction, review or statistic of real people. Training runs in a file of its
// own; what was learned goes with it: nothing of it reaches an agent, but rules that an expert proposes and accepts.
// The same seed gives the same result on any number of cores: a batch is answered side by side against one state of the
// base, and learned from in order. A batch is stored before it is learned from (run.go), and each step of learning has
// its own key: a run that was killed learns again from what is stored.
//
// Thresholds and formulas stand in outcome.go. An outcome is successful as feedback.Outcome says, the one meaning of
// it, and where the text answers the question: not where it says that nothing does, nor where it tells more of other
// questions' needs. Errors of seed 000, resolved: its expected trajectory gives 1.35 just before 1,000 consultations;
// what is shown beside an agent's own measured curve is knowledge.ExpectedQuality, which meets the seed's checkpoints;
// nothing is fitted to it. It expects 52 rules after 5,000 consultations from a formula that counts every failure at
// the last success rate; the size of the bases is shown as it is. Its evaluation averages db_warning_given over those
// with such a pension, whatever they ask; here it counts where the check asks for the warning or the text gives it.
// Its fca_compliant and guidance_appropriate are not told apart: the first is that no critical issue was found, the
// second that no major one was and the text answers the question.
package practice
