import { commandLabelSchema, statusSchema, typeLabelSchema } from '@shared/model/words'

/*
 * The labels that steer Alfred, with the colours they get where Alfred makes them.
 */

export interface LabelSpec {
  readonly name: string
  /** `#rrggbb` */
  readonly color: string
}

export const statusLabelPrefix = 'status::'

export const isStatusLabel = (label: string): boolean => label.startsWith(statusLabelPrefix)

/** `in_ci` and `status::in_ci` both name the label `status::in_ci`. */
export const toStatusLabel = (status: string): string =>
  isStatusLabel(status) ? status : `${statusLabelPrefix}${status}`

const statusColors: Record<(typeof statusSchema.options)[number], string> = {
  functional_analysis: '#6d5ae0',
  technical_analysis: '#4f6ae0',
  waiting_info: '#c98a00',
  waiting_validation: '#d97706',
  in_development: '#2563eb',
  in_ci: '#0e7490',
  in_review: '#7c3aed',
  blocked: '#dc2626',
  done: '#15803d',
}

const typeColors: Record<(typeof typeLabelSchema.options)[number], string> = {
  'type::task': '#475569',
  'type::bug': '#b91c1c',
  'type::question': '#0369a1',
  'type::analysis': '#6d28d9',
}

const commandColor = '#0f766e'

/** Every label that a project needs before Alfred works on it. */
export const alfredLabels: readonly LabelSpec[] = [
  ...statusSchema.options.map((status) => ({ name: toStatusLabel(status), color: statusColors[status] })),
  ...typeLabelSchema.options.map((name) => ({ name, color: typeColors[name] })),
  ...commandLabelSchema.options.map((name) => ({ name, color: commandColor })),
]

/**
 * The scope within which an issue has one label at most: `status::` and `type::`. Command labels are not of
 * this kind: two commands at once are two commands.
 */
export function exclusiveScope(label: string): string | null {
  const scope = /^(status|type)::/.exec(label)?.[0]
  return scope ?? null
}
