import { ConfirmDialog } from '../../components/dialog'
import { closeOverlay } from '../../lib/overlays'
import { openExternal } from '../../lib/shell'

/** Shows the whole address of a link before the browser gets it: its words may say something else. */
export function OpenLinkConfirm({ url }: { readonly url: string }) {
  return (
    <ConfirmDialog
      isOpen
      title="Open this address in your browser?"
      text="An agent or a forge wrote the link. The address can say more about you than its words."
      cancelLabel="Cancel"
      confirmLabel="Open"
      confirmVariant="primary"
      onCancel={closeOverlay}
      onConfirm={() => {
        closeOverlay()
        openExternal(url)
      }}
      test="open-link-dialog"
      confirmTest="confirm-open-link"
    >
      <p className="mono mt-2 max-h-40 overflow-y-auto text-12 break-all" data-test="open-link-address">
        {url}
      </p>
    </ConfirmDialog>
  )
}
