/**
 * The promises of a `WorkspaceStore` about balances: exact, and always the sum of the ledger.
 */
import type { LedgerLine } from "@verbatim/core/job"
import { WorkspaceStore } from "@verbatim/core/ports"
import { Effect, Option } from "effect"
import { creditId, upTo, workspaceId } from "../../../samples/Ids.ts"
import {
  credit,
  foundingMillis,
  instant,
  later,
  workspace
} from "../../../samples/SampleWorkspace.ts"
import { balances, readLedger } from "../../../samples/Stored.ts"
import { atOnce, type Case, workspaceCases } from "../../Contract.ts"
import * as Expect from "../../Expect.ts"

const more = (millis: number) => ({
  balance: foundingMillis + millis,
  sum: foundingMillis + millis
})

const addSecond = Effect.flatMap(WorkspaceStore, (store) => store.create(workspace(2)))

/** A line of a credit. */
const line = (number: number, millis: number, at = instant) => ({
  at,
  millis,
  reason: { _tag: "Credit" as const, creditId: creditId(number) }
})

/** Reads a ledger in pages of a size, and books a credit of each of two workspaces after each. */
const readWhileBooking = Effect.fnUntraced(function* (
  limit: number,
  first: number
): Effect.fn.Return<ReadonlyArray<LedgerLine>, unknown, WorkspaceStore> {
  const store = yield* WorkspaceStore
  const pages: Array<ReadonlyArray<LedgerLine>> = []
  for (let before: number | null = null; ; ) {
    const page: ReadonlyArray<LedgerLine> = yield* store.ledger({
      workspaceId: workspaceId(1),
      before,
      limit
    })
    pages.push(page)
    const number = first + pages.length
    yield* store.credit(credit(number, 7))
    yield* store.credit({ ...credit(number, 9), workspaceId: workspaceId(2) })
    // A store that repeats itself would go on for ever.
    if (page.length < limit || pages.length > 50) return pages.flat()
    before = page.at(-1)?.place ?? null
  }
})

/** What credits do to the balance. */
export const ledgers: ReadonlyArray<Case<WorkspaceStore>> = workspaceCases(WorkspaceStore, {
  *"adds a credit to balance and ledger, and answers with the new balance"(store) {
    yield* Expect.that(
      "the answers are the balances after each",
      yield* Effect.forEach(
        [credit(2, 60_000), credit(3, -100), credit(4, -foundingMillis - 60_000)],
        store.credit
      )
    ).is([foundingMillis + 60_000, foundingMillis + 59_900, -100].map(Option.some))
    yield* Expect.that(
      "the ledger has a line for each, oldest first",
      (yield* readLedger(store, workspaceId(1))).map(({ millis }) => millis)
    ).is([foundingMillis, 60_000, -100, -foundingMillis - 60_000])
    yield* balances.pipe(Expect.gives("it sums to the balance", { balance: -100, sum: -100 }))
  },
  *"tells what each line is, the last booked first, whatever instant it bears"(store) {
    yield* addSecond
    yield* store.credit({ ...credit(2, 5), at: later(2_000) })
    yield* store.credit({ ...credit(2, 70), workspaceId: workspaceId(2) })
    yield* store.credit({ ...credit(3, -9), at: later(1_000) })
    const lines = (id: number, limit: number) =>
      Effect.map(store.ledger({ workspaceId: workspaceId(id), before: null, limit }), (all) =>
        all.map(({ place: _, ...told }) => told)
      )
    const newest = [line(3, -9, later(1_000)), line(2, 5, later(2_000))]
    yield* lines(1, 2).pipe(Expect.gives("the newest two", newest))
    yield* lines(1, 4).pipe(Expect.gives("all of them", [...newest, line(1, foundingMillis)]))
    yield* lines(2, 4).pipe(Expect.gives("the other one's, by the id it gave", [line(2, 70)]))
  },
  *"pages a ledger, each line once, whatever is booked meanwhile"(store) {
    yield* addSecond
    for (const number of upTo(7)) {
      yield* store.credit(credit(1 + number, number))
      yield* store.credit({ ...credit(1 + number, 100), workspaceId: workspaceId(2) })
    }
    for (const limit of [1, 2, 3, 100]) {
      const all = yield* store.ledger({ workspaceId: workspaceId(1), before: null, limit: 100 })
      yield* readWhileBooking(limit, limit * 1_000).pipe(
        Expect.gives(`all that was there, ${limit} at a time`, all)
      )
    }
  },
  *"counts a credit once for its id, even that of the founding"(store) {
    yield* Expect.that(
      "repeats answer with the balance as it is",
      yield* Effect.forEach(
        [credit(2, 5), credit(2, 5), { ...credit(2, 7), id: creditId(1) }],
        store.credit
      )
    ).is([5, 5, 5].map((millis) => Option.some(foundingMillis + millis)))
    yield* balances.pipe(Expect.gives("one counts", more(5)))
  },
  *"counts a credit of each workspace under one id, once"(store) {
    yield* addSecond
    const own = credit(2, 5)
    const other = { ...own, workspaceId: workspaceId(2), millis: 70 }
    yield* Expect.that(
      "each has its own, however often and in which order they come",
      yield* Effect.forEach([own, other, own, other, own], store.credit)
    ).is(
      [5, 70, 5, 70, 5].map((millis) =>
        Option.some(millis === 70 ? millis : foundingMillis + millis)
      )
    )
    const both = upTo(16).map((number) => ({
      ...(number % 2 === 0 ? own : other),
      id: creditId(3)
    }))
    yield* atOnce(both, store.credit)
    yield* balances.pipe(Expect.gives("one of many at once counts", more(10)))
    yield* Expect.that(
      "and one of the other one's",
      (yield* readLedger(store, workspaceId(2))).map(({ millis }) => millis)
    ).is([70, 70])
  },
  *"adds no credit to a workspace that does not exist"(store) {
    const stray = { ...credit(2, 5), workspaceId: workspaceId(2) }
    yield* store.credit(stray).pipe(Expect.gives("there is no balance", Option.none()))
    yield* readLedger(store, workspaceId(2)).pipe(Expect.gives("there is no ledger", []))
    yield* Expect.that("its id is not spent", yield* store.credit(credit(2, 5))).is(
      Option.some(foundingMillis + 5)
    )
  },
  *"loses none of many credits at once"(store) {
    yield* atOnce(upTo(64), (number) => store.credit(credit(100 + number, number)))
    yield* balances.pipe(Expect.gives("all count", more((64 * 65) / 2)))
  },
  *"counts one of many credits with one id at once"(store) {
    yield* atOnce(upTo(16), () => store.credit(credit(2, 1_000)))
    yield* balances.pipe(Expect.gives("one counts", more(1_000)))
  },
  *"keeps large balances exact"(store) {
    // Beyond 32 bits and single precision, and odd.
    const millis = 4_503_599_627_370_495
    yield* Expect.that("the balance is exact", yield* store.credit(credit(2, millis))).is(
      Option.some(foundingMillis + millis)
    )
    yield* balances.pipe(Expect.gives("so is the sum", more(millis)))
  }
})
