/** Operations on presets, and the methods of an opened Verbatim that do the same. */
import { same, without } from "./Sameness.ts"

const bySlug = without("a host names a preset by its slug")
const erasedAt = without("it changes when the content is erased: `erased.at`")

const version = {
  presetId: bySlug,
  updatedAt: erasedAt,
  erasedAt: "erased.at",
  erasedBy: "erased.by"
} as const

const preset = {
  creatorUserId: "creatorId",
  workspaceId: without("whoever asks has named the workspace")
} as const

const withDesignated = {
  ...preset,
  designatedVersionId: "designated.id",
  "designatedVersion.id": "designated.id",
  "designatedVersion.presetId": "id",
  "designatedVersion.version": "designated.version",
  "designatedVersion.creatorId": "designated.creatorId",
  "designatedVersion.systemPrompt": "designated.systemPrompt",
  "designatedVersion.config": "designated.config",
  "designatedVersion.createdAt": "designated.createdAt",
  "designatedVersion.updatedAt": erasedAt,
  "designatedVersion.comment": "designated.comment",
  "designatedVersion.erasedAt": "designated.erased.at",
  "designatedVersion.erasedBy": "designated.erased.by"
} as const

const withStaged = {
  ...withDesignated,
  "stagedVersion.id": "staged.id",
  "stagedVersion.presetId": "id",
  "stagedVersion.version": "staged.version",
  "stagedVersion.creatorId": "staged.creatorId",
  "stagedVersion.systemPrompt": "staged.systemPrompt",
  "stagedVersion.config": "staged.config",
  "stagedVersion.createdAt": "staged.createdAt",
  "stagedVersion.updatedAt": erasedAt,
  "stagedVersion.comment": "staged.comment",
  "stagedVersion.erasedAt": "staged.erased.at",
  "stagedVersion.erasedBy": "staged.erased.by"
} as const

const conditions = { ifMatch: "ifDesignated", ifNoneMatch: "ifDesignated" } as const

const labelConditions = { ifMatch: "ifVersion", ifNoneMatch: "ifVersion" } as const

const counted = { totalCount: "total" } as const

const created = {
  ...conditions,
  dryRun: without("`preview` with `slug` tells the same"),
  prefer: "stage",
  xSessionId: without("no preset keeps it")
} as const

const creating = ["presets.create", "presets.preview"] as const

/** Presets. */
export const presets = {
  "presets.createFromResponses": same("presets.createFromResponses", creating, {
    takes: created,
    gives: withStaged
  }),
  "presets.createFromChatCompletions": same("presets.createFromChatCompletions", creating, {
    takes: created,
    gives: withStaged
  }),
  "presets.createFromMessages": same("presets.createFromMessages", creating, {
    takes: created,
    gives: withStaged
  }),
  "presets.createFromVersion": same("presets.createFromVersion", ["presets.createFromVersion"], {
    takes: conditions,
    gives: withStaged
  }),
  "presets.list": same("presets.list", ["presets.list"], {
    takes: {},
    gives: {
      ...preset,
      ...counted,
      designatedVersionId: without("`designatedVersion` is its number, which `version` reads")
    }
  }),
  "presets.get": same("presets.get", ["presets.get"], { takes: {}, gives: withDesignated }),
  "presets.revise": same("presets.revise", ["presets.change"], {
    takes: conditions,
    gives: withDesignated
  }),
  "presets.remove": same("presets.remove", ["presets.remove"], { takes: conditions, gives: {} }),
  "presets.versions": same("presets.versions", ["presets.versions"], {
    takes: {},
    gives: { ...version, ...counted }
  }),
  "presets.version": same("presets.version", ["presets.version"], { takes: {}, gives: version }),
  "presets.designate": same("presets.designate", ["presets.designate"], {
    takes: conditions,
    gives: withDesignated
  }),
  "presets.designations": same("presets.designations", ["presets.designations"], {
    takes: {},
    gives: { ...counted, designatedAt: "at", designatedBy: "by" }
  }),
  "presets.diff": same("presets.diff", ["presets.diff"], { takes: {}, gives: {} }),
  "presets.erase": same("presets.erase", ["presets.erase"], { takes: conditions, gives: version })
}

/** Labels of presets. */
export const labels = {
  "labels.list": same("labels.list", ["presets.labels"], { takes: {}, gives: {} }),
  "labels.get": same("labels.get", ["presets.label"], { takes: {}, gives: {} }),
  "labels.move": same("labels.move", ["presets.moveLabel"], { takes: labelConditions, gives: {} }),
  "labels.remove": same("labels.remove", ["presets.removeLabel"], {
    takes: labelConditions,
    gives: {}
  }),
  "labels.moves": same("labels.moves", ["presets.labelMoves"], {
    takes: {},
    gives: { ...counted, movedAt: "at", movedBy: "by" }
  }),
  "labels.listProtected": same("labels.listProtected", ["presets.protectedLabels"], {
    takes: {},
    gives: { protectedAt: "at", protectedBy: "by" }
  }),
  "labels.protect": same("labels.protect", ["presets.protectLabel"], { takes: {}, gives: {} }),
  "labels.unprotect": same("labels.unprotect", ["presets.unprotectLabel"], { takes: {}, gives: {} })
}

const provenance = {
  "provenance.fields": "fields",
  "provenance.systemPrompt": "systemPrompt",
  "provenance.tools": "tools"
} as const

const inReference = { slug: "preset", version: "preset", label: "preset" } as const

/** Presets in use. */
export const resolutions = {
  "resolutions.pin": same("resolutions.pin", ["presets.pin"], {
    takes: { ...inReference, ifNoneMatch: without("`presetFetch` keeps what was read") },
    gives: {}
  }),
  "resolutions.preview": same("resolutions.preview", ["presets.preview"], { takes: {}, gives: {} }),
  "resolutions.resolve": same("resolutions.resolve", ["presets.resolve"], {
    takes: { ...inReference, body: "request" },
    gives: provenance
  }),
  "resolutions.resolveNamed": same("resolutions.resolveNamed", ["presets.resolve"], {
    takes: { body: "request" },
    gives: provenance
  })
}
