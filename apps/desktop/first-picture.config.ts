import type { Plugin, Rolldown } from 'vite'
import { fileURLToPath } from 'node:url'

/*
 * The code of the first picture in the built page: one file instead of twenty, read and compiled while the engine's
 * answers are waited for, and run with them.
 */

const path = (name: string): string => fileURLToPath(new URL(name, import.meta.url))
const name = 'first-picture'

/** All that the first picture needs and the page's own small script does not. */
export function firstPictureChunk(): Rolldown.CodeSplittingGroup {
  let needed: ReadonlySet<string> | null = null
  return {
    debugName: name,
    name: (module, context) => {
      needed ??= neededAtOnce(context)
      return needed.has(module) ? name : null
    },
  }
}

function neededAtOnce(modules: Rolldown.ChunkingContext): ReadonlySet<string> {
  const own = importedBy(path('./src/renderer/main.tsx'), modules)
  const picture = importedBy(path('./src/renderer/app/first-picture.tsx'), modules)
  return new Set([...picture].filter((module) => !own.has(module)))
}

function importedBy(entry: string, modules: Rolldown.ChunkingContext): Set<string> {
  const found = new Set([entry])
  for (const module of found)
    for (const imported of modules.getModuleInfo(module)?.importedIds ?? []) found.add(imported)
  return found
}

/** The page asks for that file, and for what it imports, together with its own script. */
export const firstPictureAhead = (): Plugin => ({
  name: 'first-picture-ahead',
  transformIndexHtml: {
    order: 'post',
    handler(_html, { bundle = {} }) {
      const chunks = Object.values(bundle).filter((file) => file.type === 'chunk')
      const picture = chunks.find((chunk) => chunk.name === name)
      const isOwn = (file: string): boolean =>
        chunks.some((chunk) => chunk.fileName === file && chunk.isEntry)
      return [picture?.fileName ?? '', ...(picture?.imports ?? [])]
        .filter((file) => file !== '' && !isOwn(file))
        .map((file) => ({
          tag: 'link',
          attrs: { rel: 'modulepreload', crossorigin: true, href: `./${file}` },
          injectTo: 'head',
        }))
    },
  },
})
