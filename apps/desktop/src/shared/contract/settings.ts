import { z } from 'zod'
import { settingKeySchema, settingScopeSchema, settingTypeSchema } from '../model/settings'
import { command, query } from './define'

const scopeSelector = z.object({
  scope: settingScopeSchema,
  /** Organization or project id; 0 for the app. */
  scopeId: z.number().int().min(0),
})

const saidSchema = z.object({ value: z.unknown() }).nullable()

export const settingRowSchema = z.object({
  key: settingKeySchema,
  /** What people call it. */
  label: z.string(),
  about: z.string(),
  type: settingTypeSchema,
  /** Where it can be set. */
  scopes: z.array(settingScopeSchema),
  defaultValue: z.unknown(),
  /** What is in force at the selected scope, and which scope says so. */
  value: z.unknown(),
  origin: z.enum(['default', 'app', 'organization', 'project']),
  /** What each scope says, which may be that nothing is set; `null` where it says nothing. */
  strip: z.object({ app: saidSchema, organization: saidSchema, project: saidSchema }),
  /** Why a stored value is ignored, in words: it is not valid any more, or nobody has agreed to it. */
  problem: z.string().nullable(),
  /** The stored value, if it would count once a person agrees to it. */
  unagreed: saidSchema,
})
export type SettingRow = z.infer<typeof settingRowSchema>

const settingErrorSchema = z.discriminatedUnion('type', [
  z.object({ type: z.literal('invalid_value'), message: z.string() }),
  z.object({ type: z.literal('wrong_scope'), message: z.string() }),
])
/** The value means something that a person must agree to first; the message says what. */
const consentNeededSchema = z.object({ type: z.literal('consent_needed'), message: z.string() })

export const settingsContract = {
  scopes: query({
    input: z.object({}),
    output: z.array(
      z.object({ scope: settingScopeSchema, scopeId: z.number(), name: z.string(), overrides: z.number() }),
    ),
  }),
  list: query({ input: scopeSelector, output: z.array(settingRowSchema) }),
  set: command({
    input: scopeSelector.extend({
      key: settingKeySchema,
      value: z.unknown(),
      /** The person agreed to what the value means, where that is asked. */
      consent: z.boolean().optional(),
    }),
    output: z.null(),
    error: z.discriminatedUnion('type', [settingErrorSchema, consentNeededSchema]),
  }),
  reset: command({
    input: scopeSelector.extend({ key: settingKeySchema }),
    output: z.null(),
    error: settingErrorSchema,
  }),
} as const
