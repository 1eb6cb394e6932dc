import type { RunDetail, TranscriptEvent } from '@shared/contract/runs'
import type { TimelineRow } from '@shared/contract/sessions'

/** A run as its screen shows it: transcript, diff, contract, outbox; made for looking at, in the words of the drawings. */

const patch = `diff --git a/src/carrier/retry.ts b/src/carrier/retry.ts
index 1111111..2222222 100644
--- a/src/carrier/retry.ts
+++ b/src/carrier/retry.ts
@@ -41,4 +41,7 @@ import { Clock } from '../clock'
 export function parseRetryAfter(header: string | null, now: Date): number | null {
-  const seconds = Number(header);
-  return Number.isFinite(seconds) ? seconds * 1000 : null;
+  if (header === null || header.trim() === "") return null;
+  const seconds = Number(header);
+  if (Number.isFinite(seconds)) return Math.max(0, seconds * 1000);
+  const at = Date.parse(header);
+  return Number.isNaN(at) ? null : Math.max(0, at - now.getTime());
 }
`

export const fakeDiff = `${patch}diff --git a/test/carrier/retry.test.ts b/test/carrier/retry.test.ts
new file mode 100644
--- /dev/null
+++ b/test/carrier/retry.test.ts
@@ -0,0 +1,60 @@
${Array.from({ length: 60 }, (_, index) => `+  expect(delayOf(${index})).toBe(${index * 1_000}) // line ${index + 1}`).join('\n')}
diff --git a/docs/carriers.md b/docs/carriers.md
--- a/docs/carriers.md
+++ b/docs/carriers.md
@@ -8,3 +8,4 @@
 ## Limits
-Carriers answer 429 when they are busy.
+Carriers answer 429 when they are busy; \`Retry-After\` may be a date.
+Alfred waits at most 30 s.
 
`

/** The transcript of the drawing, and a long one for runs above 1000. */
export function fakeEvents(runId: number, startedAt: number): TranscriptEvent[] {
  if (runId >= 1_000) return longTranscript(startedAt)
  let seq = 0
  const at = (seconds: number): number => startedAt + seconds * 1_000
  const event = (
    seconds: number,
    kind: TranscriptEvent['kind'],
    payload: TranscriptEvent['payload'],
  ): TranscriptEvent => {
    seq += 1
    return { seq, at: at(seconds), kind, payload }
  }
  return [
    event(1, 'notice', { text: 'Container up in 1.1s · image 9e41c07d · asked to resume d02b91aa…77e0' }),
    event(3, 'session', { nativeId: 'd02b91aa-4c1f-4b6e-9a53-0f8e2c1b77e0', proof: 'resumed' }),
    event(20, 'thought', {
      text: 'Two threads. The first one is about dates, the second about the order of cap and jitter.\nI should look at the parser first.',
    }),
    event(32, 'text', {
      text: 'The reviewer is right on both threads. `Retry-After` may be an HTTP date, and we parse it as seconds only. I also see that the jitter is applied before the cap, so the cap can be exceeded. I will fix the parser first, then the order.',
    }),
    event(54, 'tool', {
      name: 'Read',
      summary: 'src/carrier/retry.ts',
      input: '{"file_path":"src/carrier/retry.ts"}',
      callId: 'a',
    }),
    event(54.1, 'tool_result', {
      callId: 'a',
      output: Array.from({ length: 214 }, (_, line) => `${line + 1}\tconst line${line} = ${line}`).join('\n'),
      failed: false,
    }),
    event(58, 'tool', {
      name: 'Search',
      summary: '"retry-after" in src, test',
      input: 'retry-after',
      callId: 'b',
    }),
    event(58.3, 'tool_result', { callId: 'b', output: 'src/a.ts:1\nsrc/b.ts:2', failed: false }),
    event(83, 'tool', { name: 'Edit', summary: 'src/carrier/retry.ts', input: patch, callId: 'c' }),
    event(83.2, 'tool_result', { callId: 'c', output: 'ok', failed: false }),
    event(130, 'tool', {
      name: 'Shell',
      summary: 'npm test -- carrier/retry',
      input: 'npm test -- carrier/retry',
      callId: 'd',
    }),
    event(141.4, 'tool_result', {
      callId: 'd',
      output: '✗ caps the delay after jitter  expected 30000, got 31840\n✓ parses an HTTP date  (2 ms)',
      failed: true,
    }),
    event(141.5, 'cut', { bytes: 10_400_000, keptBytes: 16_384 }),
    event(222, 'text', { text: 'The jitter test fails as expected. Moving the cap after the jitter.' }),
  ]
}

