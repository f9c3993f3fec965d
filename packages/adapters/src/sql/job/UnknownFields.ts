/**
 * Preserves fields that were written by a newer version and that this version does not know. A
 * decoder would drop these fields, so the fields are hidden in the decoded value and kept in copies
 * of the value until the next write.
 */

/**
 * The key is a symbol, because a symbol cannot collide with a field, survives spreading, and does
 * not appear in JSON.
 */
const unknownFields = Symbol("fields of a newer version")

type Fields = Readonly<Record<string, unknown>>

interface Carrier extends Fields {
  readonly [unknownFields]?: Fields
}

/** Whether a value is a plain object, as in JSON, rather than, for example, a date. */
const hasFields = (value: unknown): value is Carrier =>
  typeof value === "object" && value !== null && Object.getPrototypeOf(value) === Object.prototype

/**
 * Maps all fields. Returns the same object if no field changes, which is true for almost every
 * value.
 */
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
  // The field is not assigned, because the field's name may be `__proto__`.
  const fields = Object.fromEntries(more.map((field) => [field, whole[field]]))
  return { ...kept, [unknownFields]: fields }
}

/** Attaches the unknown fields in a value's JSON to the decoded value. */
export const keep = <A>(known: A, whole: unknown): A => keepAll(known, whole) as A

/** Adds a value's unknown fields to the encoded JSON. */
export const restore = (encoded: unknown, value: unknown): unknown => {
  if (!hasFields(encoded) || !hasFields(value)) return encoded
  const restored = mapFields(encoded, (one, field) => restore(one, value[field]))
  const more = value[unknownFields]
  return more === undefined ? restored : { ...more, ...restored }
}
