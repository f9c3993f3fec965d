/**
 * The words that the schemas of the peer are written in.
 */

/** Schemas by the names of properties. */
export type Properties = Readonly<Record<string, object>>

export const text = { type: "string" } as const
export const integer = { type: "integer" } as const
export const number = { type: "number" } as const
export const flag = { type: "boolean" } as const
export const texts = { type: "array", items: text } as const
export const anyObject = { type: "object" } as const
export const nonEmpty = { type: "string", minLength: 1 } as const

export const textOrNull = { type: ["string", "null"] } as const
export const integerOrNull = { type: ["integer", "null"] } as const
export const numberOrNull = { type: ["number", "null"] } as const
export const flagOrNull = { type: ["boolean", "null"] } as const
export const textsOrNull = { type: ["array", "null"], items: text } as const

export const object = (properties: Properties, required: ReadonlyArray<string> = []) =>
  ({ type: "object", properties, required }) as const
export const objectOrNull = (properties: Properties, required: ReadonlyArray<string> = []) =>
  ({ type: ["object", "null"], properties, required }) as const
export const oneOfOrNull = (...values: ReadonlyArray<string>) =>
  ({ enum: [...values, null] }) as const

/** Objects that a text distinguishes. */
export const selectedBy = (key: string, members: ReadonlyArray<object>) =>
  ({
    type: "object",
    required: [key],
    discriminator: { propertyName: key },
    oneOf: members
  }) as const
