/** Checks the name of the Postgres schema that contains the tables. */

/**
 * Maximum length of a name in bytes. Postgres truncates longer names, so two different names could
 * become the same name.
 */
const nameBytesMax = 63

/** Describes valid schema names. Completes the error message "Expected …". */
export const schemaForm =
  `at most ${nameBytesMax} lower-case letters, digits and underscores that do not begin with a ` +
  "digit, and not with pg_"

/** Whether a name is valid for the schema. */
export const isSchema = (text: string): boolean =>
  /^[a-z_][a-z0-9_]*$/.test(text) && text.length <= nameBytesMax && !text.startsWith("pg_")

/** Returns an error message for an invalid schema name. */
export const problemOf = (schema: string | undefined): string | undefined =>
  schema === undefined || isSchema(schema)
    ? undefined
    : `The schema is ${JSON.stringify(schema)}, but must be ${schemaForm}.`
