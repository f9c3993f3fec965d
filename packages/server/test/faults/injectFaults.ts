/** What happens to the processes and their database, at moments that dice decide. */
import { setTimeout as sleep } from "node:timers/promises"
import type { Database } from "./Database.ts"
import type { Dice } from "./Dice.ts"
import type { Fleet, Place } from "./Fleet.ts"

/** Between two kills: long enough for a process to come up and take something. */
export const killMillis = 1_500

/** Kills that may hit a process that starts. On a busy machine all would. */
const startShare = 0.15

/**
 * Workers that are up before one is killed: somebody is left who can take over. On a busy machine,
 * where a start takes seconds, there would be nobody for minutes.
 */
const upMin = 2

/** What is left to do for a worker that is killed in the middle of it: longer than a kill takes. */
const workMillisMin = 400

/** For that the first kill waits no longer. */
const workWaitMillis = 60_000

/** Before a worker loses its database for good. */
const aloneMillis = 2_000

/** A proxy is silent for this long: both shorter and longer than anybody waits for a statement. */
const silenceMillisMax = 9_000

const workersOf = (fleet: Fleet): ReadonlyArray<Place> =>
  fleet.places.filter(({ role }) => role === "worker")

const upOf = (places: ReadonlyArray<Place>): ReadonlyArray<Place> =>
  places.filter(({ isUp }) => isUp)

/** A worker in the middle of something; none when there is none for long. */
const busyWorker = async (fleet: Fleet): Promise<Place | undefined> => {
  const deadline = Date.now() + workWaitMillis
  while (Date.now() < deadline) {
    const enough = Date.now() + workMillisMin
    const busy = workersOf(fleet).find(({ worksUntil }) => worksUntil > enough)
    if (busy !== undefined) return busy
    await sleep(10)
  }
  return undefined
}

/**
 * Kills until it has killed enough; workers more than others. The first kill hits a worker in the
 * middle of something: a run in which nobody lost anything would prove nothing.
 */
export const killing = async (fleet: Fleet, { dice, kills }: { dice: Dice; kills: number }) => {
  for (let killed = 0; killed < kills; killed += 1) {
    await sleep(killMillis * (0.5 + dice.next()))
    // The others are at their first start, at the latest: nobody kills them meanwhile.
    const busy = killed === 0 ? await busyWorker(fleet) : undefined
    while (busy === undefined && upOf(workersOf(fleet)).length < upMin) await sleep(50)
    const among = dice.chance(0.8) ? workersOf(fleet) : fleet.places
    const up = dice.chance(startShare) ? [] : upOf(among)
    const chosen = up.length > 0 ? up : among
    const victim = busy ?? chosen[dice.below(chosen.length)]
    if (victim !== undefined) await fleet.kill(victim)
  }
}

/** A pause that a signal ends; then `false`. */
const rested = (millis: number, signal: AbortSignal): Promise<boolean> =>
  sleep(millis, true, { signal }).catch(() => false)

/** Ends Postgres as in a crash and starts it, again and again, and leaves it running. */
export const crashing = async (
  { crash, start }: Database,
  { everySeconds, signal }: { everySeconds: number; signal: AbortSignal }
): Promise<number> => {
  let crashes = 0
  if (everySeconds <= 0) return crashes
  if (crash === undefined || start === undefined) {
    throw new Error("only a Postgres of our own is made to crash: unset DATABASE_URL")
  }
  while (await rested(everySeconds * 1_000, signal)) {
    await crash()
    await start()
    crashes += 1
  }
  return crashes
}

/**
 * Silences the proxies to Postgres, one after the other, each for some seconds; that of the first
 * worker for good, so that its process runs without a database until somebody kills it.
 */
export const silencing = async (
  fleet: Fleet,
  { dice, signal }: { dice: Dice; signal: AbortSignal }
): Promise<void> => {
  const [lonely] = workersOf(fleet)
  const others = fleet.places.filter((place) => place !== lonely)
  if (!(await rested(aloneMillis, signal))) return
  while (lonely?.isUp === false) await sleep(100)
  lonely?.proxy?.silence()
  while (await rested(2_000 * dice.next(), signal)) {
    const { proxy } = others[dice.below(others.length)] ?? {}
    proxy?.silence()
    await rested(silenceMillisMax * dice.next() ** 2, signal)
    proxy?.resume()
  }
  for (const { proxy } of fleet.places) proxy?.calm()
}
