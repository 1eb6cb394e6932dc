import { describe, expect, it } from 'vitest'
import { pathParts } from './path-parts'

describe('pathParts', () => {
  it('keeps the slash with the name of the file, so that nothing is said twice', () => {
    expect(pathParts('src/carrier/retry.ts')).toEqual({ folders: 'src/carrier', file: '/retry.ts' })
    expect(pathParts('/home/agent/.demo/sessions/')).toEqual({
      folders: '/home/agent/.demo',
      file: '/sessions/',
    })
  })

  it('has no folders where there are none', () => {
    expect(pathParts('README.md')).toEqual({ folders: '', file: 'README.md' })
    expect(pathParts('/tmp')).toEqual({ folders: '', file: '/tmp' })
    expect(pathParts('')).toEqual({ folders: '', file: '' })
  })
})
