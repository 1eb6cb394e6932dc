import tailwind from '@tailwindcss/vite'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'electron-vite'
import { fileURLToPath } from 'node:url'
import { firstPictureAhead, firstPictureChunk } from './first-picture.config'

const path = (name: string): string => fileURLToPath(new URL(name, import.meta.url))

const alias = {
  '@shared': path('./src/shared'),
  '@main': path('./src/main'),
  '@renderer': path('./src/renderer'),
}

/*
 * Packages that dockerode loads at once and the app never uses: ssh:// endpoints, and builds and logins over BuildKit's
 * session. They are six sevenths of its loading time, in which the window's process would answer nothing.
 */
const leftOut = Object.fromEntries(
  ['ssh2', '@grpc/grpc-js', '@grpc/proto-loader', 'protobufjs'].map((name) => [
    name,
    path('./src/main/adapters/container/docker/left-out.ts'),
  ]),
)

// One build runs on the current Electron and on the older fallback runtime (Node 20.18, Chromium 130).
export default defineConfig({
  main: {
    resolve: { alias: { ...alias, ...leftOut } },
    build: {
      target: 'node20.18',
      externalizeDeps: { exclude: ['dockerode'] },
      rolldownOptions: {
        // index is the window's process and engine-thread its engine, alfred the same engine under plain Node
        input: {
          index: path('./src/main/index.ts'),
          'engine-thread': path('./src/main/boot/engine-thread/index.ts'),
          alfred: path('./src/main/alfred.ts'),
        },
        // less to read at each start; names stay, so that a stack trace in the log can be read
        output: {
          // as CommonJS, whose compiled code can be kept, see boot/kept-code
          format: 'cjs',
          entryFileNames: '[name].cjs',
          chunkFileNames: 'chunks/[name]-[hash].cjs',
          minify: { compress: false, mangle: false, codegen: { removeWhitespace: true } },
        },
      },
    },
  },
  preload: {
    resolve: { alias },
    build: {
      target: 'node20.18',
      externalizeDeps: false, // a sandboxed preload can require nothing but 'electron' and a few built-ins
      rolldownOptions: {
        input: { index: path('./src/preload/index.ts') },
        output: { format: 'cjs', entryFileNames: '[name].cjs' },
      },
    },
  },
  renderer: {
    resolve: { alias },
    plugins: [react(), tailwind(), firstPictureAhead()],
    build: {
      target: 'chrome130',
      minify: true, // half as much to read and parse before the first picture
      rolldownOptions: {
        input: { index: path('./src/renderer/index.html') },
        output: { codeSplitting: { includeDependenciesRecursively: false, groups: [firstPictureChunk()] } },
      },
    },
  },
})
