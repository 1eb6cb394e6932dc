import { describe, expect, it } from 'vitest'
import { streamedError, toContainerError } from './docker-errors'

const thrown = (fields: object, message = 'x'): Error => Object.assign(new Error(message), fields)
const answered = (statusCode: number, message: string): Error =>
  thrown({ statusCode, json: { message } }, `(HTTP code ${statusCode}) no such container - ${message}`)

describe('errors of the engine', () => {
  it.each([
    ['unreachable', thrown({ code: 'ENOENT' }), true],
    ['unreachable', thrown({ code: 'ECONNREFUSED' }), true],
    ['unreachable', thrown({ code: 'ECONNRESET' }), true],
    ['not_permitted', thrown({ code: 'EACCES' }), false],
    ['not_permitted', answered(403, 'authorization denied by plugin no-docker'), false],
    ['aborted', thrown({ name: 'AbortError' }), false],
    ['image_missing', answered(404, 'No such image: alfred-agent:1'), false],
    ['not_found', answered(404, 'No such container: abc'), false],
    [
      'mount_missing',
      answered(400, 'invalid mount config for type "bind": bind source path does not exist: /x'),
      false,
    ],
    [
      'command_missing',
      answered(400, 'OCI runtime create failed: exec: "nope": executable file not found in $PATH: unknown'),
      false,
    ],
    [
      'api_too_old',
      answered(400, 'client version 1.40 is too new. Maximum supported API version is 1.24'),
      false,
    ],
    [
      'registry_unreachable',
      answered(500, 'Get "https://registry/v2/": dial tcp: lookup registry: no such host'),
      true,
    ],
    ['unexpected', answered(500, 'something else'), true],
    ['unexpected', answered(400, 'something else'), false],
    ['unexpected', 'a string', false],
  ])('become %s', (type, error, retryable) => {
    expect(toContainerError(error, 'doing it')).toMatchObject({ type, retryable })
  })

  it("are told in the engine's own words, not in the client's guess", () => {
    const { message } = toContainerError(answered(404, 'No such image: x'), 'creating the container')
    expect(message).toBe('creating the container: No such image: x')
  })

  it('inside a build are errors of the build unless they are known', () => {
    expect(streamedError('The command returned a non-zero code: 1', 'building', 'build_failed').type).toBe(
      'build_failed',
    )
    expect(streamedError('manifest for x:1 not found', 'pulling', 'unexpected').type).toBe('image_missing')
    expect(streamedError('dial tcp 1.2.3.4:443: i/o timeout', 'pulling', 'unexpected').type).toBe(
      'registry_unreachable',
    )
  })
})
