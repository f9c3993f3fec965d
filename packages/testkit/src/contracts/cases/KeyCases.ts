/** Contract cases about keys, for workspaces' keys and for operator keys. */
import { OperatorKeyStore } from "@verbatim/core/ports"
import type { ApiKey, OperatorKey } from "@verbatim/core/workspace"
import { type DateTime, Effect, Option } from "effect"
import { apiKeyId, awkwardTexts, keyHash, later, operatorKey, upTo } from "../../samples/index.ts"
import { atOnce, type Cases, type Contract, listCases } from "../Contract.ts"
import * as Expect from "../Expect.ts"

type Calls<Answer, Port> = Effect.Effect<Answer, unknown, Port>

/** The store calls for one kind of key. The store already contains the first key. */
export interface KeyCalls<Key extends ApiKey | OperatorKey, Port> {
  /** The name of this kind of key in the titles, such as "a key". */
  readonly kind: string
  readonly make: (number: number) => Key
  readonly add: (key: Key) => Calls<boolean, Port>
  /** Finds the valid key with the hash for this number. */
  readonly find: (number: number) => Calls<Key | null, Port>
  readonly list: Calls<ReadonlyArray<Key>, Port>
  readonly revoke: (number: number, at: DateTime.Utc) => Calls<boolean, Port>
  readonly noteUse: (number: number, at: DateTime.Utc) => Calls<void, Port>
}

/** Creates the cases for one kind of key. */
export const keyCases = <Key extends ApiKey | OperatorKey, Port>({
  add,
  find,
  kind,
  list,
  make,
  noteUse,
  revoke
}: KeyCalls<Key, Port>): Cases<Port> => {
  const all: Readonly<Record<string, Effect.Effect<void, unknown, Port>>> = {
    [`adds ${kind} once, unchanged, and refuses another key with the same hash`]: Effect.gen(
      function* () {
        const key = { ...make(2), name: awkwardTexts.join(""), expiresAt: later(9) }
        const repeats = yield* atOnce(upTo(8), () => add(key))
        yield* Expect.holds("every call succeeds", repeats.every(Boolean))
        yield* add({ ...make(3), hash: keyHash(2) }).pipe(Expect.gives("the hash is taken", false))
        yield* find(2).pipe(Expect.gives("the key is found by its hash", key))
        yield* list.pipe(Expect.gives("keys are listed, oldest first", [make(1), key]))
        const rivals = yield* atOnce(upTo(8), (number) =>
          add({ ...make(10 + number), hash: keyHash(3) })
        )
        const winner = 10 + (yield* Expect.oneWins("one of many keys gets a hash", rivals))
        yield* find(3).pipe(
          Expect.gives("the key is the winner's", { ...make(winner), hash: keyHash(3) })
        )
      }
    ),
    [`revokes ${kind} permanently, and keeps the time of the first revocation`]: Effect.gen(
      function* () {
        yield* add(make(2))
        yield* Expect.that("an unknown one is reported", [
          yield* revoke(1, later(5)),
          yield* revoke(1, later(6)),
          yield* revoke(3, later(5))
        ]).is([true, true, false])
        yield* Expect.that("the revoked key is not found, and the other key is", [
          yield* find(1),
          yield* find(2)
        ]).is([null, make(2)])
        const revoked = { ...make(1), revokedAt: later(5) }
        yield* list.pipe(
          Expect.gives("the list shows it with the first instant", [revoked, make(2)])
        )
        yield* add(make(1)).pipe(Expect.gives("a repeat of its creation succeeds", true))
        yield* add({ ...make(3), hash: keyHash(1) }).pipe(
          Expect.gives("the revoked key's hash is taken", false)
        )
        yield* find(1).pipe(Expect.gives("the key stays revoked", null))
      }
    ),
    [`keeps the latest recorded time at which ${kind} was used`]: Effect.gen(function* () {
      yield* add(make(2))
      yield* noteUse(1, later(5))
      yield* noteUse(1, later(3))
      yield* noteUse(3, later(7))
      const used = { ...make(1), lastUsedAt: later(5) }
      yield* list.pipe(Expect.gives("the use is recorded", [used, make(2)]))
    })
  }
  return Object.entries(all).map(([title, effect]) => ({ title, effect }))
}

const find = (number: number) =>
  OperatorKeyStore.use((store) => Effect.map(store.find(keyHash(number)), Option.getOrNull))

const add = (key: OperatorKey) => OperatorKeyStore.use((store) => store.add(key))

const operatorKeys: KeyCalls<OperatorKey, OperatorKeyStore> = {
  kind: "an operator key",
  make: operatorKey,
  add,
  find,
  list: OperatorKeyStore.use((store) => store.keys),
  revoke: (number, at) => OperatorKeyStore.use((store) => store.revoke(apiKeyId(number), at)),
  noteUse: (number, at) => OperatorKeyStore.use((store) => store.noteUse(apiKeyId(number), at))
}

const emptyCases: Cases<OperatorKeyStore> = listCases(OperatorKeyStore, {
  *"contains no operator keys at first"(store) {
    yield* store.keys.pipe(Expect.gives("there are no keys", []))
    yield* find(1).pipe(Expect.gives("no key is found", null))
  }
})

const operatorCases: Cases<OperatorKeyStore> = keyCases(operatorKeys).map(({ effect, title }) => ({
  title,
  effect: Effect.andThen(add(operatorKey(1)), effect)
}))

export const contract: Contract<OperatorKeyStore> = {
  port: "OperatorKeyStore",
  cases: [...emptyCases, ...operatorCases]
}
