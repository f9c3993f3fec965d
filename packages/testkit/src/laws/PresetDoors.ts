/**
 * Ways to the presets of one database, and the services that writers use there.
 */
import { PresetStore } from "@verbatim/core/ports"
import { Presets } from "@verbatim/core/services"
import { Context, Effect, Layer } from "effect"
import { Digest, SecureRandom } from "effect/crypto"
import { upTo } from "../samples/Ids.ts"

type Store = PresetStore["Service"]

/** Ways to the presets of one database, such as connections. Writers take them in turn. */
export class Doors extends Context.Service<Doors, ReadonlyArray<Store>>()(
  "@verbatim/testkit/laws/Doors"
) {}

/** The only way, where there is one. */
export const oneDoor: Layer.Layer<Doors, never, PresetStore> = Layer.effect(
  Doors,
  Effect.map(PresetStore, (store) => [store])
)

/** A store that lets others go first: one that answers at once would let nobody in between. */
const hesitant = (store: Store): Store => ({
  ...store,
  append: (draft) => Effect.andThen(Effect.yieldNow, store.append(draft)),
  revise: (revision) => Effect.andThen(Effect.yieldNow, store.revise(revision)),
  find: (id, slug) => Effect.andThen(Effect.yieldNow, store.find(id, slug)),
  version: (id, number) => Effect.andThen(Effect.yieldNow, store.version(id, number))
})

/** Services at least: changes take turns in each, but not in several, as in several processes. */
const servicesMin = 3

/** The services, at the doors in turn. */
export const services = Effect.flatMap(Doors, (doors) =>
  Effect.forEach(upTo(Math.max(doors.length, servicesMin)), (number) => {
    const store = doors[number % doors.length]
    if (store === undefined) return Effect.die("no door")
    return Effect.map(
      Layer.build(
        Presets.layer.pipe(
          Layer.provide(Layer.succeed(PresetStore, hesitant(store))),
          Layer.provide([Digest.layerWebCrypto, SecureRandom.layerWebCrypto]),
          Layer.fresh
        )
      ),
      (context) => Context.get(context, Presets)
    )
  })
)
