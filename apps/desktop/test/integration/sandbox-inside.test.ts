import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { ContainerRuntime } from '@main/ports/container-runtime'
import {
  agentImageTag,
  createTestMailbox,
  testLabel,
  testRuntime,
  untilFileHas,
  user,
  type TestMailbox,
} from './support/agent-container'

let runtime: ContainerRuntime
let image: string
let mailbox: TestMailbox

beforeAll(async () => {
  runtime = testRuntime()
  image = await agentImageTag(runtime)
})
beforeEach(async () => {
  mailbox = await createTestMailbox(runtime, image)
})
afterEach(() => mailbox.remove())

const inside = async (script: string, options: Parameters<TestMailbox['run']>[0] = {}): Promise<string> =>
  (await mailbox.run({ argv: ['bash', '-c', script], ...options })).stdout

describe('the sandbox, seen from inside', () => {
  it('has no capabilities, no way to new privileges, and a filter of system calls', async () => {
    const status = await inside(
      'grep -E "^(CapEff|CapBnd|NoNewPrivs|Seccomp):" /proc/self/status | tr -d "\\t"',
    )
    expect(status).toBe('CapEff:0000000000000000\nCapBnd:0000000000000000\nNoNewPrivs:1\nSeccomp:2\n')
  })

  it('runs as the named, ordinary user with a home', async () => {
    const told = await inside('id -u; id -un; echo $HOME; node -p "os.userInfo().username + os.homedir()"')
    expect(told).toBe(`${user.uid}\nagent\n/home/agent\nagent/home/agent\n`)
  })

  it('has an init process above the entry, and sees no other processes', async () => {
    expect(await inside('cat /proc/1/comm; ls /proc | grep -c "^[0-9]"')).toMatch(
      /^(docker-init|tini|init)\n[3-7]\n$/,
    )
  })

  it('lets nothing be written but the workspace, results, home and temporary files', async () => {
    const told = await inside(`
      for place in / /etc /usr/bin /alfred /alfred/in /alfred/repo.git /opt/alfred /var/tmp /root; do touch $place/x 2>/dev/null && echo "wrote $place"; done
      for file in /alfred/entry /alfred/gitconfig /etc/passwd /alfred/in/prompt; do : 2>/dev/null >> $file && echo "wrote $file"; done
      for place in /workspace /alfred/out /home/agent /home/agent/.demo /tmp; do touch $place/x || echo "cannot write $place"; done`)
    expect(told).toBe('')
  })

  it('may run what it builds in home and in the temporary folder', async () => {
    const told = await inside(
      'for place in /home/agent /tmp /home/agent/.demo; do printf "#!/bin/sh\\necho ran\\n" > $place/x; chmod +x $place/x; $place/x; done',
    )
    expect(told).toBe('ran\nran\nran\n')
  })

  it('writes its sessions into the mounted folder although folders lie between two mounts', async () => {
    await mailbox.run({
      argv: ['sh', '-c', 'echo one > ~/.demo/sessions/a && echo scratch > ~/.demo/b'],
      withState: true,
    })
    expect(await inside('cat ~/.demo/sessions/a; ls ~/.demo', { withState: true })).toBe('one\nsessions\n')
  })

  it('has no sessions of earlier runs when sessions do not apply', async () => {
    await mailbox.run({ argv: ['sh', '-c', 'echo one > ~/.demo/sessions/a'], withState: true })
    expect(await inside('ls -A ~/.demo')).toBe('')
  })

  it('is held to its memory, processors and processes', async () => {
    const told = await inside(
      `cd /sys/fs/cgroup
      cat memory/memory.limit_in_bytes memory.max 2>/dev/null; cat memory/memory.memsw.limit_in_bytes 2>/dev/null || cat memory.swap.max 2>/dev/null || echo none
      cat pids/pids.max pids.max 2>/dev/null; cat cpu/cpu.cfs_quota_us 2>/dev/null || cut -d" " -f1 cpu.max`,
      {
        limits: { memoryBytes: 300_003_328, cpus: 0.5, pids: 77 },
      },
    )
    const [memory, swap, pids, quota] = told.trim().split('\n')
    expect([memory, pids, quota]).toEqual(['300003328', '77', '50000'])
    expect(['300003328', '0', 'none']).toContain(swap)
  })

  it('cannot fork without end', async () => {
    const run = await mailbox.run({
      argv: ['sh', '-c', 'for i in $(seq 300); do sleep 5 & done; exit 3'],
      limits: { memoryBytes: 300_000_000, cpus: 1, pids: 40 },
    })
    expect(run.state.running).toBe(false)
    expect(run.stderr).toContain('fork')
  })

  it('cannot reach the engine, and no other agent on the same network', async () => {
    const server = await mailbox.start({
      argv: [
        'node',
        '-e',
        'require("http").createServer((q, r) => r.end("reached")).listen(8080); console.log(Object.values(os.networkInterfaces()).flat().find((i) => !i.internal).address); setTimeout(() => {}, 60000)',
      ],
    })
    const address = await firstLine(join(server.output, 'stream.out'))
    const told = await inside(`ls /var/run/docker.sock /run/docker.sock 2>/dev/null; node -e "
      require('http').get({ host: '${address}', port: 8080, timeout: 1500 }, (r) => r.pipe(process.stdout)).on('timeout', function () { this.destroy(new Error('no way')) }).on('error', (e) => console.log(e.message))"`)
    expect(told).toMatch(/^(no way|connect (EHOSTUNREACH|ETIMEDOUT|ECONNREFUSED).*)\n$/)
    await runtime.stop(server.state.id, 1_000)
    await server.ended()
  })

  it('has no network at all while only collecting', async () => {
    const { spec } = await mailbox.specOf({ purpose: 'collect' })
    expect(spec.network).toBe('none')
    const ran = await runtime.runOnce(
      image,
      ['sh', '-c', 'cat /proc/net/dev | tail -n +3 | cut -d: -f1'],
      10_000,
    )
    expect(ran.ok && ran.value.stdout.trim()).toBe('lo')
  })
})

describe('a container that cannot be made', () => {
  it('says which mount is missing, and nothing is made on the host', async () => {
    const { spec } = await mailbox.specOf({ argv: ['true'] })
    const mounts = spec.mounts.map((mount) =>
      mount.target === '/workspace' && mount.kind === 'bind'
        ? { ...mount, source: `${mailbox.folder}/not-there` }
        : mount,
    )
    const started = await runtime.start({ ...spec, mounts, labels: { ...spec.labels, ...testLabel } })
    expect(started).toMatchObject({ ok: false, error: { type: 'mount_missing' } })
    expect(started.ok ? '' : started.error.message).toContain('not-there')
  })

  it('warns of a process that met the memory limit although the run went on', async () => {
    const run = await mailbox.run({
      argv: [
        'sh',
        '-c',
        'node -e "const held = []; for (;;) held.push(Buffer.alloc(1e7, 1))"; echo "child ended with $?"; exit 0',
      ],
      limits: { memoryBytes: 120_000_000, cpus: 2, pids: 128 },
    })
    expect(run.stdout).toContain('child ended with 137')
    expect(run.state).toMatchObject({ exitCode: 0, outOfMemory: false, memoryLimitHit: true })
  })
})

async function firstLine(path: string): Promise<string> {
  await untilFileHas(path, '\n')
  return (await readFile(path, 'utf8')).split('\n')[0] ?? ''
}
