/**
 * Decides whether some order of the operations on one object explains all answers, if each
 * operation takes effect at one point between its call and its return. This is Wing and Gong's
 * search with Lowe's cache of failed states. The search is exact, and fast if answers contain
 * revisions.
 *
 * A read stays where it first fits, because it rules out no order of the other operations there.
 */

/**
 * The result of a call. `refused` means that nothing was written. `unknown` means that the call may
 * or may not have taken effect, because the response was lost or the caller left.
 */
export type Outcome<Answer> =
  | { readonly is: "answered"; readonly answer: Answer }
  | { readonly is: "refused"; readonly reason: string }
  | { readonly is: "unknown"; readonly cause: string }

/**
 * An operation on the object. `returned` is infinite if the operation may have taken effect at any
 * later time, or not at all.
 */
export interface Operation {
  readonly invoked: number
  readonly returned: number
}

/** A sequential model of the object. */
export interface Model<State, Op> {
  readonly initial: State
  /** Returns the next state, or undefined if the object would have given another answer. */
  readonly step: (state: State, operation: Op) => State | undefined
  /** Whether an operation never changes the state. */
  readonly isRead: (operation: Op) => boolean
  /** Returns a state's key. Equal states have equal keys. */
  readonly key: (state: State) => string
}

/** Whether some order explains all answers, with the evidence. */
export type Linearity<State, Op> =
  | { readonly _tag: "Linear"; readonly last: State }
  /**
   * The operation `stuck` fits nowhere. `placed` is the longest order found, and `state` is the
   * state after it.
   */
  | {
      readonly _tag: "NotLinear"
      readonly stuck: Op
      readonly state: State
      readonly placed: ReadonlyArray<Op>
    }
  | { readonly _tag: "Undecided" }

/**
 * Maximum number of steps in one search. Only a history with very many lost responses needs more.
 */
const stepsMax = 2_000_000

interface Node<Op> {
  readonly operation: Op
  readonly index: number
  readonly isCall: boolean
  readonly time: number
  before: Node<Op> | undefined
  after: Node<Op> | undefined
  /** The node for the call's return; undefined if this node is a return. */
  end: Node<Op> | undefined
}

/** Links all calls and returns by time. At equal times, calls precede returns. */
const linkOperations = <Op extends Operation>(operations: ReadonlyArray<Op>): Node<Op> => {
  const nodes = operations.flatMap((operation, index) => {
    const at = (isCall: boolean, time: number): Node<Op> => ({
      operation,
      index,
      isCall,
      time,
      before: undefined,
      after: undefined,
      end: undefined
    })
    const call = at(true, operation.invoked)
    call.end = at(false, operation.returned)
    return [call, call.end]
  })
  nodes.sort((one, other) => one.time - other.time || Number(other.isCall) - Number(one.isCall))
  const head = { ...nodes[0], before: undefined, after: undefined } as Node<Op>
  let last = head
  for (const node of nodes) {
    last.after = node
    node.before = last
    last = node
  }
  return head
}

const unlink = <Op>(node: Node<Op> | undefined): void => {
  if (node?.before) node.before.after = node.after
  if (node?.after) node.after.before = node.before
}

const relink = <Op>(node: Node<Op> | undefined): void => {
  if (node?.before) node.before.after = node
  if (node?.after) node.after.before = node
}

/** The set of placed operations, as a string. */
class Placed {
  readonly #words: Uint32Array
  constructor(size: number) {
    this.#words = new Uint32Array(Math.ceil(size / 32))
  }
  flip(index: number): void {
    const word = index >> 5
    this.#words[word] = (this.#words[word] ?? 0) ^ (1 << (index & 31))
  }
  get key(): string {
    return this.#words.join()
  }
}

/** A placed operation, and the state that preceded it. */
interface Placement<State, Op> {
  readonly node: Node<Op>
  readonly state: State
  /** Whether the operation is a read; no alternative to a read is tried at its position. */
  readonly isForGood: boolean
}

/** One search for an order of the operations that explains all answers. */
class Search<State, Op extends Operation> {
  readonly #model: Model<State, Op>
  readonly #head: Node<Op>
  readonly #placed: Placed
  readonly #seen = new Set<string>()
  readonly #stack: Array<Placement<State, Op>> = []
  #state: State
  /** Number of operations still to be placed. */
  #left: number
  #steps = 0

