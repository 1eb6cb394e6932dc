import tailwind from '@tailwindcss/vite'
import react from '@vitejs/plugin-react'
import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vite'

const path = (name: string): string => fileURLToPath(new URL(name, import.meta.url))

/** The window on the fake engine, with the policy of the real page: `vite build -c test/fakes/window/harness.vite.config.ts`. */
export default defineConfig({
  root: path('.'),
  base: './',
  resolve: { alias: { '@shared': path('../../../src/shared'), '@renderer': path('../../../src/renderer') } },
  plugins: [react(), tailwind()],
  build: {
    target: 'chrome130',
    outDir: path('../../../out/harness'),
    emptyOutDir: true,
    rolldownOptions: { input: { harness: path('./harness.html') } },
  },
})
