import type { TokenGrant } from '@shared/contract/forges'
import { grantWhy, grantWords, isOptional, tokenNeedWords } from '@shared/forge-words'
import { Icon, type IconName } from '../../components/icon'

const looks: Readonly<Record<TokenGrant['state'], { readonly icon: IconName; readonly className: string }>> =
  {
    works: { icon: 'check', className: 'text-ok' },
    missing: { icon: 'x', className: 'text-bad' },
    unknown: { icon: 'circle-help', className: 'text-warn' },
  }

const looksOf = (grant: TokenGrant) =>
  grant.state === 'missing' && isOptional(grant)
    ? { icon: 'minus' as const, className: 'text-warn' }
    : looks[grant.state]

/** What the token can and cannot do, scope by scope. */
export function TokenGrants({ grants }: { readonly grants: readonly TokenGrant[] }) {
  return (
    <ul className="card overflow-hidden" aria-label="What the token can do">
      {grants.map((grant) => {
        const { need, scope, state } = grant
        const look = looksOf(grant)
        const tone = state !== 'missing' ? 'text-ink-2' : isOptional(grant) ? 'text-warn' : 'text-bad'
        return (
          <li
            key={need}
            className="grid grid-cols-[18px_minmax(104px,128px)_minmax(0,1fr)_120px] items-center gap-x-2 border-b border-line px-3 py-1.5 text-12 last:border-b-0"
            data-test="token-grant"
            data-value={scope}
            data-state={state}
          >
            <Icon name={look.icon} size={14} className={look.className} />
            <span className="cut font-medium">{tokenNeedWords[need].title}</span>
            <span className={tone}>
              {state === 'works' ? grantWhy(grant) : `${grantWords[state]}: ${grantWhy(grant)}`}
            </span>
            <code className="justify-self-end text-11 text-ink-2 selectable">{scope}</code>
          </li>
        )
      })}
    </ul>
  )
}
