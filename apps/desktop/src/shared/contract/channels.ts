import type { EngineContract } from './index'

/** `domain.entry` of everything in the contract. */
export type Channel = {
  [D in keyof EngineContract]: `${D}.${keyof EngineContract[D] & string}`
}[keyof EngineContract]

/*
 * The names alone, for the preload: it lets nothing else through, and must not read the whole contract with its
 * schemas before the first picture. The type asks for every channel and for no other.
 */
const all: Readonly<Record<Channel, true>> = {
  'app.info': true,
  'app.status': true,
  'app.statusChanges': true,
  'app.changes': true,
  'app.setPaused': true,
  'app.notifications': true,
  'app.markNotificationsRead': true,
  'app.doctor': true,
  'app.doctorLines': true,
  'app.agents': true,
  'app.checkAgents': true,
  'app.buildImage': true,
  'app.cancelImageBuild': true,
  'demo.start': true,
  'demo.remove': true,
  'mailboxes.projects': true,
  'mailboxes.list': true,
  'mailboxes.counts': true,
  'mailboxes.get': true,
  'mailboxes.find': true,
  'mailboxes.markSeen': true,
  'mailboxes.validatePlan': true,
  'mailboxes.pendingPush': true,
  'mailboxes.approvePush': true,
  'mailboxes.startWork': true,
  'runs.get': true,
  'runs.events': true,
  'runs.diff': true,
  'runs.prompt': true,
  'runs.rawLog': true,
  'runs.request': true,
  'runs.stop': true,
  'runs.stopAll': true,
  'runs.retry': true,
  'runs.live': true,
  'sessions.records': true,
  'sessions.timeline': true,
  'settings.scopes': true,
  'settings.list': true,
  'settings.set': true,
  'settings.reset': true,
  'tracker.listProjects': true,
  'tracker.createProject': true,
  'tracker.deleteProject': true,
  'tracker.listPeople': true,
  'tracker.addPerson': true,
  'tracker.listLabels': true,
  'tracker.addLabelToProject': true,
  'tracker.listIssues': true,
  'tracker.getIssue': true,
  'tracker.createIssue': true,
  'tracker.editIssue': true,
  'tracker.comment': true,
  'tracker.editComment': true,
  'tracker.addLabel': true,
  'tracker.removeLabel': true,
  'tracker.assign': true,
  'tracker.unassign': true,
  'tracker.close': true,
  'tracker.reopen': true,
  'tracker.listChanges': true,
  'tracker.getChange': true,
  'tracker.mergeChange': true,
  'tracker.closeChange': true,
}

export const channels: ReadonlySet<string> = new Set(Object.keys(all))
