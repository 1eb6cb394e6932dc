import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect } from 'vitest'
import type { AroundPort } from '@main/boot/engine-options'
import type { RunFolders } from '@main/ports/run-folder'
import { createWorkshop, type Workshop } from '../git-workshop'
import { commit, done } from './agent-steps'
import { createFaultBench, expectAftermath, fault, type FaultBench } from './fault-bench'

/*
 * The entry makes the bundle when everything of the agent has ended, so a forged one takes an image whose git lies. Here
 * the bundle is replaced at the same moment: after the container's end, before the engine looks.
 */

let bench: FaultBench
let workshop: Workshop
/** Makes of the honest bundle what the row needs; null leaves it. */
let forge: ((honest: Honest) => void) | null = null

interface Honest {
  readonly file: string
  readonly branch: string
  /** A clone that has everything that the bundle has. */
  readonly clone: string
}

const aroundPort: AroundPort = (name, port) => {
  if (name !== 'folders') return port
  const folders = port as unknown as RunFolders
  const takeOutput: RunFolders['takeOutput'] = (folder, start, output, maxBytes) => {
    const file = join(folders.outputFolder(folder, start), output)
    if (output === 'commits.bundle' && forge !== null && existsSync(file)) forge(openBundle(file))
    return folders.takeOutput(folder, start, output, maxBytes)
  }
  return { ...port, takeOutput }
}

function openBundle(file: string): Honest {
  const clone = join(workshop.folder, `clone-${Date.now()}`)
  workshop.git(workshop.folder, ['init', '-q', '-b', 'main', clone])
  const base = join(bench.folder, 'local-forge', 'test', 'boat.git')
  workshop.git(clone, ['fetch', '-q', base, 'refs/heads/main:refs/heads/base'])
  const ref = workshop.git(clone, ['bundle', 'list-heads', file]).split(' ')[1] ?? ''
  workshop.git(clone, ['fetch', '-q', file, `${ref}:${ref}`])
  return { file, branch: ref.slice('refs/heads/'.length), clone }
}

const bundle = ({ clone, file }: Honest, ...revisions: readonly string[]): void =>
  void workshop.git(clone, ['bundle', 'create', '-q', file, ...revisions])

beforeAll(async () => {
  workshop = createWorkshop()
  bench = await createFaultBench({ aroundPort })
})
afterAll(async () => {
  await bench.remove()
  workshop.remove()
})

const forged = (id: string, change: (honest: Honest) => void): void =>
  fault(id, async (row) => {
    forge = change
    try {
      const seen = await bench.develop(commit, done)
      await expectAftermath(bench, row, seen)
      expect(existsSync(join(seen.run.folder, 'copied', '1-1-commits.bundle'))).toBe(true)
    } finally {
      forge = null
    }
  })

describe('the commits that come back', () => {
  forged('bundle-other-refs', (honest) => {
    workshop.git(honest.clone, ['branch', '-f', 'main', honest.branch])
    workshop.git(honest.clone, ['tag', 'v1', honest.branch])
    bundle(honest, honest.branch, 'main', 'v1', '^base')
  })

  forged('bundle-unrelated-history', (honest) => {
    workshop.git(honest.clone, ['checkout', '-q', '--orphan', 'elsewhere'])
    workshop.commit(honest.clone, { z: '1' })
    workshop.git(honest.clone, ['branch', '-f', honest.branch])
    bundle(honest, honest.branch)
  })

  forged('bundle-thousands-of-refs', (honest) => {
    const head = workshop.git(honest.clone, ['rev-parse', honest.branch])
    const updates = Array.from({ length: 5_000 }, (_, n) => `create refs/heads/many/${n} ${head}\n`)
    workshop.git(honest.clone, ['update-ref', '--stdin'], updates.join(''))
    bundle(honest, '--branches', '^base')
  })

  forged('bundle-broken-objects', ({ file }) => {
    const bytes = readFileSync(file)
    bytes[bytes.length - 30] = (bytes[bytes.length - 30] ?? 0) ^ 0xff
    writeFileSync(file, bytes)
  })

  fault('bundle-harmful-tree', async (row) => {
    const evil = `tree=$(printf 'x' | git hash-object -w --stdin | xargs printf '100644 blob %s\\tx\\n' | git mktree) &&
      root=$(printf '040000 .git\\0' > /tmp/t && printf '%s' "$tree" | sed 's/../\\\\x&/g' | xargs -0 printf '%b' >> /tmp/t && git hash-object -t tree -w --literally /tmp/t) &&
      git reset -q --soft $(git commit-tree -p HEAD -m evil "$root")`
    const seen = await bench.develop({ shell: evil }, done)
    await expectAftermath(bench, row, seen)
    expect(seen.run.headSha).toBeNull()
  })

  fault('bundle-missing', async (row) => {
    const seen = await bench.develop(commit, { shell: 'rm -rf /workspace/.git' }, done)
    await expectAftermath(bench, row, seen)
    const workspace = join(bench.folder, 'workspaces', `test-${bench.projectId}-issue-${seen.run.mailboxIid}`)
    expect(existsSync(join(workspace, 'a.txt'))).toBe(true)
  })
})
