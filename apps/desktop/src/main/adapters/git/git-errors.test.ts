import { describe, expect, it } from 'vitest'
import { failureError } from './git-errors'

describe("git's words in ours", () => {
  it.each([
    ["! refs/heads/x:refs/heads/x [rejected] (stale info)\nerror: failed to push some refs to 'x'", 'moved'],
    ['! x:x [rejected] (non-fast-forward)', 'moved'],
    [
      "fatal: update_ref failed for ref 'refs/heads/x': cannot lock ref 'refs/heads/x': is at a but expected b",
      'moved',
    ],
    ['! x:x [remote rejected] (protected branch hook declined)', 'remote_refused'],
    [
      'remote: GitLab: You are not allowed to push code to protected branches\n! x:x [remote rejected] (pre-receive hook declined)',
      'remote_refused',
    ],
    [
      'error: RPC failed; HTTP 413 curl 22 The requested URL returned error: 413\nfatal: the remote end hung up unexpectedly',
      'remote_refused',
    ],
    [
      'remote: error: pack exceeds maximum allowed size\n! x:x [remote rejected] (unpacker error)',
      'remote_refused',
    ],
    ["fatal: Authentication failed for 'https://forge/a.git/'", 'unauthorized'],
    ["fatal: could not read Username for 'https://forge': terminal prompts disabled", 'unauthorized'],
    ["fatal: unable to access 'https://forge/a.git/': The requested URL returned error: 403", 'unauthorized'],
    ["fatal: repository 'https://forge/a.git/' not found", 'not_found'],
    ["fatal: '/tmp/x' does not appear to be a git repository", 'not_found'],
    ["fatal: unable to access 'https://forge/': Could not resolve host: forge", 'remote_unreachable'],
    [
      "fatal: unable to access 'https://forge/': SSL certificate problem: self-signed certificate",
      'remote_unreachable',
    ],
    ["fatal: unable to access 'https://forge/': The requested URL returned error: 502", 'remote_unreachable'],
    ["fatal: unable to access 'https://forge/': The requested URL returned error: 429", 'remote_unreachable'],
    ['fatal: the remote end hung up unexpectedly', 'remote_unreachable'],
    [
      'error: RPC failed; HTTP 307 curl 22 The requested URL returned error: 307\nfatal: the remote end hung up unexpectedly',
      'remote_refused',
    ],
    ["fatal: unable to access 'https://forge/': The requested URL returned error: 301", 'remote_refused'],
    ["fatal: detected dubious ownership in repository at '/home/other/x'", 'unauthorized'],
    [
      'git@forge: Permission denied (publickey).\nfatal: Could not read from remote repository.',
      'unauthorized',
    ],
    ['error: unable to create temporary file: Permission denied', 'unexpected'],
    ['fatal: write error: No space left on device', 'disk_full'],
    ['fatal: something new', 'unexpected'],
    ['', 'unexpected'],
  ])('takes %j as %s', (stderr, type) => {
    expect(failureError(stderr).type).toBe(type)
  })

  it('shows no secret, in whatever form, and no control characters', () => {
    const secret = 'p@ss/word'
    const stderr = `fatal: unable to access 'https://bot:${secret}@forge/x.git/'; tried ${secret} and ${encodeURIComponent(secret)}\u001b[2J`
    const { message } = failureError(stderr, [secret])
    expect(message).not.toContain('p@ss')
    expect(message).not.toContain('p%40ss')
    expect(message).not.toContain('\u001b')
  })

  it('keeps the forge’s own words, bounded', () => {
    const { message } = failureError(
      `remote: please sign the CLA\n${'remote: x\n'.repeat(10_000)}! x:x [remote rejected] (hook declined)`,
    )
    expect(message).toContain('please sign the CLA')
    expect(message.length).toBeLessThan(1_000)
  })
})
