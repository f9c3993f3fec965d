/** Mounts Verbatim in Express 4 with a common setup: every body is parsed before the routes. */
import { open } from "@verbatim/embed"
import express from "express4"
import { announce, authenticate, database, media, port, transcribe } from "../../hosts/host.ts"

const verbatim = await open({
  database,
  media,
  transcribe,
  authenticate,
  prefix: "/api/verbatim"
})

const app = express()
app.use(express.json(), express.urlencoded({ extended: true }), express.text())
app.use("/api/verbatim", verbatim.handler)
app.get("/", (_request, response) => void response.send("the host"))
app.get("/boom", (_request, response) => {
  response.status(500).send("the host's own failure")
})
app.use((_request, response) => void response.status(404).send("the host has no such page"))

announce(app.listen(port, "127.0.0.1"), verbatim)
