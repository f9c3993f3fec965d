/**
 * Tells speakers apart by their voiceprints. Similar voiceprints are merged, the most similar first
 * (average linkage, cosine). Then the last merges are undone one by one, as long as they merged
 * different voices.
 */

import { speakerMax } from "./TranscriptionRequest.ts"

/** A vector that describes a voice in a short span of speech. */
export interface Voiceprint {
  readonly startMillis: number
  readonly endMillis: number
  /** Similar voices have vectors with similar directions. The vector's length does not matter. */
  readonly vector: Float32Array
}

/** Limits on the number of voices; missing if unknown. */
export interface VoiceLimits {
  readonly speakerCount?: number | undefined
  readonly speakerCountMin?: number | undefined
  readonly speakerCountMax?: number | undefined
}

/**
 * The likeness of two groups is the average similarity between them, divided by the similarity
 * within one voice. Since the latter differs between recordings, it is measured in groups of at
 * least `seedMillis`. Groups with a likeness below `distinctMax` are always two voices.
 */
const distinctMax = 0.4
const seedMillis = 20_000

/** The assumed similarity within one voice, if there are too few voiceprints to measure it. */
const usualSimilarity = 0.5

/** A group with less speech than both limits is a phantom: noise, or a word in a different tone. */
const phantomMillis = 5_000
const phantomShare = 0.03

/**
 * A group is also a phantom if the similarity within it is less than this fraction of the
 * similarity within the nearest group.
 */
const coherentMin = 0.3

/**
 * Maximum number of voiceprints that are compared with each other: 40 minutes of speech, if each
 * covers 2.4 s. If there are more, evenly spaced ones are compared, and the rest get the nearest
 * voice. With 512 dimensions, an hour then takes 0.4 s of CPU time, and ten hours 0.6 s.
 */
const comparedMax = 1_000

/** A group of merged voiceprints. Longer spans of speech have more weight. */
interface Group {
  /** The positions of the members in the list of voiceprints. */
  readonly members: ReadonlyArray<number>
  readonly weight: number
  /** The weighted sum of the vectors, each of them scaled to length 1. */
  readonly sum: Float64Array
  /** The sum of the squared weights. */
  readonly squares: number
  /**
   * The average similarity within one voice, and the total weight of the groups in which it was
   * measured.
   */
  readonly seeds: { readonly weight: number; readonly similarity: number }
  /** The groups that were merged, and the average similarity between them. */
  readonly joined?: { readonly parts: readonly [Group, Group]; readonly similarity: number }
}

/**
 * Returns the dot product of two vectors. Four separate sums take a third less time than one,
 * because each addition to a sum has to wait for the previous one.
 */
const dot = (one: Float64Array, other: Float64Array): number => {
  let first = 0
  let second = 0
  let third = 0
  let fourth = 0
  for (let at = 0; at < one.length; at += 4) {
    first += (one[at] ?? 0) * (other[at] ?? 0)
    second += (one[at + 1] ?? 0) * (other[at + 1] ?? 0)
    third += (one[at + 2] ?? 0) * (other[at + 2] ?? 0)
    fourth += (one[at + 3] ?? 0) * (other[at + 3] ?? 0)
  }
  return first + second + third + fourth
}

const lengthOf = (vector: Float64Array): number => Math.sqrt(dot(vector, vector))

const groupOf = ({ endMillis, startMillis, vector }: Voiceprint, member: number): Group => {
  const weight = Math.max(1, endMillis - startMillis)
  const numbers = Float64Array.from(vector)
  const factor = weight / (lengthOf(numbers) || 1)
  return {
    members: [member],
    weight,
    sum: numbers.map((each) => each * factor),
    squares: weight * weight,
    seeds: { weight: 0, similarity: 0 }
  }
}

/** Returns the average similarity within a group; undefined if it has only one member. */
const ownSimilarity = ({ members, squares, sum, weight }: Omit<Group, "seeds">) =>
  members.length < 2 ? undefined : (dot(sum, sum) - squares) / (weight * weight - squares)

const joinSeeds = (whole: Omit<Group, "seeds">, parts: readonly [Group, Group]): Group["seeds"] => {
  const [one, other] = [parts[0].seeds, parts[1].seeds]
  const weight = one.weight + other.weight
  if (weight > 0) {
    const sum = one.weight * one.similarity + other.weight * other.similarity
    return { weight, similarity: sum / weight }
  }
  const isSeed = whole.weight >= seedMillis
  return isSeed ? { weight: whole.weight, similarity: ownSimilarity(whole) ?? 0 } : one
}

