// Prints what the package says after it was prepared off the main thread.
import * as densify from 'densify';
import { probe } from '../probe.js';

void Promise.all([densify.init(), densify.initConversations()]).then(() => console.log(probe(densify)));
