import { settingDefinitions, type SettingKey } from '@shared/model/settings'
import { parseUnits } from '@shared/setting-units'

const switches: Readonly<Record<string, boolean>> = { on: true, yes: true, off: false, no: false }

/**
 * What a person means by VALUE: units, a switch word, JSON, or the text as it is; the first that the setting takes.
 * When it takes none of them the engine is given the likeliest one, and says what is wrong with it.
 */
export function readSettingValue(key: SettingKey, text: string): unknown {
  const read = [parseUnits(key, text), switches[text.toLowerCase()], parseJson(text), text].filter(
    (value, index) => value !== undefined && !(index === 0 && value === null),
  )
  const { schema } = settingDefinitions[key]
  const fitting = read.find((value) => schema.safeParse(value).success)
  return fitting === undefined ? read[0] : fitting
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text) as unknown
  } catch {
    return undefined
  }
}
