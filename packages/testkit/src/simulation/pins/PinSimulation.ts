/**
 * One run of the cache of pins: the real reader with many callers, over a network that fails, on a
 * machine whose clocks are set, that sleeps, and where the program dies. One seed decides it all.
 */
import { makePinReader, type PinLimits, type PinReader } from "@verbatim/resolution/pins"
import type { Violation } from "../audit/Violation.ts"
import { dice } from "../clock/Seed.ts"
import { makeAgenda } from "./Agenda.ts"
import { makeCallers } from "./Callers.ts"
import { type Life, makeMachine } from "./Machine.ts"
import { auditCalls, type Call } from "./PinAudit.ts"
import { drawMood } from "./PinMood.ts"
import { makeRegistry } from "./Registry.ts"
import { makeWire } from "./Wire.ts"

/** What came of a run. */
export interface PinOutcome {
  readonly seed: number
  readonly limits: PinLimits
  /** Empty when everything held. */
  readonly violations: ReadonlyArray<Violation>
  readonly calls: ReadonlyArray<Call>
  /** How often each thing happened. */
  readonly counts: Readonly<Record<string, number>>
}

const callCount = 80

/** After the trouble, the longest time in which an old answer is given at once. */
const calmMillis = 40_000

/** Calls after the trouble. */
const lateCalls = 20

/** Everything that a run consists of, before anything has happened. */
const makeWorld = (seed: number) => {
  const chance = dice(seed, "story")
  const mood = drawMood(chance)
  const limits: PinLimits = {
    maxAge: chance.pick(mood.ages),
    staleIfError: chance.pick(mood.graces),
    timeoutMillis: 5_000,
    referenceMax: chance.pick([1, 3, 100]),
    characterMax: chance.pick([30, 100_000])
  }
  const span = chance.pick(mood.spans)
  const agenda = makeAgenda(dice(seed, "agenda"))
  const registry = makeRegistry(dice(seed, "registry"), {
    now: agenda.now,
    isFickle: mood.isFickle
  })
  const machine = makeMachine(agenda)
  const wire = makeWire({
    ...{ dice: dice(seed, "wire"), agenda, machine, registry },
    ...{ timeoutMillis: limits.timeoutMillis, isSlow: mood.isSlow }
  })
  const counts: Record<string, number> = {}
  const count = (name: string) => {
    counts[name] = (counts[name] ?? 0) + 1
  }
  const calls: Array<Call> = []
  return {
    ...{ chance, mood, limits, span },
    ...{ agenda, registry, machine, wire, counts, count, calls }
  }
}

type World = ReturnType<typeof makeWorld>

/** The program: its lives, and those who call in them. */
const makeProgram = (world: World) => {
  const { agenda, calls, chance, count, limits, machine } = world
  const { mood, registry, span, wire } = world
  const mayForget = limits.referenceMax < registry.references.length || limits.characterMax < 100

  const end = (call: Call) => {
    calls.push(call)
    // Some programs do not survive an error.
    const dies = call.told._tag === "Gone" && agenda.now() < span && chance.chance(mood.deathChance)
    if (dies) agenda.after(chance.between(0, 30), restart)
  }
  const callers = makeCallers({ agenda, machine, mayForget, ended: end })

  const begin = (life: Life): PinReader => {
    return makePinReader({ source: wire.sourceOf(life), clock: life.clock, limits })
  }
  let reader = begin(machine.life())

  const call = () => {
    const life = machine.life()
    // Some references are wanted far more often.
    const reference = chance.pick(
      chance.chance(0.6) ? registry.references.slice(0, mood.favourites) : registry.references
    )
    const patience = chance.chance(0.2) ? chance.between(0, 3_000) : undefined
    machine.whenAwake(life, () => callers.call(life, reader, { reference, patience }))
  }

  /** Several call at once, or one. */
  const crowd = () => {
    for (let left = chance.pick([1, 1, 1, 5]); left > 0; left -= 1) call()
  }

  /** Many a machine sets its clock when it starts, and many starts have to do with an outage. */
  const restart = () => {
    count("restarts")
    machine.restart()
    if (chance.chance(0.4)) machine.setClock(chance.pick(mood.restartSteps))
    if (chance.chance(0.5)) wire.partition(20_000)
    reader = begin(machine.life())
    crowd()
  }

  return { crowd, restart, sleep: callers.sleep }
}

/** Puts everything that goes wrong on the agenda. */
const planTrouble = (world: World, program: ReturnType<typeof makeProgram>): void => {
  const { agenda, chance, count, machine, mood, registry, span, wire } = world
  const events: ReadonlyArray<readonly [name: string, times: number, happen: () => void]> = [
    ["changes of the registry", chance.between(0, mood.changeMax), registry.change],
    [
      "partitions",
      chance.between(0, 3),
      () => wire.partition(chance.pick([500, 20_000, 3_000_000]))
    ],
    ["sleeps", chance.between(0, mood.sleepMax), () => program.sleep(chance.pick(mood.sleeps))],
    [
      "steps of the wall clock",
      chance.between(0, mood.stepMax),
      () => machine.setClock(chance.pick(mood.steps))
    ],
    ["plain restarts", chance.between(0, mood.restartMax), program.restart]
  ]
  for (const [name, times, happen] of events) {
    for (let left = times; left > 0; left -= 1) {
      agenda.after(chance.between(0, span), () => {
        count(name)
        happen()
      })
    }
  }
}

/** Puts the calls on the agenda; gives the instant at which all trouble is over. */
const planCalls = ({ agenda, chance, span, wire }: World, crowd: () => void): number => {
  for (let left = callCount; left > 0; left -= 1) {
    // Callers come close after each other now and then.
    const at = chance.between(0, span)
    agenda.after(at, crowd)
    if (chance.chance(0.3)) agenda.after(at + chance.between(0, 1_000), crowd)
  }
  // A sleep that began at the end is over, and whatever was asked has come back.
  const healedAt = span + 6_000_000
  agenda.after(healedAt, () => {
    wire.heal()
  })
  const calmAt = healedAt + calmMillis
  for (let left = lateCalls; left > 0; left -= 1) {
    agenda.after(calmAt + chance.between(0, 5_000), crowd)
  }
  return calmAt
}

/** Runs one seed. */
export const runPins = async (seed: number): Promise<PinOutcome> => {
  const world = makeWorld(seed)
  const program = makeProgram(world)
  planTrouble(world, program)
  const calmAt = planCalls(world, program.crowd)
  await world.agenda.runUntil(calmAt + 20_000)

  const { calls, count, counts, limits, registry, wire } = world
  const { absences, faults } = wire
  const violations = auditCalls({ registry, limits, faults, absences, calls, calmAt })
  for (const { told } of calls) {
    count(told._tag === "Means" ? `told ${told.isStale ? "stale" : "young"}` : `told ${told._tag}`)
  }
  counts.questions = wire.questions()
  counts["questions that failed"] = faults.length
  return { seed, limits, violations, calls, counts }
}
