import type { SettingScope } from '@shared/model/settings'
import type { Runner } from '@shared/model/words'
import { Select } from '../../components/select'
import { runnerOptions } from './runner-choice'
import type { SettingWriter } from './use-setting-draft'

export interface RunnerControlProps {
  readonly title: string
  readonly value: Runner
  readonly scope: SettingScope
  readonly writer: SettingWriter
}

/** Where runs execute; this computer itself is offered for a project only. */
export function RunnerControl({ title, value, scope, writer }: RunnerControlProps) {
  return (
    <>
      <Select
        label={title}
        value={value}
        onChange={writer.set}
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
    </>
  )
}
