/**
 * Runs the server as if it had already run for an hour. In its first hour, a server removes
 * nothing, and it looks for old jobs only every fifteen minutes.
 */
import "effect/schema/SchemaJITCompiler/enable"
import * as NodeRuntime from "@effect/platform-node/NodeRuntime"
import { Clock, Duration, Effect } from "effect"
import { run } from "../../packages/server/src/Program.ts"

/** The pause between two searches for old jobs. Only pauses of this length are shortened. */
const askMillis = Duration.toMillis(Duration.minutes(15))

const shortly = Duration.seconds(1)

const hourNanos = Duration.toNanosUnsafe(Duration.hours(1))

const hourAhead = (clock: Clock.Clock): Clock.Clock => {
  let ahead = 0n
  const now = () => clock.monotonicTimeNanosUnsafe() + ahead
  return {
    currentTimeMillisUnsafe: () => clock.currentTimeMillisUnsafe(),
    currentTimeMillis: clock.currentTimeMillis,
    currentTimeNanosUnsafe: () => clock.currentTimeNanosUnsafe(),
    currentTimeNanos: clock.currentTimeNanos,
    monotonicTimeNanosUnsafe: now,
    monotonicTimeNanos: Effect.sync(now),
    sleep: (duration) => {
      if (Duration.toMillis(duration) !== askMillis) return clock.sleep(duration)
      // The clock jumps forward by an hour, once. Everything that runs at intervals then behaves as
      // if that hour had passed.
      ahead = hourNanos
      return clock.sleep(shortly)
    }
  }
}

NodeRuntime.runMain(
  Clock.clockWith((clock) =>
    Effect.provideService(run(process.argv.slice(2)), Clock.Clock, hourAhead(clock))
  )
)
