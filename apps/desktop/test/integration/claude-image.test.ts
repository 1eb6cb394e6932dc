import { beforeAll, describe, expect, it } from 'vitest'
import { cliPackages } from '@main/core/agents/image-clis'
import type { ContainerRuntime } from '@main/ports/container-runtime'
import { agentImageTag, testRuntime } from './support/agent-container'

/*
 * The real CLI in the image that the app builds.
 */

let runtime: ContainerRuntime
let tag: string

beforeAll(async () => {
  runtime = testRuntime()
  tag = await agentImageTag(runtime, ['claude-code'])
})

const said = async (script: string): Promise<string> => {
  const ran = await runtime.runOnce(tag, ['sh', '-c', script], 20_000)
  return ran.ok ? ran.value.stdout + ran.value.stderr : ran.error.message
}

describe('an image with claude-code', () => {
  it('holds the pinned version, for any user, without a network and on a read-only root', async () => {
    expect(await said('claude --version')).toBe(`${cliPackages['claude-code'].version} (Claude Code)\n`)
  })

  it('still holds the demo agent, git and Node', async () => {
    expect(await said('alfred-demo-agent --version && git --version && node --version')).toMatch(
      /^alfred-demo-agent [\d.]+\ngit version .*\nv\d+/,
    )
  })

  it('keeps nothing of how it was installed: no address, no certificates, no cache', async () => {
    const { default: Docker } = await import('dockerode')
    const image = new Docker().getImage(tag)
    const history: readonly { readonly CreatedBy: string }[] = await image.history()
    const { Config } = await image.inspect()
    const told = JSON.stringify([history.map(({ CreatedBy }) => CreatedBy), Config])
    expect(told).not.toMatch(/REGISTRY|PROXY|https?:\/\//)
    expect(
      await said('ls -A /opt/alfred /tmp; find / -xdev -name .npmrc -not -path "*/node_modules/*"'),
    ).toBe('/opt/alfred:\nclis\ndemo-agent\nprepare-image.sh\n\n/tmp:\n')
  })
})
