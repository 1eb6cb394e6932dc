import { credentialScopeOf } from '../agents/agent-credentials'
import { agentMissing } from './agent-missing'
import { untilAnswered } from './engine-patience'
import { ensureContainer } from './ensure-container'
import { isFreshTurn, writeFreshPrompt } from './fresh-prompt'
import { failure, type RunParts } from './run-parts'
import { runUser } from './start-container'
import { couldNotStart, setScene, streamFailure, type StartSupervision } from './start-scene'
import { superviseAgent } from './supervise-agent'
import { superviseCollect } from './supervise-collect'

/*
 * One start of the CLI from its container's making to the command that its end means. Begun anew after a restart it
 * finds the container that is there and reads on; what was done already is not done twice.
 */

export async function superviseStart(parts: RunParts, supervision: StartSupervision): Promise<void> {
  const { runId, detach, send } = supervision
  const noAgent = agentMissing(parts, runId)
  if (noAgent !== null) return send(couldNotStart(noAgent))
  const scene = setScene(parts, supervision)
  // Work that could not be collected for want of room is collected when there is some.
  if (scene.start.kind === 'collect') await parts.storage.untilUsable(detach)
  const engine = await untilAnswered(() => scene.runtime.info(), scene.patience)
  if (engine === null) return
  if (!engine.ok) return send(couldNotStart(failure('docker_unreachable', engine.error.message)))
  parts.onEngineSeen(engine)
  const { context, attempt, start } = scene
  await parts.credentials.remember(context.adapter, credentialScopeOf(context))
  const user = runUser(parts, context.run, engine.value)
  const files = await parts.files.openStart(
    context.run.uid,
    { attempt: attempt.number, start: start.number },
    user,
    { stdout: start.stdout, stderr: start.stderr },
  )
  if (!files.ok) return send(couldNotStart(streamFailure(files.error)))
  try {
    if (isFreshTurn(context.run, start)) await writeFreshPrompt(parts, context)
    const container = await ensureContainer(parts, supervision, scene, files.value, engine.value)
    if (container === null || detach.aborted) return
    parts.activities.clear(runId)
    if (start.kind === 'collect') await superviseCollect(parts, supervision, scene, container)
    else await superviseAgent(parts, supervision, scene, files.value, container)
  } finally {
    await files.value.stdout.close()
    await files.value.stderr.close()
  }
}
