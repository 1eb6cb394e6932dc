import { ok } from '@shared/result'
import type { Secrets } from '../../ports/secrets'
import { problem, type ForgeAnswer, type ForgeParts } from './forge-parts'

/** Puts the token where it is found again, and looks whether it is. One that is found already is left where it is. */
export async function keepToken(
  { secrets, environmentName }: Pick<ForgeParts, 'secrets' | 'environmentName'>,
  name: string,
  token: string,
  mayKeepInFile: boolean,
): ForgeAnswer<void> {
  if (await isFound(secrets, name, token)) return ok(undefined)
  const variable = environmentName(name)
  const kept = await secrets.write(name, token, { mayUseFile: mayKeepInFile })
  if (!kept.ok && kept.error.type === 'no_keyring') {
    return problem(
      'no_keyring',
      `No system keyring was found. Keep the token in a file that only your user can read, or put it into ${variable} in the environment that starts Alfred.`,
    )
  }
  if (!kept.ok) return problem('no_safe_place', `The token cannot be kept: ${kept.error.message}.`)
  if (await isFound(secrets, name, token)) return ok(undefined)
  return problem(
    'no_safe_place',
    `${variable} in the environment holds another token, which goes first. Change it or take it away.`,
  )
}

async function isFound(secrets: Secrets, name: string, token: string): Promise<boolean> {
  const found = await secrets.read(name)
  return found.ok && found.value === token
}
