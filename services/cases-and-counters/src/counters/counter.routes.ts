import { parseId } from '@caseway/kit/caller'
import { invalid } from '@caseway/kit/errors'
import { FieldError } from '@caseway/kit/fields'
import { action, parameter, type Routes } from '@caseway/kit/http'
import Type, { type Static } from 'typebox'
import { type CounterObject, type CounterType, counterTypes, select } from './counter.js'
import type { CounterService } from './counter.service.js'

const maxGroup = 500

const idsIn = (list: string) => list.split(',', maxGroup + 1).map((id) => parseId(id.trim()))

const group = {
  decode(sent: unknown) {
    const ids = idsIn(String(sent))
    if (ids.length > maxGroup) return new FieldError(`must be at most ${maxGroup} ids`)
    return ids.includes(undefined) ? new FieldError('must be ids separated by commas') : ids
  },
}

const Query = Type.Object({
  object: Type.Optional(Type.Enum(Object.keys(counterTypes) as CounterObject[])),
  type: Type.Optional(Type.Enum(Object.values(counterTypes).flat() as CounterType[])),
  groupIds: parameter(group, `At most ${maxGroup} ids of users, separated by commas.`),
})

const Numbers = Type.Record(Type.String(), Type.Union([Type.Integer(), Type.Record(Type.String(), Type.Integer())]))
const Answer = Type.Object({ Counter: Type.Record(Type.String(), Numbers) })

export const counterRoutes = (counters: CounterService): Routes =>
  action(
    { name: 'Counter', path: 'counter', audience: 'expert' },
    { method: 'GET', path: '', operationId: 'readCounter', query: Query, answers: { 200: { description: 'The counters.', ...Answer } } },
    async ({ caller, query }) => {
      const { object, type, group } = read(query)
      return { Counter: select(await counters.read(caller, group), object, type) }
    },
  )

function read({ object, type, groupIds }: Static<typeof Query>) {
  const belongsTo = type && (Object.keys(counterTypes) as CounterObject[]).find((object) => typesOf(object).includes(type))
  if (object && belongsTo && belongsTo !== object) throw invalid({ type: `must be one of ${typesOf(object).join(', ')}` })
  return {
    object: object ?? belongsTo,
    type,
    group: groupIds === undefined ? undefined : new Set(idsIn(groupIds).filter((id) => id !== undefined)),
  }
}

const typesOf = (object: CounterObject): readonly CounterType[] => counterTypes[object]
