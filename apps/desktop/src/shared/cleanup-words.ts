import { counted } from './format'

export interface WorkInTheWay {
  readonly commits: number
  readonly files: readonly string[]
  readonly isUncollected: boolean
}

const mostNamed = 3

/** What would be lost, one sentence per kind. */
export function workText({ commits, files, isUncollected }: WorkInTheWay): string {
  const named = files.slice(0, mostNamed).join(', ')
  const rest = files.length > mostNamed ? ` and ${files.length - mostNamed} more` : ''
  return [
    commits > 0 ? `${counted(commits, 'commit')} ${commits === 1 ? 'was' : 'were'} never pushed.` : '',
    files.length > 0
      ? `${counted(files.length, 'file')} with uncommitted work ${files.length === 1 ? 'is' : 'are'} kept: ${named}${rest}.`
      : '',
    isUncollected ? 'The work of the last run could not be collected and lies in the workspace only.' : '',
  ]
    .filter((sentence) => sentence !== '')
    .join(' ')
}
