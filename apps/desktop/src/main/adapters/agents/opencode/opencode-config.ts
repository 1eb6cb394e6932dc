import type { StartRequest } from '@main/ports/agent-adapter'

/*
 * The settings that every start of OpenCode gets. They go through the environment, since there they come before those of
 * the repository, which could otherwise switch sharing on again.
 */

type Wanted = Pick<StartRequest, 'model' | 'provider' | 'baseUrl' | 'readOnly'>

/** Providers that the CLI knows how to speak to; every other one is taken to speak the Chat Completions API. */
const known: ReadonlySet<string> = new Set([
  'opencode',
  'anthropic',
  'openai',
  'google',
  'google-vertex',
  'amazon-bedrock',
  'azure',
  'xai',
  'mistral',
  'groq',
  'deepseek',
  'openrouter',
  'github-copilot',
])

/** The provider of a server that is only known by its address. */
const unnamed = 'custom'

/** `provider/model`, as the CLI names models; null: its own choice. */
export function modelReference(wanted: Wanted): string | null {
  const { provider, model } = named(wanted)
  return model === null ? null : provider === null ? model : `${provider}/${model}`
}

export function configContent(wanted: Wanted): string {
  return JSON.stringify({
    autoupdate: false,
    share: 'disabled',
    // The CLI's own copies of the workspace, for an undo that nobody asks for.
    snapshot: false,
    // It would clear what tools said earlier in a session once that is a lot.
    compaction: { prune: false },
    ...(wanted.readOnly ? { permission: { edit: { '*': 'deny', '../alfred/out/*': 'allow' } } } : {}),
    ...providerConfig(wanted),
  })
}

function providerConfig(wanted: Wanted): object {
  const { provider, model } = named(wanted)
  if (wanted.baseUrl === null || provider === null) return {}
  const options = { baseURL: wanted.baseUrl }
  return {
    provider: {
      [provider]: {
        options,
        // Its key is that of the login file, or this one.
        ...(known.has(provider) ? {} : { npm: '@ai-sdk/openai-compatible', env: ['OPENAI_API_KEY'] }),
        ...(model === null ? {} : { models: { [model]: {} } }),
      },
    },
  }
}

interface Named {
  readonly provider: string | null
  readonly model: string | null
}

/** A model may be told with its provider or without. */
function named({ provider, model, baseUrl }: Wanted): Named {
  if (provider !== null) {
    const prefix = `${provider}/`
    return { provider, model: model?.startsWith(prefix) === true ? model.slice(prefix.length) : model }
  }
  const slash = model?.indexOf('/') ?? -1
  if (model === null || slash <= 0) return { provider: baseUrl === null ? null : unnamed, model }
  return { provider: model.slice(0, slash), model: model.slice(slash + 1) }
}
