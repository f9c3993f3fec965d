/**
 * How long a message stays, and how long its action can be undone. Tests also use this duration.
 */

/** Milliseconds that are enough for a user to read a message and reach its button. */
export const toastMillis = 7_000
