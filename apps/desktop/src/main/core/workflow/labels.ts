import {
  commandLabelSchema,
  typeLabelSchema,
  type CommandLabel,
  type Status,
  type TypeLabel,
} from '@shared/model/words'
import { isStatusLabel, statusLabelPrefix } from '../forge/labels'

/** All `status::` labels, known ones or not. */
export const statusLabelsOf = (labels: readonly string[]): readonly string[] => labels.filter(isStatusLabel)

/** Whether the status is the only `status::` label. */
export function hasExactlyStatus(labels: readonly string[], status: Status): boolean {
  const found = statusLabelsOf(labels)
  return found.length === 1 && found[0] === statusLabelPrefix + status
}

export const commandLabelsOf = (labels: readonly string[]): readonly CommandLabel[] =>
  commandLabelSchema.options.filter((label) => labels.includes(label))

/** The type that counts when somebody set several: the most careful one, which changes least. */
const byCare: readonly TypeLabel[] = ['type::question', 'type::analysis', 'type::bug', 'type::task']

export const typeOf = (labels: readonly string[]): TypeLabel =>
  byCare.find((type) => labels.includes(type)) ?? typeLabelSchema.enum['type::task']
