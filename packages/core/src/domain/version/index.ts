/** The version of Verbatim and all its packages, which are released together. */
export const version = "0.1.0"
