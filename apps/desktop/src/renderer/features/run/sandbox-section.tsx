import type { RunDetail, SandboxContract } from '@shared/contract/runs'
import { formatBytes } from '@shared/format'
import { Button } from '../../components/button'
import { PathText } from '../../components/path-text'
import { copyText } from '../../lib/shell'
import { showToast } from '../../lib/toasts'
import { FactsTitle } from './facts-title'
import { formatLimit } from './run-words'

/** Under what rules the agent works: image, user, limits, network, what it may read and write. */
export function SandboxSection({ detail }: { readonly detail: RunDetail }) {
  const { sandbox } = detail
  return (
    <section data-test="sandbox-contract" aria-label="Sandbox">
      <FactsTitle icon="shield" title="Sandbox">
        {sandbox && <ExportButton sandbox={sandbox} runId={detail.row.runId} />}
      </FactsTitle>
      {sandbox ? (
        <Contract sandbox={sandbox} />
      ) : (
        <p className="text-12 text-ink-3">
          {detail.row.isImported ? 'There was no container.' : 'Told when the container is made.'}
        </p>
      )}
    </section>
  )
}

function ExportButton({ sandbox, runId }: { readonly sandbox: SandboxContract; readonly runId: number }) {
  return (
    <Button
      size="sm"
      variant="quiet"
      className="-my-1"
      label="Copy"
      icon="copy"
      spokenLabel="Copy the sandbox contract as JSON"
      onClick={() => {
        copyText(JSON.stringify({ runId, ...sandbox }, null, 2))
        showToast({ title: 'Sandbox contract copied' })
      }}
    />
  )
}

function Contract({ sandbox }: { readonly sandbox: SandboxContract }) {
  const rows: readonly (readonly [string, string, string, boolean])[] = [
    ['Image', 'sandbox-image', imageWords(sandbox), true],
    ['User', 'sandbox-user', sandbox.user, false],
    ['Limits', 'sandbox-limits', limitWords(sandbox), false],
    ['Network', 'sandbox-network', sandbox.network, false],
    ['Credentials', 'sandbox-credentials', sandbox.credentials, false],
  ]
  return (
    <>
      <dl className="kv text-11 leading-[calc(17px*var(--text-scale))]">
        {rows.map(([term, test, words, isMono]) => (
          <div key={term} className="contents">
            <dt>{term}</dt>
            <dd
              className={isMono ? 'mono cut' : undefined}
              data-test={test}
              title={isMono ? (sandbox.imageDigest ?? words) : undefined}
            >
              {words}
            </dd>
          </div>
        ))}
      </dl>
      {sandbox.mounts.length > 0 && (
        <ul
          className="mt-1.5 rounded-control border border-line bg-surface px-2 py-1 font-mono text-11"
          data-test="sandbox-mounts"
          aria-label="Mounts"
        >
          {sandbox.mounts.map((mount) => (
            <li key={mount.target} className="flex gap-2" data-test="sandbox-mount" data-value={mount.target}>
              <PathText path={mount.target} className="max-w-[62%] flex-none selectable" />
              <span className="cut grow text-right text-ink-2" title={mount.purpose}>
                {mount.purpose === '' ? mount.access : `${mount.access} · ${mount.purpose}`}
              </span>
            </li>
          ))}
        </ul>
      )}
    </>
  )
}

/** `alfred/agent:1@9e41c07d`; on the host there is no image. */
function imageWords(sandbox: SandboxContract): string {
  if (sandbox.runner === 'host') return 'none: this computer'
  const digest = (sandbox.imageDigest ?? sandbox.image)?.replace('sha256:', '').slice(0, 8)
  const name = sandbox.image?.startsWith('sha256:') ? 'sha256' : (sandbox.image ?? 'unknown')
  return [name, digest].filter(Boolean).join(name === 'sha256' ? ':' : '@')
}

function limitWords({ cpus, memoryBytes, pids, timeoutMs }: SandboxContract): string {
  return [
    cpus === null ? null : `${cpus} CPU`,
    memoryBytes === null ? null : formatBytes(memoryBytes),
    pids === null ? null : `${pids} pids`,
    formatLimit(timeoutMs),
  ]
    .filter((part) => part !== null)
    .join(' · ')
}
