import Docker from 'dockerode'
import { startModelServer, type ModelServer } from '../../fakes/model-server/model-server'
import type { Script } from '../../fakes/model-server/answers'
import type { Protocol } from '../../fakes/model-server/protocol'
import { testDocker, value } from './engine-bench'

/** A model server on the gateway of the agents' network: containers reach it there, other computers do not. */
export async function startModelServerForContainers(
  script?: Script,
  protocols?: readonly Protocol[],
): Promise<ModelServer> {
  const name = value(await testDocker().ensureAgentNetwork())
  const network: unknown = await new Docker().getNetwork(name).inspect()
  return startModelServer({
    host: gatewayOf(network),
    ...(script === undefined ? {} : { script }),
    ...(protocols === undefined ? {} : { protocols }),
  })
}

function gatewayOf(network: unknown): string {
  const found = /"Gateway":"([\d.]+)"/.exec(JSON.stringify(network))?.[1]
  if (found === undefined) throw new Error("the agents' network has no gateway that this computer answers at")
  return found
}
