import { z } from 'zod'
import { settingKeySchema, settingScopeSchema } from '../model/settings'
import { command, query } from './define'

const scopeSelector = z.object({
  scope: settingScopeSchema,
  /** Organization or project id; 0 for the app. */
  scopeId: z.number().int().min(0),
})

export const settingRowSchema = z.object({
  key: settingKeySchema,
  about: z.string(),
  appOnly: z.boolean(),
  defaultValue: z.unknown(),
  /** What is in force at the selected scope, and which scope says so. */
  value: z.unknown(),
  origin: z.enum(['default', 'app', 'organization', 'project']),
  /** What each scope says; `null` where it says nothing. */
  strip: z.object({ app: z.unknown(), organization: z.unknown(), project: z.unknown() }),
  /** A stored value that is not valid any more, in words; it is ignored. */
  problem: z.string().nullable(),
})
export type SettingRow = z.infer<typeof settingRowSchema>

const settingErrorSchema = z.discriminatedUnion('type', [
  z.object({ type: z.literal('invalid_value'), message: z.string() }),
  z.object({ type: z.literal('wrong_scope'), message: z.string() }),
])

export const settingsContract = {
  scopes: query({
    input: z.object({}),
    output: z.array(
      z.object({ scope: settingScopeSchema, scopeId: z.number(), name: z.string(), overrides: z.number() }),
    ),
  }),
  list: query({ input: scopeSelector, output: z.array(settingRowSchema) }),
  set: command({
    input: scopeSelector.extend({ key: settingKeySchema, value: z.unknown() }),
    output: z.null(),
    error: settingErrorSchema,
  }),
  reset: command({
    input: scopeSelector.extend({ key: settingKeySchema }),
    output: z.null(),
    error: settingErrorSchema,
  }),
} as const
