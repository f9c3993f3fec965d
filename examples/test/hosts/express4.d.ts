/** The tests use only the part of Express 4 that is the same in Express 5. */
declare module "express4" {
  import express from "express"
  export = express
}
