import { expect, it } from 'vitest'
import { scopeName } from './scope-name'

it('names the scope that says something', () => {
  expect(scopeName('app', 'harbour/freight-api')).toBe('the whole app')
  expect(scopeName('organization', 'harbour/freight-api')).toBe('harbour')
  expect(scopeName('project', 'harbour/freight-api')).toBe('freight-api')
})