const join = (parts: readonly [Group, Group], similarity: number): Group => {
  const [one, other] = parts
  const whole = {
    members: [...one.members, ...other.members],
    weight: one.weight + other.weight,
    sum: one.sum.map((each, at) => each + (other.sum[at] ?? 0)),
    squares: one.squares + other.squares
  }
  return { ...whole, seeds: joinSeeds(whole, parts), joined: { parts, similarity } }
}

/** Merges the two groups that are nearest to each other, until one group is left. */
const joinAll = (groups: ReadonlyArray<Group>): Group | undefined => {
  const size = groups.length
  const left: Array<Group | undefined> = [...groups]
  const table = new Float32Array(size * size)
  const similarity = (row: number, column: number) => table[row * size + column] ?? 0
  const set = (row: number, column: number, value: number) => {
    table[row * size + column] = value
    table[column * size + row] = value
  }
  for (const [row, one] of groups.entries()) {
    for (const [column, other] of groups.slice(0, row).entries()) {
      set(row, column, dot(one.sum, other.sum) / (one.weight * other.weight))
    }
  }
  /**
   * Returns the nearest group. If several are equally near, the preferred one wins, or else the
   * first.
   */
  const nearestTo = (row: number, preferred = -1): number => {
    let nearest = preferred
    for (let column = 0; column < size; column++) {
      if (column === row || left[column] === undefined) continue
      if (nearest < 0 || similarity(row, column) > similarity(row, nearest)) nearest = column
    }
    return nearest
  }
  for (let count = size; count > 1; count--) {
    let first = left.findIndex((group) => group !== undefined)
    let second = nearestTo(first)
    for (let next = nearestTo(second, first); next !== first; next = nearestTo(second, first)) {
      first = second
      second = next
    }
    const [one, other] = [left[first], left[second]]
    if (one === undefined || other === undefined) break
    left[first] = join([one, other], similarity(first, second))
    left[second] = undefined
    const share = one.weight / (one.weight + other.weight)
    for (let column = 0; column < size; column++) {
      const mean = share * similarity(first, column) + (1 - share) * similarity(second, column)
      set(first, column, mean)
    }
  }
  return left.find((group) => group !== undefined)
}

/** Returns the similarity within one voice, as measured in a group. */
const similarityWithin = (group: Group): number | undefined =>
  group.seeds.weight > 0 ? group.seeds.similarity : ownSimilarity(group)

/** A group, and how it can be split into two voices. */
interface Voice {
  readonly group: Group
  readonly split?: { readonly parts: readonly [Group, Group]; readonly likeness: number }
}

/** Finds the next split of a group into two voices, skipping phantoms on the way. */
const toVoice = (whole: Group, weightMin: number): Voice => {
  let group = whole
  while (group.joined !== undefined) {
    const { parts, similarity } = group.joined
    const [one, other] = parts
    const own = similarityWithin(one) ?? similarityWithin(other) ?? usualSimilarity
    const others = similarityWithin(other) ?? own
    const isVoice = (part: Group, within: number, neighbour: number) =>
      weightMin === 0 || (part.weight >= weightMin && within >= coherentMin * neighbour)
    const [isOne, isOther] = [isVoice(one, own, others), isVoice(other, others, own)]
    if (isOne && isOther) {
      const within = Math.sqrt(Math.max(own, 0) * Math.max(others, 0))
      return { group, split: { parts, likeness: within > 0 ? similarity / within : 1 } }
    }
    if (!isOne && !isOther) break
    group = isOne ? one : other
  }
  return { group }
}

/**
 * A division of a recording into voices, and how similar the two groups in the next split would be.
 */
interface Division {
  readonly voices: ReadonlyArray<Voice>
  readonly likeness: number
}

const likenessOf = ({ split }: Voice): number =>
  Math.min(1, Math.max(distinctMax, split?.likeness ?? 1))

/**
 * Divides a group into one voice, two voices and so on, always splitting the voice with the least
 * similar parts.
 */
