import { expect, it } from 'vitest'
import type { SandboxContract } from '@shared/contract/runs'
import { withImageName } from './image-name'

const sandbox = { image: 'sha256:9e41c07d', imageDigest: 'sha256:9e41c07d' } as SandboxContract

it('calls an image that Alfred built by its name, and any other as it was asked for', () => {
  const images = [{ digest: 'sha256:9e41c07d', tag: 'alfred-agent:47c0' }]
  expect(withImageName(sandbox, images)).toEqual({ ...sandbox, image: 'alfred-agent:47c0' })
  expect(withImageName(sandbox, [])).toBe(sandbox)
  const onHost = { ...sandbox, image: null, imageDigest: null }
  expect(withImageName(onHost, images)).toBe(onHost)
})
