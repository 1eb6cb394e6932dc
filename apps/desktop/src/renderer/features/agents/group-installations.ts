import type { InstallationRow } from '@shared/contract/app'

/** CLIs that live in the same place: one image, or this computer. */
export interface InstallationGroup {
  readonly key: string
  readonly runner: InstallationRow['runner']
  /** Null for this computer. */
  readonly imageTag: string | null
  readonly imageDigest: string | null
  readonly rows: readonly InstallationRow[]
}

/** Images first, in the order in which they come; this computer last. */
export function groupInstallations(rows: readonly InstallationRow[]): readonly InstallationGroup[] {
  const groups = new Map<string, InstallationRow[]>()
  for (const row of rows) {
    const key = groupKey(row)
    groups.set(key, [...(groups.get(key) ?? []), row])
  }
  const all = [...groups].flatMap(([key, ofGroup]): InstallationGroup[] => {
    const first = ofGroup[0]
    if (first === undefined) return []
    return [
      {
        key,
        runner: first.runner,
        imageTag: first.imageTag,
        imageDigest: first.imageDigest,
        rows: apiLast(ofGroup),
      },
    ]
  })
  return [
    ...all.filter((group) => group.runner === 'container'),
    ...all.filter((group) => group.runner === 'host'),
  ]
}

/** It is everywhere, so it goes behind the CLIs that somebody chose. */
const apiLast = (rows: readonly InstallationRow[]): readonly InstallationRow[] => [
  ...rows.filter(({ adapter }) => adapter !== 'api'),
  ...rows.filter(({ adapter }) => adapter === 'api'),
]

const groupKey = (row: InstallationRow): string =>
  row.runner === 'host' ? 'host' : `${row.imageTag ?? ''}@${row.imageDigest ?? ''}`

export const installationKey = (row: InstallationRow): string => `${groupKey(row)}/${row.adapter}`
