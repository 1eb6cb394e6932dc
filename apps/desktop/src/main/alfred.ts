import { runHeadless } from './boot/headless'

process.exitCode = await runHeadless()
