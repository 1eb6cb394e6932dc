import type { LabelReport, TokenGrant, TokenNeed } from './contract/forges'

/*
 * What tokens and labels of a forge are for, in words of the window and of `alfred`.
 */

/** What works with it, and what does not without it. */
export const tokenNeedWords: Readonly<Record<TokenNeed, { readonly title: string; readonly why: string }>> = {
  account: { title: 'Its own account', why: 'to know which issues are assigned to Alfred' },
  read_issues: { title: 'Read issues', why: 'to find work and read comments and labels' },
  write_issues: { title: 'Write issues', why: 'to comment, set labels and write the analysis' },
  read_code: { title: 'Read repositories', why: 'to fetch code and read reviews and statuses' },
  write_code: { title: 'Write repositories', why: 'to push branches and open pull requests' },
  private_projects: {
    title: 'Private projects',
    why: 'to work on private projects, too',
  },
  organization_labels: {
    title: 'Organization labels',
    why: 'to use labels that an organization shares',
  },
}

const optional: ReadonlySet<TokenNeed> = new Set(['private_projects', 'organization_labels'])

/** Whether Alfred works without it, if less well. */
export const isOptional = ({ need }: Pick<TokenGrant, 'need'>): boolean => optional.has(need)

/** What it is for; of a public-only token, that it is one. */
export const grantWhy = ({ need, state }: Pick<TokenGrant, 'need' | 'state'>): string =>
  need === 'private_projects' && state === 'missing'
    ? 'this is a public-only token'
    : tokenNeedWords[need].why

export const grantWords: Readonly<Record<TokenGrant['state'], string>> = {
  works: 'works',
  missing: 'missing',
  unknown: 'not known',
}

/** `write:issue, to comment, set labels and write the analysis; …`: what Alfred cannot work without. */
export const missingWords = (grants: readonly TokenGrant[]): string =>
  grants
    .filter((grant) => grant.state === 'missing' && !isOptional(grant))
    .map(({ scope, need }) => `${scope}, ${tokenNeedWords[need].why}`)
    .join('; ')

/** After the forge's name. */
export const forgeTroubleWords = {
  unreachable: 'does not answer',
  rate_limited: 'wants fewer requests',
  refused: 'refused the token',
} as const

export const forgeKindNames = { gitea: 'Gitea', forgejo: 'Forgejo' } as const

export const isComplete = ({ missing, twins, misspelt }: LabelReport): boolean =>
  missing.length + twins.length + misspelt.length === 0

const count = (number: number, one: string, many: string): string =>
  `${number === 0 ? 'no' : number} ${number === 1 ? one : many}`

/** One sentence for each thing that is wrong; none where all is right. */
export function labelSentences({ missing, twins, misspelt }: LabelReport): string[] {
  return [
    ...(missing.length > 0 ? [`${count(missing.length, 'label is', 'labels are')} missing.`] : []),
    ...twins.map(
      (twin) => `${twin.count} labels are called ${twin.name}: setting one sets all. Delete all but one.`,
    ),
    ...misspelt.map(({ name, meant }) => `"${name}" is not ${meant} for the forge. Rename or delete it.`),
  ]
}

/** `5 min ahead of this computer`; null where the two agree to within a few seconds, or nobody knows. */
export function clockWords(differenceMs: number | null): string | null {
  if (differenceMs === null) return null
  const seconds = Math.round(Math.abs(differenceMs) / 1_000)
  if (seconds <= 5) return null
  const amount =
    seconds < 120
      ? `${seconds} s`
      : seconds < 7_200
        ? `${Math.round(seconds / 60)} min`
        : `${Math.round(seconds / 3_600)} h`
  return `${amount} ${differenceMs > 0 ? 'ahead of' : 'behind'} this computer`
}
