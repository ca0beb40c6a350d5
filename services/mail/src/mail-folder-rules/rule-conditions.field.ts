import { jsonValue } from '@caseway/kit/fields'
import Type from 'typebox'
import { conditionFields, conditionOperators } from './mail-folder-rule.js'

const word = (words: readonly string[]) => Type.Unsafe<string>({ type: 'string', enum: [...words] })

const condition = Type.Object(
  {
    field: word(conditionFields),
    header: Type.Optional(Type.String({ pattern: '^[!-9;-~]{1,100}$', description: 'The name of the header, if `field` is `header`.' })),
    operator: word(conditionOperators),
    value: Type.String({ minLength: 1, maxLength: 255, pattern: '\\S' }),
  },
  { additionalProperties: false },
)

/** Conditions, all of which have to hold. */
export const ruleConditions = jsonValue(Type.Array(condition, { minItems: 1, maxItems: 20 }), {
  refuse: (conditions) =>
    conditions.some(({ field, header }) => (field === 'header') !== (header !== undefined))
      ? 'must name a header where the field is header, and nowhere else'
      : undefined,
})