  constructor(model: Model<State, Op>, operations: ReadonlyArray<Op>) {
    this.#model = model
    this.#state = model.initial
    this.#head = linkOperations(operations)
    this.#placed = new Placed(operations.length)
    this.#left = operations.filter(({ returned }) => Number.isFinite(returned)).length
  }

  #step(operation: Op): State | undefined {
    this.#steps += 1
    return this.#model.step(this.#state, operation)
  }

  /** Finds a read that fits among the operations that can come next. */
  #findLook(): Node<Op> | undefined {
    for (let at = this.#head.after; at?.isCall; at = at.after) {
      const { operation } = at
      const mustCome = Number.isFinite(operation.returned)
      if (mustCome && this.#model.isRead(operation) && this.#step(operation) !== undefined) {
        return at
      }
    }
    return undefined
  }

  /** Places a call, unless the remaining operations were already tried from the resulting state. */
  #place(call: Node<Op>, next: State, isForGood: boolean): boolean {
    this.#placed.flip(call.index)
    const key = `${this.#placed.key} ${this.#model.key(next)}`
    if (this.#seen.has(key)) {
      this.#placed.flip(call.index)
      return false
    }
    this.#seen.add(key)
    this.#stack.push({ node: call, state: this.#state, isForGood })
    this.#state = next
    if (Number.isFinite(call.operation.returned)) this.#left -= 1
    unlink(call)
    unlink(call.end)
    return true
  }

  /**
   * Whether to place a call. A call that may never have happened is placed only if it changes
   * something.
   */
  #isOfUse({ operation }: Node<Op>, next: State): boolean {
    const { key } = this.#model
    return Number.isFinite(operation.returned) || key(next) !== key(this.#state)
  }

  /** Removes the last placed operation, and the reads placed after it. */
  #takeBack(): Node<Op> | undefined {
    for (let top = this.#stack.pop(); top !== undefined; top = this.#stack.pop()) {
      this.#placed.flip(top.node.index)
      if (Number.isFinite(top.node.operation.returned)) this.#left += 1
      this.#state = top.state
      relink(top.node.end)
      relink(top.node)
      if (!top.isForGood) return top.node
    }
    return undefined
  }

  /** Places all reads that fit in this state. Returns `false` if the result was already tried. */
  #look(): boolean {
    for (let found = this.#findLook(); found !== undefined; found = this.#findLook()) {
      if (!this.#place(found, this.#state, true)) return false
    }
    return true
  }

  /** Returns a failure at the given operation. */
  #stuckAt({ operation }: Node<Op>): Linearity<State, Op> {
    const placed = this.#stack.map((each) => each.node.operation)
    return { _tag: "NotLinear", stuck: operation, state: this.#state, placed }
  }

  run(): Linearity<State, Op> {
    let furthest: Linearity<State, Op> | undefined
    let leastLeft = this.#left + 1
    let isOpen = this.#look()
    let node = this.#head.after
    while (this.#left > 0) {
      if (this.#steps > stepsMax) return { _tag: "Undecided" }
      if (isOpen && node?.isCall) {
        const next = this.#step(node.operation)
        if (next !== undefined && this.#isOfUse(node, next) && this.#place(node, next, false)) {
          isOpen = this.#look()
          node = this.#head.after
        } else node = node.after
        continue
      }
      // This node returns from a call that was not placed, so the last placed operation must move
      // later.
      if (isOpen && node !== undefined && this.#left < leastLeft) {
        leastLeft = this.#left
        furthest = this.#stuckAt(node)
      }
      const last = this.#takeBack()
      if (last === undefined) return furthest ?? { _tag: "Undecided" }
      isOpen = true
      node = last.after
    }
    return { _tag: "Linear", last: this.#state }
  }
}

/** Searches for an order of the operations that agrees with the model. */
export const linearize = <State, Op extends Operation>(
  model: Model<State, Op>,
  operations: ReadonlyArray<Op>
): Linearity<State, Op> => new Search(model, operations).run()
