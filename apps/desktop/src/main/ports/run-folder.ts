import type { Result } from '@shared/result'
import type { RunRecord } from '../core/restore/run-record'

/*
 * The folder of one run: `in/` and `out/` are mounted, `copied/` never is. What the agent wrote is opened once,
 * as untrusted, and everything after that reads the copy.
 */

export interface UntrustedFileError {
  readonly type:
    | 'missing'
    /** A link, a FIFO, a device, a folder, or a file with a second name somewhere. */
    | 'not_a_plain_file'
    | 'too_large'
    | 'unexpected'
  readonly message: string
}

/** Which start of the CLI; each has an output folder of its own. */
export interface StartNumber {
  readonly attempt: number
  readonly start: number
}

/** `folder` is always the run's own, as an absolute path. */
export interface RunFolders {
  /** Makes the folder (0700) with `in/` and `copied/`. One that is there is kept. */
  prepare(folder: string): Promise<void>
  inputFolder(folder: string): string
  /** Where `/alfred/out` of this start lies; it is made for the sandbox's user, see `SandboxFiles`. */
  outputFolder(folder: string, start: StartNumber): string
  /** Where `takeOutput` puts its copy. */
  copyOf(folder: string, start: StartNumber, name: string): string
  /** Writes a file that the sandbox's user can read. Returns its path. */
  writeInput(folder: string, name: string, content: string | Uint8Array): Promise<string>
  /**
   * Copies a file that the agent may have made out of the start's output folder; only once its container is gone.
   * `value` is the path of the copy.
   */
  takeOutput(
    folder: string,
    start: StartNumber,
    name: string,
    maxBytes: number,
  ): Promise<Result<string, UntrustedFileError>>
  /** At the start and at the end of a run; replaces the one before in one step. */
  writeRecord(folder: string, record: RunRecord): void
}
