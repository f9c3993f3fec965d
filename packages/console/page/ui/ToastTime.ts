/** How long a message stays, and how long what it tells can be undone; tests need it, too. */

/** Long enough to read it and to reach the button. */
export const toastMillis = 7_000
