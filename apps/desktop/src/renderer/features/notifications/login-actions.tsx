import type { EngineBanner } from '@shared/contract/app'
import { adapterIdSchema } from '@shared/model/words'
import { Button } from '../../components/button'
import { SignInButton } from '../../components/sign-in-button'
import { openView } from '../../lib/navigation/store'

/** What can be done about an agent that is not signed in. */
export function LoginActions({ banner }: { readonly banner: EngineBanner }) {
  const adapter = adapterIdSchema.safeParse(banner.facts['adapter'])
  if (adapter.success && adapter.data !== 'api') return <SignInButton size="md2" adapter={adapter.data} />
  return (
    <Button size="md2" icon="lock" label="How to sign in" onClick={() => openView({ screen: 'agents' })} />
  )
}
