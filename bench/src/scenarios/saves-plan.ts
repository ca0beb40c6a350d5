export const savesAMinute = 10_000

/** The limits of polls-and-widgets, in answers a minute. */
const ofAddress = 30
const ofWidget = 300

/** Addresses that send twice as much as one may; every other answer comes from an address of its own. */
const busyAddresses = 20
/** The first widget is answered twice as often as one may be, the others less often. */
export const widgetCount = 51

/** What is too much comes in the first 48 seconds, so that all of it falls into the minute that begins with the first answer. */
const rounds = 100
const ofRound = 80
const busyOfRound = (busyAddresses * 2 * ofAddress) / rounds
const forBusyWidget = (2 * ofWidget) / rounds

/** As many as the limits allow: of what is too much the half. */
export const answersThatMayBeStored = savesAMinute - busyAddresses * ofAddress - ofWidget

export interface Destination {
  readonly address: string
  /** Which of the widgets is answered. */
  readonly widget: number
}

/** Where an answer comes from and what it answers, by its number. From `savesAMinute` on nothing is too much. */
export function destinationOf(number: number): Destination {
  const [round, place] = [Math.floor(number / ofRound), number % ofRound]
  const own = `10.${number >> 16}.${(number >> 8) & 255}.${number & 255}`
  const widget = 1 + (number % (widgetCount - 1))
  if (round >= rounds || place >= busyOfRound + forBusyWidget) return { address: own, widget }
  if (place >= busyOfRound) return { address: own, widget: 0 }
  return { address: `192.0.2.${(round * busyOfRound + place) % busyAddresses}`, widget }
}
