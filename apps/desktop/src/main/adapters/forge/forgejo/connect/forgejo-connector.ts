import { ok } from '@shared/result'
import type { ForgeAccess, ForgeConnector } from '@main/ports/forge-connector'
import { toBaseUrl } from '../base-url'
import { createForgejoTransport, type ForgejoTransport } from '../transport'
import { findProject, listProjects, readProject } from './account-projects'
import { readCertificates } from './certificates'
import { examineToken } from './examine-token'
import { identify } from './identify'
import { problem } from './problems'
import { listLabels, makeLabel } from './project-labels'

/** A person waits for it. */
const timeoutMs = 10_000
const maxAnswerBytes = 8_000_000

/** Connects Gitea and Forgejo servers. */
export function createForgejoConnector({ now }: { readonly now: () => number }): ForgeConnector {
  const open = ({ baseUrl, token, caPem }: ForgeAccess): ForgejoTransport =>
    createForgejoTransport({
      baseUrl,
      access: () => Promise.resolve(ok({ token, caPem })),
      now,
      timeoutMs,
      maxAnswerBytes,
    })
  return {
    readAddress: (pasted) => {
      const baseUrl = toBaseUrl(pasted)
      if (!baseUrl.ok) return problem('address', baseUrl.error.message)
      return ok({
        baseUrl: baseUrl.value,
        name: nameOf(baseUrl.value),
        isEncrypted: baseUrl.value.startsWith('https:'),
      })
    },
    readCertificates,
    identify: (access) => identify(open(access), nameOf(access.baseUrl), access.token !== null),
    examineToken: (access) => examineToken(open(access), nameOf(access.baseUrl), access.token ?? ''),
    listProjects: (access) => listProjects(open(access), nameOf(access.baseUrl)),
    readProject: (access, path) => readProject(open(access), nameOf(access.baseUrl), path),
    findProject: (access, remoteId) => findProject(open(access), nameOf(access.baseUrl), remoteId),
    listLabels: (access, path) => listLabels(open(access), nameOf(access.baseUrl), path),
    makeLabel: (access, path, label) => makeLabel(open(access), nameOf(access.baseUrl), path, label),
  }
}

/** `https://git.example.org:3000/forge` is `git.example.org:3000/forge`: one forge for each, however it is spoken to. */
const nameOf = (baseUrl: string): string => baseUrl.replace(/^https?:\/\//, '')
