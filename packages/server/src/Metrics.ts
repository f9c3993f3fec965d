/**
 * Whether and to whom this process tells its metrics: nobody by default, because what a business
 * does is in them, though nothing of a tenant is.
 */
import { Config, Effect, Option, type Redacted } from "effect"
import { flag, secretOf } from "./settings/Setting.ts"

/** Who may read. */
export interface MetricsConfiguration {
  /** Otherwise there is no such route. */
  readonly isOn: boolean
  /** What a reader sends as a bearer token; none where everybody may read who gets through. */
  readonly token: Option.Option<Redacted.Redacted>
}

/** Enough not to be guessed, and no longer than any header takes. */
const tokenText = /^[!-~]{16,512}$/

/** `VERBATIM_METRICS` and `VERBATIM_METRICS_TOKEN`. */
export const metricsConfiguration: Config.Config<MetricsConfiguration> = Config.all({
  isOn: flag("METRICS"),
  token: secretOf("METRICS_TOKEN", (text) => tokenText.test(text)).pipe(Config.option)
})

/** Addresses that only this machine reaches. */
const ownAddress = /^(?:localhost|127\.\d+\.\d+\.\d+|::1)$/

const openMetrics =
  "GET /metrics answers every caller who reaches this address: set VERBATIM_METRICS_TOKEN, or " +
  "keep the path from others at the proxy"

/** Warns of metrics that every caller may read, unless only this machine can call. */
export const warnOfOpen = (
  { isOn, token }: MetricsConfiguration,
  host: string
): Effect.Effect<void> =>
  isOn && Option.isNone(token) && !ownAddress.test(host)
    ? Effect.logWarning(openMetrics)
    : Effect.void
