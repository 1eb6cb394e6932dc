import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { isInRanges } from '@main/core/agents/version-range'
import { buildContainerSpec } from '@main/core/sandbox/sandbox-spec'
import { installationCapability } from '@main/core/agents/installation-capability'
import type { AgentAdapter, EndedStart, StartRequest } from '@main/ports/agent-adapter'

/*
 * What every agent adapter must do, whatever its CLI.
 */

export interface AdapterContractFacts {
  readonly adapter: AgentAdapter
  /** A real id of this CLI; of one without sessions any that fits its pattern. */
  readonly id: string
  /** What `--version` prints, and the version in it. */
  readonly versionOutput: readonly [string, string]
  /** A line that reports the id; null: it has no sessions. */
  readonly sessionLine: string | null
  /** Recorded lines; with the kinds that they must give. */
  readonly lines: readonly (readonly [line: string, kind: string])[]
}

const anyRequest: StartRequest = {
  session: { mode: 'none' },
  phase: 'development',
  model: null,
  provider: null,
  baseUrl: null,
  readOnly: false,
  runner: 'container',
}

const ended = (change: Partial<EndedStart> = {}): EndedStart => ({
  exitCode: 1,
  stdoutTail: '',
  stderrTail: '',
  sawSession: null,
  result: null,
  ...change,
})

