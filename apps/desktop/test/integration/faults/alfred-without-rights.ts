import type { EngineClient } from '@main/cli/engine-client'
import type { MailboxId } from '@shared/model/ids'
import { buildAlfred, startAlfred } from '../support/alfred-process'
import { createBoat, giveIssue } from '../support/boat-project'

/** Root may open what nobody may; without these capabilities it is refused like everybody. */
const likeEverybody = [
  'setpriv',
  '--bounding-set=-dac_override,-dac_read_search',
  '--inh-caps=-dac_override,-dac_read_search',
]

export interface AlfredWithoutRights {
  readonly client: EngineClient
  /** An issue assigned to Alfred in a new project; its mailbox. */
  newIssue(): Promise<MailboxId>
  end(): Promise<void>
}

/** `alfred watch` as a process that the rights of files hold for, with its Docker at this socket. */
export async function startAlfredWithoutRights(home: string, docker: string): Promise<AlfredWithoutRights> {
  const alfred = await startAlfred(await buildAlfred(), home, {
    through: process.getuid?.() === 0 ? likeEverybody : [],
    environment: { DOCKER_HOST: `unix://${docker}` },
  })
  const { client } = alfred
  return {
    client,
    newIssue: async () => giveIssue(client, await createBoat(client)),
    end: () => alfred.kill(),
  }
}
