import { Toast } from '@base-ui/react/toast'
import { toasts } from '../lib/toasts'
import { Icon } from './icon'

/** Shows the messages of `lib/toasts`; once per window. */
export function Toaster() {
  return (
    <Toast.Provider toastManager={toasts} limit={3}>
      <Toast.Portal>
        <Toast.Viewport className="popup-layer toasts">
          <ToastList />
        </Toast.Viewport>
      </Toast.Portal>
    </Toast.Provider>
  )
}

function ToastList() {
  const { toasts: shown } = Toast.useToastManager()
  return shown.map((toast) => (
    <Toast.Root key={toast.id} toast={toast} className="toast" data-test="toast">
      <div className="min-w-0 grow">
        <Toast.Title className="font-semibold" />
        <Toast.Description className="text-ink-2" />
      </div>
      <Toast.Action className="btn btn-sm" />
      <Toast.Close className="btn btn-quiet btn-sm btn-icon" aria-label="Dismiss">
        <Icon name="x" size={12} />
      </Toast.Close>
    </Toast.Root>
  ))
}
