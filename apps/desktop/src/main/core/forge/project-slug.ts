import { slugOf } from '../session/branch-name'

/** Device names of Windows, which cannot be folders there, whatever comes after the dot. */
const reserved = /^(?:con|prn|aux|nul|com\d|lpt\d)$/

/** A project's name as it stands in paths: `[a-z0-9][a-z0-9-]*`; null when nothing of the name is left. */
export function toProjectSlug(name: string): string | null {
  const slug = slugOf(name)
  if (slug === '') return null
  return reserved.test(slug) ? `${slug}-project` : slug
}
