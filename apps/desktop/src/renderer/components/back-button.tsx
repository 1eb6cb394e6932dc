import { goBack } from '../lib/navigation/store'
import { Button } from './button'

/** To where one came from; Esc and Alt Left do the same. */
export const BackButton = () => (
  <Button
    size="sm"
    variant="quiet"
    className="-ml-1.5"
    icon="arrow-left"
    label="Back"
    test="back-to-mailbox"
    onClick={goBack}
  />
)
