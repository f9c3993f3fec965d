/**
 * The fields that a newer version wrote besides those that this one knows. They travel with the
 * value that was read, out of sight, through copies and into the next write: a decoder would drop
 * them.
 */

/** A symbol: no field has that name, spreading copies it, and JSON does not show it. */
const unknownFields = Symbol("fields of a newer version")

type Fields = Readonly<Record<string, unknown>>

interface Carrier extends Fields {
  readonly [unknownFields]?: Fields
}

/** Whether it is an object as in JSON, and not for example a date. */
const hasFields = (value: unknown): value is Carrier =>
  typeof value === "object" && value !== null && Object.getPrototypeOf(value) === Object.prototype

/** The same object when no field changes, which is the case for almost every value. */
const mapFields = (fields: Fields, change: (value: unknown, field: string) => unknown): Fields => {
  let changed: Record<string, unknown> | undefined
  for (const field of Object.keys(fields)) {
    const value = change(fields[field], field)
    if (value === fields[field]) continue
    changed ??= { ...fields }
    changed[field] = value
  }
  return changed ?? fields
}

const keepAll = (known: unknown, whole: unknown): unknown => {
  if (!hasFields(known) || !hasFields(whole)) return known
  const kept = mapFields(known, (value, field) => keepAll(value, whole[field]))
  const more = Object.keys(whole).filter((field) => !Object.hasOwn(known, field))
  if (more.length === 0) return kept
  // Not by assignment: a field may be called `__proto__`.
  const fields = Object.fromEntries(more.map((field) => [field, whole[field]]))
  return { ...kept, [unknownFields]: fields }
}

/** A decoded value, with the unknown fields of the JSON that it was decoded from. */
export const keep = <A>(known: A, whole: unknown): A => keepAll(known, whole) as A

/** The JSON that a value was encoded to, with the unknown fields kept with the value. */
export const restore = (encoded: unknown, value: unknown): unknown => {
  if (!hasFields(encoded) || !hasFields(value)) return encoded
  const restored = mapFields(encoded, (one, field) => restore(one, value[field]))
  const more = value[unknownFields]
  return more === undefined ? restored : { ...more, ...restored }
}
