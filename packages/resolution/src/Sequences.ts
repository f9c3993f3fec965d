/** Compares two sequences with Myers' algorithm ("An O(ND) Difference Algorithm", 1986). */

/** Consecutive items that are all kept, all removed, or all added. */
export interface Run<Item> {
  readonly kind: "added" | "removed" | "same"
  readonly items: ReadonlyArray<Item>
}

/**
 * The maximum number of edits. Sequences that need more edits count as entirely different. The
 * search keeps a row of at most 2,000 numbers per edit.
 */
const editMax = 1_000

/**
 * The maximum number of steps, which take about 10 ms in total. Even a few edits can take many
 * steps if many items are equal.
 */
const stepMax = 2_000_000

interface Step {
  readonly kind: Run<never>["kind"]
  /** The item's index in the first sequence or, for an added item, in the second. */
  readonly at: number
}

/**
 * Returns the search's rows, one for each number of edits; undefined if the sequences need too many
 * edits.
 */
const search = <Item>(
  from: ReadonlyArray<Item>,
  to: ReadonlyArray<Item>
): ReadonlyArray<Int32Array> | undefined => {
  const most = Math.min(from.length + to.length, editMax)
  const reach = new Int32Array(2 * most + 3)
  const rows: Array<Int32Array> = []
  const middle = most + 1
  let steps = 0
  for (let edits = 0; edits <= most; edits += 1) {
    rows.push(reach.slice(middle - edits - 1, middle + edits + 2))
    for (let diagonal = -edits; diagonal <= edits; diagonal += 2) {
      const left = reach[middle + diagonal - 1] ?? 0
      const right = reach[middle + diagonal + 1] ?? 0
      const comes = diagonal === -edits || (diagonal !== edits && left < right)
      const start = comes ? right : left + 1
      let x = start
      while (x < from.length && x - diagonal < to.length && from[x] === to[x - diagonal]) x += 1
      reach[middle + diagonal] = x
      if (x >= from.length && x - diagonal >= to.length) return rows
      steps += x - start + 1
      if (steps > stepMax) return undefined
    }
  }
  return undefined
}

/** Follows the path from its end to its start, and then reverses the result. */
const walkBack = (
  rows: ReadonlyArray<Int32Array>,
  ends: { readonly x: number; readonly y: number }
): ReadonlyArray<Step> => {
  const steps: Array<Step> = []
  let { x, y } = ends
  for (let edits = rows.length - 1; edits >= 0; edits -= 1) {
    const row = rows[edits] ?? new Int32Array()
    const reachOf = (diagonal: number): number => row[diagonal + edits + 1] ?? 0
    const diagonal = x - y
    const comes =
      diagonal === -edits || (diagonal !== edits && reachOf(diagonal - 1) < reachOf(diagonal + 1))
    const before = comes ? diagonal + 1 : diagonal - 1
    const beforeX = edits === 0 ? 0 : reachOf(before)
    const beforeY = edits === 0 ? 0 : beforeX - before
    while (x > beforeX && y > beforeY) {
      x -= 1
      y -= 1
      steps.push({ kind: "same", at: x })
    }
    if (edits === 0) break
    steps.push(comes ? { kind: "added", at: beforeY } : { kind: "removed", at: beforeX })
    x = beforeX
    y = beforeY
  }
  return steps.reverse()
}

const join = <Item>(
  steps: ReadonlyArray<Step>,
  { from, to }: { readonly from: ReadonlyArray<Item>; readonly to: ReadonlyArray<Item> }
): Array<Run<Item>> => {
  const runs: Array<{ kind: Run<Item>["kind"]; items: Array<Item> }> = []
  for (const { at, kind } of steps) {
    const item = (kind === "added" ? to : from)[at] as Item
    const last = runs.at(-1)
    if (last?.kind === kind) last.items.push(item)
    else runs.push({ kind, items: [item] })
  }
  return runs
}

const makeRun = <Item>(
  kind: Run<Item>["kind"],
  items: ReadonlyArray<Item>
): ReadonlyArray<Run<Item>> => (items.length === 0 ? [] : [{ kind, items }])

/** Compares two sequences. */
export const compareSequences = <Item>(
  from: ReadonlyArray<Item>,
  to: ReadonlyArray<Item>
): ReadonlyArray<Run<Item>> => {
  const shorter = Math.min(from.length, to.length)
  let head = 0
  while (head < shorter && from[head] === to[head]) head += 1
  let tail = 0
  while (tail < shorter - head && from.at(-1 - tail) === to.at(-1 - tail)) tail += 1
  const inner = {
    from: from.slice(head, from.length - tail),
    to: to.slice(head, to.length - tail)
  }
  const rows = search(inner.from, inner.to)
  const middle =
    rows === undefined
      ? [...makeRun("removed", inner.from), ...makeRun("added", inner.to)]
      : join(walkBack(rows, { x: inner.from.length, y: inner.to.length }), inner)
  const end = makeRun("same", from.slice(from.length - tail))
  return [...makeRun("same", from.slice(0, head)), ...middle, ...end]
}
