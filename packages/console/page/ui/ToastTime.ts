/** How long a message of the page stays, and how long what it tells can be undone. */

/** Long enough to read it and to reach the button. */
export const toastMillis = 7_000
