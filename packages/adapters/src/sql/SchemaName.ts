/** Which names the schema of the tables may have, in Postgres. */

/** Postgres cuts longer names off, and then two of them may be one. */
const nameBytesMax = 63

/** What the name of a schema may be, to complete the sentence "Expected …". */
export const schemaForm =
  `at most ${nameBytesMax} lower-case letters, digits and underscores that do not begin with a ` +
  "digit, and not with pg_"

/** Whether a schema may be called that. */
export const isSchema = (text: string): boolean =>
  /^[a-z_][a-z0-9_]*$/.test(text) && text.length <= nameBytesMax && !text.startsWith("pg_")

/** What is wrong with the name of a schema, in one sentence. */
export const problemOf = (schema: string | undefined): string | undefined =>
  schema === undefined || isSchema(schema)
    ? undefined
    : `The schema is ${JSON.stringify(schema)}, but must be ${schemaForm}.`
