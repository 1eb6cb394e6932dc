import type { EngineStatus } from '@shared/contract/app'

/** How far the build of an image is: what it does now, and a bar. */
export function BuildProgress({ image }: { readonly image: EngineStatus['image'] }) {
  const percent = image.fraction === null ? undefined : Math.round(image.fraction * 100)
  return (
    <>
      <span className="cut">{`Building the agent image: ${[image.step ?? 'preparing', image.detail].filter(Boolean).join(' · ')}`}</span>
      <span
        role="progressbar"
        aria-label="Building the agent image"
        aria-valuenow={percent}
        className="meter-track block max-w-40 flex-none basis-40"
        data-state={percent === undefined ? 'unknown' : 'fine'}
      >
        <span className="meter-fill" style={{ width: `${percent ?? 0}%` }} />
      </span>
    </>
  )
}
