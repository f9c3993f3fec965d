/** Tests name resolution with a name server that never answers some queries. */
import { createSocket } from "node:dgram"
import { writeFile } from "node:fs/promises"
import { NodeFileSystem } from "@effect/platform-node"
import { assert, describe, it } from "@effect/vitest"
import { Effect, FileSystem } from "effect"
import { resolverOver } from "#src/net/Resolver"

const address = [93, 184, 215, 14]

/** Reads the name from a query, which begins after the 12-byte header. */
const nameIn = (packet: Buffer): string => {
  const labels: Array<string> = []
  for (let at = 12; packet[at] !== 0; at += 1 + (packet[at] ?? 0)) {
    labels.push(packet.toString("latin1", at + 1, at + 1 + (packet[at] ?? 0)))
  }
  return labels.join(".")
}

/** Returns the reply to an IPv4 query (type 1). Queries of other types get no addresses. */
const answerTo = (packet: Buffer, name: string): Buffer => {
  const end = 12 + name.length + 2 + 4
  const question = packet.subarray(12, end)
  const isKnown = !name.startsWith("absent") && packet.readUInt16BE(end - 4) === 1
  const code = name.startsWith("absent") ? 3 : 0
  const head = Buffer.from([0, 0, 0x81, 0x80 | code, 0, 1, 0, isKnown ? 1 : 0, 0, 0, 0, 0])
  packet.copy(head, 0, 0, 2)
  const record = Buffer.from([0xc0, 12, 0, 1, 0, 1, 0, 0, 0, 60, 0, 4, ...address])
  return Buffer.concat(isKnown ? [head, question, record] : [head, question])
}

const server = Effect.acquireRelease(
  Effect.promise(
    () =>
      new Promise<ReturnType<typeof createSocket>>((resolve) => {
        const socket = createSocket("udp4")
        socket.on("message", (packet, { port }) => {
          const name = nameIn(packet).toLowerCase()
          if (!name.startsWith("silent")) socket.send(answerTo(packet, name), port, "127.0.0.1")
        })
        socket.bind(0, "127.0.0.1", () => resolve(socket))
      })
  ),
  (socket) => Effect.sync(() => socket.close())
)

const resolverOf = (socket: ReturnType<typeof createSocket>) =>
  resolverOver({
    hasPrivateNames: false,
    servers: [`127.0.0.1:${socket.address().port}`],
    hostsPath: "/nowhere"
  })

const resolver = Effect.map(server, resolverOf)

describe("Resolver", () => {
  it.live("resolves other names immediately while the queries for forty names get no answer", () =>
    Effect.gen(function* () {
      const resolve = yield* resolver
      const silent = yield* Effect.forEach(Array(40).keys(), (number) =>
        Effect.forkScoped(Effect.ignore(resolve(`silent-${number}.example.com`)))
      )
      assert.deepStrictEqual(yield* resolve("quick.example.com"), [address.join(".")])
      // All forty queries are still pending.
      assert.isTrue(silent.every((fiber) => fiber.pollUnsafe() === undefined))
    }).pipe(Effect.scoped)
  )

  it.live("leaves local names, and names in the hosts file, to the system", () =>
    Effect.gen(function* () {
      const files = yield* FileSystem.FileSystem
      const hostsPath = `${yield* files.makeTempDirectoryScoped()}/hosts`
      yield* Effect.promise(() => writeFile(hostsPath, "127.0.0.1 quick.example.invalid\n"))
      const socket = yield* server
      const servers = [`127.0.0.1:${socket.address().port}`]
      const resolve = resolverOver({ hasPrivateNames: false, servers, hostsPath })
      // The name is not in the system's hosts file. The name server knows the name, but gets no
      // query.
      const { reason } = yield* Effect.flip(resolve("quick.example.invalid"))
      assert.deepInclude(reason, { _tag: "Unresolved", host: "quick.example.invalid" })
      assert.isNotEmpty(yield* resolve("localhost"))
    }).pipe(Effect.scoped, Effect.provide(NodeFileSystem.layer))
  )
})
