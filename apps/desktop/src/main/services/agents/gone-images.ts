import type { ContainerRuntime } from '../../ports/container-runtime'
import type { ImageStore } from '../../ports/stores'

/**
 * Forgets images that the engine does not have any more, as after a prune; whether there were any. What runs left
 * behind in one, and every session, stays. Of an engine that does not answer nothing is concluded.
 */
export async function forgetGoneImages(
  images: ImageStore,
  runtime: Pick<ContainerRuntime, 'findImage'>,
): Promise<boolean> {
  let isAnyGone = false
  for (const { digest } of images.list()) {
    const found = await runtime.findImage(digest)
    if (!found.ok) return isAnyGone
    if (found.value !== null) continue
    images.remove(digest)
    isAnyGone = true
  }
  return isAnyGone
}
