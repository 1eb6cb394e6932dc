import { useRef, useState } from 'react'
import { imageReferenceSchema } from '@shared/contract/app'
import { Button } from '../../components/button'
import { Dialog } from '../../components/dialog'
import { Select } from '../../components/select'
import { openView } from '../../lib/navigation/store'
import { settingsView } from '../../lib/navigation/view'
import { useQueryEntry } from '../../lib/use-query-entry'
import { BuildProgress } from './build-progress'
import { useAddImage, type ImageUser } from './use-add-image'

export interface AddImageDialogProps {
  readonly isOpen: boolean
  readonly onOpenChange: (isOpen: boolean) => void
  /** The image is there, and its CLIs were looked for. */
  readonly onAdded: (digest: string) => void
}

/** An image on a base of the person's own: built, looked at, and used by whom they say. */
export function AddImageDialog({ isOpen, onOpenChange, onAdded }: AddImageDialogProps) {
  const input = useRef<HTMLInputElement>(null)
  const [base, setBase] = useState('')
  const [userKey, setUserKey] = useState(nobody.key)
  const { data: status } = useQueryEntry('app.status', {})
  const { data: scopes } = useQueryEntry('settings.scopes', {})
  const users = imageUsers(scopes ?? [])
  const adding = useAddImage()
  const close = (): void => {
    onOpenChange(false)
    if (!adding.isBusy) adding.clear()
  }
  const add = async (): Promise<void> => {
    const digest = await adding.add(base.trim(), users.find(({ key }) => key === userKey)?.user ?? null)
    if (digest === null) return
    onOpenChange(false)
    setBase('')
    setUserKey(nobody.key)
    onAdded(digest)
  }
  const notValid = whyNotValid(base)
  const disabledReason =
    base.trim() === ''
      ? 'Write the name of a base image.'
      : (notValid ?? (status?.docker.state === 'reachable' ? null : 'Docker does not answer.'))
  return (
    <Dialog
      isOpen={isOpen}
      onOpenChange={(open) => (open ? onOpenChange(true) : close())}
      title="Add image"
      initialFocus={input}
      test="add-image-dialog"
      footer={
        <>
          {adding.isBusy ? (
            <Button
              size="lg"
              label="Cancel the build"
              test="cancel-add-image"
              onClick={() => adding.cancel()}
            />
          ) : (
            <Button size="lg" label="Cancel" onClick={close} />
          )}
          <Button
            size="lg"
            variant="primary"
            type="submit"
            form="add-image"
            icon="package"
            label="Build image"
            isBusy={adding.isBusy}
            disabledReason={disabledReason}
            test="build-added-image"
          />
        </>
      }
    >
      <form
        id="add-image"
        className="mt-1 grid gap-3"
        onSubmit={(event) => {
          event.preventDefault()
          if (disabledReason === null && !adding.isBusy) void add()
        }}
      >
        <p className="text-12 text-ink-2">
          Alfred builds an image of its own on top of the base, and looks which agent CLIs are in it. The base
          itself is not changed.
        </p>
        <div className="grid gap-1">
          <label htmlFor="add-image-base" className="text-12 font-medium">
            Base image
          </label>
          <input
            ref={input}
            id="add-image-base"
            className="input w-full font-mono"
            autoComplete="off"
            spellCheck={false}
            maxLength={300}
            placeholder="node:24-bookworm-slim"
            value={base}
            readOnly={adding.isBusy}
            aria-invalid={notValid !== null || undefined}
            aria-describedby="add-image-base-found"
            data-test="add-image-base"
            onChange={(event) => setBase(event.target.value)}
          />
          <p id="add-image-base-found" role="status" className="text-12">
            {notValid === null ? (
              <span className="text-ink-3">One that Docker has, or can pull. It needs a shell.</span>
            ) : (
              <span className="text-bad">{notValid}</span>
            )}
          </p>
        </div>
        <div className="grid gap-1">
          <span className="text-12 font-medium" aria-hidden="true">
            Used by
          </span>
          <Select
            label="Used by"
            value={userKey}
            onChange={setUserKey}
            options={users.map(({ key, label }) => ({ value: key, label }))}
            className="w-full"
            test="add-image-user"
          />
        </div>
        <ChosenClis />
        {adding.isBusy && status && (
          <div className="flex items-center gap-2 text-12 text-ink-2" data-test="add-image-progress">
            <BuildProgress image={status.image} />
          </div>
        )}
        {adding.problem !== null && (
          <p role="alert" className="text-12 [overflow-wrap:anywhere] text-bad" data-test="add-image-problem">
            {adding.problem}
          </p>
        )}
      </form>
    </Dialog>
  )
}

/** Which CLIs Alfred puts into every image that it builds. */
function ChosenClis() {
  const { data: settings } = useQueryEntry('settings.list', { scope: 'app', scopeId: 0 })
  const value = settings?.find(({ key }) => key === 'AGENT_IMAGE_CLIS')?.value
  const clis = Array.isArray(value) ? value.filter((cli) => typeof cli === 'string') : []
  return (
    <p className="text-12 text-ink-2" data-test="add-image-clis">
      {clis.length === 0
        ? 'Alfred installs no agent CLI into it: those of the base count. '
        : `Alfred installs ${clis.join(', ')} into it, as into every image. `}
      <button
        type="button"
        className="link"
        onClick={() => openView({ ...settingsView, key: 'AGENT_IMAGE_CLIS' })}
      >
        CLIs in settings
      </button>
    </p>
  )
}

interface UserOption {
  readonly key: string
  readonly label: string
  readonly user: ImageUser | null
}

const nobody: UserOption = { key: 'nobody', label: 'No project yet: only look what is in it', user: null }

const imageUsers = (
  scopes: readonly { readonly scope: ImageUser['scope']; readonly scopeId: number; readonly name: string }[],
): readonly UserOption[] => [
  nobody,
  ...scopes.map(({ scope, scopeId, name }) => ({
    key: `${scope} ${scopeId}`,
    label:
      scope === 'app'
        ? 'Every project without a base of its own'
        : scope === 'organization'
          ? `Every project of ${name}`
          : name,
    user: { scope, scopeId },
  })),
]

/** Nothing yet is not wrong yet. */
function whyNotValid(base: string): string | null {
  if (base.trim() === '') return null
  const parsed = imageReferenceSchema.safeParse(base)
  return parsed.success ? null : (parsed.error.issues[0]?.message ?? 'That is no name of an image.')
}
