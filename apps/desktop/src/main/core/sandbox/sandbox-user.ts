/*
 * Who the agent is inside the container, and on the host's disk.
 */

export interface SandboxUser {
  readonly uid: number
  readonly gid: number
}

/** null where the system has no such ids (Windows). */
export type AppUser = SandboxUser | null

const ordinary: SandboxUser = { uid: 1000, gid: 1000 }
const root: SandboxUser = { uid: 0, gid: 0 }

/**
 * The app's own user, so that both can write the same files. An app that is root gives the agent an ordinary user;
 * with a rootless engine uid 0 inside is that unprivileged user of the host.
 */
export function sandboxUser(app: AppUser, engine: { readonly rootless: boolean }): SandboxUser {
  if (engine.rootless) return root
  if (app === null || app.uid === 0) return ordinary
  return app
}

/** A name for every uid, since some programs fail without one. */
export function passwdFile(user: SandboxUser): string {
  const lines =
    user.uid === 0
      ? ['root:x:0:0:root:/home/agent:/bin/sh']
      : ['root:x:0:0:root:/root:/bin/sh', `agent:x:${user.uid}:${user.gid}:agent:/home/agent:/bin/sh`]
  return `${[...lines, 'nobody:x:65534:65534:nobody:/nonexistent:/bin/false'].join('\n')}\n`
}

export function groupFile(user: SandboxUser): string {
  const lines = user.gid === 0 ? ['root:x:0:'] : ['root:x:0:', `agent:x:${user.gid}:`]
  return `${[...lines, 'nogroup:x:65534:'].join('\n')}\n`
}
