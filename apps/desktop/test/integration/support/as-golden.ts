import type { GoldenRequest } from '../../fakes/golden-request'
import type { Start } from './matrix-bench'

/** The request with what belongs to this run and this computer as the golden one has it. */
export function asGolden({ spec, files }: Start, golden: GoldenRequest): GoldenRequest {
  const sources = new Map(
    golden.spec.mounts.flatMap((mount) => (mount.kind === 'bind' ? [[mount.target, mount.source]] : [])),
  )
  const environment: Record<string, string> = { ...spec.environment }
  for (const key of Object.keys(environment))
    if (/^(?:ALFRED_(?:BRANCH|BASE)|GIT_(?:AUTHOR|COMMITTER)_.*|USER)$/.test(key))
      environment[key] = golden.spec.environment[key] ?? ''
  // A read-only phase works on a branch of its own while the is not on the forge; of the golden one it is there.
  if (environment['ALFRED_TREE']?.startsWith('temporary') === true)
    environment['ALFRED_TREE'] = golden.spec.environment['ALFRED_TREE'] ?? ''
  return {
    command: { argv: spec.argv.slice(2), environment: golden.command.environment, files },
    spec: {
      ...spec,
      name: golden.spec.name,
      image: golden.spec.image,
      user: golden.spec.user,
      labels: { ...spec.labels, ...ownLabels(golden) },
      environment,
      mounts: spec.mounts.map((mount) =>
        mount.kind === 'bind' ? { ...mount, source: sources.get(mount.target) ?? '' } : mount,
      ),
    },
  }
}

/** The mount of the login, and what leads to it, is what the condition is about. */
export function withoutLogin(request: GoldenRequest, { spec }: Start): GoldenRequest {
  const login = spec.mounts.find((mount) => mount.kind === 'bind' && mount.isLogin === true)?.target
  const isOwn = ({ target, purpose }: { readonly target: string; readonly purpose: string }): boolean =>
    target === login || (purpose === 'between two mounts' && login?.startsWith(`${target}/`) === true)
  return {
    ...request,
    spec: { ...request.spec, mounts: request.spec.mounts.filter((mount) => !isOwn(mount)) },
  }
}

/** Which run it is of, which the golden request says of another one. */
function ownLabels({ spec }: GoldenRequest): Readonly<Record<string, string>> {
  const of = ['dev.alfred.install', 'dev.alfred.run', 'dev.alfred.mailbox']
  return Object.fromEntries(of.map((label) => [label, spec.labels[label] ?? '']))
}
