// Prints what the package says right after it was imported.
import * as densify from 'densify';
import { probe } from '../probe.js';

console.log(probe(densify));
