import { expect, it } from 'vitest'
import { againstRival, alone, atMost, benchReport } from '../bench/figures'

/*
 * What the benchmarks give to programs. What they measure is for a quiet computer.
 */

it('the report of the benchmarks is one line of JSON, null where there is no rival', () => {
  const report = benchReport([
    againstRival('cold start', 1012.34567, 645, 'ms', 1.5),
    againstRival('overhead', 5200, 5000, 'ms', 1.1),
    alone('prior-id lookup', 99.9, 'µs', 100),
    alone('timeline page', 5, 'ms', 5),
    atMost('idle poll', 4, 'requests', 4),
  ])
  expect(report).toMatch(/^\{.*\}\n$/)
  expect(JSON.parse(report)).toEqual({
    rows: [
      { name: 'cold start', ours: 1012.346, rival: 645, unit: 'ms', ratio: 1.57, budget: 1.5, within: false },
      { name: 'overhead', ours: 5200, rival: 5000, unit: 'ms', ratio: 1.04, budget: 1.1, within: true },
      {
        name: 'prior-id lookup',
        ours: 99.9,
        rival: null,
        unit: 'µs',
        ratio: null,
        budget: 100,
        within: true,
      },
      { name: 'timeline page', ours: 5, rival: null, unit: 'ms', ratio: null, budget: 5, within: false },
      { name: 'idle poll', ours: 4, rival: null, unit: 'requests', ratio: null, budget: 4, within: true },
    ],
  })
})
