import * as parts from '../parts.mjs';
import { probe } from '../probe.mjs';

console.log(await probe(parts));
