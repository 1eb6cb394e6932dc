import type { Result } from '@shared/result'
import type { SecretsError } from '@main/ports/secrets'

/** One place that keeps secrets: the system keyring (given by the desktop shell), or a file. */
export interface SecretBackend {
  read(name: string): Promise<Result<string | null, SecretsError>>
  write(name: string, value: string): Promise<Result<void, SecretsError>>
  remove(name: string): Promise<Result<void, SecretsError>>
}
