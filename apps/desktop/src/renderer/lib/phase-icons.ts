import type { Phase } from '@shared/model/words'

/** The picture of each phase, by its name in components/icon. */
export const phaseIcons = {
  analysis: 'zoom-in',
  development: 'pencil',
  ci_fix: 'wrench',
  review_fix: 'reply',
  conflict_resolution: 'git-merge',
  answer: 'circle-help',
  chat: 'message',
  terminal: 'terminal',
} as const satisfies Readonly<Record<Phase, string>>
