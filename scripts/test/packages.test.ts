import { assert, describe, it } from "vitest"
import { disagreements, findingsIn, linksIn, type Shipment } from "../packages/Shipping.ts"

const repository = { type: "git", url: "git+https://example.com/one.git" }

const project = {
  license: "MIT",
  homepage: "https://example.com/one#readme",
  bugs: "https://example.com/one/issues",
  repository
}

const good: Shipment = {
  folder: "one",
  project,
  manifest: {
    name: "@verbatim/one",
    version: "0.1.0",
    ...project,
    homepage: "https://example.com/one/tree/main/packages/one#readme",
    repository: { ...repository, directory: "packages/one" },
    keywords: ["one"],
    files: ["dist"],
    sideEffects: false,
    exports: { ".": { default: "./dist/index.js" }, "./package.json": "./package.json" }
  },
  files: ["LICENSE", "README.md", "dist/index.js", "package.json"],
  readme:
    "# One\n\n```ts\n1\n```\n\n[The licence](LICENSE), [a site](https://example.com), [up](#one)",
  licence: "MIT",
  projectLicence: "MIT"
}

const broken: ReadonlyArray<readonly [string, Partial<Shipment>, string]> = [
  [
    "has no README",
    { files: good.files.filter((path) => path !== "README.md") },
    "README.md is missing"
  ],
  [
    "has another licence file than the project",
    { licence: "ISC" },
    "LICENSE differs from the project's"
  ],
  ["shows no program", { readme: "# One" }, "README.md shows no program"],
  [
    "links out of its tarball",
    { readme: `${good.readme} [words](../../docs/glossary.md#job)` },
    "README.md links to ../../docs/glossary.md, which is not in the tarball"
  ],
  [
    "lacks an entry point",
    { files: ["LICENSE", "README.md"] },
    "./dist/index.js is not in the tarball"
  ],
  [
    "publishes tests",
    { files: [...good.files, "dist/test/a.js"] },
    "dist/test/a.js is in the tarball"
  ],
  [
    "has a wildcard entry point",
    { manifest: { ...good.manifest, exports: { ...good.manifest.exports, "./*": "./dist/*.js" } } },
    "exports: list the entry points instead of ./*"
  ],
  [
    "does not export its manifest",
    { manifest: { ...good.manifest, exports: {} } },
    "exports: ./package.json is missing"
  ],
  [
    "names another licence than the project",
    { manifest: { ...good.manifest, license: "ISC" } },
    "license differs from the project's"
  ],
  ["has no keywords", { manifest: { ...good.manifest, keywords: [] } }, "keywords is missing"],
  [
    "has the project's homepage instead of its own",
    { manifest: { ...good.manifest, homepage: project.homepage } },
    `homepage is not ${good.manifest.homepage}`
  ],
  [
    "has no address for bug reports",
    { manifest: { name: "@verbatim/one", version: "0.1.0" } },
    "bugs differs from the project's"
  ],
  [
    "names the repository without the package's directory",
    { manifest: { ...good.manifest, repository } },
    "repository is not the project's with the package's directory"
  ]
]

describe("a package", () => {
  it("follows the rules for publishing", () => {
    assert.deepStrictEqual(findingsIn(good), [])
  })

  it.for(broken)("is rejected if it %s", ([, change, finding]) => {
    assert.include(findingsIn({ ...good, ...change }), finding)
  })

  it("depends on the current versions of the other packages", () => {
    const two = { name: "@verbatim/two", version: "0.1.0" }
    const old = { ...two, dependencies: { "@verbatim/one": "0.0.9" } }
    assert.deepStrictEqual(disagreements([good.manifest, two]), [])
    assert.deepStrictEqual(disagreements([good.manifest, old]), [
      "@verbatim/two requires @verbatim/one 0.0.9, which has version 0.1.0"
    ])
    assert.isNotEmpty(disagreements([good.manifest, { ...two, version: "0.2.0" }]))
  })

  it("can link to anchors in its README and to other sites", () => {
    assert.deepStrictEqual(linksIn(good.readme), ["LICENSE"])
  })
})
