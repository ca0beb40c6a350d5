/** The camelCase of a name on the wire: `customer_id` becomes `customerId`. */
export type Camel<Wire extends string> = Wire extends `${infer Head}_${infer Tail}` ? `${Head}${Capitalize<Camel<Tail>>}` : Wire

/** Converts a name on the wire to camelCase: `customer_id` becomes `customerId`. */
export const camel = (wire: string) => wire.replace(/_([a-z0-9])/g, (_, letter: string) => letter.toUpperCase())

/** The property of a record for an embedded wrapper: `CustomerCompany` becomes `customerCompany`. */
export const embeddedName = (wrapper: string) => wrapper.charAt(0).toLowerCase() + wrapper.slice(1)
