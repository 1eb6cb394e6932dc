/** What a restore of a damaged database brought back, and from where. */
export interface RestoreReport {
  /** The copy that it went out from, and when that was made (epoch ms); null: there was none that was whole. */
  readonly backup: { readonly file: string; readonly at: number } | null
  /** Where the damaged database lies now; null: there was no file any more. */
  readonly damagedFile: string | null
  /** Runs that only their folders knew, and those whose folder knew more. */
  readonly runsAdded: number
  readonly runsUpdated: number
  readonly sessions: number
  readonly mailboxesAdded: number
  /** Issues of the local forge that were put there again, without their text. */
  readonly issuesAdded: number
  /** Runs that have not ended: they go on when the engine starts. */
  readonly runsGoingOn: number
  /** Run folders that could not be used. */
  readonly refused: readonly { readonly folder: string; readonly reason: string }[]
}
