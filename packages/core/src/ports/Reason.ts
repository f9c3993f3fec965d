/** Why an adapter failed, in words for a log. */

/** The name of a reason, and its detail where it has one. */
export const describe = (reason: { readonly _tag: string; readonly detail?: string }): string =>
  reason.detail === undefined ? reason._tag : `${reason._tag}: ${reason.detail}`