const divide = (
  whole: Group,
  { max, weightMin }: { readonly max: number; readonly weightMin: number }
): ReadonlyArray<Division> => {
  const divisions: Array<Division> = []
  let voices = [toVoice(whole, weightMin)]
  while (divisions.length < max) {
    const next = voices
      .filter(({ split }) => split !== undefined)
      .reduce<Voice | undefined>(
        (least, voice) =>
          least !== undefined && likenessOf(least) <= likenessOf(voice) ? least : voice,
        undefined
      )
    divisions.push({ voices, likeness: next === undefined ? 1 : likenessOf(next) })
    if (next?.split === undefined) break
    const parts = next.split.parts.map((part) => toVoice(part, weightMin))
    voices = voices.flatMap((voice) => (voice === next ? parts : [voice]))
  }
  return divisions
}

/**
 * Finds the voices. Their number is chosen so that the groups in the next split are much more
 * similar than those in the last one. Phantoms count only if there are not enough other voices.
 */
const findVoices = (groups: ReadonlyArray<Group>, limits: VoiceLimits): ReadonlyArray<Group> => {
  const whole = joinAll(groups)
  if (whole === undefined) return []
  const { speakerCount, speakerCountMax, speakerCountMin } = limits
  const min = speakerCount ?? speakerCountMin ?? 1
  const max = speakerCount ?? speakerCountMax ?? speakerMax
  let weightMin = Math.min(phantomMillis, phantomShare * whole.weight)
  let divisions = divide(whole, { max, weightMin })
  while (divisions.length < min && weightMin > 0) {
    weightMin = weightMin > 1 ? weightMin / 2 : 0
    divisions = divide(whole, { max, weightMin })
  }
  // There are at least `max` voices, because the next split would still separate two different
  // ones.
  const last = divisions.at(-1)
  if (last?.likeness === distinctMax) return last.voices.map(({ group }) => group)
  const jumps = divisions.map(
    ({ likeness }, at) => likeness - (divisions[at - 1]?.likeness ?? distinctMax)
  )
  const possible = jumps.slice(min - 1)
  const chosen = min - 1 + possible.indexOf(Math.max(...possible))
  return (divisions[chosen] ?? last)?.voices.map(({ group }) => group) ?? []
}

/** Orders voiceprints by time, and then by vector. */
const comparePrints = (one: Voiceprint, other: Voiceprint): number => {
  const byTime = one.startMillis - other.startMillis || one.endMillis - other.endMillis
  if (byTime !== 0) return byTime
  const at = one.vector.findIndex((each, index) => each !== other.vector[index])
  return (one.vector[at] ?? 0) - (other.vector[at] ?? 0)
}

/** Chooses as many evenly spaced voiceprints as can be compared. */
const choose = <A>(all: ReadonlyArray<A>): ReadonlyArray<A> => {
  const step = Math.max(1, all.length / comparedMax)
  return all.filter((_, at) => Math.floor(at / step) !== Math.floor((at - 1) / step))
}

/**
 * Creates a function that returns the voice of a single voiceprint: the one that it was merged
 * into, or else the nearest.
 */
const makeVoiceOf = (voices: ReadonlyArray<Group>) => {
  const known = new Map(
    voices.flatMap(({ members }, voice) => members.map((each) => [each, voice]))
  )
  const lengths = voices.map(({ sum }) => lengthOf(sum) || 1)
  return ({ members: [member = 0], sum }: Group): number => {
    const own = known.get(member)
    if (own !== undefined) return own
    const likeness = voices.map((voice, at) => dot(sum, voice.sum) / (lengths[at] ?? 1))
    return likeness.indexOf(Math.max(...likeness))
  }
}

/**
 * Returns the speaker of each voiceprint, numbered from 0 in order of appearance. The number of
 * speakers is within the limits if there are enough voiceprints. The result does not depend on the
 * order of the voiceprints or the lengths of their vectors.
 */
export const tellSpeakersApart = (
  voiceprints: ReadonlyArray<Voiceprint>,
  limits: VoiceLimits = {}
): ReadonlyArray<number> => {
  const ordered = [...voiceprints.entries()].sort(([, one], [, other]) => comparePrints(one, other))
  const compared = choose(ordered).map(([member, each]) => groupOf(each, member))
  const voiceOf = makeVoiceOf(findVoices(compared, limits))
  const numbers = new Map<number, number>()
  const speakers = voiceprints.map(() => 0)
  for (const [member, each] of ordered) {
    const voice = voiceOf(groupOf(each, member))
    const number = numbers.get(voice) ?? numbers.size
    numbers.set(voice, number)
    speakers[member] = number
  }
  return speakers
}
