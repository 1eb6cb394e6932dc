import { z } from 'zod'

/*
 * The closed word lists of the glossary. The database, the IPC contract and the window's data-values use exactly these.
 */

export const forgeKindSchema = z.enum(['local', 'gitlab', 'forgejo', 'gitea', 'github'])
export type ForgeKind = z.infer<typeof forgeKindSchema>

export const mailboxKindSchema = z.enum(['issue', 'merge_request'])
export type MailboxKind = z.infer<typeof mailboxKindSchema>

/** What a run is for. */
export const phaseSchema = z.enum([
  'analysis',
  'development',
  'ci_fix',
  'review_fix',
  'conflict_resolution',
  'answer',
  'chat',
  'terminal',
])
export type Phase = z.infer<typeof phaseSchema>

export const runStateSchema = z.enum(['queued', 'preparing', 'running', 'stopping', 'ended'])
export type RunState = z.infer<typeof runStateSchema>

/** How a run (or one attempt of it) ended. `interrupted` and `account_limit` are outcomes of an attempt first. */
export const outcomeSchema = z.enum([
  'succeeded',
  'failed',
  'timed_out',
  'stopped',
  'interrupted',
  'out_of_memory',
  'result_refused',
  'account_limit',
])
export type Outcome = z.infer<typeof outcomeSchema>

/** Why a run did not resume; null where it resumed or a person chose a fresh start. */
export const resumeFallbackSchema = z.enum([
  'no_prior_session',
  'adapter_changed',
  'state_missing',
  'unsupported_version',
  'refused',
])
export type ResumeFallback = z.infer<typeof resumeFallbackSchema>

/** The fallbacks that a failed resume can have; the other two are known before the start. */
export const resumeFailureSchema = z.enum(['state_missing', 'unsupported_version', 'refused'])
export type ResumeFailure = z.infer<typeof resumeFailureSchema>

export const sessionModeSchema = z.enum(['none', 'fresh', 'resume', 'chosen_fresh'])
export type SessionMode = z.infer<typeof sessionModeSchema>

/** Why sessions do not apply to a run (mode `none`). */
export const sessionOffReasonSchema = z.enum([
  'merge_request',
  'host_runner',
  'adapter_cannot_resume',
  'version_not_verified',
  'credential_overlap',
  'switched_off_project',
  'switched_off_organization',
  'switched_off_app',
])
export type SessionOffReason = z.infer<typeof sessionOffReasonSchema>

export const adapterIdSchema = z.enum([
  'claude-code',
  'codex',
  'opencode',
  'copilot',
  'grok-build',
  'api',
  'fake',
  'demo',
])
export type AdapterId = z.infer<typeof adapterIdSchema>

/** Agent CLIs that Alfred can install into an agent image; the demo agent is always there. */
export const imageCliSchema = z.enum(['claude-code', 'codex', 'opencode', 'copilot', 'grok-build'])
export type ImageCli = z.infer<typeof imageCliSchema>

export const runnerSchema = z.enum(['container', 'host'])
export type Runner = z.infer<typeof runnerSchema>

/** The status of a mailbox; on the forge it is the label `status::<word>`. */
export const statusSchema = z.enum([
  'functional_analysis',
  'technical_analysis',
  'waiting_info',
  'waiting_validation',
  'in_development',
  'in_ci',
  'in_review',
  'blocked',
  'done',
])
export type Status = z.infer<typeof statusSchema>

export const commandLabelSchema = z.enum([
  'ai::validate_plan',
  'ai::retry',
  'ai::retry_once',
  'ai::retry_until_green',
])
export type CommandLabel = z.infer<typeof commandLabelSchema>

export const typeLabelSchema = z.enum(['type::task', 'type::bug', 'type::question', 'type::analysis'])
export type TypeLabel = z.infer<typeof typeLabelSchema>

/** What started a run. */
export const triggerSchema = z.enum([
  'assigned',
  'trigger_label',
  'plan_validated',
  'answered',
  'retry',
  'review',
  'ci_red',
  'conflict',
  'person',
  'demo',
  'import',
])
export type Trigger = z.infer<typeof triggerSchema>

/** Kinds of the comments and edits that Alfred writes to a forge (the marker's KIND). */
export const markerKindSchema = z.enum([
  'acknowledgement',
  'description',
  'plan',
  'plan_validated',
  'questions',
  'answer',
  'change_opened',
  'status_label_restored',
  'retry_resumed',
  'blocked',
])
export type MarkerKind = z.infer<typeof markerKindSchema>

/** Kinds of the structured events of a run's transcript. */
export const runEventKindSchema = z.enum([
  'notice',
  'session',
  'text',
  'thought',
  'tool',
  'tool_result',
  'usage',
  'retry',
  'warning',
  'error',
  'result',
  'cut',
  'output',
])
export type RunEventKind = z.infer<typeof runEventKindSchema>

/** What a mailbox waits for that only a person can do. */
export const needsYouSchema = z.enum([
  'validate_plan',
  'answer_questions',
  'blocked',
  'not_built',
  'push_needs_person',
  'unpushed_work',
])
export type NeedsYou = z.infer<typeof needsYouSchema>

/** Who speaks in a chat. */
export const chatRoleSchema = z.enum(['person', 'agent'])
export type ChatRole = z.infer<typeof chatRoleSchema>

/** `queued`: its turn has not ended; `draft`: it came back, since nothing of it reached an agent. */
export const chatMessageStateSchema = z.enum(['draft', 'queued', 'sent'])
export type ChatMessageState = z.infer<typeof chatMessageStateSchema>

/** What a list of mailboxes shows. */
export const mailboxFilterSchema = z.enum([
  'all-open',
  'needs-you',
  'running',
  'in-ci',
  'in-review',
  'blocked',
  'done',
])
export type MailboxFilter = z.infer<typeof mailboxFilterSchema>