export function describeAgentAdapter(facts: AdapterContractFacts): void {
  const { adapter, id, versionOutput, sessionLine, lines } = facts
  const [phase = 'development'] = adapter.phases ?? []
  const model = adapter.needsModel === true ? 'some-model' : null
  const request = (change: Partial<StartRequest> = {}): StartRequest => ({
    ...anyRequest,
    phase,
    model,
    ...change,
  })
  describe(`the adapter ${adapter.id}`, () => {
    it('keeps sessions and scratch below the home of the agent', () => {
      for (const path of [adapter.sessionStatePath, ...adapter.scratchPaths]) {
        if (path !== null) expect(path).toMatch(/^\/home\/agent\/[^/]/)
      }
    })

    it('knows real session ids, whole and nothing else', () => {
      expect(adapter.sessionIdPattern.test(id)).toBe(true)
      for (const bad of ['', `${id} `, ` ${id}`, `${id}\n`, `-${id}`, '--resume', '../x', `${id}/..`]) {
        expect(adapter.sessionIdPattern.test(bad)).toBe(false)
      }
    })

    it('takes no id from anywhere but the request', () => {
      const off = JSON.stringify(adapter.start(request()))
      expect(off).not.toContain(id)
      const resume = () =>
        adapter.start(request({ session: { mode: 'resume', name: 'agent/issue-1-x', nativeId: id } }))
      if (adapter.resumableSessions) expect(resume().argv.join(' ')).toContain(id)
      else expect(resume).toThrow('must not reach a command line')
    })

    it('refuses to put an id that does not match on a command line', () => {
      const start = () =>
        adapter.start(request({ session: { mode: 'resume', name: 'x', nativeId: '--dangerous' } }))
      expect(start).toThrow('must not reach a command line')
    })

    it('is the same command without sessions as ever', () => {
      const command = adapter.start(request())
      const golden = readFileSync(
        join(import.meta.dirname, `../fixtures/golden/${adapter.id}-sessions-off.json`),
        'utf8',
      )
      const spec = buildContainerSpec({
        purpose: 'run',
        ids: {
          installId: 'install',
          runUid: '01990000-0000-7000-8000-000000000000',
          mailboxId: 1,
          attempt: 1,
          start: 1,
        },
        image: 'sha256:image',
        engine: { rootless: false, cpus: 8 },
        appUser: { uid: 1000, gid: 1000 },
        adapter,
        command,
        folders: {
          workspace: '/data/workspace',
          repository: '/data/repo.git',
          input: '/data/in',
          output: '/data/out',
          state: null,
        },
        files: {
          entry: '/app/entry',
          gitConfig: '/app/gitconfig',
          passwd: '/data/passwd',
          group: '/data/group',
        },
        credentials: [],
        limits: { memoryBytes: 4_000_000_000, cpus: 2, pids: 512 },
        git: {
          branch: 'agent/issue-1-x',
          baseSha: 'b'.repeat(40),
          tree: 'branch',
          authorName: 'Bot',
          authorEmail: 'bot@example.invalid',
        },
      })
      expect({ command, spec: spec.ok ? spec.value : spec.error }).toEqual(JSON.parse(golden))
    })

    it('reads the version, also between other words, and nothing where there is none', () => {
      const [output, version] = versionOutput
      expect(adapter.parseVersion(output)).toBe(version)
      expect(adapter.parseVersion(`warning: x\n${output}\n`)).toBe(version)
      expect(adapter.parseVersion('sh: not found')).toBeNull()
    })

    it('reads a pre-release as one, which it does not promise to resume', () => {
      const [output, version] = versionOutput
      for (const preRelease of [`${version}-beta.4`, `${version}-0`]) {
        const read = adapter.parseVersion(output.replace(version, preRelease))
        expect(read).toBe(preRelease)
        const capability = installationCapability({ ...adapter, runner: 'container', version: read })
        expect(capability.resumable).toBe(false)
        if (adapter.resumableSessions) expect(capability.reason).toContain(preRelease)
      }
    })

    it('promises to resume only inside its verified range', () => {
      const [, version] = versionOutput
      const capability = installationCapability({ ...adapter, runner: 'container', version })
      expect(capability.resumable).toBe(
        adapter.resumableSessions && isInRanges(version, adapter.resumeVersions),
      )
      expect(installationCapability({ ...adapter, runner: 'container', version: '999.0.0' }).resumable).toBe(
        false,
      )
      expect(
        installationCapability({ ...adapter, runner: 'container', version: '999.0.0' }).reason,
      ).not.toBeNull()
    })

    it('reads the id that the CLI reports, if it has sessions', () => {
      expect(adapter.resumableSessions).toBe(sessionLine !== null)
      if (sessionLine === null) return
      expect(adapter.createParser().parse(sessionLine)).toContainEqual({ kind: 'session', nativeId: id })
    })

    it.each(lines)('reads %s', (line, kind) => {
      expect(
        adapter
          .createParser()
          .parse(line)
          .map((event) => event.kind),
      ).toContain(kind)
    })

    it('never throws and never invents a session, whatever a line holds', () => {
      const parser = adapter.createParser()
      fc.assert(
        fc.property(
          fc.oneof(
            fc.string({ unit: 'binary' }),
            fc.json(),
            fc.json().map((text) => `{"type":"init","x":${text}}`),
          ),
          (line) => {
            expect(parser.parse(line).some((event) => event.kind === 'session')).toBe(false)
          },
        ),
      )
    })

    it('gives texts without control characters', () => {
      const steering = '\u001b[2J\u001b]0;x\u0007'
      for (const [line] of lines) {
        const changed = line.replaceAll('text-to-show', JSON.stringify(steering).slice(1, -1))
        for (const event of adapter.createParser().parse(changed))
          expect(Object.values(event).join('')).not.toContain('\u001b')
      }
    })

    it('takes no ordinary failure for a failed resume or a provider error', () => {
      for (const stderrTail of [
        '',
        'Segmentation fault',
        'npm ERR! test failed',
        'TypeError: x is not a function',
      ]) {
        expect(adapter.resumeFailure(ended({ stderrTail }))).toBeNull()
        expect(adapter.providerFailure(ended({ stderrTail }))).toBeNull()
      }
    })

    it('names the file of a session by a plain relative path', () => {
      const file = adapter.sessionFile(id)
      if (file !== null) expect(file).not.toMatch(/^\/|\.\.|\0/)
      for (const bad of ['../../etc/passwd', '/etc/passwd', '', 'x\0y'])
        expect(adapter.sessionFile(bad)).toBeNull()
    })
  })
}
