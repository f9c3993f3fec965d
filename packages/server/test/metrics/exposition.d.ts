/**
 * Declares types for the parser, because its package has none. All numbers are strings, as on the
 * page.
 */
declare module "parse-prometheus-text-format" {
  interface Sample {
    readonly value: string
    readonly labels?: Readonly<Record<string, string>>
  }

  interface Family {
    readonly name: string
    readonly help: string
    readonly type: string
    readonly metrics: ReadonlyArray<Sample>
  }

  const parse: (page: string) => ReadonlyArray<Family>
  export = parse
}
