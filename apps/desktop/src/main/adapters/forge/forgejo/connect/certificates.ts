import { X509Certificate } from 'node:crypto'
import { constants } from 'node:fs'
import { open } from 'node:fs/promises'
import type { ForgeProblem } from '@shared/contract/forges'
import { ok, type Result } from '@shared/result'
import { problem } from './problems'

const maxBytes = 1_000_000
const block = /-----BEGIN CERTIFICATE-----[\s\S]+?-----END CERTIFICATE-----/g

/** The certificates in a file, without whatever else is in it (a private key, say). */
export async function readCertificates(file: string): Promise<Result<string, ForgeProblem>> {
  const text = await readText(file)
  if (text === null) return problem('certificate_file', `${file} cannot be read.`)
  const certificates = text.match(block) ?? []
  if (certificates.length === 0)
    return problem('certificate_file', `${file} holds no certificate in PEM form (BEGIN CERTIFICATE).`)
  for (const pem of certificates) {
    try {
      const { validTo } = new X509Certificate(pem)
      if (Date.parse(validTo) < Date.now())
        return problem('certificate_file', `A certificate in ${file} ended on ${validTo}.`)
    } catch {
      return problem('certificate_file', `A certificate in ${file} is damaged.`)
    }
  }
  return ok(`${certificates.join('\n')}\n`)
}

/** null: not there, no file, too large or not readable. Opened without blocking: it could be a pipe. */
async function readText(file: string): Promise<string | null> {
  try {
    const handle = await open(file, constants.O_RDONLY | constants.O_NONBLOCK)
    try {
      const found = await handle.stat()
      return found.isFile() && found.size <= maxBytes ? await handle.readFile('utf8') : null
    } finally {
      await handle.close()
    }
  } catch {
    return null
  }
}
