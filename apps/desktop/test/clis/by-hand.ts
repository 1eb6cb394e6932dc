import { execFile } from 'node:child_process'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import type { ImageCli } from '@shared/model/words'

const run = promisify(execFile)

/*
 * A person who works with a CLI by hand, on this computer, in a folder of their own: with a home made for the test,
 * and never with the one of whoever runs it.
 */

export interface PersonsHome {
  readonly home: string
  /** The folder that the CLI works in. */
  readonly project: string
  remove(): Promise<void>
}

interface CliByHand {
  readonly files?: (server: string) => Readonly<Record<string, string>>
  readonly environment: (server: string) => Readonly<Record<string, string>>
  readonly argv: (prompt: string) => readonly string[]
}

const clisByHand: Readonly<Partial<Record<ImageCli, CliByHand>>> = {
  'claude-code': {
    environment: (server) => ({
      ANTHROPIC_BASE_URL: server,
      ANTHROPIC_API_KEY: 'sk-ant-for-the-scripted-model',
      CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
      DISABLE_AUTOUPDATER: '1',
    }),
    argv: (prompt) => ['claude', '-p', prompt],
  },
  codex: {
    files: (server) => ({
      '.codex/config.toml': [
        'model = "gpt-5.5"',
        'model_provider = "scripted"',
        'check_for_update_on_startup = false',
        '[analytics]',
        'enabled = false',
        '[features]',
        'plugins = false',
        '[model_providers.scripted]',
        'name = "scripted"',
        `base_url = "${server}/v1"`,
        'env_key = "SCRIPTED_KEY"',
        'wire_api = "responses"',
        '',
      ].join('\n'),
    }),
    environment: () => ({ SCRIPTED_KEY: 'sk-for-the-scripted-model' }),
    argv: (prompt) => ['codex', 'exec', '--skip-git-repo-check', prompt],
  },
  copilot: {
    environment: (server) => ({
      COPILOT_PROVIDER_BASE_URL: `${server}/v1`,
      COPILOT_MODEL: 'mock-model',
      COPILOT_OFFLINE: 'true',
    }),
    argv: (prompt) => ['copilot', '-p', prompt, '--allow-all', '--no-auto-update'],
  },
  'grok-build': {
    files: (server) => ({
      '.grok/config.toml': [
        '[cli]',
        'auto_update = false',
        'use_leader = false',
        '[features]',
        'telemetry = false',
        'turn_summary = false',
        'title_refresh = false',
        '[model."mock-model"]',
        'model = "mock-model"',
        `base_url = "${server}/v1"`,
        'env_key = "XAI_API_KEY"',
        '',
      ].join('\n'),
    }),
    environment: () => ({ XAI_API_KEY: 'xai-for-the-scripted-model', GROK_TELEMETRY_ENABLED: '0' }),
    argv: (prompt) => ['grok', '-p', prompt, '--model=mock-model', '--always-approve'],
  },
  opencode: {
    environment: (server) => ({
      OPENCODE_DISABLE_AUTOUPDATE: '1',
      OPENCODE_DISABLE_MODELS_FETCH: '1',
      OPENCODE_CONFIG_CONTENT: JSON.stringify({
        autoupdate: false,
        share: 'disabled',
        model: 'custom/mock-model',
        provider: {
          custom: {
            npm: '@ai-sdk/openai-compatible',
            options: { baseURL: `${server}/v1`, apiKey: 'sk-for-the-scripted-model' },
            models: { 'mock-model': {} },
          },
        },
      }),
    }),
    argv: (prompt) => ['opencode', 'run', '--title', 'The harbour lights', prompt],
  },
}

/** Says one thing to the CLI, as a person would in a shell, and waits for its answer. */
export async function sayByHand(options: {
  readonly cli: ImageCli
  /** Folder of the installed CLI. */
  readonly installed: string
  readonly server: string
  readonly prompt: string
}): Promise<PersonsHome> {
  const cli = clisByHand[options.cli]
  if (cli === undefined) throw new Error(`nobody works with ${options.cli} by hand here`)
  const home = await mkdtemp(join(tmpdir(), 'alfred-person-'))
  const project = join(home, 'code', 'harbour')
  await mkdir(project, { recursive: true })
  for (const [name, text] of Object.entries(cli.files?.(options.server) ?? {})) {
    await mkdir(dirname(join(home, name)), { recursive: true })
    await writeFile(join(home, name), text)
  }
  const [program = '', ...words] = cli.argv(options.prompt)
  const done = run(join(options.installed, 'bin', program), words, {
    cwd: project,
    timeout: 240_000,
    env: {
      HOME: home,
      PATH: `${join(options.installed, 'bin')}:${process.env['PATH'] ?? ''}`,
      ...cli.environment(options.server),
    },
  })
  // OpenCode waits for the end of its input.
  done.child.stdin?.end()
  await done
  return { home, project, remove: () => rm(home, { recursive: true, force: true, maxRetries: 3 }) }
}
