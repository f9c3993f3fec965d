/** Describes why an adapter failed, for the log. */

/** Returns the name of a reason, with its detail if it has one. */
export const describe = (reason: { readonly _tag: string; readonly detail?: string }): string =>
  reason.detail === undefined ? reason._tag : `${reason._tag}: ${reason.detail}`
