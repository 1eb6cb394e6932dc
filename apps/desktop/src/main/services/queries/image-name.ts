import type { SandboxContract } from '@shared/contract/runs'
import type { BuiltImage } from '../../ports/stores'

/** A container is made from an image's digest; people know the image by its name, where Alfred built it. */
export function withImageName(
  sandbox: SandboxContract,
  images: readonly Pick<BuiltImage, 'digest' | 'tag'>[],
): SandboxContract {
  const built = images.find(({ digest }) => digest === sandbox.imageDigest)
  return built === undefined ? sandbox : { ...sandbox, image: built.tag }
}
