import { describe, expect, it } from 'vitest'
import { toProjectSlug } from './project-slug'

describe('toProjectSlug', () => {
  it.each([
    ['My Project', 'my-project'],
    ['Größe & Maß', 'grosse-and-mass'],
    ['  a/../b  ', 'a-b'],
    ['con', 'con-project'],
    ['.git', 'git'],
  ])('makes %s a name for paths', (name, slug) => {
    expect(toProjectSlug(name)).toBe(slug)
  })

  it('says when nothing is left', () => {
    expect(toProjectSlug('😀 …')).toBeNull()
  })
})
