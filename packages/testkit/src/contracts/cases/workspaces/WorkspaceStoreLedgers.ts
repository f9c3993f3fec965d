/**
 * The promises of a `WorkspaceStore` about balances: exact, and always the sum of the ledger.
 */
import { WorkspaceStore } from "@verbatim/core/ports"
import { Effect, Option } from "effect"
import { creditId, upTo, workspaceId } from "../../../samples/Ids.ts"
import { credit, foundingMillis, withWorkspace } from "../../../samples/SampleWorkspace.ts"
import { balances } from "../../../samples/Stored.ts"
import { atOnce, type Case } from "../../Contract.ts"
import * as Expect from "../../Expect.ts"

const more = (millis: number) => ({
  balance: foundingMillis + millis,
  sum: foundingMillis + millis
})

/** What credits do to the balance. */
export const ledgers: ReadonlyArray<Case<WorkspaceStore>> = [
  {
    title: "adds a credit to balance and ledger, and answers with the new balance",
    effect: withWorkspace(function* () {
      const store = yield* WorkspaceStore
      yield* Expect.that("the answers are the balances after each", {
        actual: yield* Effect.forEach(
          [credit(2, 60_000), credit(3, -100), credit(4, -foundingMillis - 60_000)],
          store.credit
        ),
        expected: [foundingMillis + 60_000, foundingMillis + 59_900, -100].map(Option.some)
      })
      yield* Expect.that("the ledger has a line for each, oldest first", {
        actual: (yield* store.ledger(workspaceId(1))).map(({ millis }) => millis),
        expected: [foundingMillis, 60_000, -100, -foundingMillis - 60_000]
      })
      yield* balances.pipe(Expect.gives("it sums to the balance", { balance: -100, sum: -100 }))
    })
  },
  {
    title: "counts a credit once for its id, even that of the founding",
    effect: withWorkspace(function* () {
      const store = yield* WorkspaceStore
      yield* Expect.that("repeats answer with the balance as it is", {
        actual: yield* Effect.forEach(
          [credit(2, 5), credit(2, 5), { ...credit(2, 7), id: creditId(1) }],
          store.credit
        ),
        expected: [5, 5, 5].map((millis) => Option.some(foundingMillis + millis))
      })
      yield* balances.pipe(Expect.gives("one counts", more(5)))
    })
  },
  {
    title: "counts a credit of each workspace under one id, once",
    effect: withWorkspace(function* () {
      const store = yield* WorkspaceStore
      const { workspace } = Option.getOrThrow(yield* store.account(workspaceId(1)))
      yield* store.create({ ...workspace, id: workspaceId(2) })
      const own = credit(2, 5)
      const other = { ...own, workspaceId: workspaceId(2), millis: 70 }
      yield* Expect.that("each has its own, however often and in which order they come", {
        actual: yield* Effect.forEach([own, other, own, other, own], store.credit),
        expected: [5, 70, 5, 70, 5].map((millis) =>
          Option.some(millis === 70 ? millis : foundingMillis + millis)
        )
      })
      const both = upTo(16).map((number) => ({
        ...(number % 2 === 0 ? own : other),
        id: creditId(3)
      }))
      yield* atOnce(both, store.credit)
      yield* balances.pipe(Expect.gives("one of many at once counts", more(10)))
      yield* Expect.that("and one of the other one's", {
        actual: (yield* store.ledger(workspaceId(2))).map(({ millis }) => millis),
        expected: [70, 70]
      })
    })
  },
  {
    title: "adds no credit to a workspace that does not exist",
    effect: withWorkspace(function* () {
      const store = yield* WorkspaceStore
      const stray = { ...credit(2, 5), workspaceId: workspaceId(2) }
      yield* store.credit(stray).pipe(Expect.gives("there is no balance", Option.none()))
      yield* store.ledger(workspaceId(2)).pipe(Expect.gives("there is no ledger", []))
      yield* Expect.that("its id is not spent", {
        actual: yield* store.credit(credit(2, 5)),
        expected: Option.some(foundingMillis + 5)
      })
    })
  },
  {
    title: "loses none of many credits at once",
    effect: withWorkspace(function* () {
      const store = yield* WorkspaceStore
      yield* atOnce(upTo(64), (number) => store.credit(credit(100 + number, number)))
      yield* balances.pipe(Expect.gives("all count", more((64 * 65) / 2)))
    })
  },
  {
    title: "counts one of many credits with one id at once",
    effect: withWorkspace(function* () {
      const store = yield* WorkspaceStore
      yield* atOnce(upTo(16), () => store.credit(credit(2, 1_000)))
      yield* balances.pipe(Expect.gives("one counts", more(1_000)))
    })
  },
  {
    title: "keeps large balances exact",
    effect: withWorkspace(function* () {
      const store = yield* WorkspaceStore
      // Beyond 32 bits and single precision, and odd.
      const millis = 4_503_599_627_370_495
      yield* Expect.that("the balance is exact", {
        actual: yield* store.credit(credit(2, millis)),
        expected: Option.some(foundingMillis + millis)
      })
      yield* balances.pipe(Expect.gives("so is the sum", more(millis)))
    })
  }
]
