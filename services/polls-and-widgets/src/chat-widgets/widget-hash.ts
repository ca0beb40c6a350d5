/** Whether `text` has the form of an `external_hash`: a UUID. */
export const isWidgetHash = (text: string): boolean => /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(text)
