/**
 * Audits recordings recognised in pieces. A piece is recognised again only if its result was lost,
 * and a result is reused only for the same audio and settings. The history and the transcript show
 * each piece once.
 */
import {
  type CountedPiece,
  type Fact,
  type FactOf,
  factsOf,
  toViolations,
  type Violation
} from "../record/Facts.ts"
import { cut, sentencesOf, toLines } from "../world/Speech.ts"

const again = "a piece is recognised again only if its result was lost"
const unneeded = "a piece that the workspace has stored is not recognised again"
const reuse = "a result is reused only in its workspace, for equal audio and settings"
const slots = "a process recognises only as many pieces at once as it has slots"
const once = "the history of a job has each piece once, readable in order"
const undisturbed = "the transcript of a job does not depend on interruptions"

/** An engine's attempt to recognise the pieces of a recording. */
interface Work {
  readonly began: FactOf<"PiecesBegan">
  /** Everything that determines a piece's result, except the piece's index. */
  readonly key: string
  readonly place: number
  readonly heard: Set<number>
  readonly stored: Set<number>
}

/** A piece stored with a job. */
interface Stored {
  readonly id: string
  readonly workspaceId: string
  readonly piece: string
  readonly place: number
}

/** The state of a run after some of its facts. */
interface State {
  readonly rules: FactOf<"PieceRules">
  readonly works: Map<number, Work>
  /** The latest attempt at each job, according to the stores. */
  readonly attempts: Map<string, number>
  /** The stored pieces, keyed by job and index. */
  readonly stored: Map<string, Stored>
  /** All pieces ever stored, each identified once with its workspace and once with its job. */
  readonly everStored: Set<string>
  readonly workspaces: ReadonlyMap<string, string>
  /** The attempts that produced the transcripts of jobs. */
  readonly authors: Map<string, Work | undefined>
  /** The engine's answer for each piece. */
  readonly answers: Map<string, FactOf<"PieceHeard">>
}

const pieceOf = ({ key }: Work, index: number): string => `${key} ${index}`

const auditHeard = (state: State, fact: FactOf<"PieceHeard">): ReadonlyArray<Violation> => {
  const { atOnce, index } = fact
  const work = state.works.get(fact.attempt)
  if (work === undefined) return []
  const { began, heard, place } = work
  const piece = pieceOf(work, index)
  state.answers.set(piece, fact)
  const isTwice = heard.has(index)
  heard.add(index)
  // After losing its lease, an attempt cannot know which pieces others have stored.
  const own = state.stored.get(`${began.id} ${index}`)
  const isKept = own?.piece === piece && state.attempts.get(began.id) === began.attempt
  const isShared = state.rules.areReused && began.recording.hearing !== "context"
  const workspaceId = state.workspaces.get(began.id)
  const other = [...state.stored.values()].find(
    (each) => each.piece === piece && each.workspaceId === workspaceId && each.place < place
  )
  return toViolations(`${began.by} hears piece ${index} of ${began.id}`, [
    [slots, atOnce > state.rules.atOnce ? `as ${atOnce}.` : undefined],
    [again, isTwice ? "twice in one attempt" : undefined],
    [again, isKept ? "although it is stored" : undefined],
    [unneeded, isShared && other ? `although it is stored with ${other.id}` : undefined]
  ])
}

const auditStored = (
  state: State,
  fact: FactOf<"PieceStored">,
  place: number
): ReadonlyArray<Violation> => {
  const { id, index, isReused, workspaceId } = fact
  const work = state.works.get(fact.attempt)
  const what = `piece ${index} of ${id}`
  if (work === undefined) return [{ rule: reuse, what: `${what} is stored by no engine` }]
  const { areReused } = state.rules
  const isShared = areReused && work.began.recording.hearing !== "context"
  const piece = pieceOf(work, index)
  const isKnown = state.everStored.has(`${isShared ? workspaceId : id} ${piece}`)
  work.stored.add(index)
  state.stored.set(`${id} ${index}`, { id, workspaceId, piece, place })
  state.everStored.add(`${workspaceId} ${piece}`).add(`${id} ${piece}`)
  if (isReused) return isKnown ? [] : [{ rule: reuse, what: `${what} was never recognised` }]
  return work.heard.has(index) ? [] : [{ rule: reuse, what: `${what} was not heard` }]
}

