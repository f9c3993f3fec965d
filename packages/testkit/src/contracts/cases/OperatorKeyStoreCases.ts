/** Contract cases for `OperatorKeyStore`. */
import { OperatorKeyStore } from "@verbatim/core/ports"
import { Effect, Option } from "effect"
import { apiKeyId, awkwardTexts, keyHash, later, operatorKey, upTo } from "../../samples/index.ts"
import { atOnce, type Contract, listCases } from "../Contract.ts"
import * as Expect from "../Expect.ts"

const found = (number: number) =>
  Effect.flatMap(OperatorKeyStore, (store) =>
    Effect.map(store.find(keyHash(number)), Option.getOrNull)
  )

export const contract: Contract<OperatorKeyStore> = {
  port: "OperatorKeyStore",
  cases: listCases(OperatorKeyStore, {
    *"holds no operator keys at first"(store) {
      yield* store.keys.pipe(Expect.gives("there are no keys", []))
      yield* found(1).pipe(Expect.gives("none is found", null))
    },
    *"adds an operator key once, unchanged, and refuses another key with the same hash"(store) {
      const key = { ...operatorKey(2), name: awkwardTexts.join(""), expiresAt: later(9) }
      yield* Expect.that("every call succeeds", yield* atOnce(upTo(8), () => store.add(key))).is(
        upTo(8).map(() => true)
      )
      const other = { ...operatorKey(3), hash: keyHash(2) }
      yield* store.add(other).pipe(Expect.gives("the hash is taken", false))
      yield* store.add(operatorKey(1)).pipe(Expect.gives("another hash is free", true))
      yield* found(2).pipe(Expect.gives("it is found by its hash", key))
      yield* store.keys.pipe(Expect.gives("they are listed, oldest first", [operatorKey(1), key]))
    },
    *"revokes an operator key permanently, as of the first call"(store) {
      yield* Effect.forEach([1, 2], (number) => store.add(operatorKey(number)))
      yield* Expect.that("an unknown one is reported", [
        yield* store.revoke(apiKeyId(1), later(5)),
        yield* store.revoke(apiKeyId(1), later(6)),
        yield* store.revoke(apiKeyId(3), later(5))
      ]).is([true, true, false])
      yield* Expect.that("it is not found, and the other one is", [
        yield* found(1),
        yield* found(2)
      ]).is([null, operatorKey(2)])
      yield* store.keys.pipe(
        Expect.gives("the list shows it with the first instant", [
          { ...operatorKey(1), revokedAt: later(5) },
          operatorKey(2)
        ])
      )
      yield* store.add(operatorKey(1)).pipe(Expect.gives("a repeat succeeds", true))
      yield* found(1).pipe(Expect.gives("the key stays revoked", null))
    },
    *"keeps the latest recorded use of an operator key"(store) {
      yield* Effect.forEach([1, 2], (number) => store.add(operatorKey(number)))
      yield* store.noteUse(apiKeyId(1), later(5))
      yield* store.noteUse(apiKeyId(1), later(3))
      yield* store.noteUse(apiKeyId(3), later(7))
      yield* store.keys.pipe(
        Expect.gives("it is recorded", [
          { ...operatorKey(1), lastUsedAt: later(5) },
          operatorKey(2)
        ])
      )
    }
  })
}
