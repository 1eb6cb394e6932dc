import { useSignIn, type SignableAgent } from '../lib/use-sign-in'
import { Button, type ButtonProps } from './button'

interface SignInButtonProps {
  readonly adapter: SignableAgent
  readonly size?: ButtonProps['size']
}

export function SignInButton({ adapter, size }: SignInButtonProps) {
  const signIn = useSignIn()
  return (
    <Button
      {...(size !== undefined && { size })}
      icon="lock"
      label="Sign in in a terminal"
      spokenLabel={`Sign in in a terminal: ${adapter}`}
      isBusy={signIn.isBusy}
      test="sign-in"
      onClick={() => signIn.open(adapter)}
    />
  )
}
