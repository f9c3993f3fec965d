/** A plausible `MediaStore` in a temporary folder, with switches for common mistakes. */
import { setTimeout } from "node:timers/promises"
import { NodeFileSystem } from "@effect/platform-node"
import { MediaStore, MediaStoreError } from "@verbatim/core/ports"
import { type MediaKey, makeMediaKey } from "@verbatim/core/transcription"
import { Clock, Duration, Effect, FileSystem, Layer, Option, Record, Ref, Stream } from "effect"
import { jobId } from "#src/samples/Ids"
import { listFaults } from "./Fault.ts"

interface Habits {
  /** Whether content is written elsewhere and moved to its place when it is whole. */
  readonly isStaged: boolean
  /** Who else writes to the same place until the content is whole. */
  readonly stagedWith: "nobody" | "writers of the key" | "everybody"
  /** Whether a content that fails leaves the one under its key alone. */
  readonly isKeyLeft: boolean
  /** Whether the whole content waits in memory until it is written. */
  readonly isCollected: boolean
  /** Whether an opened file was read into memory as a whole. */
  readonly isReadWhole: boolean
  readonly limitSlack: number
  readonly isReplaced: boolean
  readonly isFirstInstantKept: boolean
  readonly isLinked: boolean
  /** Whether content that was moved to its place is removed again when nobody waits any more. */
  readonly isTakenBack: boolean
  /** What a second marker does to the first. */
  readonly secondMarker: "stays away" | "replaces it" | "is believed"
  /** Whether the first marker stays, also where it is to be replaced. */
  readonly isMarkerFixed: boolean
  /** Whether the marker looks like content. */
  readonly isMarkerListed: boolean
  /** How long the last step takes. */
  readonly lastStepMillis: number
}

const careful: Habits = {
  isStaged: true,
  stagedWith: "nobody",
  isKeyLeft: true,
  isCollected: false,
  isReadWhole: false,
  limitSlack: 0,
  isReplaced: true,
  isFirstInstantKept: false,
  isLinked: true,
  isTakenBack: true,
  secondMarker: "stays away",
  isMarkerFixed: false,
  isMarkerListed: false,
  lastStepMillis: 0
}

const markerKey = makeMediaKey({ jobId: jobId(99), attempt: 0, extension: ".marker" })

const fail = (operation: string, reason: MediaStoreError["reason"]) =>
  new MediaStoreError({ operation, reason })

