import { parseArgs } from 'node:util'
import type { ForgeServerKind } from '../fakes/forge-server/forge-traits'

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

const seeHelp = '"npm run try:forge -- --help" shows what it takes'

const servedKinds: readonly ForgeServerKind[] = ['gitea', 'gitea-1.26-dev', 'forgejo']

/** As which server a made-up forge is to answer; null: none is asked for, a real one is tried. */
export function readServed(words: readonly string[]): ForgeServerKind | null {
  const { serve, ...others } = parse(words)
  if (serve === undefined) return null
  const kind = servedKinds.find((known) => known === serve)
  if (kind === undefined) throw new UsageError(`--serve takes one of ${servedKinds.join(', ')}`)
  if (Object.keys(others).length > 0) throw new UsageError('--serve takes no other option beside it')
  return kind
}

export function readGiven(words: readonly string[], environment: NodeJS.ProcessEnv): Given {
  const values = parse(words)
  const { url, repo: repository } = values
  const tokenName = values['token-env']
  if (url === undefined) throw new UsageError(`--url is missing; ${seeHelp}`)
  if (tokenName === undefined) throw new UsageError(`--token-env is missing; ${seeHelp}`)
  if (repository === undefined || !/^[^/\s]+\/[^/\s]+$/.test(repository))
    throw new UsageError(`--repo is missing, or is not OWNER/NAME; ${seeHelp}`)
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
        serve: { type: 'string' },
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
