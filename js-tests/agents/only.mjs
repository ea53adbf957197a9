// Prints a package.json that has one of the agents alone.
import { readFileSync } from 'node:fs';
import { PACKAGES } from './packages.mjs';

const name = PACKAGES[process.argv[2]];
if (name === undefined) throw new Error(`found ${process.argv[2]}, expected one of ${Object.keys(PACKAGES)}`);
// pi's parts name a version of @aws-sdk/core that some registries don't have yet: the tests ask no AWS.
const { dependencies, optionalDependencies, overrides } = JSON.parse(
  readFileSync(new URL('package.json', import.meta.url), 'utf8'),
);
console.log(
  JSON.stringify({ private: true, dependencies: { [name]: dependencies[name] }, optionalDependencies, overrides }),
);
