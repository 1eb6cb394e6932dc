import { createHash } from 'node:crypto'
import { mkdirSync, readFileSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import Module from 'node:module'
import { basename, dirname, join } from 'node:path'
import { constants, Script } from 'node:vm'

/*
 * Reading the engine's code takes longer than all else that it does before it can answer. What V8 made of it is kept
 * for the next start. Newer runtimes do that by themselves; the older one is helped here, by the same two calls of V8.
 */

/** What a module is, as the older runtime compiles it. */
interface CompiledModule {
  _compile(content: string, filename: string): unknown
}
type Wrapped = (
  exports: unknown,
  require: NodeJS.Require,
  module: unknown,
  filename: string,
  folder: string,
) => unknown

export interface KeptCode {
  /** Keeps what was compiled since the start, for the next one. Never throws: without it that one is slower. */
  keep(): void
}

/**
 * From now on code is taken from `folder` where it lies there. Only of files with a hash in their name: a file that
 * changes gets another name, so what was kept of it is never taken for the new one.
 */
export function useKeptCode(folder: string): KeptCode {
  if (Module.enableCompileCache === undefined) return helpRuntime(folder)
  Module.enableCompileCache(folder)
  return { keep: () => Module.flushCompileCache?.() }
}

/** The same on a runtime that does not do it by itself. */
export function helpRuntime(folder: string): KeptCode {
  const compiled = new Map<string, Script>()
  let isComplete = true
  const { prototype } = Module as unknown as { readonly prototype: CompiledModule }
  const compile = Reflect.get<CompiledModule, '_compile'>(prototype, '_compile')
  prototype._compile = function (this: NodeJS.Module, content, filename) {
    const name = basename(filename)
    if (!hashedName.test(name)) return compile.call(this as unknown as CompiledModule, content, filename)
    const cachedData = read(join(folder, name))
    const script = new Script(Module.wrap(content), {
      filename,
      importModuleDynamically: constants.USE_MAIN_CONTEXT_DEFAULT_LOADER,
      ...(cachedData !== null && { cachedData }),
    })
    if (cachedData === null || script.cachedDataRejected === true) isComplete = false
    compiled.set(name, script)
    const run = script.runInThisContext() as Wrapped
    const require = Module.createRequire(filename)
    return run.call(this.exports, this.exports, require, this, filename, dirname(filename))
  }
  return {
    keep() {
      if (isComplete) return
      try {
        mkdirSync(folder, { recursive: true, mode: 0o700 })
        for (const old of readdirSync(folder))
          if (!compiled.has(old)) rmSync(join(folder, old), { recursive: true })
        for (const [name, script] of compiled) write(join(folder, name), script.createCachedData())
      } catch {
        // The next start compiles anew.
      }
    },
  }
}

const hashedName = /-[\w-]{8}\.cjs$/
const hashBytes = 32
const hashOf = (data: Buffer): Buffer => createHash('sha256').update(data).digest()

/** V8 does not look whether what it is given is whole, so this does. */
function read(file: string): Buffer | null {
  try {
    const kept = readFileSync(file)
    const data = kept.subarray(hashBytes)
    return kept.subarray(0, hashBytes).equals(hashOf(data)) ? data : null
  } catch {
    return null
  }
}

function write(file: string, data: Buffer): void {
  writeFileSync(`${file}.new`, Buffer.concat([hashOf(data), data]), { mode: 0o600 })
  renameSync(`${file}.new`, file)
}
