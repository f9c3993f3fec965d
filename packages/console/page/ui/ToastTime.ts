/** How long a message stays, and how long its action can be undone; tests use it too. */

/** Long enough to read the message and reach its button. */
export const toastMillis = 7_000
