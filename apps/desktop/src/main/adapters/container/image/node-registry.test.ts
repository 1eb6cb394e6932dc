import { describe, expect, it } from 'vitest'
import { parseNpmConfig } from './node-registry'

describe("npm's settings", () => {
  it('are read as npm prints several of them, without those that are not set', () => {
    const text = 'registry=https://packages.example/npm/\nhttps-proxy=null\ncafile=undefined\n'
    expect([...parseNpmConfig(text)]).toEqual([['registry', 'https://packages.example/npm/']])
  })

  it('are read with quotes and spaces too, and other lines are passed over', () => {
    const text = 'npm warn something\nhttps-proxy = "http://proxy.example:3128"\n'
    expect([...parseNpmConfig(text)]).toEqual([['https-proxy', 'http://proxy.example:3128']])
  })
})
