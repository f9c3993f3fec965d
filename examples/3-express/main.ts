/** Mounts Verbatim in an Express app, before the app's body parser and alongside its routes. */

import { open } from "@verbatim/embed"
import express from "express"
import { announce, authenticate, database, media, port, transcribe } from "../hosts/host.ts"

const verbatim = await open({
  database,
  media,
  transcribe,
  authenticate,
  prefix: "/api/verbatim"
})

const app = express()
app.get("/", (_request, response) => void response.send("the host"))
app.use("/api/verbatim", verbatim.handler)
// Verbatim also accepts a body that Express has already parsed, but uploads should be streamed.
app.use(express.json())
app.post("/echo", (request, response) => void response.json(request.body))
app.get("/boom", () => {
  throw new Error("the host's own failure")
})
app.use((_request, response) => void response.status(404).send("the host has no such page"))
const tellFailure: express.ErrorRequestHandler = (error: Error, _request, response, _next) => {
  response.status(500).send(error.message)
}
app.use(tellFailure)

announce(app.listen(port, "127.0.0.1"), verbatim)
