/** Subscribes over HTTP and reads the stream block by block, as a browser does. */
import { Effect, Queue, type Scope } from "effect"
import { Deployment } from "./Deployment.ts"

/** A block of an event stream, which ends with an empty line. */
export interface Block {
  readonly id: string | undefined
  readonly event: string | undefined
  readonly data: unknown
}

export interface OpenStream {
  readonly status: number
  readonly headers: Headers
  /** Returns the next event and skips comments. Returns undefined at the end of the stream. */
  readonly next: Effect.Effect<Block | undefined>
  readonly leave: Effect.Effect<void>
}

interface ListenOptions {
  readonly key?: string
  readonly headers?: Readonly<Record<string, string>>
}

const fieldOf = (block: string, name: string): string | undefined =>
  block
    .split("\n")
    .find((line) => line.startsWith(`${name}: `))
    ?.slice(name.length + 2)

/** Parses a block. Returns undefined for a comment or a reconnection delay. */
const toBlock = (text: string): Block | undefined => {
  const [id, event, data] = [fieldOf(text, "id"), fieldOf(text, "event"), fieldOf(text, "data")]
  return event === undefined
    ? undefined
    : { id, event, data: data === undefined ? undefined : JSON.parse(data) }
}

const read = async (body: ReadableStream<Uint8Array>, put: (block: Block) => void) => {
  const decoder = new TextDecoder()
  let rest = ""
  for await (const piece of body) {
    rest += decoder.decode(piece, { stream: true })
    const blocks = rest.split("\n\n")
    rest = blocks.pop() ?? ""
    for (const text of blocks) {
      const block = toBlock(text)
      if (block !== undefined) put(block)
    }
  }
}

/** Subscribes until the scope ends or the subscriber leaves. */
export const listen = Effect.fnUntraced(function* (
  path: string,
  { headers = {}, key }: ListenOptions
): Effect.fn.Return<OpenStream, never, Deployment | Scope.Scope> {
  const { port } = yield* Deployment
  const controller = new AbortController()
  const blocks = yield* Queue.unbounded<Block | undefined>()
  yield* Effect.addFinalizer(() => Effect.sync(() => controller.abort()))
  const response = yield* Effect.promise(() =>
    fetch(`http://127.0.0.1:${port}${path}`, {
      headers: { ...(key === undefined ? {} : { authorization: `Bearer ${key}` }), ...headers },
      signal: controller.signal
    })
  )
  const { body } = response
  if (body !== null) {
    const end = () => void Queue.offerUnsafe(blocks, undefined)
    read(body, (block) => void Queue.offerUnsafe(blocks, block)).then(end, end)
  }
  return {
    status: response.status,
    headers: response.headers,
    next: Queue.take(blocks),
    leave: Effect.sync(() => controller.abort())
  }
})
