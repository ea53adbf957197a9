// As import.mjs, without a top-level await, which CommonJS bundles lack.
import * as parts from '../parts.mjs';
import { probe } from '../probe.mjs';

probe(parts).then(console.log, (thrown) => console.error(String(thrown)));
