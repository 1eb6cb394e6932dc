import { lstat, readdir, readFile, readlink, realpath, stat } from 'node:fs/promises'
import { basename, dirname, join, relative } from 'node:path'
import { err, ok } from '@shared/result'
import { foldersBetween } from '@main/core/sandbox/container-paths'
import type { BaseMaker } from '@main/ports/agent-image'
import type { OnBuildProgress } from '@main/ports/container-runtime'
import { tarStream, type TarEntry } from '../tar/tar-stream'
import { findNode, findNpm, findProgram, isReadable, parseLdd, programKind } from './host-programs'
import { runProgram } from './run-program'

/*
 * A base image out of this computer's own programs: a shell, the usual tools, git and Node, with the libraries
 * that they link to. No registry, no root and no package manager; a second or two.
 */

const architectures: Readonly<Record<string, string>> = { x64: 'x86_64', arm64: 'aarch64' }

const certificateBundles = [
  '/etc/ssl/certs/ca-certificates.crt',
  '/etc/pki/tls/certs/ca-bundle.crt',
  '/etc/ssl/ca-bundle.pem',
  '/etc/ssl/cert.pem',
]

const imageBundle = '/etc/ssl/certs/ca-certificates.crt'

const changes = [
  'ENV PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin',
  'ENV LANG=C.UTF-8',
  `ENV NODE_EXTRA_CA_CERTS=${imageBundle}`,
  `ENV SSL_CERT_FILE=${imageBundle}`,
  `ENV GIT_SSL_CAINFO=${imageBundle}`,
  'LABEL dev.alfred.base=collected',
]

export function createCollectedBase(programList: string): BaseMaker {
  return {
    name: 'collected',
    about: "a base out of this computer's own programs",
    obstacle: async (engine) => {
      if (process.platform !== 'linux')
        return 'this computer runs no Linux, so its programs do not run in a container'
      if (engine.operatingSystem !== 'linux') return 'the engine runs no Linux containers'
      if (architectures[process.arch] !== engine.architecture)
        return `the engine runs on ${engine.architecture}, this computer is ${process.arch}`
      if ((await findNode()) === null) return 'Node was not found on this computer (ALFRED_NODE may name it)'
      for (const name of ['git', 'sh', 'ldd']) {
        if ((await findProgram(name)) === null) return `${name} was not found on this computer`
      }
      return null
    },
    make: async (onProgress, signal) => {
      try {
        onProgress({
          step: 'collecting programs',
          fraction: null,
          detail: 'looking at what git and Node need',
        })
        const entries = await collectEntries(await readFile(programList, 'utf8'), signal)
        if (signal.aborted) return err({ type: 'aborted', message: 'collecting the base was stopped' })
        return ok({ tar: tarStream(counted(entries, onProgress)), changes, dispose: async () => {} })
      } catch (thrown) {
        return err({
          type: 'failed',
          message: `the base could not be collected: ${thrown instanceof Error ? thrown.message : String(thrown)}`,
        })
      }
    },
  }
}

async function* counted(entries: readonly TarEntry[], onProgress: OnBuildProgress): AsyncGenerator<TarEntry> {
  let written = 0
  for (const entry of entries) {
    yield entry
    written += 1
    if (written % 50 === 0 || written === entries.length) {
      onProgress({ step: 'writing the base', fraction: written / entries.length, detail: entry.path })
    }
  }
}

/** Files by their path in the image; a later one of the same path counts less. */
class RootFiles {
  private readonly entries = new Map<string, TarEntry>()
  /** Path in the image by the real file on the host, so that a file with several names is stored once. */
  private readonly pathsByFile = new Map<string, string>()
  readonly binaries: string[] = []

  add(entry: TarEntry): void {
    const path = mergedPath(entry.path)
    if (!this.entries.has(path)) this.entries.set(path, { ...entry, path })
  }

  text(path: string, text: string): void {
    this.add({ kind: 'text', path, text, mode: 0o644 })
  }

