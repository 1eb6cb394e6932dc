/*
 * The raw log of a start. While the run lives it is the stream file that the agent writes; afterwards a redacted copy.
 */

export interface LogPage {
  readonly text: string
  /** Where the page begins; a multi-byte character is never cut. */
  readonly offset: number
  readonly totalBytes: number
}

export interface RunLogs {
  /** Writes a redacted copy of `raw` to `target` and deletes `raw`. Nothing happens when `raw` is gone. */
  redact(raw: string, target: string, redact: (text: string) => string): Promise<void>
  /** Removes what is there under this name, a folder too; what is not there is no error. */
  remove(path: string): Promise<void>
  /** null when there is no such file. Nothing but a plain file is read. */
  read(path: string, offset: number, limit: number): Promise<LogPage | null>
  readText(path: string, maxBytes: number): Promise<string | null>
  sizeOf(path: string): Promise<number | null>
}
