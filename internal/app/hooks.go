package app

import (
	"preceptor/internal/account"
	"preceptor/internal/advisor"
	"preceptor/internal/comment"
	"preceptor/internal/compliance/borderline"
	"preceptor/internal/compliance/checkbook"
	"preceptor/internal/compliance/evaluate"
	"preceptor/internal/dataset"
	"preceptor/internal/feedback"
	"preceptor/internal/feedback/chat"
	"preceptor/internal/feedback/nightly"
	"preceptor/internal/feedback/preference"
	"preceptor/internal/interaction"
	"preceptor/internal/knowledge"
	"preceptor/internal/knowledge/conflict"
	"preceptor/internal/policy"
	"preceptor/internal/review"
	"preceptor/internal/review/planted"
	"preceptor/internal/stats"
)

// This file says what each package asks and tells others, in the order in which wire makes them. What is not made yet then is reached
// through a method of App.

func (a *App) interactionHooks() interaction.Hooks {
	return interaction.Hooks{PackOf: a.Accounts.PackTx, Read: a.read, OnAsked: a.asked}
}

func (a *App) feedbackHooks() feedback.Hooks {
	return feedback.Hooks{Clean: a.clean, Registered: a.Accounts.AgentNamedTx, OnVote: a.voted, OnOutcome: a.outcomeGiven, OnLog: a.logged}
}

func (a *App) policyHooks() policy.Hooks {
	return policy.Hooks{MayAdmin: a.holds(account.Admin), OnProposed: a.noticeProposed}
}

func (a *App) borderlineHooks() borderline.Hooks {
	return borderline.Hooks{
		MayRule: a.holds(account.Expert), MayAgree: a.holds(account.Expert, account.Admin), MaySend: a.holds(account.Supervisor),
		Undecided: a.undecided, AskFor: a.askFor, Experts: a.experts,
		OnOpened: a.Tally.CaseTx, OnRated: a.Tally.CaseTx, OnRuled: a.ruled, OnRulingUndone: a.rulingUndone,
		OnStuck: a.noticeStuck, OnLate: a.noticeBorderline,
	}
}

func (a *App) conflictHooks() conflict.Hooks {
	return conflict.Hooks{OnFound: a.noticeConflict, OnEnded: a.ruleEnded, OnReworded: a.ruleReworded}
}

func (a *App) reviewHooks() review.Hooks {
	return review.Hooks{
		MayDecide: a.holds(account.Supervisor), MayApprove: a.Judging.MayApproveTx,
		Assess: a.assess, Rules: a.Validator.Rules, PolicyFor: a.Policies.ForTx, Experts: a.expertSays,
		TeamsOf: a.teamsOf, Assignee: a.assigneeTx,
		OnDecided: a.decided, OnUndone: a.undone, OnReleased: a.released, OnRecalled: a.recalled, OnClosed: a.plantedClosed,
		OnSigned: a.noticeSigned, OnSettled: a.settled, OnAssigned: a.noticeAssigned, OnLate: a.noticeLate,
	}
}

func (a *App) advisorHooks() advisor.Hooks {
	return advisor.Hooks{Withhold: a.withhold, Shots: a.shots, ShownTx: a.shown}
}

func (a *App) commentHooks() comment.Hooks {
	return comment.Hooks{People: a.supervisorsTx, Team: a.Accounts.TeamMembersTx, Case: a.commentedTx}
}

func (a *App) datasetHooks() dataset.Hooks {
	return dataset.Hooks{Experts: a.experts, Elsewhere: a.gather, OnUnruled: a.noticeUnruled}
}

func (a *App) plantedHooks() planted.Hooks {
	return planted.Hooks{PolicyFor: a.Policies.ForTx, Compose: a.Advisor.Compose, Recall: a.recallFor, Forget: a.Knowledge.ForgetUsageTx, Notify: a.noticePlanted}
}

func (a *App) chatHooks() chat.Hooks {
	return chat.Hooks{Find: a.agentNamed, All: a.allAgents, Reviewed: a.underReview}
}

func (a *App) judgesHooks() evaluate.Hooks {
	return evaluate.Hooks{MaySwitch: a.holds(account.Admin, account.Expert), OnAsked: a.noticeThreshold, OnExemplar: a.goldCase, OnLesson: a.goldLesson}
}

func (a *App) nightlyHooks() nightly.Hooks {
	return nightly.Hooks{AgentName: a.agentName, OnNight: a.summedUp}
}

func (a *App) preferenceHooks() preference.Hooks {
	return preference.Hooks{Hide: hide(a.Privacy), About: a.pairAbout}
}

func (a *App) statsHooks() stats.Hooks {
	return stats.Hooks{Beginning: a.Knowledge.Beginning, Growth: a.baseSizes, ExpectedCases: knowledge.ExpectedCases, ExpectedRules: knowledge.ExpectedRules,
		Credit: a.ruleCredit, Memory: a.memoryEffect}
}

func (a *App) checkbookHooks() checkbook.Hooks {
	return checkbook.Hooks{MayWrite: a.holds(account.Expert), MayAgree: a.holds(account.Expert, account.Admin), Decided: a.lastDecided, OnAsked: a.noticeAsked}
}
