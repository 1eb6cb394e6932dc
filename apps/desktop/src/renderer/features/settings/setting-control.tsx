import { useId } from 'react'
import type { SettingRow } from '@shared/contract/settings'
import type { SettingScope } from '@shared/model/settings'
import { runnerSchema } from '@shared/model/words'
import { formatDuration, formatSize } from '@shared/setting-units'
import { Icon } from '../../components/icon'
import { Select } from '../../components/select'
import { Switch } from '../../components/switch'
import { useQueryEntry } from '../../lib/use-query-entry'
import { ListControl } from './list-control'
import { RunnerControl } from './runner-control'
import type { SettingLook } from './setting-looks'
import { useDraft, type SettingWriter } from './use-setting-draft'
import { parseDurationValue, parseNumberValue, parseSizeValue, type Parsed } from './value-formats'

export interface SettingControlProps {
  readonly row: SettingRow
  readonly look: SettingLook
  /** The edited scope. */
  readonly scope: SettingScope
  readonly writer: SettingWriter
}

/** The editor that fits the kind of a setting; it shows the value in force and writes for the edited scope. */
export function SettingControl({ row, look, scope, writer }: SettingControlProps) {
  const { control } = look
  const { value } = row
  switch (control.kind) {
    case 'switch':
      return (
        <span className="flex items-center gap-2">
          <Switch label={row.label} isOn={value === true} onChange={writer.set} test="setting-value" />
          <span className="text-12" aria-hidden="true">
            {value === true ? 'On' : 'Off'}
          </span>
        </span>
      )
    case 'duration':
      return (
        <Field
          title={row.label}
          writer={writer}
          stored={numberText(value, formatDuration)}
          parse={parseDurationValue}
        />
      )
    case 'size':
      return (
        <Field
          title={row.label}
          writer={writer}
          stored={numberText(value, formatSize)}
          parse={parseSizeValue}
        />
      )
    case 'number':
      return (
        <Field
          title={row.label}
          writer={writer}
          stored={numberText(value, String)}
          parse={control.unset === undefined ? parseNumberValue : numberOrUnset}
          unit={control.unit}
          placeholder={control.unset}
        />
      )
    case 'text':
      return (
        <Field
          title={row.label}
          writer={writer}
          stored={typeof value === 'string' ? value : ''}
          parse={control.unset === undefined ? anyText : textOrUnset}
          placeholder={control.unset}
          isMono={control.isMono}
        />
      )
    case 'adapter':
      return <AdapterSelect value={value} writer={writer} title={row.label} unset={control.unset} />
    case 'runner':
      return (
        <RunnerControl title={row.label} value={runnerSchema.parse(value)} scope={scope} writer={writer} />
      )
    case 'list':
      return (
        <ListControl
          title={row.label}
          control={control}
          value={Array.isArray(value) ? value.map(String) : []}
          writer={writer}
        />
      )
  }
}

const numberText = (value: unknown, format: (value: number) => string): string =>
  typeof value === 'number' ? format(value) : ''
const anyText = (text: string): Parsed<string> => ({ ok: true, value: text.trim() })
const numberOrUnset = (text: string): Parsed<number | null> =>
  text.trim() === '' ? { ok: true, value: null } : parseNumberValue(text)
const textOrUnset = (text: string): Parsed<string | null> => ({
  ok: true,
  value: text.trim() === '' ? null : text.trim(),
})

interface FieldProps<T> {
  readonly title: string
  readonly writer: SettingWriter
  readonly stored: string
  readonly parse: (text: string) => Parsed<T>
  readonly unit?: string
  readonly placeholder?: string | undefined
  readonly isMono?: true | undefined
}

/** A line of text that is written when it is left or Enter is pressed; Esc takes it back. */
function Field<T>({ title, writer, stored, parse, unit, placeholder, isMono }: FieldProps<T>) {
  const draft = useDraft(stored, parse, writer)
  const errorId = useId()
  const isBad = writer.error !== null
  return (
    <>
      <div className="input" aria-invalid={isBad || undefined}>
        <input
          type="text"
          aria-label={unit === undefined ? title : `${title}, ${unit}`}
          aria-invalid={isBad || undefined}
          aria-describedby={isBad ? errorId : undefined}
          className={isMono ? 'font-mono' : undefined}
          data-test="setting-value"
          data-value={stored}
          value={draft.text}
          placeholder={placeholder}
          spellCheck={false}
          onChange={(event) => draft.onChange(event.target.value)}
          onBlur={draft.commit}
          onKeyDown={(event) => {
            if (event.key === 'Enter') draft.commit()
            else if (event.key === 'Escape') {
              draft.cancel()
              event.stopPropagation()
            }
          }}
        />
        {isBad ? (
          <Icon name="warning" size={13} className="text-bad" />
        ) : (
          unit !== undefined && <span className="text-ink-3">{unit}</span>
        )}
      </div>
      {isBad && (
        <p id={errorId} role="alert" data-test="setting-error" className="mt-0.5 text-11 text-bad">
          {writer.error}
        </p>
      )}
    </>
  )
}

const none = 'none'
const capitalised = (text: string): string => text.slice(0, 1).toUpperCase() + text.slice(1)

function AdapterSelect({
  value,
  writer,
  title,
  unset,
}: {
  readonly value: unknown
  readonly writer: SettingWriter
  readonly title: string
  readonly unset: string
}) {
  const { data: agents } = useQueryEntry('app.agents', {})
  const installed = [
    ...new Set(agents?.filter((agent) => agent.version !== null).map((agent) => agent.adapter)),
  ]
  const current = typeof value === 'string' ? value : null
  const names =
    current !== null && !installed.some((name) => name === current) ? [...installed, current] : installed
  return (
    <Select
      label={title}
      value={current ?? none}
      onChange={(next) => writer.set(next === none ? null : next)}
      options={[
        { value: none, label: capitalised(unset) },
        ...names.map((name) => ({
          value: name,
          label: name,
          note: installed.some((other) => other === name) ? undefined : 'not installed',
        })),
      ]}
      className="w-full"
      test="setting-value"
    />
  )
}
