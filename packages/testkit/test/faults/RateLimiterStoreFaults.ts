import { Effect } from "effect"
import { RateLimiter } from "effect/persistence"
import { plantFaults } from "./Fault.ts"

export const rateLimiterStoreFaults = plantFaults(RateLimiter.RateLimiterStore, {
  "gives no more than a bucket holds to many who ask at once, and no less": {
    "never refuses": ({ tokenBucket }) => ({
      tokenBucket: (options) =>
        Effect.map(tokenBucket(options), ([left, elapsed]) => [Math.max(0, left), elapsed] as const)
    })
  },
  "fills a bucket at its rate, and no further than it holds": {
    "never fills": () => {
      const taken = new Map<string, number>()
      return {
        tokenBucket: ({ key, limit, tokens }) =>
          Effect.sync(() => {
            const left = limit - (taken.get(key) ?? 0) - tokens
            if (left >= 0) taken.set(key, limit - left)
            return [left, 0] as const
          })
      }
    }
  },
  "takes nothing where there is not enough": {
    "takes what there is where there is not enough": ({ tokenBucket }) => ({
      tokenBucket: (options) => tokenBucket({ ...options, allowOverflow: true })
    })
  },
  "keeps each bucket by itself": {
    "has one bucket for all": ({ tokenBucket }) => ({
      tokenBucket: (options) => tokenBucket({ ...options, key: "" })
    })
  },
  "says how far the next token has come": {
    "forgets how far the next token has come": ({ tokenBucket }) => ({
      tokenBucket: (options) => Effect.map(tokenBucket(options), ([left]) => [left, 0] as const)
    })
  }
})
