import { parseArgs } from 'node:util'

/*
 * What a person gives: where to try it, and the names of the variables that hold tokens. A token itself is taken out of
 * the environment, so that no program that is started from here inherits it.
 */

export interface Given {
  readonly url: string
  readonly caFile: string | null
  readonly token: string
  /** Of a person who may write there and validates the plan; null: nobody is asked. */
  readonly personToken: string | null
  /** `OWNER/NAME` */
  readonly repository: string
}

/** What was given cannot be used; the message says what is wrong. */
export class UsageError extends Error {}

export function readGiven(words: readonly string[], environment: NodeJS.ProcessEnv): Given {
  const values = parse(words)
  const { url, repo: repository } = values
  const tokenName = values['token-env']
  if (url === undefined) throw new UsageError('--url is missing')
  if (tokenName === undefined) throw new UsageError('--token-env is missing')
  if (repository === undefined || !/^[^/\s]+\/[^/\s]+$/.test(repository))
    throw new UsageError('--repo is missing, or is not OWNER/NAME')
  const personName = values['person-token-env']
  return {
    url,
    caFile: values.ca ?? null,
    repository,
    token: take(tokenName, '--token-env', environment),
    personToken: personName === undefined ? null : take(personName, '--person-token-env', environment),
  }
}

function parse(words: readonly string[]) {
  try {
    return parseArgs({
      args: [...words],
      options: {
        url: { type: 'string' },
        'token-env': { type: 'string' },
        'person-token-env': { type: 'string' },
        repo: { type: 'string' },
        ca: { type: 'string' },
      },
    }).values
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : String(error))
  }
}

function take(name: string, option: string, environment: NodeJS.ProcessEnv): string {
  // Who writes the token itself there has it in the list of processes already; it is not repeated.
  if (!/^[A-Za-z_][A-Za-z0-9_]*$/.test(name) || /^[0-9a-f]{40}$/i.test(name))
    throw new UsageError(`${option} takes the name of a variable, not a token`)
  const value = environment[name]?.trim() ?? ''
  delete environment[name]
  if (value === '') throw new UsageError(`${name} is not set, or empty`)
  return value
}
