/** The tests use only the parts of Express 4 that are the same in Express 5. */
declare module "express4" {
  import express from "express"
  export = express
}
