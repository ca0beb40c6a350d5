import { type Field, FieldError } from '@caseway/kit/fields'
import { serviceNames } from '@caseway/registry'
import { InvalidArgumentError, Option } from 'commander'

/** Parses an option by the rule of the same field in the REST API. */
export const asField =
  <Value>(field: Field<Value>) =>
  (text: string): Value => {
    const value = text.trim() === '' ? new FieldError('must not be empty') : field.decode(text, 'UTC')
    if (value instanceof FieldError) throw new InvalidArgumentError(`It ${value.text}.`)
    return value
  }

/** The path of a folder. It must not be empty, because that would mean the current folder. */
export function folder(path: string): string {
  if (path.trim() === '') throw new InvalidArgumentError('It must not be empty.')
  return path
}

const maxInteger = 2 ** 31 - 1

export function atLeastOne(text: string): number {
  const number = /^\d+$/.test(text) ? Number(text) : 0
  if (number < 1 || number > maxInteger) throw new InvalidArgumentError(`It must be a whole number from 1 to ${maxInteger}.`)
  return number
}

export function uuid(text: string): string {
  if (!/^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i.test(text)) throw new InvalidArgumentError('It must be a UUID.')
  return text
}

/** `--service`, for commands that apply to all services by default. */
export const serviceOption = () => new Option('-s, --service <name>', 'only this service').choices(serviceNames)

/** The services to which a command applies. */
export const chosen = (service: string | undefined): readonly string[] => (service === undefined ? serviceNames : [service])
