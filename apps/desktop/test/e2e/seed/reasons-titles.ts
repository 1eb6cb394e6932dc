/*
 * The issues of `reasons-home.ts`, by what they tell of, for those who look for them.
 */

export const titles = {
  beginnings: 'Add a slug helper',
  changes: 'Change the model',
  ends: 'Run out of time',
  off: 'Leave the sessions off',
  mergeRequest: 'A change of others',
  overlap: 'Share a login file',
  version: 'Try a newer version',
  api: 'Plan without a CLI',
} as const

/** A version of Copilot CLI that nobody has tried, as it says it itself. */
export const newerVersion = { version: '9.0.0', said: 'GitHub Copilot CLI 9.0.0.' } as const
