import { renderToStaticMarkup } from 'react-dom/server'
import { describe, expect, it } from 'vitest'
import type { RunDetail } from '@shared/contract/runs'
import { CostSection } from './cost-section'

/** The text that a person reads of it. */
function shown(costUsd: number | null, budgetUsd: number | null): string {
  const row = {
    adapter: 'codex',
    costUsd,
    inputTokens: null,
    cachedTokens: null,
    outputTokens: null,
    turns: 3,
  }
  const detail = { row, toolCalls: 31, contextUsed: null, contextMax: null, budgetUsd }
  return renderToStaticMarkup(<CostSection detail={detail as RunDetail} />)
    .replaceAll(/<[^>]+>/g, ' ')
    .replaceAll(/\s+/g, ' ')
}

describe('what a run costs', () => {
  it('is a share of what it may cost', () => {
    expect(shown(1.31, 5)).toContain('31 tool calls · limit $5.00 a run $1.31 26 % of the limit')
    expect(shown(4.999, 5)).toContain(' 99 % of the limit')
    expect(shown(0, 5)).toContain(' 0 % of the limit')
    expect(shown(6, 5)).toContain(' 120 % of the limit')
  })

  it('is a share of nothing without a limit', () => expect(shown(1.31, null)).not.toContain('limit'))

  it('is no share where the agent does not tell it', () => {
    expect(shown(null, 5)).toContain('limit $5.00 a run unknown not told by codex')
    expect(shown(null, 5)).not.toContain('%')
  })
})
