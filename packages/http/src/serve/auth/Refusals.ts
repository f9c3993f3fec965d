/** How each family of operations refuses a sender that it does not let in. */
import type { Family } from "../../contract/Authentication.ts"
import { challengeHeaders } from "../../contract/ErrorBody.ts"
import { answerIn } from "../edge/EdgeAnswer.ts"
import type { Unauthenticated } from "./Authenticator.ts"

/** What a caller from a workspace is answered by operations for operators. */
export const operatorsOnly = "Only operator keys can perform this operation"

const usual = {
  /** The status for a sender that is not known. */
  unknownStatus: 401,
  /** Stands before each sentence. */
  prefix: "",
  Missing: "Missing Authentication header",
  Unknown: "Invalid API key",
  Disabled: "The workspace is disabled"
}

const words: Readonly<Record<Family, typeof usual>> = {
  preset: usual,
  openai: usual,
  operator: { ...usual, Disabled: operatorsOnly },
  transcription: {
    ...usual,
    unknownStatus: 403,
    prefix: "Forbidden: ",
    Missing: "Invalid API key format"
  }
}

/** Refuses a known sender. */
export const forbid = (
  family: Family,
  { message, userId }: { readonly message: string; readonly userId: string | null }
) => answerIn(family, { status: 403, message: words[family].prefix + message, userId })

/** Refuses an unknown sender, with the scheme that a client has to use (RFC 9110, 15.5.2). */
export const refuseStranger = (family: Family, { reason, sentence }: Unauthenticated) => {
  const { prefix, unknownStatus, ...known } = words[family]
  // A host says something about its own users alone.
  const own = family === "operator" ? undefined : sentence
  const status = own === undefined && reason === "Disabled" ? 403 : unknownStatus
  const error = { status, message: prefix + (own ?? known[reason]) }
  return answerIn(family, error, status === 401 ? challengeHeaders : {})
}
