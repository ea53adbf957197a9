// Prints the package's results after `init`.
import * as densify from 'densify';
import { probe } from '../probe.js';

void Promise.all([densify.init(), densify.initConversations()]).then(() => console.log(probe(densify)));
