import type { Mailbox } from '@shared/model/records'

export type MailboxRow = Omit<Mailbox, 'isOpen'> & { readonly isOpen: number }

export const mailboxColumns = {
  id: 'id',
  projectId: 'project_id',
  kind: 'kind',
  iid: 'iid',
  title: 'title',
  status: 'status',
  branchName: 'branch_name',
  baseBranch: 'base_branch',
  changeIid: 'change_iid',
  isOpen: 'is_open',
  ciFixCount: 'ci_fix_count',
  createdAt: 'created_at',
  updatedAt: 'updated_at',
  seenAt: 'seen_at',
  memoryRemovedAt: 'memory_removed_at',
  closedAt: 'closed_at',
  cleanupHeldAt: 'cleanup_held_at',
  needsYou: 'needs_you',
} satisfies Record<keyof Mailbox, string>
