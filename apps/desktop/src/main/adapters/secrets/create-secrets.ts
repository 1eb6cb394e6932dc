import { err, ok, type Result } from '@shared/result'
import type { Secrets, SecretsError } from '@main/ports/secrets'
import type { SecretBackend } from './secret-backend'

export interface SecretSources {
  readonly env: Readonly<Record<string, string | undefined>>
  /** Only in the desktop app; null where the system has none or it is locked. */
  readonly keyring: SecretBackend | null
  readonly file: SecretBackend
  /** Whether the person agreed to keep tokens in a file, at this time or at an earlier one. */
  readonly mayUseFile: () => boolean
}

const noKeyring: SecretsError = {
  type: 'no_keyring',
  message: 'no system keyring was found, and nobody agreed to keep tokens in a file',
}

/** Secrets by name: from the environment, else the keyring, else (after consent) the file. */
export function createSecrets({ env, keyring, file, mayUseFile }: SecretSources): Secrets {
  // Those of the environment from the start: a program on this computer can print them before anybody asks for one.
  const known = new Set(valuesOfEnvironment(env))
  const keep = (value: string): string => {
    known.add(value)
    return value
  }
  const stores = (): readonly SecretBackend[] => [
    ...(keyring ? [keyring] : []),
    ...(mayUseFile() ? [file] : []),
  ]

  return {
    read: async (name) => {
      const fromEnvironment = env[environmentName(name)]
      if (fromEnvironment) return ok(keep(fromEnvironment))
      for (const store of stores()) {
        const found = await store.read(name)
        if (!found.ok) return found
        if (found.value !== null) return ok(keep(found.value))
      }
      return ok(null)
    },
    write: async (name, value, consent): Promise<Result<void, SecretsError>> => {
      keep(value)
      const [store] = consent?.mayUseFile === true ? [...stores(), file] : stores()
      return store === undefined ? err(noKeyring) : store.write(name, value)
    },
    remove: async (name) => {
      for (const store of stores()) await store.remove(name)
    },
    // Never forgotten, as output of a run that had it may still come.
    knownValues: () => [...known],
  }
}

const environmentPrefix = 'ALFRED_TOKEN_'

const valuesOfEnvironment = (env: SecretSources['env']): readonly string[] =>
  Object.entries(env).flatMap(([name, value]) => (name.startsWith(environmentPrefix) && value ? [value] : []))

/** `my-forge.example` is read from ALFRED_TOKEN_MY_FORGE_EXAMPLE. */
export const environmentName = (name: string): string =>
  `${environmentPrefix}${name.toUpperCase().replaceAll(/[^A-Z0-9]/g, '_')}`
