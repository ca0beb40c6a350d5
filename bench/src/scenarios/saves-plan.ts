export const savesAMinute = 10_000

/** The limits of polls-and-widgets, in answers per minute. */
const ofAddress = 30
const ofWidget = 300

/** Addresses that send twice their limit; every other answer has an address of its own. */
const busyAddresses = 20
/** The first widget gets twice its limit of answers, the others stay below it. */
export const widgetCount = 51

/** Everything above the limits is sent in the first 48 seconds, so that it falls into the minute that begins with the first answer. */
const rounds = 100
const ofRound = 80
const busyOfRound = (busyAddresses * 2 * ofAddress) / rounds
const forBusyWidget = (2 * ofWidget) / rounds

/** The number of answers within the limits: half of the excessive ones are refused. */
export const answersThatMayBeStored = savesAMinute - busyAddresses * ofAddress - ofWidget

export interface Destination {
  readonly address: string
  /** The index of the widget. */
  readonly widget: number
}

/** The address and the widget of an answer, by its number. From `savesAMinute` on, no limit is exceeded. */
export function destinationOf(number: number): Destination {
  const [round, place] = [Math.floor(number / ofRound), number % ofRound]
  const own = `10.${number >> 16}.${(number >> 8) & 255}.${number & 255}`
  const widget = 1 + (number % (widgetCount - 1))
  if (round >= rounds || place >= busyOfRound + forBusyWidget) return { address: own, widget }
  if (place >= busyOfRound) return { address: own, widget: 0 }
  return { address: `192.0.2.${(round * busyOfRound + place) % busyAddresses}`, widget }
}
