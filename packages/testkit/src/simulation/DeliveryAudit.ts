/**
 * What receivers may get: at most three requests for a job, at least 60 seconds apart, with the
 * same bytes under one `webhook-id`; and DELIVERED is said only when one was answered with 2xx.
 */
import type { Violation } from "./Auditor.ts"
import { type Fact, type FactOf, factsOf } from "./Facts.ts"
import { mentions } from "./Recording.ts"

const attemptMax = 3
const gapMillis = 60_000

type Receipt = FactOf<"Received">

const isGood = ({ status }: Receipt): boolean => status !== null && status >= 200 && status < 300

/** Receipts that came too soon after the one before. A frozen sender's clock check was outdated. */
const hasty = (receipts: ReadonlyArray<Receipt>): ReadonlyArray<string> =>
  receipts.flatMap((receipt, index) => {
    const last = receipts[index - 1]
    if (last === undefined || receipt.wasFrozen || last.wasFrozen) return []
    const gap = receipt.at - last.at
    return gap >= gapMillis ? [] : [`request ${index + 1} came ${gap} ms after the one before`]
  })

const auditMarker = (
  marker: string,
  { receipts, wantsOne }: { readonly receipts: ReadonlyArray<Receipt>; readonly wantsOne: boolean }
): ReadonlyArray<Violation> => {
  const ids = new Set(receipts.map(({ webhookId }) => webhookId))
  const bodies = new Set(receipts.map(({ body }) => body))
  const strange = receipts.flatMap(({ body }) => mentions(body)).find((each) => each !== marker)
  const broken: ReadonlyArray<readonly [string, string | undefined]> = [
    [
      "at most three requests are sent",
      receipts.length > attemptMax ? `${receipts.length} came` : undefined
    ],
    ["requests are at least 60 seconds apart", hasty(receipts)[0]],
    ["every attempt has the same webhook-id", ids.size > 1 ? `${[...ids].join(", ")}` : undefined],
    ["every attempt has the same bytes", bodies.size > 1 ? [...bodies].join("\n") : undefined],
    ["a webhook tells of its own job", strange === undefined ? undefined : `it told of ${strange}`],
    ["only who asked for a webhook gets one", wantsOne ? undefined : "nobody asked for it"]
  ]
  return broken.flatMap(([rule, what]) =>
    what === undefined ? [] : [{ rule, what: `${marker}: ${what}` }]
  )
}

/** The rules about webhooks. */
export const auditDeliveries = (facts: ReadonlyArray<Fact>): ReadonlyArray<Violation> => {
  const receipts = Map.groupBy(
    factsOf(facts, "Received").toSorted((a, b) => a.at - b.at),
    ({ marker }) => marker
  )
  const wanted = new Set(
    factsOf(facts, "Submitted").flatMap(({ submission }) =>
      submission.hasCallback ? [submission.marker] : []
    )
  )
  const markers = new Map(factsOf(facts, "Accepted").map(({ id, marker }) => [id, marker]))
  const untrue = factsOf(facts, "Looked").flatMap(({ endedAt, id, seen }) => {
    if (seen === "NotFound" || seen.webhook !== "DELIVERED") return []
    const got = receipts.get(markers.get(id) ?? "") ?? []
    const isTrue = got.some((receipt) => isGood(receipt) && receipt.at <= endedAt)
    const rule = "DELIVERED means that a receiver got it and answered 2xx"
    return isTrue ? [] : [{ rule, what: `${markers.get(id)} (${id})` }]
  })
  return [
    ...[...receipts].flatMap(([marker, got]) =>
      auditMarker(marker, { receipts: got, wantsOne: wanted.has(marker) })
    ),
    ...untrue.slice(0, 1)
  ]
}