  folder(path: string, mode = 0o755): void {
    this.add({ kind: 'folder', path, mode })
  }

  async file(source: string, path: string): Promise<void> {
    const real = await realpath(source)
    const known = this.pathsByFile.get(real)
    const place = mergedPath(path)
    if (known !== undefined && known !== place) {
      this.add({ kind: 'link', path, target: relative(dirname(`/${place}`), `/${known}`) })
      return
    }
    const { mode } = await stat(real)
    this.pathsByFile.set(real, place)
    this.add({ kind: 'file', path, source: real, mode: (mode & 0o111) === 0 ? 0o644 : 0o755 })
  }

  async program(source: string, path: string): Promise<void> {
    const real = await realpath(source)
    const kind = await programKind(real)
    if (kind === 'other') return
    if (kind === 'binary') this.binaries.push(real)
    await this.file(real, path)
  }

  async tree(source: string, path: string): Promise<void> {
    for (const name of await readdir(source)) {
      const from = join(source, name)
      const to = `${path}/${name}`
      const stats = await lstat(from)
      if (stats.isDirectory()) await this.tree(from, to)
      else if (stats.isSymbolicLink()) this.add({ kind: 'link', path: to, target: await readlink(from) })
      else if (stats.isFile()) await this.file(from, to)
    }
  }

  /** Every file's folders come first, since the engine gives those that it has to make itself odd rights. */
  all(): readonly TarEntry[] {
    const folders = new Map<string, TarEntry>()
    for (const { path } of this.entries.values()) {
      for (const folder of foldersBetween('/', `/${path}`)) {
        const name = folder.slice(1)
        if (!this.entries.has(name)) folders.set(name, { kind: 'folder', path: name, mode: 0o755 })
      }
    }
    const isFolder = (entry: TarEntry): boolean => entry.kind === 'folder'
    const given = [...this.entries.values()]
    return [
      ...[...folders.values(), ...given.filter(isFolder)].toSorted((a, b) => (a.path < b.path ? -1 : 1)),
      ...given.filter((entry) => !isFolder(entry)),
    ]
  }
}

/** /bin, /sbin and /lib* are links into /usr, as on current distributions. */
const mergedPath = (path: string): string => {
  const plain = path.replace(/^\/+/, '')
  return /^(bin|sbin|lib|lib32|lib64|libx32)\//.test(plain) ? `usr/${plain}` : plain
}

async function collectEntries(programList: string, signal: AbortSignal): Promise<readonly TarEntry[]> {
  const files = new RootFiles()
  addSkeleton(files)
  await addNode(files)
  await addGit(files)
  for (const name of programNames(programList)) {
    if (signal.aborted) return []
    const path = await findProgram(name)
    if (path !== null) await files.program(path, `usr/bin/${name}`)
  }
  await addLibraries(files)
  await addCertificates(files)
  await addTerminals(files)
  return files.all()
}

const programNames = (list: string): readonly string[] =>
  list
    .split('\n')
    .filter((line) => !line.startsWith('#'))
    .flatMap((line) => line.split(/\s+/))
    .filter((name) => name !== '')

function addSkeleton(files: RootFiles): void {
  for (const folder of [
    'usr',
    'usr/bin',
    'usr/sbin',
    'usr/lib',
    'usr/lib64',
    'usr/local',
    'usr/local/bin',
    'usr/share',
    'etc',
    'var',
    'opt',
    'home',
    'proc',
    'sys',
    'dev',
    'run',
    'root',
  ]) {
    files.folder(folder)
  }
  for (const name of ['bin', 'sbin', 'lib', 'lib64'])
    files.add({ kind: 'link', path: name, target: `usr/${name}` })
  files.folder('tmp', 0o1777)
  files.folder('var/tmp', 0o1777)
  // git init warns when its templates are not there at all.
  files.folder('usr/share/git-core/templates')
  files.text(
    'etc/passwd',
    'root:x:0:0:root:/root:/bin/sh\nnobody:x:65534:65534:nobody:/nonexistent:/bin/false\n',
  )
  files.text('etc/group', 'root:x:0:\nnogroup:x:65534:\n')
  files.text('etc/nsswitch.conf', 'passwd: files\ngroup: files\nhosts: files dns\n')
  files.text('etc/hosts', '127.0.0.1 localhost\n')
}

