/** Whether a widget could have `text` as its `external_hash`. */
export const isWidgetHash = (text: string): boolean => /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(text)
