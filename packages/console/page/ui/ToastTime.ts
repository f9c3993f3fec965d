/** How long a message is shown: long enough to read it and reach its button. */

export const toastMillis = 7_000
