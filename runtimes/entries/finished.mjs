// For hosts without a console: the bundle exports the output of the probe.
import * as parts from '../parts.mjs';
import { probe } from '../probe.mjs';

export const finished = probe(parts);
