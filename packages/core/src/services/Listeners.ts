/** How many listen to a process at the same time, of each workspace and of each key. */
import { Context, Effect, Schema, type Scope } from "effect"
import type { Principal } from "../domain/workspace/ApiKey.ts"
import { LimitOwner } from "../domain/workspace/Limits.ts"
import { coreMetrics } from "../metrics/CoreMetrics.ts"

/** How many may listen to a process at the same time. */
export interface ListenerLimits {
  /** Each costs some kilobytes, and a connection. */
  readonly all: number
  readonly workspace: number
  readonly key: number
}

/** The limits of this process. A workspace can take half of it, and one key half of that. */
export const ListenerLimits: Context.Reference<ListenerLimits> = Context.Reference(
  "@verbatim/core/services/ListenerLimits",
  { defaultValue: (): ListenerLimits => ({ all: 4_000, workspace: 2_000, key: 1_000 }) }
)

/** As many listen as may. */
export class TooManyListeners extends Schema.TaggedError<TooManyListeners>()("TooManyListeners", {
  of: Schema.Union([LimitOwner, Schema.Literal("process")])
}) {
  override get message(): string {
    return this.of === "process"
      ? "Too many listeners"
      : `Too many listeners of the ${this.of} at the same time`
  }
}

/** Those who listen. */
interface Listeners {
  readonly count: () => number
  /** Counts a listener until the scope ends; fails when its key, workspace or process is full. */
  readonly enter: (principal: Principal) => Effect.Effect<void, TooManyListeners, Scope.Scope>
}

/** Counts those who listen, of each workspace and of each key. */
export const makeListeners = (limits: ListenerLimits): Listeners => {
  const counts = new Map<string, number>()
  const countOf = (name: string): number => counts.get(name) ?? 0
  const add = (names: ReadonlyArray<string>, change: 1 | -1): void => {
    for (const name of names) {
      const count = countOf(name) + change
      if (count === 0) counts.delete(name)
      else counts.set(name, count)
    }
  }
  const findFull = ([, workspace = "", key]: ReadonlyArray<string>) => {
    if (countOf(everybody) >= limits.all) return "process" as const
    if (countOf(workspace) >= limits.workspace) return "workspace" as const
    return key !== undefined && countOf(key) >= limits.key ? ("key" as const) : undefined
  }
  const measure = Effect.suspend(() => coreMetrics.listeners.record({}, countOf(everybody)))
  return {
    count: () => countOf(everybody),
    enter: ({ keyId, workspaceId }: Principal) => {
      const names = [
        everybody,
        `workspace ${workspaceId}`,
        ...(keyId === undefined ? [] : [`key ${keyId}`])
      ]
      return Effect.acquireRelease(
        Effect.suspend(() => {
          const of = findFull(names)
          if (of !== undefined) return Effect.fail(new TooManyListeners({ of }))
          return Effect.andThen(
            Effect.sync(() => add(names, 1)),
            measure
          )
        }),
        () =>
          Effect.andThen(
            Effect.sync(() => add(names, -1)),
            measure
          )
      )
    }
  }
}

const everybody = "everybody"
