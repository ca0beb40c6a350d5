/** `customer_id` on the wire and in SQL is `customerId` inside. */
export type Camel<Wire extends string> = Wire extends `${infer Head}_${infer Tail}` ? `${Head}${Capitalize<Camel<Tail>>}` : Wire

/** The name inside for one on the wire: `customer_id` becomes `customerId`. */
export const camel = (wire: string) => wire.replace(/_([a-z0-9])/g, (_, letter: string) => letter.toUpperCase())

/** `CustomerCompany` beside a record on the wire is `customerCompany` inside. */
export const embeddedName = (wrapper: string) => wrapper.charAt(0).toLowerCase() + wrapper.slice(1)
