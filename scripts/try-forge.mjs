// npm run try:forge: plays the life of an issue on a real Gitea or Forgejo with the demo agent, and tidies up.
import { runInForeground } from './setup/commands.mjs'
import { onToolingNode } from './setup/node.mjs'
import { appDir } from './setup/places.mjs'
import { setUp } from './setup/set-up.mjs'
import { endWith } from './setup/steps.mjs'
import { buildTestProgram } from './setup/test-program.mjs'
import { usageOnHelp } from './setup/usage.mjs'

usageOnHelp(`
npm run try:forge -- --url URL --token-env NAME --repo OWNER/NAME
npm run try:forge -- --serve KIND

Plays the life of an issue on a real Gitea or Forgejo with the demo agent, from the first poll to the merge: opens an
issue, has it analysed and developed, sets commit statuses, merges the change. Prints what it did as a table, and takes
everything away again, also when it fails or is interrupted. The default branch is not touched. See docs/try-forge.md.
With --serve it starts the tests' made-up forge instead, and says how to use it.

  --url URL                 address of the server, with the path it lies below, if any
  --token-env NAME          the variable of the environment with the token of the account that Alfred works as
  --repo OWNER/NAME         the repository to try it in; nothing else there may be assigned to that account
  --person-token-env NAME   the same for another account that may write there: it validates the plan
  --ca FILE                 certificates to trust beside the usual ones (PEM)
  --serve KIND              gitea, gitea-1.26-dev or forgejo: as which server the made-up forge answers
  --help                    show this and start nothing
`)
await onToolingNode(import.meta.url)
try {
  const { env } = await setUp({ docker: true })
  const program = await buildTestProgram('try-forge', 'trial')
  process.exit(
    await runInForeground(process.execPath, [program, ...process.argv.slice(2)], { cwd: appDir, env }),
  )
} catch (error) {
  endWith(error)
}
