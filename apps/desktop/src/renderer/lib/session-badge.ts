export type { SessionBadge } from '@shared/contract/sessions'
