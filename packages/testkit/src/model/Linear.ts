/**
 * Searches for an order of the operations on one object that explains all answers, if each
 * operation takes effect at one point between its call and its return. This is Wing and Gong's
 * search with Lowe's cache of failed states. It is exact, and fast if answers contain revisions.
 *
 * A read stays where it first fits, because it allows every order of the other operations there.
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
   * No order has a position for the operation `stuck`. `placed` is the longest order found, and
   * `state` is the state after it.
   */
  | {
      readonly _tag: "NotLinear"
      readonly stuck: Op
      readonly state: State
      readonly placed: ReadonlyArray<Op>
    }
  | { readonly _tag: "Undecided" }

/**
 * Maximum number of steps in one search. A history needs more only if it has very many lost
 * responses.
 */
const stepsMax = 2_000_000

/** The set of placed operations. Its key is a string. */
class Placed {
  readonly #words: Uint32Array
  constructor(size: number) {
    this.#words = new Uint32Array(Math.ceil(size / 32))
  }
  has(place: number): boolean {
    return ((this.#words[place >> 5] ?? 0) & (1 << (place & 31))) !== 0
  }
  flip(place: number): void {
    const word = place >> 5
    this.#words[word] = (this.#words[word] ?? 0) ^ (1 << (place & 31))
  }
  get key(): string {
    return this.#words.join()
  }
}

/** An operation, and its place in the order of the calls. */
interface Call<Op> {
  readonly operation: Op
  readonly place: number
}

/** A placed operation, and the state that preceded it. */
interface Placement<State, Op> extends Call<Op> {
  readonly state: State
  /** Whether the operation is a read; no alternative to a read is tried at its position. */
  readonly isForGood: boolean
}

/** One search for an order of the operations that explains all answers. */
class Search<State, Op extends Operation> {
  readonly #model: Model<State, Op>
  /** All operations in the order of their calls. */
  readonly #calls: ReadonlyArray<Call<Op>>
  readonly #placed: Placed
  readonly #seen = new Set<string>()
  readonly #stack: Array<Placement<State, Op>> = []
  #state: State
  /** The index of the first operation that has no place yet. */
  #first = 0
  /** Number of operations still to be placed. */
  #left: number
  #steps = 0

  constructor(model: Model<State, Op>, operations: ReadonlyArray<Op>) {
    this.#model = model
    this.#state = model.initial
    this.#calls = operations
      .toSorted((one, other) => one.invoked - other.invoked)
      .map((operation, place) => ({ operation, place }))
    this.#placed = new Placed(operations.length)
    this.#left = operations.filter(mustCome).length
  }

  #step(operation: Op): State | undefined {
    this.#steps += 1
    return this.#model.step(this.#state, operation)
  }

  /**
   * Returns the operations that can come next, because no other one returned before they were
   * called.
   */
  #next(): ReadonlyArray<Call<Op>> {
    const next: Array<Call<Op>> = []
    let firstReturn = Number.POSITIVE_INFINITY
    for (let place = this.#first; place < this.#calls.length; place++) {
      const call = this.#calls[place]
      if (call === undefined || call.operation.invoked > firstReturn) break
      if (this.#placed.has(place)) continue
      next.push(call)
      firstReturn = Math.min(firstReturn, call.operation.returned)
    }
    return next.filter(({ operation }) => operation.invoked <= firstReturn)
  }

  /**
   * Places a call, unless the search has already tried the remaining operations from the resulting
   * state.
   */
  #place({ operation, place }: Call<Op>, next: State, isForGood: boolean): boolean {
    this.#placed.flip(place)
    const key = `${this.#placed.key} ${this.#model.key(next)}`
    if (this.#seen.has(key)) {
      this.#placed.flip(place)
      return false
    }
    this.#seen.add(key)
    this.#stack.push({ operation, place, state: this.#state, isForGood })
    this.#state = next
    if (mustCome(operation)) this.#left -= 1
    while (this.#placed.has(this.#first)) this.#first += 1
    return true
  }

  /**
   * Whether to place a call. A call that may have had no effect is placed only if it changes the
   * state.
   */
  #isOfUse(operation: Op, next: State): boolean {
    const { key } = this.#model
    return mustCome(operation) || key(next) !== key(this.#state)
  }

  /** Removes the last placed operation and the reads after it, and returns its place. */
  #takeBack(): number | undefined {
    for (let top = this.#stack.pop(); top !== undefined; top = this.#stack.pop()) {
      this.#placed.flip(top.place)
      this.#first = Math.min(this.#first, top.place)
      if (mustCome(top.operation)) this.#left += 1
      this.#state = top.state
      if (!top.isForGood) return top.place
    }
    return undefined
  }

  /**
   * Places all reads that fit this state. Returns `false` if the search already tried the result.
   */
  #look(): boolean {
    const fits = ({ operation }: Call<Op>) =>
      mustCome(operation) && this.#model.isRead(operation) && this.#step(operation) !== undefined
    for (let found = this.#next().find(fits); found; found = this.#next().find(fits)) {
      if (!this.#place(found, this.#state, true)) return false
    }
    return true
  }

  /** Places one of the operations that can come next, from the given place on. */
  #advance(next: ReadonlyArray<Call<Op>>, from: number): boolean {
    return next.some((call) => {
      if (call.place < from) return false
      const state = this.#step(call.operation)
      return (
        state !== undefined &&
        this.#isOfUse(call.operation, state) &&
        this.#place(call, state, false)
      )
    })
  }

  /** Returns a failure that names the operation that must come next and does not fit. */
  #stuckAt(next: ReadonlyArray<Call<Op>>): Linearity<State, Op> | undefined {
    const [stuck] = next
      .map(({ operation }) => operation)
      .toSorted((one, other) => one.returned - other.returned)
    const placed = this.#stack.map(({ operation }) => operation)
    return stuck && { _tag: "NotLinear", stuck, state: this.#state, placed }
  }

  run(): Linearity<State, Op> {
    let furthest: Linearity<State, Op> | undefined
    let leastLeft = this.#left + 1
    let isOpen = this.#look()
    let from = 0
    while (this.#left > 0) {
      if (this.#steps > stepsMax) return { _tag: "Undecided" }
      const next = isOpen ? this.#next() : []
      if (this.#advance(next, from)) {
        isOpen = this.#look()
        from = 0
        continue
      }
      if (isOpen && this.#left < leastLeft) {
        leastLeft = this.#left
        furthest = this.#stuckAt(next)
      }
      // None of these operations fits, so the last placed operation must move later.
      const last = this.#takeBack()
      if (last === undefined) return furthest ?? { _tag: "Undecided" }
      isOpen = true
      from = last + 1
    }
    return { _tag: "Linear", last: this.#state }
  }
}

/** Whether an operation is known to have taken effect. */
const mustCome = ({ returned }: Operation): boolean => Number.isFinite(returned)

/** Searches for an order of the operations that agrees with the model. */
export const linearize = <State, Op extends Operation>(
  model: Model<State, Op>,
  operations: ReadonlyArray<Op>
): Linearity<State, Op> => new Search(model, operations).run()