function longTranscript(startedAt: number): TranscriptEvent[] {
  return Array.from({ length: 10_000 }, (_, index): TranscriptEvent => {
    const seq = index + 1
    const at = startedAt + index * 500
    if (index % 5 === 0)
      return {
        seq,
        at,
        kind: 'text',
        payload: { text: `Step ${seq}: ${'looking at the next part of the code. '.repeat(1 + (index % 7))}` },
      }
    if (index % 97 === 3) return { seq, at, kind: 'error', payload: { text: `Error number ${seq}` } }
    return {
      seq,
      at,
      kind: 'tool',
      payload: {
        name: index % 2 ? 'Read' : 'Shell',
        summary: `file-${seq}.ts`,
        input: '',
        callId: `c${seq}`,
      },
    }
  })
}

export function fakeRunDetail(
  row: TimelineRow,
  mailboxId: number,
  iid: number,
  title: string,
  memory: readonly TimelineRow[],
): RunDetail {
  const hasFailed = row.outcome !== null && row.outcome !== 'succeeded'
  return {
    row,
    mailboxId,
    mailboxIid: iid,
    mailboxTitle: title,
    trigger: 'review',
    requestedBy: 'Nadia Okafor',
    failure: hasFailed
      ? {
          type:
            row.outcome === 'timed_out'
              ? 'timed_out'
              : row.outcome === 'stopped'
                ? 'stopped'
                : 'agent_failed',
          message: 'the agent ended with code 1: network unreachable',
          exitCode: 1,
        }
      : null,
    llmRetries: 0,
    attempts: [
      {
        number: 1,
        outcome: row.outcome,
        startedAt: row.startedAt ?? row.createdAt,
        endedAt: row.endedAt,
        starts: [],
      },
    ],
    nextAttemptAt: null,
    deadline: null,
    timeoutMs: 1_800_000,
    budgetUsd: 5,
    sandbox: {
      runner: 'container',
      image: 'alfred-node:24',
      imageDigest: 'sha256:9e41c07d0000',
      user: '1000:1000, never root · no new privileges',
      cpus: 2,
      memoryBytes: 4_000_000_000,
      pids: 512,
      timeoutMs: 1_800_000,
      network: 'open: the internet and what this computer serves',
      credentials: 'claude login, read-only · no forge token inside',
      mounts: [
        { target: '/workspace', access: 'rw', purpose: 'clone' },
        { target: '/home/agent/.claude/projects', access: 'rw', purpose: 'sessions' },
        { target: '/alfred/repo.git', access: 'ro', purpose: '' },
        { target: '/alfred/out', access: 'rw', purpose: 'bundle' },
        { target: '/home/agent, /tmp', access: 'tmpfs', purpose: '' },
      ],
    },
    contextUsed: row.costUsd === null ? null : 122_000,
    contextMax: row.costUsd === null ? null : 200_000,
    toolCalls: 31,
    eventCount: 14,
    rawLogBytes: 11_200_000,
    changedFiles: [
      { path: 'src/carrier/retry.ts', oldPath: null, status: 'modified', added: 5, deleted: 2 },
      { path: 'test/carrier/retry.test.ts', oldPath: null, status: 'added', added: 60, deleted: 0 },
      { path: 'docs/carriers.md', oldPath: null, status: 'modified', added: 2, deleted: 1 },
    ],
    commits: row.commits ?? 0,
    branchName: row.sessionName,
    baseSha: 'a'.repeat(40),
    headSha: 'b'.repeat(40),
    outbox: [
      {
        id: 1,
        kind: 'status',
        target: '#128',
        state: 'sent',
        attempts: 1,
        lastError: null,
        nextAttemptAt: null,
        sentAt: row.createdAt,
        summary: 'status::in_review',
      },
      {
        id: 2,
        kind: 'comment',
        target: '!342',
        state: 'sent',
        attempts: 1,
        lastError: null,
        nextAttemptAt: null,
        sentAt: row.createdAt,
        summary: 'started, run 431',
      },
      {
        id: 3,
        kind: 'push',
        target: '!342',
        state: 'waiting',
        attempts: 0,
        lastError: null,
        nextAttemptAt: null,
        sentAt: null,
        summary: '1 commit',
      },
      {
        id: 4,
        kind: 'comment',
        target: '!342',
        state: 'failed',
        attempts: 4,
        lastError: 'HTTP 502',
        nextAttemptAt: null,
        sentAt: null,
        summary: 'answers to 2 threads',
      },
    ],
    sameMemory: memory.map((one) => one.runId),
    folder: `/home/nadia/.local/share/alfred/runs/${row.runId}`,
  } as unknown as RunDetail
}

export const fakePrompt =
  '# Task\n\nFix the two review threads of !342.\n\n## Thread 1\n\n> `Retry-After` may be a date.\n'
export const fakeRawLog = Array.from(
  { length: 9_000 },
  (_, index) => `{"type":"text","seq":${index},"text":"raw line of the agent"}`,
).join('\n')
