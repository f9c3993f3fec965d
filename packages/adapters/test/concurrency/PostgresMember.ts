/**
 * Runs one process of the concurrency check on Postgres, where responses to the stores can get
 * lost.
 */
import { layer } from "@verbatim/adapters/postgres"
import { serve } from "@verbatim/testkit/concurrency"
import { Proxy } from "@verbatim/testkit/servers"
import { dice } from "@verbatim/testkit/simulation"
import { Effect, Layer, Redacted } from "effect"
import { applicationName, postgresFaults } from "./PostgresFaults.ts"

const {
  CHECK_MEMBER = "",
  CHECK_SCHEMA: schema = "",
  CHECK_SEED,
  CHECK_URL: url = ""
} = process.env

/**
 * The share of write statements whose response is lost, and the share of responses that are
 * delayed.
 */
const lossShare = 0.004
const delayShare = 0.01

const proxy = await Proxy.open(url, {
  dice: dice(Number(CHECK_SEED), `proxy ${CHECK_MEMBER}`),
  lossShare,
  delayShare
})
// At first, no responses are lost, because a process that cannot create its tables exits.
proxy.calm()

const stores = layer({ url: Redacted.make(proxy.url), schema, applicationName })

const all = Layer.merge(stores, postgresFaults({ url, schema, proxy }))

await serve(Layer.effectDiscard(Effect.sync(() => proxy.storm())).pipe(Layer.provideMerge(all)))
