import { chmodSync, readFileSync, statSync } from 'node:fs'
import { z } from 'zod'
import { err, ok, type Result } from '@shared/result'
import type { SecretsError } from '@main/ports/secrets'
import { writeFileAtomically } from '../system/write-file'
import type { SecretBackend } from './secret-backend'

const contentSchema = z.object({ version: z.literal(1), secrets: z.record(z.string(), z.string()) })
type Secrets = Readonly<Record<string, string>>

/** `secrets.json`: readable for this user only, and used only after consent. */
export function createSecretsFile(file: string): SecretBackend {
  function read(): Result<Secrets, SecretsError> {
    try {
      const text = readPrivately(file)
      return ok(text === null ? {} : contentSchema.parse(JSON.parse(text)).secrets)
    } catch (error) {
      return err({ type: 'not_readable', message: `${file}: ${describe(error)}` })
    }
  }

  function change(edit: (secrets: Secrets) => Secrets): Result<void, SecretsError> {
    const current = read()
    if (!current.ok) return current
    try {
      writeFileAtomically(file, `${JSON.stringify({ version: 1, secrets: edit(current.value) }, null, 2)}\n`)
      return ok(undefined)
    } catch (error) {
      return err({ type: 'not_readable', message: `${file}: ${describe(error)}` })
    }
  }

  return {
    read: (name) => {
      const all = read()
      return Promise.resolve(all.ok ? ok(new Map(Object.entries(all.value)).get(name) ?? null) : all)
    },
    write: (name, value) => Promise.resolve(change((secrets) => ({ ...secrets, [name]: value }))),
    remove: (name) =>
      Promise.resolve(
        change((secrets) => Object.fromEntries(Object.entries(secrets).filter(([other]) => other !== name))),
      ),
  }
}

/** null when there is no file. One that others could read (a restored backup, say) is closed to them first. */
function readPrivately(file: string): string | null {
  const found = statSync(file, { throwIfNoEntry: false })
  if (found === undefined) return null
  if (process.platform !== 'win32' && (found.mode & 0o077) !== 0) chmodSync(file, 0o600)
  return readFileSync(file, 'utf8')
}

/** Never the content: a parse error would quote it. */
function describe(error: unknown): string {
  if (error instanceof SyntaxError) return 'it is not valid JSON'
  if (error instanceof z.ZodError) return 'it does not have the form that Alfred writes'
  return error instanceof Error ? error.message : String(error)
}