/** An attempt loses at most the pieces that were in progress when it ended. */
const auditLost = ({ rules, works }: State): ReadonlyArray<Violation> =>
  [...works.values()].flatMap(({ began, heard, stored }) => {
    const lost = [...heard].filter((index) => !stored.has(index)).length
    const what = `${began.by} heard ${lost} pieces of ${began.id} that were never stored`
    return lost > rules.atOnce ? [{ rule: again, what }] : []
  })

/** Returns what an undisturbed engine recognises in a recording. */
const whatIsSaid = ({ answers }: State, work: Work) => {
  const { language, recording } = work.began
  let count = 0
  const lines = cut(recording).flatMap(({ startMillis }, index) => {
    const before = recording.hearing === "context" ? count : null
    const answer = answers.get(pieceOf(work, index))
    const sentences = sentencesOf(recording, { before, index, language })
    const said = sentences.slice(0, answer?.sentences ?? 0)
    count += said.length
    return said.map((each) => ({
      ...each,
      startMillis: startMillis + each.startMillis,
      endMillis: startMillis + each.endMillis
    }))
  })
  const detected = answers.get(pieceOf(work, 0))?.language ?? ""
  return { language: language ?? detected, said: toLines(lines) }
}

/** Returns the pieces that were counted for the last plan. */
const lastPlan = (counted: ReadonlyArray<CountedPiece>): ReadonlyArray<CountedPiece> => {
  const plan = counted.at(-1)?.plan
  return counted.slice(counted.findLastIndex((each) => each.plan !== plan) + 1)
}

/** Explains what is wrong with the counted pieces of a recording. */
const findMiscount = (counted: ReadonlyArray<CountedPiece>, count: number) => {
  const indexes = counted.map(({ index }) => index).toSorted((one, other) => one - other)
  let ready = 0
  for (const { readyFrom, readyTo } of counted) {
    if (readyFrom !== ready || readyTo < readyFrom) return `${readyFrom} is read after ${ready}`
    ready = readyTo
  }
  const isComplete = indexes.length === count && indexes.every((each, place) => each === place)
  return isComplete && ready === count ? undefined : `${indexes.join()}, of which ${ready} are read`
}

const auditRead = (
  state: State,
  { counted, id, transcript }: FactOf<"PiecesRead">
): ReadonlyArray<Violation> => {
  const work = state.authors.get(id)
  if (work === undefined) return []
  const miscount = findMiscount(lastPlan(counted), cut(work.began.recording).length)
  const wanted = whatIsSaid(state, work)
  const isSame = transcript?.language === wanted.language && transcript.said === wanted.said
  const what = `${JSON.stringify(transcript)}, not ${JSON.stringify(wanted)}`
  return toViolations(id, [
    [once, miscount],
    [undisturbed, transcript === null || isSame ? undefined : what]
  ])
}

const makeState = (facts: ReadonlyArray<Fact>): State => ({
  rules: factsOf(facts, "PieceRules")[0] ?? { _tag: "PieceRules", atOnce: 1, areReused: true },
  works: new Map(),
  attempts: new Map(),
  stored: new Map(),
  everStored: new Set(),
  answers: new Map(),
  authors: new Map(),
  workspaces: new Map(factsOf(facts, "Created").map(({ id, workspaceId }) => [id, workspaceId]))
})

/** Applies a fact to the state, and returns the violations that the fact shows. */
const auditFact = (state: State, fact: Fact, place: number): ReadonlyArray<Violation> => {
  if (fact._tag === "PieceHeard") return auditHeard(state, fact)
  if (fact._tag === "PieceStored") return auditStored(state, fact, place)
  if (fact._tag === "PiecesRead") return auditRead(state, fact)
  if (fact._tag === "AttemptBegan") state.attempts.set(fact.id, fact.attempt)
  if (fact._tag === "Transcribed") state.authors.set(fact.id, state.works.get(fact.attempt))
  if (fact._tag === "PiecesBegan") {
    const key = JSON.stringify([fact.recording, fact.language])
    const sets = { heard: new Set<number>(), stored: new Set<number>() }
    state.works.set(fact.attempt, { began: fact, key, place, ...sets })
  }
  if (fact._tag === "PiecesGone") {
    for (const [key, { id }] of state.stored) if (id === fact.id) state.stored.delete(key)
  }
  return []
}

export const auditPieces = (facts: ReadonlyArray<Fact>): ReadonlyArray<Violation> => {
  const state = makeState(facts)
  const violations = facts.flatMap((fact, place) => auditFact(state, fact, place))
  return [...violations, ...auditLost(state)]
}
