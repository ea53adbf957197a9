// For hosts without a console: what the package says is what the bundle exports.
import * as parts from '../parts.mjs';
import { probe } from '../probe.mjs';

export const finished = probe(parts);
