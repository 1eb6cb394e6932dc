import { expect, it } from 'vitest'
import { reportLabels } from './label-report'
import { alfredLabels } from './labels'

const all = alfredLabels.map(({ name }) => name)

it('of a project with exactly these labels, and others, is empty', () => {
  expect(reportLabels([...all, 'good first issue', 'good first issue'])).toEqual({
    missing: [],
    twins: [],
    misspelt: [],
  })
})

it('names what is missing, in the order in which they are made', () => {
  expect(reportLabels([]).missing).toEqual(all)
  expect(reportLabels(all.slice(1)).missing).toEqual([all[0]])
})

it('tells twins, since setting one sets both', () => {
  expect(reportLabels([...all, 'ai::retry', 'ai::retry']).twins).toEqual([{ name: 'ai::retry', count: 3 }])
})

it('tells labels that only look the same, and does not take them for the right ones', () => {
  const others = all.filter((name) => name !== 'status::in_ci')
  expect(reportLabels([...others, 'Status::In_CI', ' type::bug '])).toEqual({
    missing: ['status::in_ci'],
    twins: [],
    misspelt: [
      { name: 'Status::In_CI', meant: 'status::in_ci' },
      { name: ' type::bug ', meant: 'type::bug' },
    ],
  })
})
