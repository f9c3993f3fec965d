/** How long a message is shown, and its action can be undone. Tests also use this duration. */

/** Enough milliseconds for a user to read a message and reach its button. */
export const toastMillis = 7_000
