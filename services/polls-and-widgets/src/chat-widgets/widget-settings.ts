import { jsonText, nullable } from '@caseway/kit/fields'
import Type, { type Static } from 'typebox'

const settings = Type.Object(
  {
    lang: Type.Optional(Type.String({ maxLength: 35, description: 'Language of the texts (BCP 47).' })),
    open_case: Type.Optional(Type.Boolean({ description: 'Whether an answer opens a case.' })),
    texts: Type.Optional(
      Type.Record(Type.String(), Type.String({ maxLength: 500 }), { description: 'Texts of the widget, by their names.' }),
    ),
  },
  { description: 'Other names are kept for the page that shows the widget.' },
)

/** What a widget looks like and does. */
export type WidgetSettings = Static<typeof settings>

/** The settings as they were sent. */
export const settingsText = nullable(jsonText(settings))

export const noSettings = '{}'

/** @param text as a `settingsText` was stored */
export const settingsOf = (text: string | null): WidgetSettings => (text === null ? {} : JSON.parse(text))
