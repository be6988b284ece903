// validate.js SCHEMA: holds the JSON on standard input against a JSON schema; says what is wrong.
"use strict";
const fs = require("fs");
const Ajv = require("ajv");

const schema = JSON.parse(fs.readFileSync(process.argv[2], "utf8"));
const ajv = new Ajv({ allErrors: true, strict: false });
const validate = ajv.compile(schema);
if (!validate(JSON.parse(fs.readFileSync(0, "utf8")))) {
  for (const problem of validate.errors.slice(0, 10))
    console.error(`${problem.instancePath || "/"}: ${problem.message}`);
  process.exit(1);
}
