import type { RunDetail } from '@shared/contract/runs'
import { formatCost, formatTokens } from '@shared/format'
import { formatExactCost } from '@shared/format/costs'
import { formatContext, formatTokenTotal, totalTokens } from '@shared/format/tokens'
import { Meter } from '../../components/meter'
import { FactsTitle } from './facts-title'
import { lossWords } from './run-words'

/** What the run has cost so far, and how full the agent's context is. */
export function CostSection({ detail }: { readonly detail: RunDetail }) {
  const { row, contextUsed, contextMax, budgetUsd } = detail
  const tokens = totalTokens(row)
  const loss = lossWords(row)
  const share = budgetShare(row.costUsd, budgetUsd)
  return (
    <section data-test="cost-context" aria-label="Cost and context">
      <FactsTitle icon="activity" title="Cost and context">
        {titleFigures(detail)}
      </FactsTitle>
      <div className="flex items-baseline gap-2 text-12">
        <span className="text-20 font-semibold" data-test="run-cost" data-value={row.costUsd ?? ''}>
          {formatExactCost(row.costUsd)}
        </span>
        {row.costUsd === null && (
          <span className="cut text-11 text-ink-3">{`not told by ${row.adapter}`}</span>
        )}
        {share !== null && (
          <span className="cut text-11 text-ink-3" data-test="budget-share" data-value={share}>
            {`${share} % of the limit`}
          </span>
        )}
        <span className="grow" />
        <span className="flex-none text-ink-2" data-test="run-tokens" data-value={tokens ?? ''}>
          {tokens === null ? 'tokens unknown' : formatTokenTotal(tokens)}
        </span>
      </div>
      <div className="mt-0.5 mb-1.5 flex gap-3 text-11 text-ink-2">
        <span>{`${formatTokens(row.inputTokens)} new in`}</span>
        <span>{`${formatTokens(row.cachedTokens)} cached`}</span>
        <span>{`${formatTokens(row.outputTokens)} out`}</span>
        <span className="grow" />
        <span>{row.turns === null ? 'turns unknown' : `turn ${row.turns}`}</span>
      </div>
      {loss !== null && (
        <p className="mb-1.5 text-11 text-warn" data-test="fallback-cost" data-value={loss.tokens ?? ''}>
          {loss.text}
        </p>
      )}
      <div className="flex items-center gap-2 text-11 text-ink-2">
        <span className="min-w-[46px] flex-none">Context</span>
        <div className="grow">
          <Meter
            label="Context"
            used={contextUsed}
            max={contextMax}
            valueText={formatContext(contextUsed, contextMax)}
            test="context-meter"
          />
        </div>
        {contextUsed !== null && contextMax !== null && (
          <span className="flex-none">{formatContext(contextUsed, contextMax)}</span>
        )}
      </div>
    </section>
  )
}

const titleFigures = ({ toolCalls, budgetUsd }: RunDetail): string =>
  [
    toolCalls === null ? null : `${toolCalls} tool calls`,
    budgetUsd === null ? null : `limit ${formatCost(budgetUsd)} a run`,
  ]
    .filter((words) => words !== null)
    .join(' · ')

/** Whole percent, never 100 before all of it is spent; null where either is not known. */
const budgetShare = (costUsd: number | null, budgetUsd: number | null): number | null =>
  costUsd === null || budgetUsd === null ? null : Math.floor((costUsd / budgetUsd) * 100)
