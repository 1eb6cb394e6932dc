import { Button } from '../../components/button'
import { keysOf } from '../../lib/keyboard/key-map'

export interface ValidateButtonProps {
  readonly size: 'sm' | 'lg'
  /** The label is set on the forge, by an account that may write there; the button opens the issue. */
  readonly isOnForge: boolean
  readonly isBusy: boolean
  readonly test: string
  readonly onClick: () => void
}

export const ValidateButton = ({ isOnForge, ...button }: ValidateButtonProps) => (
  <Button
    {...button}
    variant="primary"
    icon={isOnForge ? 'external-link' : 'check'}
    label={isOnForge ? 'Validate on the forge' : 'Validate the plan'}
    {...(button.size === 'sm' && { keys: keysOf('validate-plan') })}
  />
)
