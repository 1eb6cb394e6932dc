import { z } from 'zod'

/*
 * Ids are branded, so that a run's id cannot be passed where a mailbox's is meant.
 * Row ids are what people see ("run 431"); uids are random (uuid v7) and never repeat, also not after a restore.
 */

const rowId = z.number().int().positive()

export const projectIdSchema = rowId.brand<'ProjectId'>()
export type ProjectId = z.infer<typeof projectIdSchema>

export const organizationIdSchema = rowId.brand<'OrganizationId'>()
export type OrganizationId = z.infer<typeof organizationIdSchema>

export const forgeIdSchema = rowId.brand<'ForgeId'>()
export type ForgeId = z.infer<typeof forgeIdSchema>

export const mailboxIdSchema = rowId.brand<'MailboxId'>()
export type MailboxId = z.infer<typeof mailboxIdSchema>

export const runIdSchema = rowId.brand<'RunId'>()
export type RunId = z.infer<typeof runIdSchema>

export const attemptIdSchema = rowId.brand<'AttemptId'>()
export type AttemptId = z.infer<typeof attemptIdSchema>

export const startIdSchema = rowId.brand<'StartId'>()
export type StartId = z.infer<typeof startIdSchema>

export const sessionIdSchema = rowId.brand<'SessionId'>()
export type SessionId = z.infer<typeof sessionIdSchema>

export const attachmentIdSchema = rowId.brand<'AttachmentId'>()
export type AttachmentId = z.infer<typeof attachmentIdSchema>

export const chatThreadIdSchema = rowId.brand<'ChatThreadId'>()
export type ChatThreadId = z.infer<typeof chatThreadIdSchema>

export const chatMessageIdSchema = rowId.brand<'ChatMessageId'>()
export type ChatMessageId = z.infer<typeof chatMessageIdSchema>

export const runUidSchema = z.uuid().brand<'RunUid'>()
export type RunUid = z.infer<typeof runUidSchema>

/** `auto`, `fresh`, or `session:<llm_sessions.id>`: how a person wants the next start. */
export const resumeChoiceSchema = z.union([
  z.literal('auto'),
  z.literal('fresh'),
  z.templateLiteral(['session:', z.number().int().positive()]),
])
export type ResumeChoice = z.infer<typeof resumeChoiceSchema>
