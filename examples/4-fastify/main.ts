/** Mounts Verbatim in a Fastify app, in a plugin without Fastify's parsers. */

import { open } from "@verbatim/embed"
import Fastify from "fastify"
import { announce, authenticate, database, media, port, transcribe } from "../hosts/host.ts"

const verbatim = await open({
  database,
  media,
  transcribe,
  authenticate,
  prefix: "/api/verbatim"
})

const app = Fastify()
app.get("/", () => "the host")
app.post("/echo", (request) => request.body)
app.get("/boom", () => {
  throw new Error("the host's own failure")
})
app.setNotFoundHandler((_request, reply) => reply.code(404).send("the host has no such page"))
app.setErrorHandler<Error>((error, _request, reply) => reply.code(500).send(error.message))

await app.register(async (ours) => {
  ours.removeAllContentTypeParsers()
  ours.addContentTypeParser("*", (_request, _payload, done) => done(null))
  ours.all("/api/verbatim", (request, reply) => {
    verbatim.handler(request.raw, reply.hijack().raw)
  })
  ours.all("/api/verbatim/*", (request, reply) => {
    verbatim.handler(request.raw, reply.hijack().raw)
  })
})

await app.listen({ port, host: "127.0.0.1" })
announce(app.server, verbatim)
