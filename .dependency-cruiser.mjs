/**
 * Which way imports point, types included. Resolution knows nobody, core knows it and effect,
 * adapters and http know core, client knows resolution alone, and only packages/server knows all of
 * them. Inside core each folder knows those before it.
 */

/** The folders of core: each may import itself and those before it. */
const coreFolders = [
  "domain/version/",
  "domain/machine/",
  "domain/schema/",
  "domain/workspace/",
  "domain/outbound/",
  "domain/idempotency/",
  "domain/request/",
  "domain/preset/",
  "domain/attempt/",
  "domain/summary/",
  "domain/transcription/",
  "domain/rendering/",
  "domain/speech/",
  "domain/delivery/",
  "domain/notice/",
  "domain/correction/",
  "domain/job/",
  "metrics/",
  "ports/",
  "services/",
  "worker/",
  "index[.]ts$"
]

/** The folders of what the SQL databases share, in the same way. */
const sqlFolders = [
  "TableDescriptions[.]ts$",
  "JobTables[.]ts$",
  "StoreTables[.]ts$",
  "SchemaName[.]ts$",
  "ClientCapabilities[.]ts$",
  "SqlMetrics[.]ts$",
  "session/",
  "row/",
  "workspace/",
  "job/",
  "work/",
  "preset/",
  "migration/",
  "Statements[.]ts$",
  "Migrator[.]ts$",
  "Migrations[.]ts$",
  "copy/",
  "host/",
  "Sql(?!Metrics)",
  "HostStores[.]ts$",
  "index[.]ts$"
]

const core = "^packages/core/src/"
const resolution = "^packages/resolution/src/"
const sql = "^packages/adapters/src/sql/"
const placed = `${core}(?:${coreFolders.join("|")})`
const effect = "^node_modules/effect/"
/** Node's own modules: `fs` and `node:sqlite`, as they are resolved. */
const node = "^(?!packages/|node_modules/)"

const upward = (root, name, folders) =>
  folders.slice(0, -1).map((folder, index) => ({
    name: `order of ${name}: ${folder}`,
    comment: `a folder of ${name} imports itself and those before it, see ${name}Folders`,
    from: { path: root + folder },
    to: { path: `${root}(?:${folders.slice(index + 1).join("|")})` }
  }))

/** A part of the packages, and the paths that it may import. */
const territory = (name, from, pathNot, comment) => ({
  name,
  comment,
  from: typeof from === "string" ? { path: from } : from,
  to: { pathNot }
})

const held = "^packages/testkit/src/contracts/cases/MediaStoreContent[.]ts$"
const command = "^packages/testkit/src/simulation/main[.]ts$"
const servers = "^packages/testkit/src/servers/"
const testkit = [
  "^packages/testkit/",
  core,
  resolution,
  "^packages/adapters/src/memory/index[.]ts$",
  effect,
  "^node_modules/(?:@effect/vitest|vitest|fast-check)/"
]

