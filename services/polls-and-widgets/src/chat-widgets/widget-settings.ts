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
  { description: 'Other properties are stored for the page that shows the widget.' },
)

/** The appearance and behaviour of a widget. */
export type WidgetSettings = Static<typeof settings>

/** The field of the settings: JSON, stored as it was sent. */
export const settingsText = nullable(jsonText(settings))

export const noSettings = '{}'

/** Parses stored settings. @param text a value of `settingsText` */
export const settingsOf = (text: string | null): WidgetSettings => (text === null ? {} : JSON.parse(text))
