/** The version of Verbatim and all its packages, which share one version. */
export const version = "0.1.0"