export default {
  forbidden: [
    ...upward(core, "core", coreFolders),
    ...upward(sql, "sql", sqlFolders),
    {
      name: "a place in sql",
      comment: "nobody imports a folder of sql that is not in sqlFolders",
      from: {},
      to: { path: sql, pathNot: `${sql}(?:${sqlFolders.join("|")})` }
    },
    {
      name: "sql below its databases",
      comment: "what the databases share knows none of them: ask for it in Statements",
      from: { path: sql, pathNot: `${sql}HostStores[.]ts$` },
      to: { path: "^packages/adapters/src/(?:postgres|sqlite)/" }
    },
    {
      name: "what hosts' databases say",
      comment: "a host brings the client: of the databases, only their statements are needed",
      from: { path: `${sql}HostStores[.]ts$` },
      to: {
        path: "^packages/adapters/src/(?:postgres|sqlite)/",
        pathNot: "/(?:Postgres|Sqlite)Statements[.]ts$"
      }
    },
    {
      name: "a place in core",
      comment: "a folder of core that is not in coreFolders imports nothing",
      from: { path: core, pathNot: placed },
      to: {}
    },
    {
      name: "a place in core: imported",
      comment: "nobody imports a folder of core that is not in coreFolders",
      from: {},
      to: { path: core, pathNot: placed }
    },
    territory(
      "core",
      core,
      [core, resolution, "^node_modules/effect/dist/(?!http|sql|process)"],
      "core imports effect alone, without http, sql and process: write a port for the need"
    ),
    territory(
      "resolution",
      resolution,
      [resolution],
      "resolution runs in browsers, within every client: it imports nothing, of ours or of node"
    ),
    territory(
      "adapters",
      "^packages/adapters/src/",
      ["^packages/adapters/src/", `${core}(?!domain/machine/)`, "^node_modules/", node],
      "adapters know effect, node, their dependencies and core without its machines"
    ),
    {
      name: "types of the AI SDK",
      comment: "hosts may have another major of it: import its types alone",
      from: { path: "^packages/(?:adapters|client)/src/" },
      to: { path: "^node_modules/(?:@ai-sdk|ai)/", dependencyTypesNot: ["type-only"] }
    },
    territory(
      "http",
      "^packages/http/src/",
      ["^packages/http/src/", core, resolution, effect],
      "http imports effect and @verbatim/core alone: let packages/server provide the rest"
    ),
    territory(
      "contract",
      "^packages/http/src/contract/",
      ["^packages/http/src/contract/", `${core}domain/`, resolution, effect],
      "the contract says what the API is: serve imports it, never the other way round"
    ),
    territory(
      "console",
      "^packages/console/src/",
      ["^packages/console/src/", core, "^packages/http/src/", effect, node],
      "the console stands beside the API on a router: packages/server provides the rest"
    ),
    territory(
      "console: page",
      "^packages/console/page/",
      [
        ...["^packages/console/page/", "^packages/client/src/", resolution],
        "^node_modules/(?:preact|@preact/signals(?:-core)?)/"
      ],
      "the page runs in browsers: it knows the API as every client does, and nothing of node"
    ),
    territory(
      "client: files",
      "^packages/client/src/node/",
      [resolution, node],
      "a door of its own, which no page opens: it writes a file, and knows nothing of the client"
    ),
    territory(
      "client",
      { path: "^packages/client/src/", pathNot: "^packages/client/src/node/" },
      [
        ...["^packages/client/src/", resolution, "^node_modules/openapi-fetch/"],
        "^node_modules/@ai-sdk/provider/"
      ],
      "client runs in browsers: it imports openapi-fetch and resolution, and nothing of node"
    ),
    territory(
      "embed",
      "^packages/embed/src/",
      [
        ...["^packages/embed/src/", core, "^packages/(?:adapters|client|console|http)/src/"],
        ...["^node_modules/", node]
      ],
      "embed puts core, adapters and http together for hosts: packages/server stands on it"
    ),
    territory(
      "testkit",
      { path: "^packages/testkit/src/", pathNot: [held, command, servers] },
      testkit,
      "testkit knows effect, core, the memory adapter and the runner: take the rest as a layer"
    ),
    territory(
      "testkit: held bytes",
      held,
      [...testkit, "^(?:v8|vm)$"],
      "the memory that is held is the engine's to tell, and nothing else is asked of node"
    ),
    territory(
      "testkit: the command",
      command,
      ["^packages/testkit/", "^(?:os|util|worker_threads)$"],
      "the command reads its arguments and shares the work among threads; the rest is below it"
    ),
    territory(
      "testkit: servers",
      servers,
      ["^packages/testkit/", effect, node],
      "a server for tests is a real program that node starts: it knows nothing but its contract"
    ),
    {
      name: "through the door",
      comment: "a path leaves its package: import it by the package's name",
      from: { path: "^packages/([^/]+)/" },
      to: { dependencyTypes: ["local"], pathNot: "^packages/$1/" }
    },
    {
      name: "declared",
      comment: "it stands in no dependencies of the package, or is not installed",
      from: { path: "^packages/[^/]+/src/" },
      to: { dependencyTypes: ["npm-no-pkg", "npm-unknown", "unknown"] }
    },
    {
      name: "published",
      comment: "a host does not get what a package needs for its development",
      // The published server holds what it needs.
      from: { path: "^packages/[^/]+/src/", pathNot: "^packages/server/" },
      to: { dependencyTypes: ["npm-dev"] }
    },
    {
      name: "no circles",
      comment: "files that import each other in a circle are one file: move what they share",
      from: {},
      to: { circular: true }
    }
  ].map((rule) => ({ severity: "error", ...rule })),
  options: {
    // TypeScript 7 has no interface that a cruiser could parse with. It keeps imports of types.
    parser: "swc",
    skipAnalysisNotInRules: true,
    // Of no use to a fresh checkout; afterwards it saves 2 s of the check. It compares contents.
    cache: { folder: "node_modules/.cache/dependency-cruiser", strategy: "content" },
    doNotFollow: { path: "^node_modules/" },
    exclude: { path: "^packages/[^/]+/(?:dist|media)/" },
    enhancedResolveOptions: {
      conditionNames: ["@verbatim/source", "import", "node", "default"],
      exportsFields: ["exports"]
    },
    builtInModules: { add: ["node:sqlite"] }
  }
}
