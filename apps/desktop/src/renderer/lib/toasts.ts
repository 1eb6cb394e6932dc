import { Toast } from '@base-ui/react/toast'

/** Messages about actions whose result is out of view. Nothing that the screen already shows. */
export const toasts = Toast.createToastManager()

export interface ToastMessage {
  readonly title: string
  readonly description?: string
  readonly action?: { readonly label: string; readonly onPress: () => void }
}

export function showToast({ title, description, action }: ToastMessage): void {
  const id = toasts.add({
    title,
    ...(description !== undefined && { description }),
    timeout: 6_000,
    ...(action && {
      actionProps: {
        children: action.label,
        onClick: () => {
          action.onPress()
          toasts.close(id)
        },
      },
    }),
  })
}
