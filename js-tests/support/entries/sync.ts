// Prints the package's results directly after its import.
import * as densify from 'densify';
import { probe } from '../probe.js';

console.log(probe(densify));
