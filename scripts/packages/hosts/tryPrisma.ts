/**
 * A job that is handed in within a transaction of Prisma: its own client, over `pg`, as npm brings
 * it. Prisma makes that client from a schema; nothing is fetched for it.
 */
import { launch } from "@verbatim/testkit/servers"
import type { Host } from "../Host.ts"

/** Prisma 7 needs no engine of its own for this. */
export const prismaPackages: ReadonlyArray<string> = [
  "prisma@7.10.1",
  "@prisma/client@7.10.0",
  "@prisma/adapter-pg@7.10.1"
]

const schema = `generator client {
  provider = "prisma-client"
  output   = "generated"
}
datasource db {
  provider = "postgresql"
}
model Article {
  id    Int    @id @default(autoincrement())
  title String
  job   String
}
`

const configuration = `export default { schema: "schema.prisma" }\n`

/** Two articles with their recordings: one is kept, one rolled back. */
const program = `
import { PrismaPg } from "@prisma/adapter-pg"
import { open } from "@verbatim/embed"
import { fromPrisma } from "@verbatim/embed/transactions"
import { deepStrictEqual, rejects } from "node:assert"
import { PrismaClient } from "./generated/client.ts"

const [, , url, path] = process.argv
const prisma = new PrismaClient({ adapter: new PrismaPg({ connectionString: url }) })
await prisma.$executeRawUnsafe(
  'CREATE TABLE "Article" (id SERIAL PRIMARY KEY, title TEXT NOT NULL, job TEXT NOT NULL)'
)
const verbatim = await open({ database: url, schema: "verbatim", media: "media", roles: ["http"] })

const publish = (title, last) =>
  prisma.$transaction(async (transaction) => {
    const acme = verbatim.as({ workspace: "acme" }).within(fromPrisma(transaction))
    const { id } = await acme.transcriptions.create({ path })
    await acme.presets.createFromResponses(title, {
      model: "any/model",
      instructions: "Take notes."
    })
    await transaction.article.create({ data: { title, job: id } })
    last()
    return id
  })

const kept = await publish("kept", () => undefined)
await rejects(publish("lost", () => { throw new Error("rolled back") }), /rolled back/)

deepStrictEqual(
  (await prisma.article.findMany()).map(({ job, title }) => [title, job]),
  [["kept", kept]]
)
deepStrictEqual(
  await prisma.$queryRawUnsafe("SELECT id FROM verbatim.jobs"),
  [{ id: kept }]
)
deepStrictEqual(
  await prisma.$queryRawUnsafe("SELECT slug FROM verbatim.presets"),
  [{ slug: "kept" }]
)
await verbatim.close()
await prisma.$disconnect()
`

/** Makes the client, and runs the program on a new Postgres. */
export const tryPrisma = async (host: Host): Promise<void> => {
  const recording = "examples/audio/harbour-opening.mp3"
  host.copy([recording])
  host.write("schema.prisma", schema)
  host.write("prisma.config.ts", configuration)
  host.write("prisma.mjs", program)
  // Its engine for migrations would be fetched, though none is run: any file may stand for it.
  const engine = { PRISMA_SCHEMA_ENGINE_BINARY: process.execPath, CHECKPOINT_DISABLE: "1" }
  await host.run(["node_modules/prisma/build/index.js", "generate"], engine)
  const server = await launch()
  try {
    await host.run(["prisma.mjs", server.url, recording])
  } finally {
    await server.remove()
  }
}
