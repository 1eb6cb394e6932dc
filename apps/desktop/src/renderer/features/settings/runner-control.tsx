import { useState } from 'react'
import { needsConsent, type SettingScope } from '@shared/model/settings'
import type { Runner } from '@shared/model/words'
import { HostConsent } from '../../components/host-consent'
import { Select } from '../../components/select'
import { hostConsentWords, runnerOptions } from './runner-choice'
import type { SettingWriter } from './use-setting-draft'

export interface RunnerControlProps {
  readonly title: string
  readonly value: Runner
  readonly scope: SettingScope
  readonly writer: SettingWriter
}

/** Where runs execute; this computer itself is offered for a project only, and asked about before it is written. */
export function RunnerControl({ title, value, scope, writer }: RunnerControlProps) {
  const [isAsking, setIsAsking] = useState(false)
  const choose = (runner: Runner): void => {
    if (needsConsent('AGENT_RUNNER', runner)) setIsAsking(true)
    else writer.set(runner)
  }
  return (
    <>
      <Select
        label={title}
        value={value}
        onChange={choose}
        options={runnerOptions(scope)}
        className="w-full"
        test="setting-value"
      />
      {scope !== 'project' && (
        <p className="mt-0.5 text-11 text-ink-3">This computer itself can be chosen for a project only.</p>
      )}
      {writer.error !== null && (
        <p role="alert" data-test="setting-error" className="mt-0.5 text-11 text-bad">
          {writer.error}
        </p>
      )}
      <HostConsent
        {...hostConsentWords}
        isOpen={isAsking}
        onCancel={() => setIsAsking(false)}
        onConfirm={() => {
          setIsAsking(false)
          writer.agree('host')
        }}
      />
    </>
  )
}
