/** Mounts Verbatim with Hono's own `mount`, which removes the path from requests. */
import type { Server } from "node:http"
import { serve } from "@hono/node-server"
import { open } from "@verbatim/embed"
import { Hono } from "hono"
import { announce, authenticate, database, media, port, transcribe } from "../../hosts/host.ts"

const verbatim = await open({
  database,
  media,
  transcribe,
  authenticate,
  prefix: "/api/verbatim"
})

const app = new Hono()
app.get("/", (context) => context.text("the host"))
app.get("/boom", () => {
  throw new Error("the host's own failure")
})
app.mount("/api/verbatim", verbatim.fetch)
app.notFound((context) => context.text("the host has no such page", 404))
app.onError((error, context) => context.text(error.message, 500))

announce(serve({ fetch: app.fetch, port, hostname: "127.0.0.1" }) as Server, verbatim)
