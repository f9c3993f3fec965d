/** Injects faults into the processes and their database at random times. */
import { setTimeout as sleep } from "node:timers/promises"
import type { Database } from "./Database.ts"
import type { Dice } from "./Dice.ts"
import type { Fleet, Place } from "./Fleet.ts"

/** Pause between two kills, long enough for a process to start and claim work. */
export const killMillis = 1_500

/**
 * At most this share of the kills hits processes that are still starting. Without this limit, all
 * kills would hit such processes on a busy machine.
 */
const startShare = 0.15

/**
 * A worker is killed only if at least this many are running, so that another can take over.
 * Otherwise, no worker might run for minutes on a busy machine, where starting takes seconds.
 */
const upMin = 2

/**
 * A worker that is killed midway must have at least this much work left: more than a kill takes.
 */
const workMillisMin = 400

/** The first kill waits at most this long for a worker with enough work left. */
const workWaitMillis = 60_000

/** One worker permanently loses its database after this delay. */
const aloneMillis = 2_000

/**
 * A proxy stops forwarding for at most this long, which can be shorter or longer than a statement
 * timeout.
 */
const silenceMillisMax = 9_000

const workersOf = (fleet: Fleet): ReadonlyArray<Place> =>
  fleet.places.filter(({ role }) => role === "worker")

const upOf = (places: ReadonlyArray<Place>): ReadonlyArray<Place> =>
  places.filter(({ isUp }) => isUp)

/**
 * Waits for a worker whose task takes long enough to be interrupted. Returns undefined if there is
 * none within the time limit.
 */
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
 * Kills this many processes, workers more often than others. The first kill hits a busy worker,
 * because a run without lost work would prove nothing.
 */
export const killing = async (fleet: Fleet, { dice, kills }: { dice: Dice; kills: number }) => {
  for (let killed = 0; killed < kills; killed += 1) {
    await sleep(killMillis * (0.5 + dice.next()))
    // By now, all other processes are running or starting, and none of them is killed here.
    const busy = killed === 0 ? await busyWorker(fleet) : undefined
    while (busy === undefined && upOf(workersOf(fleet)).length < upMin) await sleep(50)
    const among = dice.chance(0.8) ? workersOf(fleet) : fleet.places
    const up = dice.chance(startShare) ? [] : upOf(among)
    const chosen = up.length > 0 ? up : among
    const victim = busy ?? chosen[dice.below(chosen.length)]
    if (victim !== undefined) await fleet.kill(victim)
  }
}

/** Pauses. Returns false if a signal ends the pause. */
const rested = (millis: number, signal: AbortSignal): Promise<boolean> =>
  sleep(millis, true, { signal }).catch(() => false)

/** Crashes and restarts Postgres repeatedly, and leaves it running. */
export const crashing = async (
  { crash, start }: Database,
  { everySeconds, signal }: { everySeconds: number; signal: AbortSignal }
): Promise<number> => {
  let crashes = 0
  if (everySeconds <= 0) return crashes
  if (crash === undefined || start === undefined) {
    throw new Error("only the run's own Postgres can be crashed: unset DATABASE_URL")
  }
  while (await rested(everySeconds * 1_000, signal)) {
    await crash()
    await start()
    crashes += 1
  }
  return crashes
}

/**
 * Makes the proxies to Postgres stop forwarding one after another, each for a few seconds. The
 * proxy of the first worker stops permanently, so that this worker runs without a database until it
 * is killed.
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
