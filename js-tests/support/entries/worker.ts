// A module worker: answers with what the package says, prepared or not.
import * as densify from 'densify';
import { probe } from '../probe.js';

if (new URL(location.href).searchParams.has('init')) await Promise.all([densify.init(), densify.initConversations()]);
postMessage(probe(densify));
