/** How long a message is shown and the user can undo its action. Tests also use this duration. */

/** Enough milliseconds for a user to read a message and reach its button. */
export const toastMillis = 7_000
