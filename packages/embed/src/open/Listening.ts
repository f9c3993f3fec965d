/**
 * Live events as an iterable: nothing begins before the first event is wanted, one event waits at
 * most, and whoever leaves frees the listener's place at once, even while an event is awaited.
 */

/** Tells one event. It resolves when the event was taken, and another one is wanted. */
type Tell<A> = (event: A) => Promise<void>

/** Listens until nothing more comes, or until the signal is aborted. */
type Listen<A> = (tell: Tell<A>, leaving: AbortSignal) => Promise<void>

/** Two that meet: one who wants an event, and one who has it. */
const makeMeeting = () => {
  let wanted = Promise.withResolvers<void>()
  let given = Promise.withResolvers<void>()
  return {
    ask: (): Promise<void> => {
      given = Promise.withResolvers()
      wanted.resolve()
      return given.promise
    },
    give: async (put: () => void): Promise<void> => {
      await wanted.promise
      wanted = Promise.withResolvers()
      put()
      given.resolve()
    }
  }
}

const over = { done: true as const, value: undefined }

/** Makes the iterable. A failure of `listen` is what the next event is rejected with. */
export const toIterable = <A>(listen: Listen<A>): AsyncIterableIterator<A, undefined> => {
  const leaving = new AbortController()
  const { ask, give } = makeMeeting()
  let begun: Promise<void> | undefined
  const begin = (controller: ReadableStreamDefaultController<A>): Promise<void> =>
    listen((event) => give(() => controller.enqueue(event)), leaving.signal).then(
      () => {
        if (!leaving.signal.aborted) controller.close()
      },
      (fault: unknown) => controller.error(fault)
    )
  const events = new ReadableStream<A>(
    {
      pull: (controller) => {
        begun ??= begin(controller)
        return ask()
      },
      cancel: () => {
        leaving.abort()
        return begun
      }
    },
    { highWaterMark: 0 }
  )
  const reader = events.getReader()
  return {
    next: async () => {
      const { done, value } = await reader.read()
      return done ? over : { done: false, value }
    },
    return: async () => {
      // After a failure there is nothing to leave.
      await reader.cancel().catch(() => undefined)
      return over
    },
    [Symbol.asyncIterator]() {
      return this
    }
  }
}
