/**
 * The parameters that pages of sums and of ledgers have in common: how many rows, and behind which.
 */
import { InvalidRequest } from "@verbatim/core/schema"
import { usageRowMax } from "@verbatim/core/workspace"
import { Schema } from "effect"
import { makeLate } from "../LateParameters.ts"
import { makeNumber } from "../QueryParameters.ts"

/** Rows on a page when the request does not say. */
export const rowDefault = 100

const limit = {
  description: "Most rows in the answer.",
  minimum: 1,
  maximum: usageRowMax,
  default: rowDefault
}

/** A text. A parameter is not a string only when it is sent twice. */
export const Text = Schema.String.annotate({ message: "must be sent once" })

/** The fields of a page. */
export const pageFields = {
  cursor: Schema.optionalKey(Text),
  limit: Schema.optionalKey(makeNumber(limit))
}

/** The same fields as the description shows them. */
export const shownPage = {
  cursor: makeLate({ type: "string", description: "The `next_cursor` of the page before." }),
  limit: makeLate({ type: "integer", ...limit })
}

/** Names the one parameter that breaks a rule. */
export const refuse = (path: string, rule: string) =>
  new InvalidRequest({ problems: [{ path, rule }] })

/** A cursor that no page has given. */
export const refuseCursor = () => refuse("cursor", "must be the next_cursor of a page")
