// Where the container engine is, as the app finds it (endpoint.ts): DOCKER_HOST, the docker context in use, else the
// usual sockets. Who chose one means that engine and no other, also while it is silent or on another computer.
import { createHash } from 'node:crypto'
import fs from 'node:fs'
import http from 'node:http'
import https from 'node:https'
import os from 'node:os'
import path from 'node:path'

export const systemSocket = '/var/run/docker.sock'

/** `{ endpoint, tls, by, undo }` of what a person chose, the last two in words; undefined: nothing is chosen. */
export function chosenEngine() {
  const { DOCKER_HOST: host, DOCKER_CONFIG, DOCKER_CONTEXT } = process.env
  const folder = DOCKER_CONFIG || path.join(os.homedir(), '.docker')
  if (host) {
    const tls = environmentTls(folder)
    return { endpoint: withScheme(host), tls, by: 'DOCKER_HOST', undo: 'unset DOCKER_HOST' }
  }
  const name = DOCKER_CONTEXT || readJson(path.join(folder, 'config.json'))?.currentContext
  if (!name || name === 'default') return undefined
  const id = createHash('sha256').update(name).digest('hex')
  const endpoint = readJson(path.join(folder, 'contexts', 'meta', id, 'meta.json'))?.Endpoints?.docker?.Host
  if (!endpoint) return undefined
  const tlsFolder = path.join(folder, 'contexts', 'tls', id, 'docker')
  const isSecure = endpoint.startsWith('tcp://') && fs.existsSync(path.join(tlsFolder, 'ca.pem'))
  return {
    endpoint,
    tls: isSecure ? readTls(tlsFolder, true) : undefined,
    by: `the docker context ${name}`,
    undo: DOCKER_CONTEXT ? 'unset DOCKER_CONTEXT' : 'docker context use default',
  }
}

/** Those that are tried where nothing is chosen. */
export function usualEngines() {
  const sockets = [
    process.env.XDG_RUNTIME_DIR && path.join(process.env.XDG_RUNTIME_DIR, 'docker.sock'),
    systemSocket,
    path.join(os.homedir(), '.docker', 'run', 'docker.sock'),
    path.join(os.homedir(), '.docker', 'desktop', 'docker.sock'),
    path.join(os.homedir(), '.colima', 'default', 'docker.sock'),
    path.join(os.homedir(), '.orbstack', 'run', 'docker.sock'),
  ].filter((socket) => socket && fs.existsSync(socket))
  const pipes = process.platform === 'win32' ? ['npipe:////./pipe/docker_engine'] : []
  return [...sockets.map((socket) => `unix://${socket}`), ...pipes].map((endpoint) => ({ endpoint }))
}

/** Neither Alfred nor set-up can speak to it: a way of the docker client alone, such as ssh. */
export const isOutOfReach = ({ endpoint }) => connection({ endpoint }) === undefined

/** The engine's version; undefined when nothing answers there within 3 s. */
export function askVersion(engine) {
  const target = connection(engine)
  if (target === undefined) return Promise.resolve(undefined)
  const { get } = target.protocol === 'https:' ? https : http
  return new Promise((resolve) => {
    const request = get({ ...target, path: '/version', timeout: 3000 }, (response) => {
      let body = ''
      response.setEncoding('utf8')
      response.on('data', (chunk) => (body += chunk))
      response.on('error', () => resolve(undefined))
      response.on('end', () => {
        try {
          resolve(JSON.parse(body).Version)
        } catch {
          resolve(undefined)
        }
      })
    })
    request.on('timeout', () => request.destroy())
    request.on('error', () => resolve(undefined))
  })
}

function connection({ endpoint, tls }) {
  if (endpoint.startsWith('unix://')) return { socketPath: endpoint.slice('unix://'.length) }
  if (endpoint.startsWith('npipe://'))
    return { socketPath: endpoint.slice('npipe://'.length).replaceAll('/', '\\') }
  if (!/^(tcp|https?):/.test(endpoint)) return undefined
  const { protocol, hostname, port } = new URL(endpoint.replace(/^tcp:/, 'http:'))
  return tls || protocol === 'https:'
    ? { protocol: 'https:', host: hostname, port: port || 2376, ...tls }
    : { host: hostname, port: port || 2375 }
}

/** A bare path is a socket, a bare host:port is TCP. */
function withScheme(value) {
  if (value.includes('://')) return value
  return value.startsWith('/') ? `unix://${value}` : `tcp://${value}`
}

function environmentTls(folder) {
  const { DOCKER_TLS_VERIFY: verify, DOCKER_CERT_PATH: certificates } = process.env
  return verify || certificates ? readTls(certificates || folder, Boolean(verify)) : undefined
}

function readTls(folder, verify) {
  const [ca, cert, key] = ['ca.pem', 'cert.pem', 'key.pem'].map((name) => readText(path.join(folder, name)))
  return { ca, cert, key, rejectUnauthorized: verify }
}

function readText(file) {
  try {
    return fs.readFileSync(file, 'utf8')
  } catch {
    return undefined
  }
}

function readJson(file) {
  try {
    return JSON.parse(readText(file))
  } catch {
    return undefined
  }
}
