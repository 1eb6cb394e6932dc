import { chmod, mkdir, readFile, rename, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { ok, type Result } from '@shared/result'
import type { GitError } from '@main/ports/git'
import { gitOutput } from './git-errors'
import type { RunGit } from './run-git'

/*
 * Also read by git processes that do not get our environment (upload-pack and receive-pack of a local remote,
 * the git inside a container), so what matters stands in the repository too. Readable for everybody whatever the
 * umask, since the git inside a container can have another uid; the data folder around it keeps others out.
 */
const repositoryConfig = `[core]
	repositoryformatversion = 0
	filemode = true
	bare = true
	sharedRepository = 0644
	hooksPath = /dev/null
	fsmonitor = false
[gc]
	auto = 0
[maintenance]
	auto = false
[receive]
	autogc = false
[advice]
	pushUpdateRejected = false
`

/** Opens a bare repository of the app, made when it is missing; one left half made is completed. */
export async function openBareRepository(run: RunGit, folder: string): Promise<Result<void, GitError>> {
  if ((await readConfig(folder)) === repositoryConfig) return ok(undefined)
  await mkdir(dirname(folder), { recursive: true, mode: 0o700 })
  await mkdir(folder, { recursive: true })
  await chmod(folder, 0o755)
  const made = await gitOutput(run, {
    args: [
      'init',
      '--bare',
      '--shared=0644',
      '--quiet',
      '--template=',
      '--initial-branch=main',
      '--',
      folder,
    ],
  })
  if (!made.ok) return made
  // Written last and in one step: its presence says that the repository is complete.
  const temporary = join(folder, 'config.new')
  await writeFile(temporary, repositoryConfig)
  await chmod(temporary, 0o644)
  await rename(temporary, join(folder, 'config'))
  return ok(undefined)
}

async function readConfig(folder: string): Promise<string | null> {
  return readFile(join(folder, 'config'), 'utf8').catch(() => null)
}
