import type { Stores } from "@verbatim/core/ports"
import { Effect } from "effect"
import { RateLimiter } from "effect/persistence"
import { type Fault, replacing } from "./Fault.ts"

const store = RateLimiter.RateLimiterStore

const exactly = "gives no more than a bucket holds to many who ask at once, and no less"

export const rateLimiterStoreFaults: ReadonlyArray<Fault<Stores>> = [
  {
    fault: "never refuses",
    foundBy: exactly,
    layer: replacing(store, ({ tokenBucket }) => ({
      tokenBucket: (options) =>
        Effect.map(tokenBucket(options), ([left, elapsed]) => [Math.max(0, left), elapsed] as const)
    }))
  },
  {
    fault: "never fills",
    foundBy: "fills a bucket at its rate, and no further than it holds",
    layer: replacing(store, () => {
      const taken = new Map<string, number>()
      return {
        tokenBucket: ({ key, limit, tokens }) =>
          Effect.sync(() => {
            const left = limit - (taken.get(key) ?? 0) - tokens
            if (left >= 0) taken.set(key, limit - left)
            return [left, 0] as const
          })
      }
    })
  },
  {
    fault: "takes what there is where there is not enough",
    foundBy: "takes nothing where there is not enough",
    layer: replacing(store, ({ tokenBucket }) => ({
      tokenBucket: (options) => tokenBucket({ ...options, allowOverflow: true })
    }))
  },
  {
    fault: "has one bucket for all",
    foundBy: "keeps each bucket by itself",
    layer: replacing(store, ({ tokenBucket }) => ({
      tokenBucket: (options) => tokenBucket({ ...options, key: "" })
    }))
  },
  {
    fault: "forgets how far the next token has come",
    foundBy: "says how far the next token has come",
    layer: replacing(store, ({ tokenBucket }) => ({
      tokenBucket: (options) => Effect.map(tokenBucket(options), ([left]) => [left, 0] as const)
    }))
  }
]
