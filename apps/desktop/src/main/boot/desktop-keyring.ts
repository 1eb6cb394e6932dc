import { safeStorage } from 'electron'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { err, ok, type Result } from '@shared/result'
import type { SecretBackend } from '../adapters/secrets/secret-backend'
import { writeFileAtomically } from '../adapters/system/write-file'
import type { SecretsError } from '../ports/secrets'
import { parseSealed, type Sealed } from './sealed-secrets'

/** Linux answers with these where there is no keyring: a fixed key protects nothing. */
const noKeyring: ReadonlySet<string> = new Set(['basic_text', 'unknown'])

/**
 * Secrets sealed by the system keyring, in `keyring.json`; null where there is no keyring. Ask only once the app is
 * ready: before that, Linux does not know.
 */
export function findKeyring(dataFolder: string): SecretBackend | null {
  if (!safeStorage.isEncryptionAvailable()) return null
  if (process.platform === 'linux' && noKeyring.has(safeStorage.getSelectedStorageBackend())) return null
  return createKeyring(join(dataFolder, 'keyring.json'))
}

function createKeyring(file: string): SecretBackend {
  const unreadable = err<SecretsError>({ type: 'not_readable', message: `${file} cannot be read` })
  const read = (): Result<Sealed, SecretsError> => {
    try {
      const sealed = parseSealed(readFileSync(file, 'utf8'))
      return sealed === null ? unreadable : ok(sealed)
    } catch (error) {
      if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return ok({})
      return unreadable
    }
  }
  const change = (edit: (sealed: Sealed) => Sealed): Result<void, SecretsError> => {
    const current = read()
    if (!current.ok) return current
    try {
      writeFileAtomically(file, `${JSON.stringify({ version: 1, sealed: edit(current.value) }, null, 2)}\n`)
      return ok(undefined)
    } catch {
      return err({ type: 'not_readable', message: `${file} cannot be written` })
    }
  }
  return {
    read(name) {
      const all = read()
      if (!all.ok) return Promise.resolve(all)
      const sealed = new Map(Object.entries(all.value)).get(name)
      try {
        return Promise.resolve(
          ok(sealed === undefined ? null : safeStorage.decryptString(Buffer.from(sealed, 'base64'))),
        )
      } catch {
        return Promise.resolve(
          err({ type: 'not_readable', message: 'the system keyring does not open what it sealed' }),
        )
      }
    },
    write: (name, value) =>
      Promise.resolve(
        change((sealed) => ({ ...sealed, [name]: safeStorage.encryptString(value).toString('base64') })),
      ),
    remove: (name) =>
      Promise.resolve(
        change((sealed) => Object.fromEntries(Object.entries(sealed).filter(([other]) => other !== name))),
      ),
  }
}
