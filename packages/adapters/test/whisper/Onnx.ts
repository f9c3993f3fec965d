/**
 * Writes ONNX files, with only those parts of the format (onnx.proto3) that the small models of the
 * tests need.
 */

/** A field of a message: its number and its value. */
type Field = readonly [number: number, value: number | string | Uint8Array]

const varint = (value: number): Uint8Array => {
  const bytes: Array<number> = []
  let rest = BigInt.asUintN(64, BigInt(value))
  for (; rest > 127n; rest >>= 7n) bytes.push(Number(rest & 127n) | 128)
  return Uint8Array.from([...bytes, Number(rest)])
}

const message = (...fields: ReadonlyArray<Field>): Uint8Array =>
  Buffer.concat(
    fields.flatMap(([number, value]) => {
      if (typeof value === "number") return [varint(number << 3), varint(value)]
      const bytes = typeof value === "string" ? Buffer.from(value) : value
      return [varint((number << 3) | 2), varint(bytes.byteLength), bytes]
    })
  )

/** The numbers of value types in the ONNX format. */
const types = { float: 1, int32: 6, int64: 7, bool: 9 } as const

/** The dimensions of a value. A dimension with a name instead of a number can have any size. */
type Shape = ReadonlyArray<number | string>

/** Builds an input or an output of a graph. */
export const value = (
  name: string,
  shape: Shape,
  type: keyof typeof types = "float"
): Uint8Array => {
  const dims = shape.map(
    (dim): Field => [1, message(typeof dim === "number" ? [1, dim] : [2, dim])]
  )
  const tensor = message([1, types[type]], [2, message(...dims)])
  return message([1, name], [2, message([1, tensor])])
}

/** Builds a constant of the model. */
export const constant = (
  name: string,
  shape: ReadonlyArray<number>,
  numbers: Float32Array | BigInt64Array
): Uint8Array =>
  message(
    ...shape.map((dim): Field => [1, dim]),
    [2, numbers instanceof Float32Array ? types.float : types.int64],
    [8, name],
    [9, new Uint8Array(numbers.buffer, numbers.byteOffset, numbers.byteLength)]
  )

/** Builds a constant of one or more whole numbers. */
export const whole = (name: string, ...numbers: ReadonlyArray<number>): Uint8Array =>
  constant(name, [numbers.length], BigInt64Array.from(numbers.map(BigInt)))

/** Builds a constant of a single number. */
export const scalar = (name: string, number: number): Uint8Array =>
  constant(name, [], Float32Array.of(number))

/** The attributes of a step: whole numbers, or lists of them. */
type Attributes = Readonly<Record<string, number | ReadonlyArray<number>>>

const attribute = (name: string, content: number | ReadonlyArray<number>): Uint8Array =>
  typeof content === "number"
    ? message([1, name], [3, content], [20, 2])
    : message([1, name], ...content.map((each): Field => [8, each]), [20, 7])

/** Builds one step: `name = operation(inputs)`. */
export const step = (
  name: string,
  operation: string,
  inputs: ReadonlyArray<string>,
  attributes: Attributes = {}
): Uint8Array =>
  message(
    ...inputs.map((input): Field => [1, input]),
    [2, name],
    [3, name],
    [4, operation],
    ...Object.entries(attributes).map(([key, content]): Field => [5, attribute(key, content)])
  )

/** Encodes a model as the bytes of an ONNX file. */
export const model = (graph: {
  readonly inputs: ReadonlyArray<Uint8Array>
  readonly outputs: ReadonlyArray<Uint8Array>
  readonly constants: ReadonlyArray<Uint8Array>
  readonly steps: ReadonlyArray<Uint8Array>
  readonly properties: Readonly<Record<string, string | number>>
}): Uint8Array => {
  const content = message(
    ...graph.steps.map((each): Field => [1, each]),
    [2, "graph"],
    ...graph.constants.map((each): Field => [5, each]),
    ...graph.inputs.map((each): Field => [11, each]),
    ...graph.outputs.map((each): Field => [12, each])
  )
  return message(
    [1, 8],
    [7, content],
    [8, message([2, 13])],
    ...Object.entries(graph.properties).map(
      ([key, property]): Field => [14, message([1, key], [2, String(property)])]
    )
  )
}
