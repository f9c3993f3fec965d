/** Starts the processes for a concurrency check on a new database that they share. */
import { randomUUID } from "node:crypto"
import { mkdtemp, rm } from "node:fs/promises"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import type { Member, Reply } from "@verbatim/testkit/concurrency"
import { type ChildProgram, launch, memoryFolder, start } from "@verbatim/testkit/servers"
import { Effect } from "effect"

/** The running processes of a check. Disposing of the processes also deletes their database. */
export interface Members extends AsyncDisposable {
  readonly members: ReadonlyArray<Member>
}

/** Options for the processes of a concurrency check. */
export interface MembersOptions {
  readonly seed: number
  readonly count: number
}

const memberOf =
  ({ ask }: ChildProgram): Member =>
  (task) =>
    Effect.flatMap(
      Effect.promise(() => ask(task) as Promise<Reply>),
      (reply) => ("failure" in reply ? Effect.fail(reply.failure) : Effect.succeed(reply.records))
    )

const startAll = async (
  name: string,
  {
    count,
    environment,
    seed
  }: MembersOptions & {
    readonly environment: Readonly<Record<string, string>>
  }
): Promise<ReadonlyArray<ChildProgram>> => {
  const path = fileURLToPath(new URL(name, import.meta.url))
  const programs: Array<ChildProgram> = []
  // The processes start one after the other, because the first one creates the tables.
  for (let index = 0; index < count; index++) {
    const own = { CHECK_MEMBER: `${index}`, CHECK_SEED: `${seed}` }
    programs.push(await start(path, { ...environment, ...own }))
  }
  return programs
}

const disposing = (
  programs: ReadonlyArray<ChildProgram>,
  remove: () => Promise<void>
): Members => ({
  members: programs.map(memberOf),
  [Symbol.asyncDispose]: async () => {
    for (const { end } of programs) end()
    await remove()
  }
})

/** Starts the processes on the server that `DATABASE_URL` names, or else on a separate server. */
export const onPostgres = async (options: MembersOptions): Promise<Members> => {
  const given = process.env.DATABASE_URL ?? ""
  const server = given === "" ? await launch() : undefined
  const environment = {
    CHECK_URL: server?.url ?? given,
    CHECK_SCHEMA: `check_${randomUUID().replaceAll("-", "")}`
  }
  const programs = await startAll("PostgresMember.ts", { ...options, environment })
  return disposing(programs, async () => server?.remove())
}

/** Starts the processes on a new SQLite file. */
export const onSqlite = async (options: MembersOptions): Promise<Members> => {
  const folder = await mkdtemp(join(memoryFolder, "verbatim-check-"))
  const environment = { CHECK_FILE: join(folder, "data", "verbatim.db") }
  const programs = await startAll("SqliteMember.ts", { ...options, environment })
  return disposing(programs, () => rm(folder, { recursive: true, force: true }))
}