async function addNode(files: RootFiles): Promise<void> {
  const node = await findNode()
  if (node === null) throw new Error('Node was not found')
  await files.program(node, 'usr/local/bin/node')
  const npm = await findNpm()
  if (npm === null) return
  await files.tree(npm, 'usr/local/lib/node_modules/npm')
  files.add({ kind: 'link', path: 'usr/local/bin/npm', target: '../lib/node_modules/npm/bin/npm-cli.js' })
  files.add({ kind: 'link', path: 'usr/local/bin/npx', target: '../lib/node_modules/npm/bin/npx-cli.js' })
}

/** Git finds its parts at the path that was compiled in, so they keep it. */
async function addGit(files: RootFiles): Promise<void> {
  const git = await findProgram('git')
  if (git === null) throw new Error('git was not found')
  await files.program(git, 'usr/bin/git')
  const { stdout } = await runProgram([git, '--exec-path'])
  const folder = stdout.trim()
  for (const name of await readdir(folder)) {
    const path = join(folder, name)
    const stats = await lstat(path)
    if (stats.isSymbolicLink()) {
      const target = await readlink(path)
      if (!target.includes('/')) files.add({ kind: 'link', path: `${folder}/${name}`, target })
      else if (await isReadable(path)) await files.program(path, `${folder}/${name}`)
    } else if (stats.isFile()) {
      await files.program(path, `${folder}/${name}`)
    }
  }
}

/** Loaded at run time, so ldd does not tell them. */
const loadedByName = ['libnss_files.so.2', 'libnss_dns.so.2', 'libresolv.so.2']

/** Parts of the C library that none of the collected programs need, but agent CLIs and their tools do. */
const linkedByOthers = ['libpthread.so.0', 'libdl.so.2', 'librt.so.1', 'libm.so.6', 'libutil.so.1']

async function addLibraries(files: RootFiles): Promise<void> {
  const ldd = (await findProgram('ldd')) ?? 'ldd'
  // Some programs are static: ldd says so and fails, the others are told all the same.
  const { stdout } = await runProgram([ldd, ...new Set(files.binaries)])
  const libraries = parseLdd(stdout)
  const loader = libraries.find((path) => basename(path).startsWith('ld-'))
  if (loader === undefined) throw new Error('the programs link to no C library that is known here')
  for (const path of libraries) await files.file(path, path)
  const folders = new Set(libraries.map((path) => dirname(path)))
  for (const name of [...loadedByName, ...linkedByOthers]) {
    for (const folder of folders) {
      if (await isReadable(join(folder, name))) await files.file(join(folder, name), join(folder, name))
    }
  }
  if (await isReadable('/etc/ld.so.cache')) await files.file('/etc/ld.so.cache', 'etc/ld.so.cache')
}

async function addCertificates(files: RootFiles): Promise<void> {
  const named = [process.env['NODE_EXTRA_CA_CERTS'], process.env['SSL_CERT_FILE']]
  for (const path of [...named, ...certificateBundles]) {
    if (path && (await isReadable(path))) {
      await files.file(path, imageBundle)
      return
    }
  }
}

async function addTerminals(files: RootFiles): Promise<void> {
  for (const folder of ['/usr/share/terminfo', '/lib/terminfo', '/usr/lib/terminfo', '/etc/terminfo']) {
    for (const name of [
      'x/xterm',
      'x/xterm-256color',
      's/screen',
      's/screen-256color',
      't/tmux-256color',
      'l/linux',
      'd/dumb',
    ]) {
      const path = join(folder, name)
      if (await isReadable(path)) await files.file(path, `usr/share/terminfo/${name}`)
    }
  }
}
