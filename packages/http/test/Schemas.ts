/** Builds validators from the published schemas. */
import { document } from "@verbatim/http/description"
import { Ajv2020 } from "ajv/dist/2020.js"

/**
 * Validates with any of the published schemas. Formats are not checked, because they are only hints
 * for readers.
 */
export const ajv = new Ajv2020({ strict: false, validateFormats: false })

ajv.addSchema({ $id: "https://example.com/", components: document().components })

export const validatorOf = (name: string) =>
  ajv.compile({ $ref: `https://example.com/#/components/schemas/${name}` })
