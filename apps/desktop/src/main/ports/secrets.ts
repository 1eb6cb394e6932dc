import type { Result } from '@shared/result'

export interface SecretsError {
  readonly type: 'no_keyring' | 'not_readable'
  readonly message: string
}

/** Tokens by name. Order: environment `ALFRED_TOKEN_{NAME}`, system keyring, after consent `secrets.json`. */
export interface Secrets {
  read(name: string): Promise<Result<string | null, SecretsError>>
  /** `mayUseFile`: the person agrees that it lies in `secrets.json` where there is no keyring. */
  write(
    name: string,
    value: string,
    consent?: { readonly mayUseFile: boolean },
  ): Promise<Result<void, SecretsError>>
  remove(name: string): Promise<void>
  /** Every value handed out so far, for redaction. */
  knownValues(): readonly string[]
}
