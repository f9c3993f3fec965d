/**
 * How long a message stays, and how long its action can be undone. Tests also use this duration.
 */

/** Long enough for a user to read the message and reach its button. */
export const toastMillis = 7_000
