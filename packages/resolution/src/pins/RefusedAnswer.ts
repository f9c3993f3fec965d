/**
 * The answer to a request whose preset cannot be used, as if the provider had given it. SDKs take
 * an error that `fetch` throws for a broken connection: they hide it and try again. An answer with
 * the status of a mistake they show as it is.
 */
import type { PinRefusal, PinRefusalCode } from "./PinRefusal.ts"

/** What an SDK is answered. */
interface Told {
  readonly status: number
  readonly type: string
}

/**
 * No 409, which SDKs repeat, and no 401: they would ask for another key of the provider. 424 is a
 * request that failed because of another one.
 */
const answers: Readonly<Record<PinRefusalCode, Told>> = {
  NoPreset: { status: 404, type: "preset_not_found" },
  PresetInactive: { status: 424, type: "preset_inactive" },
  NoReference: { status: 400, type: "preset_reference_invalid" },
  NotFilled: { status: 400, type: "preset_variables_invalid" },
  KeyRefused: { status: 424, type: "preset_key_refused" },
  Unavailable: { status: 503, type: "preset_unavailable" }
}

/**
 * The answer for a refusal, in the one form that SDKs of all formats read. Only what is unavailable
 * may be tried again, which SDKs do after a pause.
 */
export const refusedAnswer = ({ code, message }: PinRefusal): Response => {
  const { status, type } = answers[code]
  const headers = { "x-should-retry": String(code === "Unavailable") }
  const error = { type, message, code: status, param: "preset" }
  return Response.json({ type: "error", error }, { status, headers })
}
