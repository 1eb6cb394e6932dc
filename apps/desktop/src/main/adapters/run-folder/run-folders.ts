import { chmod, mkdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { RunFolders, StartNumber } from '@main/ports/run-folder'
import { writeFileAtomically } from '../system/write-file'
import { copyUntrustedFile } from './copy-untrusted-file'

/** A name of one part, so that no caller can be led out of the folder. */
const plainName = /^[A-Za-z0-9][A-Za-z0-9._-]{0,100}$/

export function createRunFolders(): RunFolders {
  return {
    prepare: async (folder) => {
      await mkdir(folder, { recursive: true, mode: 0o700 })
      await mkdir(copiedFolder(folder), { recursive: true, mode: 0o700 })
      // Only the run's own folder guards it: inside the sandbox another user reads it.
      await mkdir(inputFolder(folder), { recursive: true })
      await chmod(inputFolder(folder), 0o755)
    },
    inputFolder,
    outputFolder: (folder, start) => join(folder, 'out', startName(start)),
    copyOf,
    writeInput: async (folder, name, content) => {
      const path = join(inputFolder(folder), checkedName(name))
      await writeFile(path, content, { mode: 0o644 })
      await chmod(path, 0o644)
      return path
    },
    takeOutput: async (folder, start, name, maxBytes) => {
      const target = copyOf(folder, start, name)
      // From a collect of this very start that was interrupted.
      await rm(target, { force: true })
      return copyUntrustedFile(join(folder, 'out', startName(start), name), target, maxBytes)
    },
    writeRecord: (folder, record) => {
      writeFileAtomically(join(folder, 'run.json'), `${JSON.stringify(record, null, 2)}\n`)
    },
  }
}

const inputFolder = (folder: string): string => join(folder, 'in')
const copiedFolder = (folder: string): string => join(folder, 'copied')
const copyOf = (folder: string, start: StartNumber, name: string): string =>
  join(copiedFolder(folder), `${startName(start)}-${checkedName(name)}`)
const startName = ({ attempt, start }: StartNumber): string => `${attempt}-${start}`

function checkedName(name: string): string {
  if (!plainName.test(name)) throw new Error(`not a file name inside a run: ${JSON.stringify(name)}`)
  return name
}