const storeWith = (habits: Habits) =>
  Effect.gen(function* () {
    const files = yield* FileSystem.FileSystem
    const folder = yield* Effect.orDie(files.makeTempDirectoryScoped())
    const stored = yield* Ref.make<ReadonlyMap<MediaKey, number>>(new Map())
    const serial = yield* Ref.make(0)
    const marker = yield* Ref.make(Option.none<string>())
    const pathOf = (key: MediaKey) => `${folder}/${key.replace("/", "_")}`
    const newPath = Effect.map(
      Ref.updateAndGet(serial, (number) => number + 1),
      (number) => `${folder}/new_${number}`
    )
    const stagedPath = (key: MediaKey) => {
      if (!habits.isStaged) return Effect.succeed(pathOf(key))
      if (habits.stagedWith === "nobody") return newPath
      const shared = habits.stagedWith === "everybody" ? "all" : key.replace("/", "_")
      return Effect.succeed(`${folder}/staged_${shared}`)
    }

    const remove = (key: MediaKey) =>
      Effect.andThen(
        Effect.orDie(files.remove(pathOf(key), { force: true })),
        Ref.update(stored, (keys) => new Map([...keys].filter(([each]) => each !== key)))
      )

    const put = Effect.fnUntraced(function* <E, R>(request: {
      readonly key: MediaKey
      readonly content: Stream.Stream<Uint8Array, E, R>
      readonly byteMax: number
    }) {
      const { byteMax, content, key } = request
      const isThere = (yield* Ref.get(stored)).has(key)
      const to = yield* stagedPath(key)
      let length = 0
      const collected: Array<Uint8Array> = []
      const append = (chunk: Uint8Array) => Effect.orDie(files.writeFile(to, chunk, { flag: "a" }))
      const write = Stream.runForEach(content, (chunk) =>
        Effect.gen(function* () {
          length += chunk.byteLength
          if (length > byteMax + habits.limitSlack) return yield* fail("put", { _tag: "TooLarge" })
          if (habits.isCollected) collected.push(chunk)
          else yield* append(chunk)
        })
      ).pipe(Effect.andThen(Effect.forEach(collected, append, { discard: true })))
      yield* Effect.orDie(files.writeFile(to, new Uint8Array()))
      const discard = Effect.andThen(
        habits.isStaged ? Effect.ignore(files.remove(to)) : Effect.void,
        habits.isKeyLeft ? Effect.void : remove(key)
      )
      yield* Effect.onError(write, () => discard)
      const publish = Effect.gen(function* () {
        if (habits.isStaged && (habits.isReplaced || !isThere)) {
          yield* Effect.mapError(files.rename(to, pathOf(key)), (cause) =>
            fail("put", { _tag: "Unavailable", cause })
          )
        }
        yield* Effect.promise(() => setTimeout(habits.lastStepMillis))
        const now = yield* Clock.currentTimeMillis
        yield* Ref.update(stored, (keys) => {
          const first = habits.isFirstInstantKept ? keys.get(key) : undefined
          return new Map(keys).set(key, first ?? now)
        })
      })
      yield* Effect.onInterrupt(Effect.uninterruptible(publish), () =>
        habits.isTakenBack ? remove(key) : Effect.void
      )
      return length
    })

    return MediaStore.of({
      put,
      open: Effect.fnUntraced(function* (key) {
        const from = pathOf(key)
        const isThere = yield* Effect.orDie(files.exists(from))
        if (!isThere) return yield* fail("open", { _tag: "Missing" })
        const path = habits.isLinked ? yield* newPath : from
        if (habits.isReadWhole) {
          const bytes = yield* Effect.orDie(files.readFile(from))
          yield* Effect.orDie(files.writeFile(path, bytes))
        } else if (habits.isLinked) yield* Effect.orDie(files.link(from, path))
        const { size } = yield* Effect.orDie(files.stat(path))
        return { path, extension: key.slice(key.lastIndexOf(".")), byteLength: Number(size) }
      }),
      read: Effect.fnUntraced(function* ({ from, key, to }) {
        const isThere = yield* Effect.orDie(files.exists(pathOf(key)))
        if (!isThere) return yield* fail("read", { _tag: "Missing" })
        const bytes = yield* Effect.orDie(files.readFile(pathOf(key)))
        return Stream.make(bytes.slice(from, to))
      }),
      remove,
      olderThan: (age) =>
        Stream.unwrap(
          Effect.gen(function* () {
            const limit = (yield* Clock.currentTimeMillis) - Duration.toMillis(age)
            const keys = [...(yield* Ref.get(stored))]
            return Stream.fromIterable(keys.flatMap(([key, at]) => (at < limit ? [key] : [])))
          })
        ),
      marker: Ref.get(marker),
      mark: Effect.fnUntraced(function* (text, options) {
        const first = yield* Ref.get(marker)
        const isReplacing = options?.isReplacing === true && !habits.isMarkerFixed
        if (Option.isNone(first) || isReplacing || habits.secondMarker === "replaces it") {
          yield* Ref.set(marker, Option.some(text))
        }
        if (habits.isMarkerListed)
          yield* Ref.update(stored, (keys) => new Map(keys).set(markerKey, 0))
        return habits.secondMarker === "is believed"
          ? text
          : Option.getOrThrow(yield* Ref.get(marker))
      })
    })
  })

const layerWith = (habits: Partial<Habits>) =>
  Layer.effect(MediaStore, storeWith({ ...careful, ...habits })).pipe(
    Layer.provideMerge(NodeFileSystem.layer)
  )

/** The same without faults. */
export const soundMediaStore = layerWith({})

/** Wrong habits by the case that finds them, each with what a reader of the adapter would say. */
const wrongHabits: Readonly<Record<string, Partial<Habits>>> = {
  // Writes in place, so that readers see a part.
  "shows nothing before the last byte, and keeps nothing when it is interrupted": {
    isStaged: false
  },
  // Leaves the beginning of a content in the place of the old one.
  "keeps the old content or none when the one that replaces it fails": { isStaged: false },
  // Keeps a replacement that was interrupted in its last step.
  "keeps the old content or none when a replacement is interrupted, whenever that is": {
    isTakenBack: false,
    lastStepMillis: 20
  },
  // Writes contents of one key under one temporary name.
  "keeps one whole content of those that writers of one key store in turns": {
    stagedWith: "writers of the key"
  },
  // Writes all contents under one temporary name.
  "keeps apart what writers of different keys store in turns": { stagedWith: "everybody" },
  // Clears a key when a content fails, whoever stored what is there.
  "keeps a content while another of its key fails before its end": { isKeyLeft: false },
  // Collects a content in memory before it writes.
  "stores and opens 160 MB without holding them in memory": { isCollected: true },
  // Lets the last marker win.
  "keeps its first marker, whoever else marks it": { secondMarker: "replaces it" },
  // Keeps the first marker for ever.
  "replaces its marker where that is wanted, and keeps the new one": { isMarkerFixed: true },
  // Lists its marker among the content.
  "keeps its marker apart from the content": { isMarkerListed: true },
  // Takes one byte too many.
  "takes content up to the limit and refuses one byte more, keeping nothing": { limitSlack: 1 },
  // Keeps the first content of a key.
  "replaces the content of a key": { isReplaced: false },
  // Counts the age from the first time.
  "counts the age from the last time a key was stored": { isFirstInstantKept: true },
  // Hands out the file that the next content replaces.
  "leaves an opened file as it is while its key is replaced and removed": { isLinked: false }
}

export const mediaStoreFaults = listFaults(Record.map(wrongHabits, layerWith))
