import { startForgeServer } from '../fakes/forge-server/forge-server'
import type { ForgeServerKind } from '../fakes/forge-server/forge-traits'

/*
 * npm run try:forge -- --serve KIND: the tests' fake server, for people who have no forge to try Alfred on. It is in
 * memory, so its tokens may be shown: they are worth nothing when it ends.
 */

const repository = 'acme/harbour'

/** Serves until `end`; `print` gets what a person needs to use it. */
export async function serveMadeUpForge(
  kind: ForgeServerKind,
  print: (text: string) => void,
  end: AbortSignal,
): Promise<void> {
  const forge = await startForgeServer({ kind })
  try {
    for (const login of ['alfred-bot', 'dev']) forge.seed.user(login)
    forge.seed.organization('acme', { 'alfred-bot': 'write', dev: 'write' })
    await forge.seed.repository(repository)
    const scopes = ['read:user', 'read:organization', 'write:issue', 'write:repository']
    print(
      howToUse({
        url: forge.url,
        server: `${forge.traits.isForgejo ? 'Forgejo' : 'Gitea'} ${forge.traits.version}`,
        botToken: forge.seed.token('alfred-bot', scopes),
        personToken: forge.seed.token('dev'),
      }),
    )
    await ended(end)
  } finally {
    await forge.close()
  }
}

interface MadeUpForge {
  readonly url: string
  /** Kind and version, as a person says it. */
  readonly server: string
  readonly botToken: string
  readonly personToken: string
}

const howToUse = ({ url, server, botToken, personToken }: MadeUpForge): string => `\
A made-up forge that answers as ${server}, at ${url}
It has the repository ${repository}, which two accounts may write to: alfred-bot, for Alfred, and dev, a person.
It is in memory, and ends with Ctrl+C. In another terminal:

export BOT_TOKEN=${botToken}
export PERSON_TOKEN=${personToken}

# play the life of an issue on it
npm run try:forge -- --url ${url} --token-env BOT_TOKEN --person-token-env PERSON_TOKEN --repo ${repository}

# or connect it, and open an issue for Alfred
npm run -s alfred -- forge add --url ${url} --token-env BOT_TOKEN --project ${repository} --make-labels
curl -H "Authorization: token $PERSON_TOKEN" -H 'Content-Type: application/json' \\
  -d '{"title":"Sort the notes by age","body":"The newest first.","assignees":["alfred-bot"]}' \\
  ${url}/api/v1/repos/${repository}/issues

# its plan waits for a person, who sets a label (issue 1; the number stands in the answer above)
curl -H "Authorization: token $PERSON_TOKEN" -H 'Content-Type: application/json' \\
  -d '{"labels":["ai::validate_plan"]}' ${url}/api/v1/repos/${repository}/issues/1/labels
`

function ended(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve()
    else signal.addEventListener('abort', () => resolve(), { once: true })
  })
}
