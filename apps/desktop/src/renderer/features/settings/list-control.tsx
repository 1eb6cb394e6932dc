import { useRef, useState } from 'react'
import { Button } from '../../components/button'
import { Dialog, DialogAnswers } from '../../components/dialog'
import { formatSettingValue, type SettingKind } from './setting-looks'
import type { SettingWriter } from './use-setting-draft'
import { parseListValue } from './value-formats'

export interface ListControlProps {
  readonly title: string
  readonly control: Extract<SettingKind, { kind: 'list' }>
  readonly value: readonly string[]
  readonly writer: SettingWriter
}

/**
 * A list is shown as its count and edited in a dialog, an entry per line. What was typed stays until it is written or given
 * up: where a person must agree to it first and does not, or it is refused, the dialog is there with it again.
 */
export function ListControl({ title, control, value, writer }: ListControlProps) {
  const [text, setText] = useState<string | null>(null)
  const input = useRef<HTMLTextAreaElement>(null)
  const save = (): void => {
    const parsed = parseListValue(text ?? '')
    if (parsed.ok) writer.set(parsed.value, () => setText(null))
  }
  const leave = (): void => {
    setText(null)
    writer.clear()
  }
  const problem = writer.error !== null && (
    <p role="alert" data-test="setting-error" className="mt-0.5 text-11 text-bad">
      {writer.error}
    </p>
  )
  return (
    <>
      <Button
        icon="pencil"
        label={formatSettingValue(control, value)}
        spokenLabel={`${title}: ${formatSettingValue(control, value)}. Edit`}
        test="setting-value"
        data-value={JSON.stringify(value)}
        onClick={() => setText(value.join('\n'))}
      />
      {text === null && problem}
      <Dialog
        isOpen={text !== null && writer.asked === null && !writer.isBusy}
        onOpenChange={(isOpen) => !isOpen && leave()}
        title={title}
        initialFocus={input}
        test="setting-list-dialog"
        footer={
          <DialogAnswers
            confirmLabel="Save"
            confirmTest="save-setting-list"
            onCancel={leave}
            onConfirm={save}
          />
        }
      >
        <p id="setting-list-hint" className="mt-1 text-12 text-ink-2">
          {control.hint}
        </p>
        <textarea
          ref={input}
          className="input mt-3 h-40 font-mono"
          aria-label={title}
          aria-describedby="setting-list-hint"
          spellCheck={false}
          value={text ?? ''}
          onChange={(event) => {
            setText(event.target.value)
            writer.clear()
          }}
        />
        {problem}
      </Dialog>
    </>
  )
}
