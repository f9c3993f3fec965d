/** The sign of Verbatim: a few strokes of sound. */

/** Shows the sign. */
export const Mark = () => (
  <svg class="mark" viewBox="0 0 32 32" aria-hidden="true" focusable="false">
    <rect width="32" height="32" rx="8" />
    <path d="M8 13v6M13 9v14M18 12v8M23 14.5v3" />
  </svg>
)
