import type { AttachmentRow } from '@shared/contract/chats'
import { formatBytes } from '@shared/format'
import { Button } from '../../components/button'
import { Icon } from '../../components/icon'

/** What goes along with a message. `onRemove`: it is not sent yet. */
export function Attachments({
  attachments,
  onRemove,
}: {
  readonly attachments: readonly AttachmentRow[]
  readonly onRemove?: ((attachment: AttachmentRow) => void) | undefined
}) {
  if (attachments.length === 0) return null
  return (
    <ul className="attachments" aria-label="Attachments">
      {attachments.map((attachment) => (
        <li
          key={attachment.id}
          className="attachment"
          data-test="attachment"
          data-value={attachment.bytes}
          title={`${attachment.name}, ${attachment.mediaType}`}
        >
          <Icon name={attachment.mediaType.startsWith('image/') ? 'image' : 'file'} size={12} />
          <bdi className="cut">{attachment.name}</bdi>
          <span className="flex-none text-ink-3">{formatBytes(attachment.bytes)}</span>
          {onRemove !== undefined && (
            <Button
              size="sm"
              variant="quiet"
              isIconOnly
              icon="x"
              label={`Remove ${attachment.name}`}
              test="remove-attachment"
              onClick={() => onRemove(attachment)}
            />
          )}
        </li>
      ))}
    </ul>
  )
}
