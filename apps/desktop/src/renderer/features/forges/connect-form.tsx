import { useEffect, useRef, useState } from 'react'
import type { ConnectedForge } from '@shared/contract/forges'
import { clockWords, forgeKindNames } from '@shared/forge-words'
import { Button } from '../../components/button'
import { Notice } from '../../components/notice'
import { useCommand } from '../../lib/use-command'
import { connectReason, isAboutCertificates, isStrong } from './connect-state'
import { Field, type FieldLine } from './field'
import { forgeProblem } from './forge-problem'
import { ProjectPicker } from './project-picker'
import { TokenGrants } from './token-grants'
import { useConnectDraft, type CheckedServer, type CheckedToken } from './use-connect-draft'

export interface ConnectFormProps {
  readonly onConnected: (forge: ConnectedForge) => void
  /** null: there is nothing to go back to. */
  readonly onCancel: (() => void) | null
}

/** Address, token and projects of a forge, each checked as it is left. */
export function ConnectForm({ onConnected, onCancel }: ConnectFormProps) {
  const draft = useConnectDraft()
  const { access, text, server, token } = draft
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set())
  const add = useCommand('forges.add')
  const first = useRef<HTMLInputElement>(null)
  const problem = useRef<HTMLDivElement>(null)
  useEffect(() => first.current?.focus(), [])
  // Below a long list of projects it would be out of sight.
  useEffect(() => {
    if (add.error !== null) problem.current?.scrollIntoView({ block: 'end' })
  }, [add.error])
  const reason = connectReason(server, token)
  const connect = async (mayKeepInFile: boolean): Promise<void> => {
    const added = await add.run({ ...access, projects: [...chosen], mayKeepInFile })
    if (added.ok) onConnected(added.value)
  }
  return (
    <form
      className="card grid gap-4 p-4"
      aria-label="Connect a forge"
      data-test="connect-forge"
      onSubmit={(event) => {
        event.preventDefault()
        if (reason === null) void connect(false)
      }}
    >
      <Field
        inputRef={first}
        label="Address"
        hint="Gitea or Forgejo; which one is found out"
        placeholder="https://git.example.org"
        value={text.url}
        onChange={(url) => draft.write({ url })}
        onLeave={draft.check}
        isInvalid={server.state === 'bad' && !isAboutCertificates(server)}
        lines={isAboutCertificates(server) ? [] : serverLines(server)}
        test="forge-url"
      />
      <Field
        label="CA file"
        hint="only where the forge has a certificate of your own authority"
        placeholder="/etc/ssl/our-ca.pem"
        value={text.caFile}
        onChange={(caFile) => draft.write({ caFile })}
        onLeave={draft.check}
        isInvalid={isAboutCertificates(server)}
        lines={isAboutCertificates(server) ? serverLines(server) : []}
        test="forge-ca"
      />
      <Field
        label="Token"
        hint="of the account that Alfred works as: read:user, write:issue, write:repository"
        isSecret
        value={text.token}
        onChange={(value) => draft.write({ token: value })}
        onLeave={draft.check}
        isInvalid={token.state === 'bad'}
        lines={tokenLines(token, server, access.token !== null)}
        test="forge-token"
      >
        {token.state === 'good' && <TokenGrants grants={token.value.grants} />}
      </Field>
      {isStrong(token) && server.state === 'good' && !server.value.isConnected && (
        <section className="grid gap-1" aria-labelledby="choose-projects">
          <h3 id="choose-projects" className="text-12 font-medium">
            Projects
          </h3>
          <ProjectPicker
            target={access}
            chosen={chosen}
            onToggle={(path, isChosen) =>
              setChosen(
                (before) => new Set(isChosen ? [...before, path] : [...before].filter((one) => one !== path)),
              )
            }
          />
        </section>
      )}
      <div ref={problem} className="empty:hidden">
        {add.error?.type === 'no_keyring' ? (
          <Notice
            tone="warn"
            icon="lock"
            title="No system keyring was found."
            isAlert
            test="forge-no-keyring"
            actions={
              <Button
                label="Use the file"
                isBusy={add.isBusy}
                test="forge-use-file"
                onClick={() => void connect(true)}
              />
            }
          >
            The token would be stored in a file that only your user can read.
          </Notice>
        ) : (
          add.error && (
            <Notice
              tone="bad"
              icon="circle-x"
              title="The forge is not connected."
              isAlert
              test="forge-problem"
            >
              {forgeProblem(add.error)}
            </Notice>
          )
        )}
      </div>
      <div className="flex items-center gap-2">
        <Button
          type="submit"
          size="lg"
          variant="primary"
          icon="plug"
          label="Connect"
          isBusy={add.isBusy}
          disabledReason={reason}
          test="forge-connect"
        />
        {onCancel && <Button size="lg" label="Cancel" onClick={onCancel} test="forge-cancel" />}
        {reason !== null && (
          <span className="cut text-12 text-ink-3" data-test="forge-reason">
            {reason}
          </span>
        )}
      </div>
    </form>
  )
}

function serverLines(server: CheckedServer): readonly FieldLine[] {
  switch (server.state) {
    case 'unknown':
      return []
    case 'checking':
      return [{ tone: 'run', text: 'Asking…' }]
    case 'bad':
      return [{ tone: 'bad', text: forgeProblem(server.error) }]
    case 'good': {
      const { kind, version, clockDifferenceMs, isEncrypted, isConnected, name } = server.value
      const clock = clockWords(clockDifferenceMs)
      return [
        { tone: 'ok', text: `${forgeKindNames[kind]} ${version}` },
        ...(isConnected ? [{ tone: 'bad', text: `${name} is connected already.` } as const] : []),
        ...(clock === null
          ? []
          : [{ tone: 'warn', text: `Its clock is ${clock}. Alfred goes by the forge's clock.` } as const]),
        ...(isEncrypted
          ? []
          : [{ tone: 'warn', text: 'Not encrypted: the token can be read on the way.' } as const]),
      ]
    }
  }
}

function tokenLines(token: CheckedToken, server: CheckedServer, isTyped: boolean): readonly FieldLine[] {
  switch (token.state) {
    case 'unknown':
      return server.state === 'good' && !isTyped
        ? [
            {
              tone: 'quiet',
              text: `It can also stand in ${server.value.environmentName}, in the environment that starts Alfred.`,
            },
          ]
        : []
    case 'checking':
      return [{ tone: 'run', text: 'Asking…' }]
    case 'bad':
      return [{ tone: 'bad', text: forgeProblem(token.error) }]
    case 'good': {
      const { account } = token.value
      if (account === null) return [{ tone: 'bad', text: 'It may not say whose it is.' }]
      return [
        { tone: 'ok', text: `${isTyped ? '' : 'From the environment: '}Alfred works as ${account.login}.` },
      ]
    }
  }
}
