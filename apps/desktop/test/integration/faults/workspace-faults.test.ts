import { existsSync, readdirSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect } from 'vitest'
import { value } from '../support/engine-bench'
import { commit, done, init, save } from './agent-steps'
import { createFaultBench, expectAftermath, fault, type FaultBench } from './fault-bench'

/*
 * The mark lies where the next run and this computer would leave it too: in the session state, which is mounted into
 * every run, and under a name in /tmp, which is a folder of the container's own there.
 */

let bench: FaultBench
beforeAll(async () => {
  bench = await createFaultBench()
})
afterAll(() => bench.remove())

const markName = `alfred-ran-${process.pid}`
const marks = [`/home/agent/.fake/sessions/${markName}`, `/tmp/${markName}`]
const program = `sh -c "touch ${marks.join(' ')}; cat"`
/** An address is one word, in which `% ` is a space; what git adds to it comes after the last one. */
const address = `ext::sh -c touch% ${marks.join('% ')}% `

/** The agent commits, then leaves this behind; the next run of the issue works in the same workspace. */
const leaves = (id: string, shell: string, isCommitted = false): void =>
  fault(id, async (row) => {
    const plant = { shell: `cd /workspace && ${shell}` }
    const seen = await bench.develop(...(isCommitted ? [plant] : [commit, plant]), done)
    await expectAftermath(bench, row, seen)

    bench.script([init, save, done], [init, save, done])
    // With its memory, a run that was refused would go on with the very commit that was refused.
    const isRefused = row.after.run !== 'succeeded'
    const next = await bench.run(seen.mailboxId, 'development', isRefused ? 'fresh' : 'auto')
    expect(next.row).toMatchObject({ outcome: 'succeeded', resumed: !isRefused })
    expect(readdirSync(bench.stateFolder(seen.run.mailboxIid, 'fake'))).not.toContain(markName)
    expect(existsSync(join(tmpdir(), markName))).toBe(false)
    const diff = value(await bench.client.call('runs', 'diff', { runId: seen.run.row.runId }))
    expect(diff?.patch ?? '').not.toContain('root:x:0')
  })

describe('the workspace that the agent leaves', () => {
  leaves(
    'workspace-hooks',
    `mkdir -p .git/hooks && for hook in post-checkout pre-commit commit-msg post-commit reference-transaction post-index-change pre-auto-gc post-merge pre-push post-rewrite; do
      printf '#!/bin/sh\\n%s < /dev/null\\n' '${program}' > .git/hooks/$hook; chmod +x .git/hooks/$hook; done`,
  )
  leaves('workspace-fsmonitor', `git config core.fsmonitor '${program}' && echo more > untracked.txt`)
  leaves(
    'workspace-filters',
    `for name in filter.x.clean filter.x.smudge filter.x.process diff.x.textconv diff.x.command merge.x.driver; do
      git config $name '${program}'; done; git config filter.x.required true
      echo '* filter=x diff=x merge=x' > .gitattributes && mkdir -p .git/info && cp .gitattributes .git/info/attributes && echo more > untracked.txt`,
  )
  leaves(
    'workspace-instead-of',
    `git config protocol.ext.allow always &&
      git config 'url.${address}.insteadOf' /alfred/repo.git &&
      git config --add 'url.${address}.insteadOf' file:///`,
  )
  leaves(
    'workspace-alternates',
    `mkdir -p .git/objects/info && printf '/not/there\\n/proc/1/root\\n../../../../etc\\n' > .git/objects/info/alternates`,
  )
  leaves(
    'workspace-submodule',
    `printf '[submodule "x"]\\n\\tpath = x\\n\\turl = https://example.invalid/x\\n\\tupdate = !touch ${marks.join(' ')}\\n' > .gitmodules &&
      git add .gitmodules && git update-index --add --cacheinfo 160000,$(git rev-parse HEAD),x && git commit -qm 'Add x'`,
    true,
  )
  leaves(
    'workspace-links',
    `ln -s /etc/passwd secret-link && ln -s / root-link && git add -A && git commit -qm 'Add links' &&
      ln -s /etc/shadow uncommitted-link && rm -rf src && ln -s /etc src`,
    true,
  )
  leaves(
    'workspace-names',
    `node -e 'const fs = require("fs"); for (const name of ["line\\nbreak", "tab\\there", "\\u001b[31mred", "-rf", "a \\"quote\\"", Buffer.from([0x62, 0xff, 0xfe])]) fs.writeFileSync(name, "x")' &&
      git add -A . && git commit -qm 'Add hard names' && echo x > "$(printf 'left\\nbehind')"`,
    true,
  )
})
