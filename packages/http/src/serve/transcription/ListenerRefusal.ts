/** What somebody is told where as many listen or wait as may. */
import type { TooManyListeners } from "@verbatim/core/services"
import { refuseUntil } from "../auth/KeyShare.ts"

/** Listeners do not leave soon. */
const retrySeconds = 5

/** Asks a listener to come back when others have left, or to another process that has room. */
export const refuseListener = ({ message, of }: Pick<TooManyListeners, "message" | "of">) =>
  refuseUntil({ message, seconds: retrySeconds, status: of === "process" ? 503 : 429 })
